"""Turns about fixed pivots in random scenes, watched at many angles.

What the core lists must be free at every angle, and with a tolerance less by a thousandth, blocked
at one. What it does not list must be blocked at one, too; if that cannot be seen, the referee
decides.
"""

import os
import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, count, islice
from typing import NamedTuple

from tests.search.plain_angles import TOUCH, Stood, Swings, least_gaps
from tests.search.test_turns import random_scene

from kumitate import Assembly, Move, _core
from kumitate.model.geometry import ZERO, Vector, add, times
from kumitate.model.options import ApartOptions
from kumitate.model.rotation import Rotation
from kumitate.referee.oblongs import Stand
from kumitate.referee.turns import turn as judge
from kumitate.search.disassemble import Disassembler, spots

SOAK = "KUMITATE_SOAK" in os.environ
TOGETHER = 200  # scenes that are watched in one go
SOME = 5  # turns of a scene, of those that are listed


class Scene(NamedTuple):
    """Pieces that may have slid, by units, and all turns that the core finds there."""

    assembly: Assembly
    places: Sequence[Vector]
    parts: int
    tolerance: Fraction
    disassembler: Disassembler
    rows: "Sequence[_core.Slide]"  # the turns, as the core lists them

    def __str__(self) -> str:
        return f"{[sorted(shape.cells) for shape in self.assembly.shapes]} at {self.places}"

    def turns(self, chance: random.Random) -> list[Rotation]:
        """Some of them."""
        some = chance.sample(self.rows, min(SOME, len(self.rows)))
        return [turn for turn in map(self.disassembler.move, some) if isinstance(turn, Rotation)]

    def swings(self, turns: Iterable[Rotation]) -> list[tuple[list[Rotation], Swings]]:
        """Turns as the watcher takes them: those of the same pieces in one go."""
        stood = [
            Stood(frozenset(shape.cells), (x / self.parts, y / self.parts, z / self.parts))
            for shape, (x, y, z) in zip(self.assembly.shapes, self.places, strict=True)
        ]
        alike: dict[tuple[Sequence[int], int, int, Fraction], list[Rotation]] = {}
        for turn in turns:
            kind = turn.pieces, turn.axis, turn.quarters, turn.tolerance
            alike.setdefault(kind, []).append(turn)
        found = []
        for (pieces, axis, quarters, tolerance), some in alike.items():
            moving = [stood[n] for n in pieces]
            staying = [one for n, one in enumerate(stood) if n not in pieces]
            u, v = (axis + 1) % 3, (axis + 2) % 3
            halves = 2 * self.parts
            pivots = [(turn.pivot[u] / halves, turn.pivot[v] / halves) for turn in some]
            found.append((some, Swings(moving, staying, axis, quarters, pivots, float(tolerance))))
        return found

    def blocked(self, turn: Rotation) -> bool:
        """What the referee says."""
        at = {
            n: Stand(frozenset(shape.cells), place)
            for n, (shape, place) in enumerate(zip(self.assembly.shapes, self.places, strict=True))
        }
        fault = judge(self.assembly, turn, range(len(at)), at, self.parts)
        return fault is not None and "would hit" in fault

    def same(
        self, pieces: Collection[int], axis: int, quarters: int, pivot: Vector
    ) -> tuple[object, ...]:
        """That some pieces turn is that all others turn the other way."""
        if 0 not in pieces:
            return frozenset(pieces), axis, quarters, pivot
        rest = frozenset(range(len(self.places))).difference(pieces)
        return rest, axis, -quarters, pivot


def scenes(chance: random.Random) -> Iterator[Scene]:
    """Pieces as they were assembled, and where they get by a slide or two."""
    assembly = random_scene(chance.randrange(2**32))
    tolerance = chance.choice([0, 0, 0, 0, 0, 0, 30, 60, 120])
    options = ApartOptions(turns=tolerance / 1000, fine=chance.random() < 0.4)
    disassembler = Disassembler(assembly.problem, options)
    places = [ZERO for _ in assembly.placements]
    for _ in range(3):
        rows = disassembler.core.survey(spots(assembly), [*range(len(places))], places)
        assert rows is not None
        turns = [row for row in rows if row[-1]]
        exact = Fraction(tolerance, 1000)
        yield Scene(assembly, places, disassembler.parts, exact, disassembler, turns)
        slides = [row for row in rows if row[2]]  # those by some units
        if not slides:
            break
        slide = disassembler.move(chance.choice(slides))
        assert isinstance(slide, Move)
        by = times(slide.units or 0, slide.step)
        places = [add(at, by) if n in slide.pieces else at for n, at in enumerate(places)]


def others(one: Scene, listed: Sequence[Rotation], chance: random.Random) -> Iterator[Rotation]:
    """Some that the core does not list: close to those it does, and at random."""
    known = {one.same(pieces, axis, *turn[:2]) for pieces, axis, _, _, turn in one.rows if turn}
    cells = [
        add(times(one.parts, cell[:3]), place)
        for shape, place in zip(one.assembly.shapes, one.places, strict=True)
        for cell in shape.cells
    ]
    low = [2 * min(cell[n] for cell in cells) for n in range(3)]
    high = [2 * max(cell[n] + one.parts for cell in cells) for n in range(3)]

    def turn(pieces: Sequence[int], axis: int, quarters: int, at: Sequence[int]) -> Rotation | None:
        pivot = [0, 0, 0]
        for n in ((axis + 1) % 3, (axis + 2) % 3):
            pivot[n] = at[n]
            if not low[n] <= at[n] <= high[n]:
                return None
        found = Rotation(
            pieces, axis, quarters, (pivot[0], pivot[1], pivot[2]), one.parts, one.tolerance
        )
        same = one.same(found.pieces, axis, quarters, found.pivot)
        return None if found.fault or same in known else found

    for near in listed[:2]:
        sign = 1 if near.quarters > 0 else -1
        at = [n + chance.choice((-1, 0, 1)) for n in near.pivot]
        yield from filter(None, [turn(near.pieces, near.axis, near.quarters, at)])
        yield from filter(None, [turn(near.pieces, near.axis, near.quarters + sign, near.pivot)])
    numbers = range(len(one.places))
    for _ in range(2):
        pieces = chance.sample(numbers, chance.randint(1, len(numbers) - 1))
        at = [chance.randint(*ends) for ends in zip(low, high, strict=True)]
        quarters = chance.choice((1, 1, 2, 3)) * chance.choice((1, -1))
        yield from filter(None, [turn(pieces, chance.randrange(3), quarters, at)])


def gaps(
    some: Iterable[tuple[Scene, Iterable[Rotation]]],
) -> Iterator[tuple[Scene, Rotation, float]]:
    """Turns, each with the least gap on its way."""
    asked = [(one, *swings) for one, turns in some for swings in one.swings(turns)]
    least = least_gaps([swings for _, _, swings in asked])
    for (one, turns, _), found in zip(asked, least, strict=True):
        for turn, gap in zip(turns, found, strict=True):
            yield one, turn, gap


class Watched(NamedTuple):
    """How many turns."""

    listed: int
    tight: int  # of those: they need a tolerance
    other: int  # not listed, or with less tolerance
    judged: int  # of those: not seen to be blocked, but so says the referee


def watch(seed: int, most: int) -> Watched:
    chance, less = random.Random(seed), Fraction(1, 1000)
    counts: Counter[str] = Counter()
    every = chain.from_iterable(scenes(chance) for _ in count())
    while counts["scenes"] < most:
        some = list(islice(every, min(TOGETHER, most - counts["scenes"])))
        counts["scenes"] += len(some)
        free = [(one, one.turns(chance)) for one in some]
        for one, turn, gap in gaps(free):
            assert gap >= -TOUCH, f"not free: {turn} of {one}"
            counts["listed"] += 1
        hits: list[tuple[Scene, list[Rotation]]] = []
        for one, turns in free:
            tight = [
                replace(turn, tolerance=turn.tolerance - less) for turn in turns if turn.tolerance
            ]
            counts["tight"] += len(tight)
            hits.append((one, [*tight, *others(one, turns, chance)]))
        for one, turn, gap in gaps(hits):
            counts["other"] += 1
            if gap >= -TOUCH:
                assert one.blocked(turn), f"free: {turn} of {one}"
                counts["judged"] += 1
    return Watched(*(counts[name] for name in Watched._fields))


def test_what_turns_is_free_at_all_angles_and_what_does_not_is_blocked() -> None:
    most = 10**6 if SOAK else 1000
    listed, tight, other, judged = watch(1, most)
    assert listed > 2 * most
    assert tight > most / 10
    assert other - tight > most
    assert judged <= other / 10_000
