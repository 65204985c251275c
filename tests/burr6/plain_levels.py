"""The plain twin of the search of all burrs: every set, every direction, every distance.

It shares no code with the core. A state is the place of each stick, relative to the first. What
may go how far along an axis is the least gap between a stick that goes and one that stays.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations

from kumitate.burr6.frame import home, turned
from kumitate.model.geometry import Matrix, Vector

Stick = tuple[Matrix, int, int]  # how it is turned from home, its removable cells, its length
State = tuple[Vector, ...]
Exit = tuple[tuple[int, ...], State]  # which sticks leave, as indices, and where all stand
NEVER = 99  # cells: nothing is hit

AXES = range(3)
STEPS: tuple[Vector, ...] = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


@cache
def _lines(stick: Stick, axis: int) -> dict[tuple[int, int], list[int]]:
    """The cells of a stick along an axis, by the two other coordinates."""
    turn, kind, length = stick
    whole, removable = home(length)
    gone = {cell for bit, cell in enumerate(removable) if not kind >> bit & 1}
    found: dict[tuple[int, int], list[int]] = {}
    for cell in whole:
        if cell not in gone:
            at = turned(turn, cell)
            found.setdefault((at[(axis + 1) % 3], at[(axis + 2) % 3]), []).append(at[axis])
    return found


@cache
def _gap(a: Stick, b: Stick, offset: Vector, axis: int) -> int:
    """How far the first stick can go up along an axis before it hits the second."""
    across = offset[(axis + 1) % 3], offset[(axis + 2) % 3]
    others = _lines(b, axis)
    gaps = [
        there - here - offset[axis] - 1
        for (u, v), cells in _lines(a, axis).items()
        for there in others.get((u + across[0], v + across[1]), ())
        for here in cells
    ]
    return min((gap for gap in gaps if gap >= 0), default=NEVER)


def _minus(a: Vector, b: Vector) -> Vector:
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def _slides(
    sticks: Sequence[Stick], state: State, single: bool = False
) -> Iterator[tuple[tuple[int, ...], int, int]]:
    """The sets that can go up along an axis, and how far."""
    count = len(sticks)
    everyone = range(count)
    sizes = {1, count - 1} if single else range(1, count)
    for axis in AXES:
        gaps = [
            [
                _gap(sticks[i], sticks[j], _minus(state[i], state[j]), axis) if i != j else 0
                for j in everyone
            ]
            for i in everyone
        ]
        for size in sizes:
            for some in combinations(everyone, size):
                far = min(gaps[i][j] for i in some for j in everyone if j not in some)
                if far:
                    yield some, axis, far


def _moved(state: State, some: Sequence[int], axis: int, by: int) -> State:
    step = STEPS[axis]
    there = [
        (at[0] + by * step[0], at[1] + by * step[1], at[2] + by * step[2]) if n in some else at
        for n, at in enumerate(state)
    ]
    return tuple(_minus(at, there[0]) for at in there)


def _by_move(sticks: Sequence[Stick], state: State) -> Iterator[State]:
    for some, axis, far in _slides(sticks, state):
        yield from (_moved(state, some, axis, by) for by in range(1, far + 1))


def _by_piece(sticks: Sequence[Stick], state: State) -> Iterator[State]:
    for some, axis, far in _slides(sticks, state, single=True):
        yield from (_moved(state, some, axis, by) for by in range(1, far + 1))


def _by_unit(sticks: Sequence[Stick], state: State) -> Iterator[State]:
    for some, axis, _ in _slides(sticks, state):
        yield _moved(state, some, axis, 1)


def _by_axis(sticks: Sequence[Stick], state: State) -> Iterator[State]:
    """All states that moves along one axis lead to."""
    for axis in AXES:
        known, here = {state}, [state]
        for at in here:
            for some, along, _ in _slides(sticks, at):
                there = _moved(at, some, axis, 1)
                if along == axis and there not in known:
                    known.add(there)
                    here.append(there)
        yield from here


NEIGHBOURS: dict[str, Callable[[Sequence[Stick], State], Iterator[State]]] = {
    "move": _by_move,
    "axis": _by_axis,
    "unit": _by_unit,
    "piece": _by_piece,
}


def separations(
    sticks: Sequence[Stick], start: State, by: str = "move"
) -> tuple[int, list[Exit]] | None:
    """The moves to the nearest separations, and all of these; none if there is none."""
    front, seen, moves = [start], {start}, 1
    while front:
        exits = [
            (some, state)
            for state in front
            for some, _, far in _slides(sticks, state, by == "piece")
            if far == NEVER
        ]
        if exits:
            return moves, exits
        following = []
        for state in front:
            for there in NEIGHBOURS[by](sticks, state):
                if there not in seen:
                    seen.add(there)
                    following.append(there)
        front, moves = following, moves + 1
    return None


def level(sticks: Sequence[Stick], by: str = "move") -> int | str:
    """The moves to the first separation, or why there is none."""
    start: State = ((0, 0, 0),) * len(sticks)
    if not any(_slides(sticks, start)):
        return "rigid"
    found = separations(sticks, start, by)
    return found[0] if found else "stuck"


def farthest_apart(sticks: Sequence[Stick]) -> int:
    """How many cells two sticks get from each other along an axis, if they never separate."""
    states: list[State] = [((0, 0, 0),) * len(sticks)]
    seen, most = {*states}, 0
    for state in states:
        for axis in AXES:
            along = [at[axis] for at in state]
            most = max(most, max(along) - min(along))
        for there in _by_move(sticks, state):
            if there not in seen:
                seen.add(there)
                states.append(there)
    return most


def total(sticks: Sequence[Stick], start: State) -> int | None:
    """The fewest moves in all, of all choices of nearest separations; None if some never part."""
    if len(sticks) == 1:
        return 0
    found = separations(sticks, start)
    if found is None:
        return None
    moves, exits = found
    ends = []
    for some, state in set(exits):
        halves = []
        for half in (some, [n for n in range(len(sticks)) if n not in some]):
            halves.append(
                _total(tuple((sticks[n], _minus(state[n], state[half[0]])) for n in half))
            )
        if None in halves:
            return None
        ends.append(sum(half for half in halves if half is not None))
    return moves + min(ends)


@cache
def _total(part: tuple[tuple[Stick, Vector], ...]) -> int | None:
    return total([stick for stick, _ in part], tuple(at for _, at in part))


def clumps(sticks: Sequence[Stick]) -> list[int]:
    """The sizes of the sets that never part, each taken apart where it was put together."""
    if len(sticks) == 1:
        return []
    found = separations(sticks, ((0, 0, 0),) * len(sticks))
    if found is None:
        return [len(sticks)]
    some, _ = found[1][0]
    rest = [stick for n, stick in enumerate(sticks) if n not in some]
    return sorted(clumps([sticks[n] for n in some]) + clumps(rest))


def forget() -> None:
    """What was remembered; it would fill the memory."""
    _total.cache_clear()
    if _gap.cache_info().currsize > 1_000_000:
        _gap.cache_clear()
        _lines.cache_clear()
