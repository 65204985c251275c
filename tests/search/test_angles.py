"""Turns about fixed pivots in random scenes, watched at many angles.

What the core lists must be free at every angle, and with a tolerance less by a thousandth, blocked
at one. What it does not list must be blocked at one, too; if that cannot be seen, the referee
decides.
"""

import os
import random
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, count, islice
from typing import NamedTuple

from tests.search.plain_angles import TOUCH, Stood, Swings, least_gaps
from tests.search.test_turns import random_scene

from kumitate import Assembly, Move
from kumitate.model.geometry import ZERO, Vector, add, times
from kumitate.model.options import ApartOptions
from kumitate.model.rotation import Rotation
from kumitate.referee.oblongs import Stand
from kumitate.referee.turns import turn as judge
from kumitate.search.disassemble import Disassembler, spots

SOAK = "KUMITATE_SOAK" in os.environ
TOGETHER = 200  # scenes that are watched in one go
KINDS, SOME = 2, 6  # of a scene: kinds of turns; of a kind, turns that are listed and others


class Kind(NamedTuple):
    """Some pieces, without the first, turn about an axis. If they do, the others turn back."""

    pieces: frozenset[int]
    axis: int
    quarters: int


class Scene(NamedTuple):
    """Pieces that may have slid, by units, and the least tolerances of all turns that are listed.

    Those are by kind, and then by pivot.
    """

    assembly: Assembly
    places: Sequence[Vector]
    parts: int
    tolerance: Fraction
    listed: dict[Kind, dict[Vector, Fraction]]

    def __str__(self) -> str:
        return f"{[sorted(shape.cells) for shape in self.assembly.shapes]} at {self.places}"

    def kind(self, pieces: Collection[int], axis: int, quarters: int) -> Kind:
        if 0 not in pieces:
            return Kind(frozenset(pieces), axis, quarters)
        rest = frozenset(range(len(self.places))).difference(pieces)
        return Kind(rest, axis, -quarters)

    def swings(self, kind: Kind, turns: Sequence[tuple[Vector, Fraction]]) -> Swings:
        """Turns as the watcher takes them."""
        stood = [
            Stood(frozenset(shape.cells), (x / self.parts, y / self.parts, z / self.parts))
            for shape, (x, y, z) in zip(self.assembly.shapes, self.places, strict=True)
        ]
        moving = [stood[n] for n in kind.pieces]
        staying = [one for n, one in enumerate(stood) if n not in kind.pieces]
        u, v = (kind.axis + 1) % 3, (kind.axis + 2) % 3
        halves = 2 * self.parts
        pivots = [(pivot[u] / halves, pivot[v] / halves) for pivot, _ in turns]
        tolerances = [float(tolerance) for _, tolerance in turns]
        return Swings(moving, staying, kind.axis, kind.quarters, pivots, tolerances)

    def blocked(self, kind: Kind, pivot: Vector, tolerance: Fraction) -> bool:
        """What the referee says."""
        at = {
            n: Stand(frozenset(shape.cells), place)
            for n, (shape, place) in enumerate(zip(self.assembly.shapes, self.places, strict=True))
        }
        turn = Rotation([*kind.pieces], kind.axis, kind.quarters, pivot, self.parts, tolerance)
        fault = judge(self.assembly, turn, range(len(at)), at, self.parts)
        return fault is not None and "would hit" in fault


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
        one = Scene(assembly, places, disassembler.parts, Fraction(tolerance, 1000), {})
        for pieces, axis, _, _, turn in rows:
            if turn:
                kind = one.kind(pieces, axis, turn[0])
                one.listed.setdefault(kind, {})[turn[1]] = Fraction(turn[2], 1000)
        yield one
        slides = [row for row in rows if row[2]]  # those by some units
        if not slides:
            break
        slide = disassembler.move(chance.choice(slides))
        assert isinstance(slide, Move)
        by = times(slide.units or 0, slide.step)
        places = [add(at, by) if n in slide.pieces else at for n, at in enumerate(places)]


def kinds(one: Scene, chance: random.Random) -> Iterator[Kind]:
    """Some that are listed, the same by a quarter more, and any kind."""
    listed = chance.sample([*one.listed], min(KINDS, len(one.listed)))
    yield from listed
    for pieces, axis, quarters in listed[:1]:
        if abs(quarters) < 3:
            yield Kind(pieces, axis, quarters + (1 if quarters > 0 else -1))
    numbers = range(1, len(one.places))
    pieces = frozenset(chance.sample(numbers, chance.randint(1, len(numbers))))
    yield Kind(pieces, chance.randrange(3), chance.choice((1, 1, 2, 3)) * chance.choice((1, -1)))


def others(one: Scene, kind: Kind, chance: random.Random) -> Iterator[Vector]:
    """Pivots of a kind that are not listed."""
    cells = [
        add(times(one.parts, cell[:3]), place)
        for shape, place in zip(one.assembly.shapes, one.places, strict=True)
        for cell in shape.cells
    ]
    for _ in range(SOME):
        pivot = [0, 0, 0]
        for n in ((kind.axis + 1) % 3, (kind.axis + 2) % 3):
            numbers = [cell[n] for cell in cells]
            pivot[n] = chance.randint(2 * min(numbers), 2 * (max(numbers) + one.parts))
        x, y, z = pivot
        odd = kind.quarters % 2 and sum(pivot) % 2
        if not odd and (x, y, z) not in one.listed.get(kind, {}):
            yield x, y, z


class Asked(NamedTuple):
    scene: Scene
    kind: Kind
    turns: Sequence[tuple[Vector, Fraction]]  # pivots and tolerances


def gaps(asked: Iterable[Asked]) -> Iterator[tuple[Scene, Kind, Vector, Fraction, float]]:
    """Turns, each with the least gap on its way."""
    some = [one for one in asked if one.turns]
    least = least_gaps([one.scene.swings(one.kind, one.turns) for one in some])
    for (one, kind, turns), found in zip(some, least, strict=True):
        for (pivot, tolerance), gap in zip(turns, found, strict=True):
            yield one, kind, pivot, tolerance, gap


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
        free: list[Asked] = []
        hits: list[Asked] = []
        for one in some:
            for kind in kinds(one, chance):
                listed = [*one.listed.get(kind, {}).items()]
                free.append(Asked(one, kind, chance.sample(listed, min(SOME, len(listed)))))
                tight = [(pivot, least - less) for pivot, least in free[-1].turns if least]
                other = [(pivot, one.tolerance) for pivot in others(one, kind, chance)]
                hits.append(Asked(one, kind, [*tight, *other]))
                counts["tight"] += len(tight)
        for *turn, gap in gaps(free):
            assert gap >= -TOUCH, "not free: {}, {}, about {}, {}".format(*turn)
            counts["listed"] += 1
        for one, kind, pivot, tolerance, gap in gaps(hits):
            counts["other"] += 1
            if gap >= -TOUCH:
                assert one.blocked(kind, pivot, tolerance), (
                    f"free: {one}, {kind}, about {pivot}, {tolerance}"
                )
                counts["judged"] += 1
    return Watched(*(counts[name] for name in Watched._fields))


def test_what_turns_is_free_at_all_angles_and_what_does_not_is_blocked() -> None:
    most = 10**6 if SOAK else 1000
    listed, tight, other, judged = watch(1, most)
    assert listed > 3 * most
    assert tight > most / 2
    assert other - tight > 5 * most
    assert judged <= other / 10_000
