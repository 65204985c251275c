"""What designers look for among the burrs that a run has kept: level, holes, uniqueness, tools.

Six sticks can often be put together in many ways. A burr is unique if it is the only assembly of
its sticks that comes apart completely. A catalogue of unique burrs comes with kumitate;
`bench/burr_catalogue.py` makes it of runs.
"""

import gzip
import json
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from importlib.resources import files
from itertools import groupby

from kumitate.burr6.counts import TURNING
from kumitate.burr6.enumeration import Kept, SixPieceBurrs
from kumitate.burr6.frame import goal
from kumitate.burr6.saved import BurrRun
from kumitate.model.burr_sticks import burr_stick
from kumitate.model.errors import LimitReached, PuzzleError
from kumitate.search.states import shortest
from kumitate.workshop import millable, notchable

BATCH = 200  # sets of sticks between two progress reports
CATALOGUE = "catalogue.json.gz"


@dataclass(frozen=True)
class Design:
    """A burr, and what its sticks can do."""

    sticks: tuple[int, ...]
    kinds: tuple[int, ...]  # the same sticks as they lie: bits of their removable cells
    length: int
    level: int
    moves: int | None  # in all, if it comes apart completely, and the run went to the end
    holes: int
    assemblies: int = 0  # of these sticks,
    solutions: int = 0  # and how many of them come apart completely

    @cached_property
    def fewest(self) -> int | None:
        """The fewest moves in all, if separations need not be the nearest."""
        try:
            found = shortest(_all(self.length).assembly(self.kinds))
        except LimitReached:
            raise LimitReached(
                f"the fewest moves of {' '.join(map(str, self.sticks))} take too many states to"
                " find; leave out fewest, or such burrs by other conditions"
            ) from None
        return found.levels.total if found else None

    @property
    def unique(self) -> bool:
        return self.solutions == 1

    @property
    def notchable(self) -> bool:
        return all(_sawn(number) for number in self.sticks)

    @property
    def millable(self) -> bool:
        return all(_milled(number) for number in self.sticks)


Condition = Callable[[Design], bool]

_NUMBERS = ("level", "moves", "fewest", "holes", "assemblies", "solutions")
_WORDS = ("unique", "notchable", "millable")
_SLOW = ("assemblies", "solutions", "unique", "fewest")  # these take longest to find out
_COMPARE = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
    "=": operator.eq,
}


def conditions(text: str) -> tuple[Condition, Condition]:
    """What a burr must be: what can be seen at once, and what takes longer.

    >>> burr = Design((1,) * 6, (4095,) * 6, 6, 9, None, holes=7, assemblies=24, solutions=1)
    >>> [both(burr) for both in conditions("level>=9 unique")]
    [True, True]
    >>> [both(burr) for both in conditions("level>=9 holes<7 assemblies>99")]
    [False, False]
    """
    quick: list[Condition] = []
    slow: list[Condition] = []
    for word in text.split():
        match = re.fullmatch(r"([a-z]+)(>=|<=|>|<|=)(\d{1,9})", word)
        if word in _WORDS:
            name, condition = word, _comparison(word, "=", True)
        elif match and match[1] in _NUMBERS:
            name, condition = match[1], _comparison(match[1], match[2], int(match[3]))
        else:
            names = ", ".join((*_WORDS, *(f"{name}>=N" for name in _NUMBERS)))
            raise PuzzleError(f"cannot look for {word!r}; conditions are {names}")
        (slow if name in _SLOW else quick).append(condition)

    def all_of(some: Sequence[Condition]) -> Condition:
        return lambda design: all(condition(design) for condition in some)

    return all_of(quick), all_of(slow)


def _comparison(name: str, sign: str, number: int) -> Condition:
    def holds(design: Design) -> bool:
        value = getattr(design, name)
        return value is not None and bool(_COMPARE[sign](value, number))

    return holds


def find_designs(
    run: BurrRun | None, text: str, progress: Callable[[float], None] | None = None
) -> list[Design]:
    """The burrs of a run, or of the catalogue, that meet all conditions, the best first.

    They are sorted by level, then by moves, few holes, and many assemblies that are of no use.

    >>> len(find_designs(None, "notchable level=5 holes=7 assemblies=24"))
    8
    """
    at_once, slow = conditions(text)
    seen = catalogue() if run is None else _kept(run)
    some = sorted(filter(at_once, seen), key=lambda design: design.sticks)
    found = []
    for done, design in enumerate(some if run is None else _counted(run.burrs, some)):
        if slow(design):
            found.append(design)
        if progress is not None:
            progress((done + 1) / len(some))
    return sorted(
        found,
        key=lambda d: (-d.level, -(d.moves or 0), d.holes, d.solutions - d.assemblies, d.sticks),
    )


def catalogue() -> Iterator[Design]:
    """The unique burrs that come with kumitate."""
    data = files("kumitate.burr6").joinpath(CATALOGUE).read_bytes()
    for kinds, length, level, moves, assemblies in json.loads(gzip.decompress(data))["unique"]:
        burr = _design(_all(length), Kept(kinds, level, False, moves))
        yield replace(burr, assemblies=assemblies, solutions=1)


def catalogue_of(designs: Iterable[Design], runs: Sequence[str]) -> bytes:
    """A catalogue of unique burrs, with the checksums of the runs that they come from."""
    unique = [(d.kinds, d.length, d.level, d.moves, d.assemblies) for d in designs if d.unique]
    return gzip.compress(json.dumps({"runs": runs, "unique": unique}).encode(), mtime=0)


def _kept(run: BurrRun) -> Iterator[Design]:
    return (_design(run.burrs, burr) for burr in run.kept if burr.ending < TURNING)


def _design(burrs: SixPieceBurrs, burr: Kept) -> Design:
    holes = len(goal().optional) - sum(kind.bit_count() for kind in burr.kinds)
    sticks, kinds = burrs.numbers(burr.kinds), tuple(burr.kinds)
    return Design(sticks, kinds, burrs.length, burr.ending, burr.moves, holes)


def _counted(burrs: SixPieceBurrs, designs: Sequence[Design]) -> Iterator[Design]:
    """With the assemblies of their sticks; designs of the same sticks are side by side."""
    groups = [(sticks, list(some)) for sticks, some in groupby(designs, lambda d: d.sticks)]
    for at in range(0, len(groups), BATCH):
        batch = groups[at : at + BATCH]
        all_counts = burrs.census([sticks for sticks, _ in batch])
        for (_, some), counts in zip(batch, all_counts, strict=True):
            for d in some:
                yield replace(d, assemblies=counts.assemblies, solutions=counts.solutions)


@cache
def _all(length: int) -> SixPieceBurrs:
    return SixPieceBurrs(length=length)


@cache
def _sawn(number: int) -> bool:
    return notchable(burr_stick(number))


@cache
def _milled(number: int) -> bool:
    return millable(burr_stick(number))
