"""How many six-piece burrs come apart, and how."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeVar, get_args

K = TypeVar("K")
T = TypeVar("T")

# The moves to the first separation, or why there is none. If turns are asked for, a burr is turning
# if something can turn, and unclear if that was neither found nor ruled out.
BurrEnding = int | Literal["rigid", "stuck", "turning", "unclear"]
BurrProgress = Callable[[float, "BurrCounts"], None]

TURNING, UNCLEAR, STUCK, VAST = (
    28,
    29,
    30,
    31,
)  # the core's codes; smaller ones are levels, 0 is rigid
NEVER = 64  # and of outcomes: smaller ones are moves; above, sets of sticks that never part
_CLUMPS = ((5, 32, 1), (4, 16, 1), (3, 4, 3), (2, 1, 3))  # their sizes, and how they are packed

# What counts as one move on the way to the first separation: some sticks that go together, any
# number of cells; sticks that go along an axis, each as far as it likes; some sticks that go
# together by one cell, or away; one stick that goes any number of cells.
LevelBy = Literal["move", "axis", "unit", "piece"]
LEVELS_BY: tuple[LevelBy, ...] = get_args(LevelBy)


# How burrs are compared: levels by the other definitions, and those with longer sticks; in the
# order of the core.
VARIANTS = (*LEVELS_BY[1:], "length 8", "length 10", "length 12")


class BurrOutcome(NamedTuple):
    """What becomes of a burr that comes apart at least partly."""

    level: int  # moves to the first separation
    moves: int | None  # in all, if it comes apart completely; each separation is a nearest one
    clumps: tuple[int, ...] = ()  # the sizes of the sets of sticks that never part


@dataclass(frozen=True)
class BurrCounts:
    """How many six-piece burrs come apart at each level, or do not; and the time spent."""

    once: Mapping[BurrEnding, int]  # mirror images counted once
    mirrors: Mapping[BurrEnding, int]  # mirror images counted separately
    seconds: float  # of one core
    # If they are taken apart completely: mirror images counted once, and separately.
    outcomes: Mapping[BurrOutcome, tuple[int, int]] = field(default_factory=dict)
    # If they are compared, how they end by each of VARIANTS: once, and separately.
    compared: Mapping[str, Mapping[BurrEnding, tuple[int, int]]] = field(default_factory=dict)

    @property
    def assemblies(self) -> int:
        """How many were visited, with mirror images counted once."""
        return sum(self.once.values())

    @property
    def levels(self) -> dict[int, int]:
        """How many come apart, at least partly, by moves to the first separation."""
        return {level: self.once[level] for level in self.once if isinstance(level, int)}

    @property
    def solutions(self) -> int:
        """How many come apart completely, if they were taken apart to the end."""
        return sum(once for outcome, (once, _) in self.outcomes.items() if outcome.moves)

    def __add__(self, other: "BurrCounts") -> "BurrCounts":
        once, mirrors = Counter(self.once), Counter(self.mirrors)
        once.update(other.once)
        mirrors.update(other.mirrors)
        seconds = self.seconds + other.seconds
        outcomes = _sum(self.outcomes, other.outcomes)
        compared = {
            name: _sorted(_sum(self.compared.get(name, {}), other.compared.get(name, {})))
            for name in self.compared or other.compared
        }
        return BurrCounts(_sorted(once), _sorted(mirrors), seconds, outcomes, compared)


class Estimate(NamedTuple):
    """An estimated number and its standard error."""

    value: float
    error: float


@dataclass(frozen=True)
class BurrSample:
    """What a random sample of tasks says about all of them."""

    tasks: int
    counts: BurrCounts  # of the sample itself
    endings: Mapping[BurrEnding, Estimate]  # of all burrs, mirror images counted once
    apart: Estimate  # those that come apart at least partly
    assemblies: Estimate
    hours: Estimate  # of one core

    @property
    def rate(self) -> float:
        """Assemblies taken apart per second of one core."""
        return self.counts.assemblies / self.counts.seconds


# ---- the core's codes ----


def ending_of(code: int) -> BurrEnding:
    """The ending that the core has this code for.

    >>> ending_of(0), ending_of(12)
    ('rigid', 12)
    """
    assert code != VAST, "a stick went farther than a frame is wide"
    named: dict[int, BurrEnding] = {
        0: "rigid",
        TURNING: "turning",
        UNCLEAR: "unclear",
        STUCK: "stuck",
    }
    return named.get(code, code)


def outcome_of(level: int, code: int) -> BurrOutcome:
    """The outcome that the core has this code for.

    >>> outcome_of(2, 7)
    BurrOutcome(level=2, moves=7, clumps=())
    >>> outcome_of(1, 64 + 5).clumps
    (3, 2)
    """
    if code < NEVER:
        return BurrOutcome(level, code)
    clumps = ((size,) * ((code - NEVER) // unit & most) for size, unit, most in _CLUMPS)
    return BurrOutcome(level, None, tuple(size for some in clumps for size in some))


def counts_of(
    once: Sequence[int],
    mirrored: Sequence[int],
    seconds: float,
    apart: Sequence[tuple[int, int, int, int]] = (),
    compared: Sequence[tuple[Sequence[int], Sequence[int]]] = (),
) -> BurrCounts:
    """What the core has counted: classes, and those that differ from their mirror images."""
    both = [a + b for a, b in zip(once, mirrored, strict=True)]
    outcomes = {outcome_of(level, code): (a, a + b) for level, code, a, b in apart}
    variants = {
        name: _named([(a, a + b) for a, b in zip(*counts, strict=True)])
        for name, counts in zip(VARIANTS, compared, strict=False)
    }
    return BurrCounts(_named(once), _named(both), seconds, outcomes, variants)


def _named(counts: Sequence[T]) -> dict[BurrEnding, T]:
    return {ending_of(code): some for code, some in enumerate(counts) if some not in (0, (0, 0))}


def _sum(
    a: Mapping[K, tuple[int, int]], b: Mapping[K, tuple[int, int]]
) -> dict[K, tuple[int, int]]:
    both = dict(a)
    for key, (once, mirrors) in b.items():
        before = both.get(key, (0, 0))
        both[key] = (before[0] + once, before[1] + mirrors)
    return both


def _sorted(counts: Mapping[BurrEnding, T]) -> dict[BurrEnding, T]:
    """The levels in order, then the burrs that do not come apart."""
    levels = {level: counts[level] for level in sorted(e for e in counts if isinstance(e, int))}
    return levels | {e: counts[e] for e in ("rigid", "stuck", "turning", "unclear") if e in counts}
