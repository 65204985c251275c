"""Whether a disassembly takes its assembly apart: every move of it is replayed."""

from collections import Counter
from collections.abc import Sequence, Set
from math import lcm

from kumitate.model.geometry import ZERO, Cell, Vector, add, subtract, times
from kumitate.model.rotation import Rotation
from kumitate.model.shape import shift_cell
from kumitate.model.solution import Assembly, Disassembly, Move
from kumitate.referee.oblongs import Stand
from kumitate.referee.turns import turn


def disassembly_faults(assembly: Assembly, disassembly: Disassembly) -> list[str]:
    """Everything that is wrong with a disassembly, up to the first move that fails."""
    everything = tuple(range(len(assembly.placements)))
    tree = disassembly.separations(everything)
    whole = lcm(1, *(move.parts for _, separation in tree for move in separation.moves))
    clumps: list[tuple[int, ...]] = []
    start = {piece: Stand(frozenset(assembly.shapes[piece].cells), ZERO) for piece in everything}
    waiting = [(disassembly, everything, start)]
    while waiting:
        separation, part, at = waiting.pop()
        fault = _replay(assembly, separation, part, at, whole)
        if fault:
            return [fault]
        gone = separation.moves[-1].pieces
        stay = tuple(piece for piece in part if piece not in gone)
        for some, then in ((tuple(gone), separation.removed), (stay, separation.left)):
            if then is not None:
                waiting.append((then, some, {piece: at[piece] for piece in some}))
            elif len(some) > 1:
                clumps.append(some)
    if not _grouped(assembly, clumps):
        names = "; ".join(_names(assembly, clump) for clump in sorted(clumps))
        return [f"these do not come apart, and their groups do not let them stay together: {names}"]
    return []


def _replay(
    assembly: Assembly,
    separation: Disassembly,
    part: tuple[int, ...],
    at: dict[int, Stand],
    whole: int,
) -> str | None:
    """Replay one separation, updating `at`; return what is wrong with it."""
    if not separation.moves:
        return f"separation of {_names(assembly, part)}: has no moves"
    for number, move in enumerate(separation.moves, 1):
        where = f"separation of {_names(assembly, part)}: move {number}"
        if not move.pieces or not set(move.pieces) < set(part):
            return f"{where}, of {move.pieces}: must move some of its pieces and leave others"
        last = number == len(separation.moves)
        if isinstance(move, Rotation):
            where += f", {_names(assembly, move.pieces)} turning about {move.pivot}"
            fault = "takes nothing away" if last else turn(assembly, move, part, at, whole)
            if fault:
                return f"{where}: {fault}"
            continue
        where += f", {_names(assembly, move.pieces)} along {move.step}"
        if move.parts < 1 or (move.steps and (not last or ZERO in move.steps)):
            return f"{where}: is neither a plain move nor a coordinate motion at the end"
        if not move.steps and move.step not in assembly.problem.grid.steps:
            return f"{where}: that is not a step of the grid {assembly.problem.grid.name!r}"
        if (move.units is None) != last or (move.units is not None and move.units < 1):
            return f"{where}: by {move.units} units; only the last move must take pieces away"
        hit = _slide(assembly, move, part, at, whole)
        if hit:
            return f"{where}: {hit}"
    return None


def _slide(
    assembly: Assembly, move: Move, part: Sequence[int], at: dict[int, Stand], whole: int
) -> str | None:
    """Slide unit by unit, updating `at`; return which pieces would collide.

    Positions are in fractions of a cell, `whole` of them per cell. A move away ends when every
    piece has passed every other that goes another way. It does not change `at`: the removed part is
    taken apart from where it was.
    """
    ways = {piece: times(whole // move.parts, step) for piece, step in move.ways.items()}
    for mover in part:
        for other in part:
            relative = subtract(ways.get(mover, ZERO), ways.get(other, ZERO))
            # Two pieces that stay or move together cannot collide; check each other pair once.
            if relative == ZERO or (mover not in ways) or (other in ways and other < mover):
                continue
            if _meets(assembly, at[mover], at[other], relative, move.units, whole):
                return f"{assembly.label(mover)} would pass through {assembly.label(other)}"
    if move.units is not None:
        for piece, step in ways.items():
            cells, shift = at[piece]
            at[piece] = Stand(cells, add(shift, times(move.units, step)))
    return None


def _meets(
    assembly: Assembly, mover: Stand, other: Stand, step: Vector, units: int | None, whole: int
) -> bool:
    """Whether a piece that slides past another passes through it."""
    grid = assembly.problem.grid
    moving, still = mover.cells, other.cells
    offset = subtract(mover.shift, other.shift)

    def sweep_after(units: int) -> tuple[Vector, Sequence[Sequence[Cell]]]:
        there = add(offset, times(units, step))
        x, y, z = (c // whole for c in there)
        return (x, y, z), grid.sweep(step, subtract(there, times(whole, (x, y, z))), whole)

    # Sweeps repeat after as many units as a cell has parts.
    sweeps = (cells for n in range(whole) for cells in sweep_after(n)[1])
    reach = 1 + max(abs(c) for cells in sweeps for cell in cells for c in cell[:3])
    for done in _near(moving, still, offset, step, units, whole, reach):
        at, sweep = sweep_after(done)
        for cell in moving:
            x, y, z, tile = shift_cell(cell, at)
            if any((x + dx, y + dy, z + dz, met) in still for dx, dy, dz, met in sweep[tile]):
                return True
    return False


def _near(
    moving: Set[Cell],
    still: Set[Cell],
    offset: Vector,
    step: Vector,
    units: int | None,
    whole: int,
    reach: int,
) -> range:
    """The units of a slide, however long, in which the boxes around two pieces are near."""
    first, ends = 0, [] if units is None else [units]
    for axis, way in enumerate(step):
        if way == 0:
            continue
        ahead = 1 if way > 0 else -1
        mine, theirs = (sorted(ahead * whole * c[axis] for c in some) for some in (moving, still))
        near, far = theirs[0] - whole * reach, theirs[-1] + whole * reach
        at, way = ahead * offset[axis], abs(way)
        first = max(first, -((mine[-1] + at - near) // way))
        ends.append((far - mine[0] - at) // way + 1)
    return range(first, min(ends))


def _grouped(assembly: Assembly, clumps: list[tuple[int, ...]]) -> bool:
    """Whether every clump can be assigned a group, with no piece in a group too many times."""
    pieces = assembly.problem.pieces
    groups = {group for piece in pieces for group in piece.groups}

    waiting = [(0, Counter[tuple[int, int]]())]
    while waiting:
        done, used = waiting.pop()
        if done == len(clumps):
            return True
        for group in groups:
            mine = Counter((assembly.placements[n].piece, group) for n in clumps[done])
            now = used + mine
            if all(now[key] <= pieces[key[0]].groups.get(group, 0) for key in mine):
                waiting.append((done + 1, now))
    return False


def _names(assembly: Assembly, pieces: Sequence[int]) -> str:
    return ", ".join(assembly.label(piece) for piece in pieces)
