"""The C++ core as Python sees it (core/bindings*.cpp); no numpy, so importing it costs nothing."""

from array import array
from collections.abc import Callable, Mapping, Sequence, Set
from enum import Enum
from typing import Any, Literal

def instruction_set() -> str: ...
def instruction_sets() -> list[str]: ...
def use_instruction_set(name: str) -> None: ...
def expect_leaks() -> None: ...

Ending = Literal["apart", "rigid", "stuck", "limit", "unclear", "crowded", "vast"]
Triple = tuple[int, int, int]
Cell = tuple[int, int, int, int]
Slide = tuple[list[int], int, int, list[Triple], tuple[int, Triple, int] | None]
Tree = tuple[bytes, bytes]  # levels, moves
Report = tuple[Ending, Tree | None, int, list[int], list[Triple]]
Rescue = Callable[[int, list[int], list[Triple]], list[Triple]]
Packed = tuple[bytes, int, int]  # names, rows, length
Part = tuple[bytes, bytes]  # of a search: its state, and what was found in it and not read

class Dealer:
    def __init__(
        self,
        problem: Problem,
        pieces: Sequence[Sequence[int]],
        turned: Sequence[tuple[int, ...]],
        order: Sequence[Sequence[int]],
        pinned: Sequence[tuple[int, int]],
    ) -> None: ...
    def lines(
        self,
        names: bytes,
        length: int,
        width: int,
        first: int,
        before: bytes,
        between: bytes,
        after: bytes,
    ) -> bytes: ...

def turns(
    tiles: Sequence[Sequence[Triple]],
    denominator: int,
    generators: Sequence[Sequence[Triple]],
    mirror: Sequence[Triple],
    extra: Sequence[Triple] | None,
    divisor: int,
) -> bytes: ...
def sweeps(
    tiles: Sequence[Sequence[Triple]],
    denominator: int,
    gram: Sequence[Triple],
    diameter2: int,
    steps: Sequence[Triple],
    parts: int,
) -> bytes: ...
def oblongs_meet(turns: Sequence[int], stays: Sequence[int]) -> bool: ...

Verdict = Literal["found", "none", "unclear", "limit"]
# x and y, per cell, turn, per quarter, whether an arc leads there, and about which point
Pose = tuple[int, int, int, int, int, int, int, int]
Stop = tuple[int, int, int, list[Pose]]  # quarters, shift, route

def find_route(
    moving: list[list[Triple]],
    staying: list[list[Triple]],
    quarters: int,
    tolerance: int | None = None,
    clearance: int = 40,
    goal: tuple[int, int] | None = None,
    boxes: int = 100_000,
) -> tuple[Verdict, int, int, list[Pose], int]: ...
def find_stops(
    moving: list[list[Triple]],
    staying: list[list[Triple]],
    tolerance: int = 0,
    clearance: int = 40,
    boxes: int = 100_000,
) -> tuple[list[Stop], list[Stop], bool, int, int]: ...

class Disassembler:
    def __init__(
        self,
        tiles: int,
        parts: int,
        steps: array[int],
        swept: array[int],
        turns: array[int],
        tolerance: int | None = None,
        clearance: int = 0,
    ) -> None: ...
    def add_piece(self, cells: array[int], weight: int, groups: list[tuple[int, int]]) -> None: ...
    def take_apart(
        self,
        assembly: array[int],
        states: int,
        moves: int,
        threads: int,
        rescue: Rescue | None = None,
        tell: Callable[[int], None] | None = None,
    ) -> Report: ...
    def take_apart_some(
        self,
        dealer: Dealer,
        names: bytes,
        length: int,
        width: int,
        budget: int,
        states: int,
        moves: int,
        threads: int,
        rescue: Rescue | None = None,
        tell: Callable[[int], None] | None = None,
    ) -> list[Report]: ...
    def survey(
        self, assembly: array[int], part: list[int], places: list[Triple]
    ) -> list[Slide] | None: ...
    def survey_routes(
        self, assembly: array[int]
    ) -> tuple[list[Slide], list[list[tuple[int, ...]]], bool] | None: ...

class Climb:
    def __init__(
        self,
        tiles: int,
        steps: array[int],
        swept: array[int],
        cells: array[int],
        neighbours: list[list[int]],
        may_be_empty: list[int],
        homes: list[list[int]],
        kept: list[int],
        holes: tuple[int, int],
        sizes: tuple[int, int],
        slack: float,
        temperature: float,
        later: float,
        max_states: int,
    ) -> None: ...
    def begin(self, owners: list[int], seed: int) -> None: ...
    def run(self, evaluations: int) -> Literal["better", "done", "fixed"]: ...
    def settle(self, counts: bool) -> None: ...
    @property
    def owners(self) -> list[int]: ...
    @property
    def best_owners(self) -> list[int]: ...
    @property
    def best(self) -> float: ...
    @property
    def level(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def states(self) -> int: ...
    @property
    def evaluations(self) -> int: ...

class LevelBy(Enum):
    move = 0
    axis = 1
    unit = 2
    piece = 3

class BurrEnumeration:
    def __init__(
        self,
        home: list[int],
        loose: list[int],
        kinds: list[int],
        turns: list[list[int]],
        rotations: int,
        solid: bool,
        length: int = 6,
    ) -> None: ...
    @property
    def tasks(self) -> int: ...
    @property
    def places(self) -> list[int]: ...
    def sizes(self) -> list[int]: ...
    def count(self) -> tuple[int, int]: ...
    def run(
        self,
        tasks: array[int],
        *,
        by: LevelBy = LevelBy.move,
        turns: int | None = None,
        complete: bool = False,
        compare: bool = False,
        least: int = 31,
        total: int = 64,
        far: int = 64,
    ) -> tuple[
        list[int],
        list[int],
        list[tuple[int, int, int, int]],
        list[tuple[list[int], list[int]]],
        list[tuple[list[int], int, int, bool]],
    ]: ...
    def ending(
        self, kinds: list[int], turns: int | None = None, by: LevelBy = LevelBy.move
    ) -> int: ...
    def census(
        self, sets: list[tuple[list[list[int]], bool]]
    ) -> list[tuple[list[int], list[tuple[int, int, int, int]]]]: ...
    def outcome(self, kinds: list[int]) -> tuple[int, int]: ...

class Shares: ...

class Search:
    def run(self, nodes: int, room: int = ..., width: int = 4) -> Packed: ...
    def skim(self, nodes: int) -> None: ...
    def estimate(self) -> Shares: ...
    def weigh(self, shares: Shares) -> None: ...
    def save(self) -> bytes: ...
    def load(self, state: bytes) -> None: ...
    def split(self) -> bytes | None: ...
    @property
    def nodes(self) -> int: ...
    @property
    def found(self) -> int: ...
    @property
    def all(self) -> int: ...
    @property
    def done(self) -> bool: ...
    @property
    def left(self) -> float: ...

class ParallelSearch:
    def read(self, milliseconds: int) -> tuple[Packed, bool]: ...
    def report(self) -> tuple[int, int, int, float]: ...
    def pause(self, arrived: int) -> list[Part]: ...
    def stop(self) -> None: ...

class FrontierCounts:
    def run(self, states: int) -> bool: ...
    @property
    def states(self) -> int: ...
    @property
    def done(self) -> bool: ...
    @property
    def totals(self) -> list[tuple[int, int]]: ...

class Thorough:
    def stands_for_its_class(self, assembly: list[int]) -> bool: ...

class Outcome(Enum):
    GOING = 0
    FOUND = 1
    NONE = 2

class RestartSearch:
    def run(self, milliseconds: int) -> Outcome: ...
    @property
    def nodes(self) -> int: ...
    @property
    def restarts(self) -> int: ...
    @property
    def names(self) -> list[int]: ...

class Local:
    def run(self, milliseconds: int, wanted: int) -> bool: ...
    @property
    def best(self) -> int: ...
    @property
    def steps(self) -> int: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def names(self) -> list[int]: ...

class Searchable:
    def frontier_counts(self) -> FrontierCounts: ...
    @property
    def size(self) -> tuple[int, int]: ...
    @property
    def possible(self) -> bool: ...
    def search(self) -> Search: ...
    def run(
        self, threads: int, keep: bool, ordered: bool, parts: Sequence[Part] | None = None
    ) -> ParallelSearch: ...

def read_items(
    options: Any, primary: Any, secondary: Any, times: Any
) -> tuple[Items, list[Any]]: ...

class Items(Searchable):
    @property
    def items(self) -> int: ...
    @property
    def question(self) -> bytes: ...
    def known_answers(self, labels: list[Any]) -> list[list[Any]] | None: ...
    def answers(
        self, names: bytes, rows: int, length: int, labels: list[Any]
    ) -> list[list[Any]]: ...
    def fault(self, options: list[int]) -> str: ...

class Problem(Searchable):
    def __init__(
        self,
        cells: Set[Cell],
        optional: Set[Cell],
        colours: Mapping[Cell, int],
        accepts: Mapping[int, int],
        turns: array[int],
        tiles: int,
    ) -> None: ...
    def add_piece(
        self,
        cells: Set[Cell],
        colours: Mapping[Cell, int],
        least: int,
        most: int,
        may_be_copy: bool,
    ) -> int: ...
    def placements(self) -> list[tuple[int, int, int, int, int]]: ...
    def fits(self, piece: int) -> bool: ...
    def covers(self, name: int) -> list[int]: ...
    def pin(self, name: int) -> None: ...
    def forbid(self, name: int) -> None: ...
    def fault(self, names: list[int], holes: int) -> str: ...
    def restart_search(self, holes: int, seed: int) -> RestartSearch: ...
    def local(self, cells: bool, seed: int, most_collisions: int) -> Local | None: ...
    def dimacs(self) -> str: ...
    def weights(self, modulus: int) -> list[int] | None: ...
    def cover(
        self,
    ) -> tuple[list[int], list[int], list[int], list[int], list[int], list[list[int]]]: ...
    def thorough(self, reflections: bool) -> Thorough: ...
    def prepare(
        self,
        holes: int,
        rotations: bool,
        reflections: bool,
        breaks: bool = True,
        reduces: bool = True,
    ) -> float: ...
    @property
    def symmetries(self) -> int: ...
