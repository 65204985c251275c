"""PlacementTable: the placements of a problem by number, and the way back to an assembly.

A search knows placements by number. To it, pieces of one shape are copies of one kind; the table
deals them out to the pieces again. The table stands on its own, so saved results can be read
without a search.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from struct import unpack_from
from typing import NamedTuple

from kumitate.model.geometry import ZERO, Vector, add
from kumitate.model.lazy import Lazy
from kumitate.model.puzzle import Placement, Problem, find_placement
from kumitate.model.solution import Assembly

Row = tuple[int, int, int, int, int]  # kind, turn, shift
_FORMATS = {1: "B", 2: "H", 4: "I"}


class PackedRows(NamedTuple):
    """Assemblies as a search packs them: `rows` rows of `length` names, `width` bytes each.

    >>> table = PackedRows(bytes([4, 5, 6, 7, 8, 255]), 2, 3, 1)
    >>> [unpack(table.row(number), table.width) for number in range(table.rows)]
    [[4, 5, 6], [7, 8]]
    """

    names: bytes
    rows: int
    length: int
    width: int = 4

    def row(self, number: int) -> bytes:
        size = self.length * self.width
        return self.names[number * size : (number + 1) * size]

    def part(self, first: int, end: int) -> "PackedRows":
        """The rows from one number up to another, that one not included."""
        size, end = self.length * self.width, min(end, self.rows)
        return self._replace(names=self.names[first * size : end * size], rows=end - first)


def unpack(names: bytes, width: int) -> list[int]:
    """The names in a row of a packed table; a name of all ones is padding."""
    if width in _FORMATS:
        some: Iterable[int] = unpack_from(f"<{len(names) // width}{_FORMATS[width]}", names)
    else:
        starts = range(0, len(names), width)
        some = (int.from_bytes(names[at : at + width], "little") for at in starts)
    blank = (1 << 8 * width) - 1
    return [name for name in some if name != blank]


@dataclass(frozen=True)
class PlacementTable(Lazy):
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
        return Assembly(self.problem, list(self._deal(names)))

    def assembly_in(self, row: bytes, width: int) -> Assembly:
        """The assembly in a row of a packed table, which is read when its placements are."""
        return Assembly.later(self._read, row, width, problem=self.problem)

    @cached_property
    def _read(self) -> Callable[[bytes, int], Mapping[str, object]]:
        return self._fields  # the same for all assemblies

    def _fields(self, row: bytes, width: int) -> dict[str, object]:
        return {"placements": tuple(sorted(self._deal(unpack(row, width))))}

    def _deal(self, names: Iterable[int]) -> Iterator[Placement]:
        """Placements for pieces: pinned where they are pinned, else in the order of their kind."""
        turns = [iter(order) for order in self.order]
        for name in names:
            piece = self.pins.get(name)
            if piece is None:
                piece = next(turns[self.rows[name][0]])
            known = self._placements.get((piece, name))
            if known is None:
                known = self._placements[piece, name] = self.placement(piece, name)
            yield known

    def placement(self, piece: int, name: int) -> Placement:
        """A placement of a kind as one of a piece that looks like it."""
        kind, turn, x, y, z = self.rows[name]
        if piece == self.kinds[kind][0]:
            return Placement(piece, turn, (x, y, z))
        its, shift = self.turned(piece, turn)
        return Placement(piece, its, add(shift, (x, y, z)))

    def turned(self, piece: int, turn: int) -> tuple[int, Vector]:
        """How a piece lies where the first of its kind, turned, lies: its turn and its shift."""
        known = self._turned.get((piece, turn))
        if known is None:
            first = self.kinds[self._kind_of[piece]][0]
            placed = Placement(first, turn, ZERO).placed(self.problem.pieces[first].shape)
            same = find_placement(piece, self.problem.pieces[piece].shape, placed)
            assert same is not None
            known = self._turned[piece, turn] = same.turn, same.shift
        return known

    @cached_property
    def order(self) -> list[list[int]]:
        """For each kind its pieces in the order in which they get placements that are not pinned:
        first each as many as it needs, then as many as it may have."""
        used = Counter(self.pins.values())
        most = len(self.problem.goal)  # pieces in an assembly
        orders: list[list[int]] = [[] for _ in self.kinds]
        for bound in ("min", "max"):
            for order, pieces in zip(orders, self.kinds, strict=True):
                for piece in pieces:
                    wanted = min(getattr(self.problem.pieces[piece], bound), most)
                    order += [piece] * (wanted - used[piece])
                    used[piece] = max(wanted, used[piece])
        return orders

    @cached_property
    def pins(self) -> Mapping[int, int]:
        """The pieces that are pinned, by the names of where they are."""
        named = ((self.name(pin), pin.piece) for pin in sorted(self.problem.pinned))
        return {name: piece for name, piece in named if name is not None}

    @cached_property
    def _placements(self) -> dict[tuple[int, int], Placement]:
        return {}

    @cached_property
    def _turned(self) -> dict[tuple[int, int], tuple[int, Vector]]:
        return {}

    @cached_property
    def _names(self) -> dict[Row, int]:
        return {row: name for name, row in enumerate(self.rows)}

    @cached_property
    def _kind_of(self) -> dict[int, int]:
        return {piece: kind for kind, pieces in enumerate(self.kinds) for piece in pieces}
