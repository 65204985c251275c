"""The referee: slow, plain proof that an answer is right.

It shares no code with the searches. An assembly is judged cell by cell; a disassembly is replayed
unit by unit, and every piece on the way is held against every other with the sweeps of the grid.
Each fault is one sentence; no faults, no objection.

>>> from kumitate.model.grids import CUBES
>>> from kumitate.model.solution import Assembly, Disassembly, Move
>>> rod = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")
>>> assembly_faults(rod)
[]
>>> disassembly_faults(rod, Disassembly([Move([1], (1, 0, 0), None)]))
[]
>>> disassembly_faults(rod, Disassembly([Move([1], (0, 1, 0), None)]))
['separation of A, B: move 1, B along (0, 1, 0): B would pass through A']
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import lcm

from kumitate.model.argument import Certificate
from kumitate.model.errors import PuzzleError
from kumitate.model.geometry import ZERO, Cell, Vector, add, subtract, times
from kumitate.model.puzzle import Placement, Problem
from kumitate.model.shape import Shape, shift_cell
from kumitate.model.solution import Assembly, Disassembly, Move


def assembly_faults(assembly: Assembly, distinct_copies: bool = False) -> list[str]:
    """Everything that is wrong with an assembly as an answer to its problem.

    Pieces of one shape and colour stand for each other where one is pinned or forbidden, unless
    copies are distinct.
    """
    return list(_assembly_faults(assembly, distinct_copies))


def _assembly_faults(assembly: Assembly, distinct_copies: bool) -> Iterator[str]:
    problem = assembly.problem
    used = Counter(placement.piece for placement in assembly.placements)
    for number, piece in enumerate(problem.pieces):
        if piece.shape.optional:
            yield f"piece {problem.label(number)} has optional cells; only a goal may"
        if not piece.min <= used[number] <= piece.max:
            yield f"{used[number]} of {problem.label(number)} used, should be {piece.copies}"
    covered: dict[Cell, str] = {}
    placed: set[tuple[int, frozenset[tuple[Cell, str]]]] = set()

    def look(placement: Placement) -> tuple[int, frozenset[tuple[Cell, str]]]:
        shape = placement.placed(problem.pieces[placement.piece].shape)
        return placement.piece if distinct_copies else 0, frozenset(shape.tokens.items())

    for number, placement in enumerate(assembly.placements):
        if not 0 <= placement.piece < len(problem.pieces):
            yield f"placement {number} is of piece {placement.piece}, which is not there"
            continue
        name = assembly.label(number)
        try:
            shape = placement.placed(problem.pieces[placement.piece].shape)
        except PuzzleError:
            yield f"{name} is off the grid: turn {placement.turn} does not put it on cells"
            continue
        placed.add(look(placement))
        for cell in shape:
            if cell not in problem.goal.cells:
                yield f"{name} covers {cell}, which is not in the goal"
            elif not problem.may_lie_on(
                shape.colours.get(cell, 0), problem.goal.colours.get(cell, 0)
            ):
                yield f"{name} may not cover {cell}: its colour is not allowed there"
            if cell in covered:
                yield f"{covered[cell]} and {name} overlap at {cell}"
            covered[cell] = name
    for cell in sorted(problem.goal.fixed - covered.keys()):
        yield f"the goal's cell {cell} is a hole"
    holes = len(problem.goal.optional - covered.keys())
    if problem.max_holes is not None and holes > problem.max_holes:
        yield f"{holes} optional cells are empty, at most {problem.max_holes} may be"
    for pin in sorted(problem.pinned):
        if look(pin) not in placed:
            yield f"{problem.label(pin.piece)} is not where it is pinned: {pin}"
    for pin in sorted(problem.forbidden):
        if look(pin) in placed:
            yield f"{problem.label(pin.piece)} is where it is forbidden: {pin}"


def certificate_faults(problem: Problem, certificate: Certificate) -> list[str]:
    """Everything that keeps a certificate from proving that the problem has no assembly.

    Every piece is laid on every cell by every turn, and the numbers below it are added up.
    """
    return list(_certificate_faults(problem, certificate))


def _certificate_faults(problem: Problem, certificate: Certificate) -> Iterator[str]:
    modulus, numbers = certificate.modulus, certificate.cells
    if modulus < 2:
        yield f"counted modulo {modulus}, which tells nothing"
        return
    for cell in sorted(numbers.keys() - problem.goal.fixed):
        if numbers[cell] % modulus:
            yield f"{cell} has a number but need not be covered"
    for number, piece in enumerate(problem.pieces):
        makes = certificate.pieces.get(number, 0)
        if piece.min != piece.max and makes % modulus:
            yield f"{problem.label(number)} may be used {piece.copies} times, so must make 0"
        for lying in _everywhere(problem, number):
            covered = sum(numbers.get(cell, 0) for cell in lying.cells)
            if (covered - makes) % modulus:
                at = min(lying.cells)
                yield f"{problem.label(number)} at {at} covers {covered}, not {makes}"
                break
    pieces = sum(
        piece.min * certificate.pieces.get(number, 0) for number, piece in enumerate(problem.pieces)
    )
    if (pieces - sum(numbers.values())) % modulus == 0:
        yield f"pieces and cells both make {pieces % modulus}, so nothing is proved"


def _everywhere(problem: Problem, number: int) -> Iterator[Shape]:
    """Where a piece may lie, beside what is pinned."""
    goal, shape = problem.goal, problem.pieces[number].shape
    pins = [p.placed(problem.pieces[p.piece].shape) for p in problem.pinned]
    banned = [
        p.placed(problem.pieces[p.piece].shape).tokens
        for p in problem.forbidden
        if problem.pieces[p.piece].shape.congruent(shape)
    ]
    seen: set[frozenset[tuple[Cell, str]]] = set()
    for turn in problem.grid.turns:
        turned = shape.turned(turn)
        if turned is None:
            continue
        look = frozenset(turned.at_origin().tokens.items())
        if look in seen:
            continue
        seen.add(look)
        first = min(turned.cells)
        for start in goal.cells:
            if start[3] != first[3]:
                continue
            lying = turned.shifted((start[0] - first[0], start[1] - first[1], start[2] - first[2]))
            if (
                lying.cells <= goal.cells
                and all(
                    problem.may_lie_on(lying.colours.get(c, 0), goal.colours.get(c, 0))
                    for c in lying.cells
                )
                and not any(lying.cells & pin.cells and lying.tokens != pin.tokens for pin in pins)
                and lying.tokens not in banned
            ):
                yield lying


def disassembly_faults(assembly: Assembly, disassembly: Disassembly) -> list[str]:
    """Everything that is wrong with a disassembly, up to the first move that fails."""
    everything = tuple(range(len(assembly.placements)))
    tree = disassembly.separations(everything)
    whole = lcm(1, *(move.parts for _, separation in tree for move in separation.moves))
    clumps: list[tuple[int, ...]] = []
    waiting = [(disassembly, everything, dict.fromkeys(everything, ZERO))]
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
        return [f"these do not come apart, nor may they stay together as groups: {names}"]
    return []


def _replay(
    assembly: Assembly,
    separation: Disassembly,
    part: tuple[int, ...],
    at: dict[int, Vector],
    whole: int,
) -> str | None:
    """Replay one separation, changing `at`; says what is wrong with it."""
    if not separation.moves:
        return f"separation of {_names(assembly, part)}: has no moves"
    for number, move in enumerate(separation.moves, 1):
        where = f"separation of {_names(assembly, part)}: move {number}"
        if not move.pieces or not set(move.pieces) < set(part):
            return f"{where}, of {move.pieces}: must move some of its pieces and leave others"
        where += f", {_names(assembly, move.pieces)} along {move.step}"
        last = number == len(separation.moves)
        if move.parts < 1 or (move.steps and (not last or ZERO in move.steps)):
            return f"{where}: is neither of whole parts nor a coordinate motion at the end"
        if not move.steps and move.step not in assembly.problem.grid.steps:
            return f"{where}: that is no step of the grid {assembly.problem.grid.name!r}"
        if (move.units is None) != last or (move.units is not None and move.units < 1):
            return f"{where}: by {move.units} units; the last move, and no other, goes away"
        hit = _slide(assembly, move, part, at, whole)
        if hit:
            return f"{where}: {hit}"
    return None


def _slide(
    assembly: Assembly, move: Move, part: Sequence[int], at: dict[int, Vector], whole: int
) -> str | None:
    """Slide unit by unit, changing `at`; says which pieces would meet.

    Places are in parts of a cell, `whole` of them to a cell. A move away is over when every piece
    is past every other that goes another way, and changes nothing: what went is then taken apart
    from where it was.
    """
    ways = {piece: times(whole // move.parts, step) for piece, step in move.ways.items()}
    for mover in part:
        for other in part:
            relative = subtract(ways.get(mover, ZERO), ways.get(other, ZERO))
            # Of two that stay, or go together, neither meets the other; of two, one is enough.
            if relative == ZERO or (mover not in ways) or (other in ways and other < mover):
                continue
            offset = subtract(at[mover], at[other])
            if _meets(assembly, mover, other, offset, relative, move.units, whole):
                return f"{assembly.label(mover)} would pass through {assembly.label(other)}"
    if move.units is not None:
        for piece, step in ways.items():
            at[piece] = add(at[piece], times(move.units, step))
    return None


def _meets(
    assembly: Assembly,
    mover: int,
    other: int,
    offset: Vector,
    step: Vector,
    units: int | None,
    whole: int,
) -> bool:
    """Whether a piece at an offset from another passes through it."""
    grid = assembly.problem.grid
    moving, still = assembly.shapes[mover].cells, assembly.shapes[other].cells
    done = 0
    while units is None or done < units:
        x0, y0, z0 = (c // whole for c in offset)
        start = subtract(offset, times(whole, (x0, y0, z0)))
        sweep = grid.sweep(step, start, whole)
        if units is None:
            reach = 1 + max(abs(c) for cells in sweep for cell in cells for c in cell[:3])
            if _past([shift_cell(c, (x0, y0, z0)) for c in moving], list(still), step, reach):
                return False
        for cell in moving:
            x, y, z, tile = shift_cell(cell, (x0, y0, z0))
            if any((x + dx, y + dy, z + dz, met) in still for dx, dy, dz, met in sweep[tile]):
                return True
        offset = add(offset, step)
        done += 1
    return False


def _past(movers: list[Cell], still: list[Cell], step: Vector, reach: int) -> bool:
    for axis in range(3):
        if step[axis] > 0 and min(c[axis] for c in movers) > max(c[axis] for c in still) + reach:
            return True
        if step[axis] < 0 and max(c[axis] for c in movers) < min(c[axis] for c in still) - reach:
            return True
    return False


def _grouped(assembly: Assembly, clumps: list[tuple[int, ...]]) -> bool:
    """Whether each clump can be given a group with no piece in a group more often than it may."""
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
