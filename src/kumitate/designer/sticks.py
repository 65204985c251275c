"""Candidates whose sticks a tool can make: climbs that exchange whole sticks of a burr.

Changing one cell of a notchable stick hardly ever leaves it notchable. But a stick of the six-piece
burr has only twelve cells that it may lack, so all sticks that will do are known beforehand, for
each place; a step puts another stick into one of the places.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from random import Random
from threading import local
from typing import Any

from kumitate.designer.assembly_shapes import Key, shape_key
from kumitate.designer.engine import Accept, Candidate, Stop
from kumitate.designer.packings import Numbered
from kumitate.designer.space import Pieces, Space
from kumitate.model.geometry import Cell
from kumitate.model.puzzle import Problem
from kumitate.model.shape import Shape, shift_cell
from kumitate.search.disassemble import Disassembler, levels_of
from kumitate.search.placements import numbers_of, rows_of

STEPS = 4000  # of a climb
LATER = 0.1  # of the score, for each of all moves
SLACK = 1.0
MAX_STATES = 5000
MOST_LACKING = 12  # cells, of which any may be missing
NEVER = float("-inf")


class Exchanged(Numbered):
    """Climbs to burrs of sticks that fit."""

    size = STEPS

    def __init__(self, fits: Callable[[Shape], bool], space: Space, **how: Any) -> None:
        super().__init__(space, **how)
        self.fits = fits
        self.mine = local()  # a bench for each thread

    def find(self, number: int, start: Pieces | None) -> Iterator[Candidate]:
        if not hasattr(self.mine, "bench"):
            self.mine.bench = _Bench(self.space, self.fits)
        bench: _Bench = self.mine.bench
        dice = Random(f"{self.seed} {number}")
        for found in bench.climb(dice, start, self.accept, self.stop):
            yield replace(found, evaluations=number * STEPS + found.evaluations)


class _Bench:
    """All sticks that fit, for each place, and the core that takes them apart."""

    def __init__(self, space: Space, fits: Callable[[Shape], bool]) -> None:
        self.space = space
        self.judge = Disassembler(Problem(space.frame, []))
        self.sticks: list[frozenset[Cell]] = []
        self.masks: list[int] = []  # the same as bits
        self.keys: dict[int, Key] = {}  # of sticks: equal for those that are the same when turned
        self.refused: set[tuple[Key, ...]] = set()  # sorted keys of burrs
        self.places: list[range] = []  # numbers of the sticks of each place
        for sticks in sticks_in_places(space, fits):
            self.places.append(range(len(self.sticks), len(self.sticks) + len(sticks)))
            self.sticks += sticks
        bits = {cell: 1 << number for number, cell in enumerate(space.cells)}
        for stick in self.sticks:
            self.judge.core.add_piece(rows_of(stick), 1, [])
            self.masks.append(sum(map(bits.__getitem__, stick)))

    def free(self, place: int, others: Iterable[int]) -> list[int]:
        """The sticks of a place that overlap none of these."""
        taken, masks = sum(map(self.masks.__getitem__, others)), self.masks
        return [stick for stick in self.places[place] if not masks[stick] & taken]

    def draw(self, dice: Random) -> list[int]:
        """A stick for each place, none of which overlaps another."""
        chosen: list[int] = []
        while len(chosen) < len(self.places):
            if free := self.free(len(chosen), chosen):
                chosen.append(dice.choice(free))
            else:
                chosen.clear()
        return chosen

    def placed(self, start: Pieces) -> list[int] | None:
        """The sticks of a burr by their numbers; None if one of them does not fit."""
        try:
            both = zip(self.places, start, strict=True)
            return [self.sticks.index(stick, place.start, place.stop) for place, stick in both]
        except ValueError:
            return None

    def climb(
        self, dice: Random, start: Pieces | None, accept: Accept, stop: Stop
    ) -> Iterator[Candidate]:
        """Ever better burrs that are accepted; it may walk over others, which are as hard."""
        burr = (start and self.placed(start)) or self.draw(dice)
        best = highest = NEVER
        trial: Sequence[int] = burr
        for step in range(STEPS):
            if stop():
                return
            score, found = self._score(trial, step)
            highest = max(highest, score)
            if score > best and found is None:
                best = score
            elif score > best and found and (key := self._key(trial)) not in self.refused:
                if accept(found):
                    best = score
                    yield found
                else:
                    self.refused.add(key)
            if score >= highest - SLACK:
                burr = list(trial)
            at = dice.randrange(len(burr))
            free = self.free(at, (stick for stick in burr if stick != burr[at]))
            trial = [*burr[:at], dice.choice(free), *burr[at + 1 :]]

    def _key(self, burr: Sequence[int]) -> tuple[Key, ...]:
        """Equal for burrs with the same sticks, wherever they lie."""
        grid = self.space.frame.grid
        for stick in burr:
            if stick not in self.keys:
                self.keys[stick] = shape_key(Shape(grid, self.sticks[stick]), grid.turns)
        return tuple(sorted(map(self.keys.__getitem__, burr)))

    def _score(self, burr: Sequence[int], step: int) -> tuple[float, Candidate | None]:
        pieces = tuple(self.sticks[number] for number in burr)
        holes = len(self.space.frame) - sum(map(len, pieces))
        if not self.space.holes[0] <= holes <= self.space.holes[1]:
            return NEVER, None
        spots = numbers_of(list(chain.from_iterable((number, 0, 0, 0, 0) for number in burr)))
        ending, tree, _, part, *_ = self.judge.core.take_apart(spots, MAX_STATES, 2**31, 1)
        if tree is None:
            return (-len(part) if ending in ("rigid", "stuck") else NEVER), None
        levels = levels_of(tree[0])
        return levels.moves + LATER * levels.total, Candidate(pieces, levels, step + 1)


def sticks_in_places(space: Space, fits: Callable[[Shape], bool]) -> list[list[frozenset[Cell]]]:
    """For each place the sticks that fit; places that are turned copies have turned sticks."""
    found: list[list[frozenset[Cell]]] = []
    for number in range(len(space.homes)):
        for other in range(number):
            images = _images(space, other, number)
            if images:
                turned = [frozenset(images[cell] for cell in stick) for stick in found[other]]
                found.append(turned)
                break
        else:
            found.append(list(_sticks(space, number, fits)))
    return found


def _images(space: Space, one: int, other: int) -> dict[Cell, Cell] | None:
    """Where a turn takes the cells of a place to those of another, with what both may lack."""
    lacking = Shape(space.frame.grid, may_lack(space, other))
    there = Shape(space.frame.grid, space.homes[other])
    here = Shape(space.frame.grid, space.homes[one])
    corner = there.at_origin()
    for turn in space.frame.grid.turns:
        turned = here.images(turn)
        if turned is None or Shape(here.grid, {*turned.values()}).at_origin() != corner:
            continue
        low = [min(c[axis] for c in turned.values()) for axis in range(3)]
        least = [min(c[axis] for c in there.cells) for axis in range(3)]
        x, y, z = (b - a for a, b in zip(low, least, strict=True))
        images = {cell: shift_cell(image, (x, y, z)) for cell, image in turned.items()}
        if {images[cell] for cell in may_lack(space, one)} == lacking.cells:
            return images
    return None


def may_lack(space: Space, place: int) -> frozenset[Cell]:
    """The cells of a place that other pieces can have."""
    others = (home for number, home in enumerate(space.homes) if number != place)
    return space.homes[place] & frozenset[Cell]().union(*others)


def _sticks(space: Space, place: int, fits: Callable[[Shape], bool]) -> Iterator[frozenset[Cell]]:
    """The sticks of a place that fit, whatever cells they lack."""
    home, lacks = space.homes[place], sorted(may_lack(space, place))
    assert len(lacks) <= MOST_LACKING
    least, most = space.sizes
    for amount in range(len(lacks) + 1):
        for lacking in combinations(lacks, amount):
            stick = Shape(space.frame.grid, home.difference(lacking))
            if least <= len(stick) <= most and stick.connected and fits(stick):
                yield frozenset(stick.cells)
