"""PlacementTable: the placements of a problem by number, and the way back to an assembly.

A search speaks of placements as numbers, their names. To it pieces of one shape are one kind, of
which it uses so many; what the table gives back has them dealt out to the pieces again. The table
stands on its own, so what a search has found can be read without searching anything.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from kumitate.model.puzzle import Placement, Problem
from kumitate.model.solution import Assembly, find_placement

Row = tuple[int, int, int, int, int]  # kind, turn, shift


@dataclass(frozen=True)
class PlacementTable:
    """A row for each name, and for each kind the pieces of the problem that it stands for."""

    problem: Problem
    rows: Sequence[Row]
    kinds: Sequence[Sequence[int]]

    def name(self, placement: Placement) -> int | None:
        """The name of the placement that puts a piece on the same cells."""
        kind = self._kind_of[placement.piece]
        shape = self.problem.pieces[self.kinds[kind][0]].shape
        placed = placement.placed(self.problem.pieces[placement.piece].shape)
        same = find_placement(kind, shape, placed)
        return None if same is None else self._names.get((kind, same.turn, *same.shift))

    def assembly(self, names: Iterable[int]) -> Assembly:
        """The placements that these names stand for."""
        placed: list[Placement] = []
        by_kind: dict[int, list[int]] = {}
        for name in names:
            kind, turn, x, y, z = self.rows[name]
            if len(self.kinds[kind]) == 1:
                placed.append(Placement(self.kinds[kind][0], turn, (x, y, z)))
            else:
                by_kind.setdefault(kind, []).append(name)
        for kind, some in by_kind.items():
            placed += self._deal(self.kinds[kind], some)
        return Assembly(self.problem, placed)

    def _deal(self, pieces: Sequence[int], names: Sequence[int]) -> list[Placement]:
        """Placements of one shape for the pieces that have it: pinned, then needed, then more."""
        mine: dict[int, list[int]] = {piece: [] for piece in pieces}
        left = dict.fromkeys(names)
        for piece, name in self._pins:
            if piece in mine:
                mine[piece].append(name)
                del left[name]
        rest = list(reversed(left))
        for bound in ("min", "max"):
            for piece in pieces:
                while rest and len(mine[piece]) < getattr(self.problem.pieces[piece], bound):
                    mine[piece].append(rest.pop())
        return [self._placement(piece, name) for piece, some in mine.items() for name in some]

    def _placement(self, piece: int, name: int) -> Placement:
        """A placement of a kind as one of a piece that looks like it."""
        known = self._placements.get((piece, name))
        if known is None:
            kind, turn, x, y, z = self.rows[name]
            first = self.problem.pieces[self.kinds[kind][0]].shape
            placed = Placement(kind, turn, (x, y, z)).placed(first)
            known = find_placement(piece, self.problem.pieces[piece].shape, placed)
            assert known is not None
            self._placements[piece, name] = known
        return known

    @cached_property
    def _placements(self) -> dict[tuple[int, int], Placement]:
        return {}

    @cached_property
    def _names(self) -> dict[Row, int]:
        return {row: name for name, row in enumerate(self.rows)}

    @cached_property
    def _kind_of(self) -> dict[int, int]:
        return {piece: kind for kind, pieces in enumerate(self.kinds) for piece in pieces}

    @cached_property
    def _pins(self) -> list[tuple[int, int]]:
        named = ((pin.piece, self.name(pin)) for pin in sorted(self.problem.pinned))
        known = ((piece, name) for piece, name in named if name is not None)
        return list(dict.fromkeys(known))  # two turns may put a piece on the same cells
