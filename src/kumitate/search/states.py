"""Everything that the pieces of an assembly can do: its states, and the fewest moves in total.

A state is where the pieces stand; states are joined by moves, which can all be taken back. Here
they are visited one by one in Python, which is slow beside `disassemble` but leaves nothing out: a
graph of all states that are reached before anything separates, and the disassembly with the fewest
moves in total, not only to each separation. Pieces that may turn stand in placements; others keep
the way they lie, so where they are says it all.
"""

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property
from html import escape
from typing import Protocol, TypeVar

from kumitate.model.errors import LimitReached, PuzzleError
from kumitate.model.geometry import ZERO, Cell, Vector, add, subtract, times
from kumitate.model.numbers import count_of, require_whole
from kumitate.model.options import ApartOptions
from kumitate.model.puzzle import Placement, placement_on
from kumitate.model.rotation import Rotation
from kumitate.model.solution import AnyMove, Assembly, Disassembly, Move
from kumitate.search.disassemble import NO_LIMIT, Disassembler, require_few, spots
from kumitate.search.placements import numbers_of

MOST_STATES, MOST_TRIED = 100_000, 10_000  # by default
OFTEN = 64  # states between two reports of progress

Places = tuple[Vector, ...]  # of the pieces, the first of them at the origin
S = TypeVar("S", Places, tuple[Placement, ...])
State = Places | tuple[Placement, ...]  # with turns, the first of them where it was assembled


@dataclass(frozen=True)
class StateGraph:
    """The states of an assembly that are reached before anything separates.

    The first one is the assembly. Two are joined if a move leads from one to the other and back. In
    an `exit` something can be taken away; the graph goes no farther there. A state is how far each
    piece has gone, or its placement if pieces may turn, as seen from the first piece.
    """

    states: Sequence[State]
    depths: Sequence[int]  # moves from the assembly
    exits: Sequence[int]  # which states are exits
    edges: Mapping[tuple[int, int], AnyMove]  # what leads from one state to another, each way once
    whole: bool = True  # whether these are all states
    unclear: bool = False  # some motion with a moving pivot was neither found nor ruled out

    @cached_property
    def dead_ends(self) -> tuple[int, ...]:
        """The states, except the assembly and exits, that can be left in only one direction."""
        everyone = set(range(len(self.states[0])))
        ways: list[set[tuple[frozenset[int], object, int]]] = [set() for _ in self.states]
        for (a, b), move in self.edges.items():
            # That some go one way is that the others go the other way.
            flipped = 0 in move.pieces
            pieces = frozenset(everyone - set(move.pieces) if flipped else move.pieces)
            way, sign = _way(move)
            ways[b if flipped else a].add((pieces, way, sign))
            ways[a if flipped else b].add((pieces, way, -sign))
        exits = set(self.exits)
        return tuple(n for n, some in enumerate(ways) if len(some) == 1 and n and n not in exits)

    def __repr__(self) -> str:
        return f"<StateGraph: {count_of(len(self.states), 'state')}>"

    def to_graphml(self) -> str:
        """The graph as GraphML, which Gephi, yEd and networkx read."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterator[str]:
        yield '<?xml version="1.0" encoding="UTF-8"?>'
        yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
        yield '<key id="depth" for="node" attr.name="depth" attr.type="int"/>'
        yield '<key id="exit" for="node" attr.name="exit" attr.type="boolean"/>'
        yield '<key id="places" for="node" attr.name="places" attr.type="string"/>'
        yield '<key id="move" for="edge" attr.name="move" attr.type="string"/>'
        yield '<graph edgedefault="undirected">'
        exits = set(self.exits)
        for n, (state, depth) in enumerate(zip(self.states, self.depths, strict=True)):
            text = " ".join(map(_place_text, state))
            yield f'<node id="s{n}"><data key="depth">{depth}</data>'
            yield f'<data key="exit">{str(n in exits).lower()}</data>'
            yield f'<data key="places">{text}</data></node>'
        for (a, b), move in self.edges.items():
            text = escape(_move_text(move))
            yield f'<edge source="s{a}" target="s{b}"><data key="move">{text}</data></edge>'
        yield "</graph>"
        yield "</graphml>"


def _way(move: AnyMove) -> tuple[object, int]:
    """In which direction a move goes, and whether forth or back."""
    if isinstance(move, Rotation):
        if move.quarters:
            return (move.axis, move.pivot), 1 if move.quarters > 0 else -1
        step = move.turn_point(ZERO)
    else:
        step = move.step
    return max(step, times(-1, step)), 1 if step > ZERO else -1


def _place_text(place: Vector | Placement) -> str:
    """Where a piece is: x,y,z, and before that its turn, if it may turn."""
    if isinstance(place, Placement):
        return f"{place.turn}:{_place_text(place.shift)}"
    return ",".join(map(str, place))


def _move_text(move: AnyMove) -> str:
    pieces = ",".join(map(str, move.pieces))
    if isinstance(move, Move):
        return f"{pieces} by {move.units} along {move.step}"
    axis = "xyz"[move.axis]
    if not move.quarters:
        return f"{pieces} tilted about {axis}, by {move.turn_point(ZERO)} halves"
    moving = ", which moves" if move.route else ""
    return f"{pieces} turned by {move.quarters} about {axis} at {move.pivot}{moving}"


def explore(
    assembly: Assembly,
    *,
    turns: float | None = None,
    max_states: int = MOST_STATES,
    progress: Callable[[int], None] | None = None,
) -> StateGraph:
    """All states of an assembly up to those in which something can be taken away.

    With `turns` pieces on cubes may also turn, their faces set back by this part of a cell. Some
    motion with a moving pivot may be neither found nor ruled out; then `unclear` is set, and there
    may be more states and moves. Such motions have the tolerance asked for, not the least that
    they need. `progress` is called every now and then with the number of states
    known.

    >>> from kumitate.model.grids import CUBES
    >>> box = Assembly.from_text(CUBES, "AAAAA AAAAA AAAAA / AAAAA AB..A AAA.A / AAAAA AAAAA AAAAA")
    >>> graph = explore(box)
    >>> len(graph.states), graph.exits, len(graph.dead_ends)
    (3, (2,), 0)
    """
    if len(assembly.placements) < 2:
        raise PuzzleError("a single piece has no states")
    require_whole(1, max_states=max_states)
    graph = (
        _graph(_Sliding(assembly), max_states, progress)
        if turns is None
        else _graph(_Turning(assembly, turns), max_states, progress)
    )
    if not graph.whole:
        raise LimitReached(f"more than {max_states:,} states; raise max_states")
    return graph


def explore_near(assembly: Assembly, *, max_states: int) -> StateGraph:
    """The states nearest to an assembly, by slides; `whole` says whether these are all.

    >>> from kumitate.model.grids import CUBES
    >>> box = Assembly.from_text(CUBES, "AAAAA AAAAA AAAAA / AAAAA AB..A AAA.A / AAAAA AAAAA AAAAA")
    >>> graph = explore_near(box, max_states=2)
    >>> len(graph.states), graph.exits, graph.whole
    (2, (), False)
    """
    require_whole(1, max_states=max_states)
    return _graph(_Sliding(assembly), max_states, None)


def _graph(
    space: "_Space[S]", max_states: int, progress: Callable[[int], None] | None
) -> StateGraph:
    """The states in the order of their distance; once there are too many, no new ones."""
    number = {space.start: 0}
    states, depths, exits = [space.start], [0], []
    edges: dict[tuple[int, int], AnyMove] = {}
    whole = True
    for n, here in enumerate(states):
        if progress is not None and n % OFTEN == 0:
            progress(len(states))
        moves = space.moves(here)
        if any(isinstance(move, Move) and move.units is None for move in moves):
            exits.append(n)
            continue
        for move in moves:
            there = space.after(here, move)
            if there == here:  # a piece that looks the same after a turn
                continue
            if there not in number:
                if len(states) == max_states:
                    whole = False
                    continue
                number[there] = len(states)
                states.append(there)
                depths.append(depths[n] + 1)
            if (number[there], n) not in edges:
                edges.setdefault((n, number[there]), move)
    return StateGraph(states, depths, tuple(exits), edges, whole, space.unclear)


class _Space(Protocol[S]):
    """States, and how moves lead from one to another."""

    start: S
    unclear: bool

    def moves(self, state: S) -> Sequence[AnyMove]: ...

    def after(self, state: S, move: AnyMove) -> S: ...


class _Sliding:
    """States of pieces that slide."""

    unclear = False

    def __init__(self, assembly: Assembly) -> None:
        self.part = tuple(range(len(assembly.placements)))
        self.look = _Look(assembly)
        self.start: Places = (ZERO,) * len(self.part)

    def moves(self, state: Places) -> list[Move]:
        return self.look(self.part, state)

    def after(self, state: Places, move: AnyMove) -> Places:
        assert isinstance(move, Move)
        return _after(self.part, state, move)


class _Turning:
    """States of pieces that slide and turn, on cubes."""

    def __init__(self, assembly: Assembly, turns: float) -> None:
        require_few(len(assembly.placements))
        self.problem = assembly.problem
        self.disassembler = Disassembler(assembly.problem, ApartOptions(turns=turns))
        self.turned = cache(self._turned)
        self.unclear = False
        self.start = tuple(
            self._on(placement.piece, shape.cells)
            for placement, shape in zip(assembly.placements, assembly.shapes, strict=True)
        )

    def moves(self, state: tuple[Placement, ...]) -> list[AnyMove]:
        rows = numbers_of([n for piece, turn, shift in state for n in (piece, turn, *shift)])
        found = self.disassembler.core.survey_routes(rows)
        if found is None:
            raise LimitReached("the pieces are too loose, or slide too far, to list their moves")
        slides, routes, certain = found
        self.unclear = self.unclear or not certain
        return list(map(self.disassembler.move, slides, routes))

    def after(self, state: tuple[Placement, ...], move: AnyMove) -> tuple[Placement, ...]:
        """Seen from the first piece: if it moves, all that do not move go back instead."""
        flipped = 0 in move.pieces
        return tuple(
            self._moved(placement, move, flipped) if (n in move.pieces) != flipped else placement
            for n, placement in enumerate(state)
        )

    def _moved(self, placement: Placement, move: AnyMove, back: bool) -> Placement:
        piece, turn, shift = placement
        sign = -1 if back else 1
        if isinstance(move, Move):
            return Placement(piece, turn, add(shift, times(sign, move.shift)))
        if not move.quarters:
            x, y, z = times(sign, move.turn_point(ZERO))
            return Placement(piece, turn, add(shift, (x // 2, y // 2, z // 2)))
        # About the origin for the cells; what is left is a shift.
        there = self.turned(piece, turn, move.axis, sign * move.quarters)
        about_pivot = Rotation((), move.axis, sign * move.quarters, move.pivot)
        x, y, z = about_pivot.turn_point(times(2, shift))
        return Placement(piece, there.turn, add(there.shift, (x // 2, y // 2, z // 2)))

    def _turned(self, piece: int, turn: int, axis: int, quarters: int) -> Placement:
        cells = Placement(piece, turn, ZERO).placed(self.problem.pieces[piece].shape).cells
        about_origin = Rotation((), axis, quarters, ZERO)
        return self._on(piece, frozenset(map(about_origin.turn_cell, cells)))

    def _on(self, piece: int, cells: Set[Cell]) -> Placement:
        """The first of the placements on these cells, so that equal states are equal values."""
        found = placement_on(piece, self.problem.pieces[piece].shape, cells)
        assert found is not None
        return found


class _Look:
    """What the pieces of a part can do at some places."""

    def __init__(self, assembly: Assembly) -> None:
        require_few(len(assembly.placements))
        self.disassembler = Disassembler(assembly.problem)
        self.spots = spots(assembly)

    def __call__(self, part: tuple[int, ...], places: Places) -> list[Move]:
        found = self.disassembler.core.survey(self.spots, list(part), list(places))
        if found is None:
            raise LimitReached("the pieces are too loose, or slide too far, to list their moves")
        return [move for move in map(self.disassembler.move, found) if isinstance(move, Move)]


def _after(part: tuple[int, ...], places: Places, move: Move) -> Places:
    """Where the pieces are after a move, the first again at the origin."""
    there = [
        add(place, times(move.units or 0, move.step)) if piece in move.pieces else place
        for piece, place in zip(part, places, strict=True)
    ]
    return tuple(subtract(place, there[0]) for place in there)


def shortest(assembly: Assembly, *, max_states: int = MOST_TRIED) -> Disassembly | None:
    """The disassembly with the fewest moves in total, or None if it does not come apart.

    `disassemble` takes the nearest separation each time, which may cost moves later. This tries all
    separations, so it suits small puzzles; for others it raises LimitReached. It supports neither
    groups nor places between cells.

    >>> from kumitate.model.grids import CUBES
    >>> bars = Assembly.from_text(CUBES, "ABC")
    >>> shortest(bars).levels.total
    2
    """
    require_whole(1, max_states=max_states)
    everything = tuple(range(len(assembly.placements)))
    if any(piece.groups for piece in assembly.problem.pieces):
        raise PuzzleError("the fewest moves in total cannot be found for pieces with groups")
    if len(everything) < 2:
        return None
    return _Shortest(assembly, max_states).best(everything, (ZERO,) * len(everything), NO_LIMIT)


class _Shortest:
    """Breadth-first search of each part, for as long as the result could still be improved.

    What `disassemble` finds is there to begin with; it says how near a separation can be at all,
    and every further one takes a move at least.
    """

    def __init__(self, assembly: Assembly, max_states: int) -> None:
        self.assembly = assembly
        self.look = _Look(assembly)
        self.disassembler = self.look.disassembler
        self.max_states = max_states
        self.left = max_states
        self.known: dict[tuple[tuple[int, ...], Places], Disassembly] = {}

    def best(self, part: tuple[int, ...], places: Places, below: int) -> Disassembly | None:
        """The fewest moves for a part, if they are fewer than `below`."""
        start = tuple(subtract(place, places[0]) for place in places)
        if (part, start) in self.known:
            best: Disassembly | None = self.known[part, start]
        else:
            best = self._nearest(part, start)
            if best is None:
                return None
            level, most = best.levels.moves, min(below, best.levels.total)
            better = self._better(part, start, level, most)
            if better or most == best.levels.total:
                best = self.known[part, start] = better or best
        return best if best and best.levels.total < below else None

    def _nearest(self, part: tuple[int, ...], places: Places) -> Disassembly | None:
        """What taking the nearest separation each time gives."""
        rows = array("i")
        for number, place in zip(part, places, strict=True):
            piece, turn, shift = self.assembly.placements[number]
            rows.extend((piece, turn, *add(shift, place)))
        ending, tree, *_ = self.disassembler.core.take_apart(
            rows, max(1, self.max_states), 2**31, 1
        )
        if ending in ("limit", "crowded"):
            raise LimitReached("too many states to find even the nearest separations")
        return _renumbered(tree and self.disassembler.disassembly(tree), part)

    def _better(
        self, part: tuple[int, ...], start: Places, level: int, below: int
    ) -> Disassembly | None:
        best: Disassembly | None = None
        front = [start]
        ways: dict[Places, tuple[Move, ...]] = {start: ()}
        depth = 0
        while front and max(level, depth + 1) + len(part) - 2 < below:
            following = []
            for here in front:
                self.left -= 1
                if self.left < 0:
                    raise LimitReached(
                        "too many states to find the fewest moves in total; raise max_states"
                    )
                for move in self.look(part, here):
                    if move.units is None:
                        found = self._split(part, here, ways[here], move, below)
                        if found:
                            best, below = found, found.levels.total
                        continue
                    there = _after(part, here, move)
                    if there not in ways:
                        ways[there] = (*ways[here], move)
                        following.append(there)
            front, depth = following, depth + 1
        return best

    def _split(
        self,
        part: tuple[int, ...],
        places: Places,
        moves: tuple[Move, ...],
        away: Move,
        below: int,
    ) -> Disassembly | None:
        """The fewest moves if these pieces are taken away here, if they are fewer than `below`."""
        at = dict(zip(part, places, strict=True))
        stay = tuple(piece for piece in part if piece not in away.pieces)
        room = below - len(moves) - 1
        halves: list[Disassembly | None] = []
        for some, other in ((stay, tuple(away.pieces)), (tuple(away.pieces), stay)):
            found = None
            if len(some) > 1:
                spare = len(other) - 1 if not halves else 0  # what the other takes at least
                found = self.best(some, tuple(at[piece] for piece in some), room - spare)
                if found is None:
                    return None
                room -= found.levels.total
            halves.append(found)
        return Disassembly([*moves, away], *halves) if room > 0 else None


def _renumbered(tree: Disassembly | None, part: tuple[int, ...]) -> Disassembly | None:
    """With the numbers that the pieces of a part have in the whole."""
    if tree is None:
        return None
    moves = [replace(move, pieces=[part[piece] for piece in move.pieces]) for move in tree.moves]
    return Disassembly(moves, _renumbered(tree.left, part), _renumbered(tree.removed, part))
