"""How to make a piece of cubes: with a saw, a milling cutter, a printer, or only with glue.

The piece is cut from a stick, its bounding box; whatever must be removed is waste. A saw (or a dado
blade) makes notches: it enters a face of the stick and runs right across it. A piece is notchable
if notches remove all the waste. A milling cutter can also stop halfway, but cannot make an inside
corner, where three faces meet around a hollow. These are BurrTools' definitions; of the 837 sticks
of the six-piece burr, 59 are notchable and 78 are millable.

>>> from kumitate.model.burr_sticks import burr_sticks
>>> sum(map(notchable, burr_sticks())), sum(map(millable, burr_sticks()))
(59, 78)
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import Vector
from kumitate.model.grids import CUBES
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Cells = NDArray[np.bool_]

FACES: dict[Vector, str] = {
    (0, 0, 1): "top",
    (0, -1, 0): "front",
    (0, 0, -1): "bottom",
    (0, 1, 0): "back",
    (-1, 0, 0): "left end",
    (1, 0, 0): "right end",
}

__all__ = ["millable", "notchable", "printable"]


class Cut(NamedTuple):
    """A box of waste that a tool removes, and the face where it enters.

    The box is in cells from the lowest corner of the stick; `high` is exclusive.
    """

    face: Vector
    low: Vector
    high: Vector
    across: int  # the axis along which it runs right across the stick, or -1


def notchable(shape: Shape) -> bool:
    """Whether a saw can make it from one stick, with notches that run right across.

    >>> from kumitate.model.burr_sticks import burr_stick
    >>> notchable(Shape.from_text(CUBES, "######/#....#")), notchable(burr_stick(2))
    (True, False)
    """
    return shape.connected and bool((_filled(shape) | _sawn(shape)).all())


def millable(shape: Shape) -> bool:
    """Whether a milling cutter can make it: it has no inside corner. Notchable pieces are millable.

    >>> from kumitate.model.burr_sticks import burr_stick
    >>> millable(burr_stick(88)), millable(burr_stick(2))
    (True, False)
    """
    import numpy as np

    if not shape.connected:
        return False
    room = np.pad(_filled(shape), 1)
    corner = ~room
    for axis in range(3):
        corner &= np.roll(room, 1, axis) | np.roll(room, -1, axis)
    return not corner.any()


def printable(shape: Shape) -> bool:
    """Whether a printer needs no support: some way up, every cell lies on the bed or on a cell.

    >>> printable(Shape.from_text(CUBES, "#.# ### #.#")), printable(Shape.from_text(CUBES, "###"))
    (True, True)
    >>> printable(Shape.from_text(CUBES, "... .#. ... / .#. ### .#. / ... .#. ..."))
    False
    """
    if not shape.connected:
        return False
    filled = _filled(shape)
    for axis in range(3):
        length = filled.shape[axis]
        low, high = filled.take(range(length - 1), axis), filled.take(range(1, length), axis)
        if not (high & ~low).any() or not (low & ~high).any():
            return True
    return False


def cuts(shape: Shape) -> tuple[Cut, ...] | None:
    """A few cuts that make it from one stick, face by face; None if it must be glued.

    Cuts may overlap. All cuts of a notchable piece run right across.

    >>> from kumitate.model.burr_sticks import burr_stick
    >>> [(FACES[cut.face], cut.low, cut.high) for cut in cuts(burr_stick(256)) or ()]
    [('top', (1, 0, 1), (5, 2, 2))]
    """
    if not millable(shape):
        return None
    filled = _filled(shape)
    sawn = bool((filled | _sawn(shape)).all())
    offered = [cut for cut in _offered(filled) if cut.across >= 0 or not sawn]
    waste = ~filled
    chosen = []
    while waste.any():
        best = max(offered, key=lambda cut: int(waste[_within(cut)].sum()), default=None)
        if best is None or not waste[_within(best)].any():
            return None  # no inside corner, but no straight way in either
        waste[_within(best)] = False
        chosen.append(best)
    return tuple(sorted(chosen, key=lambda cut: (list(FACES).index(cut.face), cut.low, cut.high)))


def as_stick(shape: Shape) -> Shape:
    """Turned to lie like a stick on the bench: its length from left to right, as flat as possible.

    Of these orientations, the one with most of the waste on top, and then at the back.

    >>> from kumitate.model.burr_sticks import burr_stick
    >>> as_stick(burr_stick(256)).size
    (6, 2, 2)
    """
    size = tuple(sorted(shape.size, reverse=True))
    ways = [way for way in shape.orientations() if way.size == size]
    return min(ways, key=lambda way: tuple(map(sum, list(zip(*way.cells, strict=True))[2:0:-1])))


def pieces_to_make(what: Puzzle | Problem | Sequence[Shape]) -> list[tuple[Shape, int]]:
    """The shapes to make, and how many of each: as many as any one problem may use.

    >>> from kumitate.model.burr_sticks import burr_stick
    >>> [(shape.name, count) for shape, count in pieces_to_make([burr_stick(1), burr_stick(1)])]
    [('1', 2)]
    """
    copies: dict[Shape, int] = {}
    if isinstance(what, Problem):
        for number, piece in enumerate(what.pieces):
            most = min(piece.max, len(what.goal) // len(piece.shape)) if piece.shape.cells else 0
            shape = piece.shape.named(what.label(number))
            copies[shape] = copies.get(shape, 0) + max(piece.min, most)
    elif isinstance(what, Puzzle) and what.problems:
        for problem in what.problems:
            for shape, count in pieces_to_make(problem):
                copies[shape] = max(count, copies.get(shape, 0))
    elif isinstance(what, Puzzle):
        for number, shape in enumerate(what.shapes):
            named = shape.named(what.label(number))
            copies[named] = copies.get(named, 0) + 1
    elif what:
        return pieces_to_make(Puzzle(what[0].grid, what))
    return [(shape, count) for shape, count in copies.items() if count and shape.cells]


# ---- cells as an array ----


def _filled(shape: Shape) -> "Cells":
    """Which cells of its bounding box are filled."""
    import numpy as np

    if shape.grid != CUBES:
        raise PuzzleError(
            f"shape {shape.name!r} is on the grid {shape.grid.name!r};"
            " only pieces of cubes are cut from sticks"
        )
    filled = np.zeros(shape.size, dtype=bool)
    if shape.cells:
        places = np.array(sorted(shape.cells))[:, :3]
        filled[tuple((places - places.min(axis=0)).T)] = True
    return filled


def _sawn(shape: Shape) -> "Cells":
    """The cells that a notch can remove: all between them and a face is empty, right across."""
    import numpy as np

    filled = _filled(shape)
    sawn = np.zeros_like(filled)
    for axis in range(3):
        for seen in (filled, np.flip(filled, axis)):
            met = np.logical_or.accumulate(seen, axis)
            for across in {0, 1, 2} - {axis}:
                free = ~met.any(axis=across, keepdims=True)
                sawn |= free if seen is filled else np.flip(free, axis)
    return sawn


def _offered(filled: "Cells") -> list[Cut]:
    """The largest boxes of waste that a tool can reach in a straight line from each face."""
    import numpy as np

    found: dict[Cut, None] = {}
    for face in FACES:
        axis = next(i for i in range(3) if face[i])
        seen = np.moveaxis(filled if face[axis] < 0 else np.flip(filled, axis), axis, 2)
        deep = np.where(seen.any(axis=2), seen.argmax(axis=2), seen.shape[2])
        for (u0, v0), (u1, v1), depth in _rectangles(deep):
            first = 0 if face[axis] < 0 else seen.shape[2] - depth
            low, high = [u0, v0], [u1, v1]
            low.insert(axis, first)
            high.insert(axis, first + depth)
            whole = [i for i in range(3) if i != axis and high[i] - low[i] == filled.shape[i]]
            box = ((low[0], low[1], low[2]), (high[0], high[1], high[2]))
            found[Cut(face, *box, whole[-1] if whole else -1)] = None
    return list(found)


def _rectangles(
    deep: "NDArray[np.intp]",
) -> Iterator[tuple[tuple[int, int], tuple[int, int], int]]:
    """From each spot of a face, the widest rectangles that are at least as deep as that spot."""
    import numpy as np

    for u, v in zip(*deep.nonzero(), strict=True):
        depth = int(deep[u, v])
        free = deep >= depth
        u0, u1 = _run(free[:, v], int(u))
        v0, v1 = _run(np.logical_and.reduce(free[u0:u1], axis=0), int(v))
        yield (u0, v0), (u1, v1), depth
        v0, v1 = _run(free[u], int(v))
        u0, u1 = _run(np.logical_and.reduce(free[:, v0:v1], axis=1), int(u))
        yield (u0, v0), (u1, v1), depth


def _run(free: "NDArray[np.bool_]", at: int) -> tuple[int, int]:
    """The range of free entries around this one."""
    start, end = at, at + 1
    while start and free[start - 1]:
        start -= 1
    while end < len(free) and free[end]:
        end += 1
    return start, end


def _within(cut: Cut) -> tuple[slice, slice, slice]:
    x, y, z = (slice(a, b) for a, b in zip(cut.low, cut.high, strict=True))
    return (x, y, z)
