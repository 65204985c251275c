"""Solid burrs, which have no holes inside: few enough to be taken apart completely."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from kumitate.burr6.counts import BurrCounts, BurrProgress
from kumitate.burr6.enumeration import Question, SixPieceBurrs, mirror_of
from kumitate.model.shape import Shape
from kumitate.search.disassemble import Disassembler

PARTLY = "partly"


@dataclass(frozen=True)
class SolidBurrs:
    """How all solid burrs made of some sticks come apart.

    Pairs of numbers count mirror images once, and separately.
    """

    counts: BurrCounts
    levels: Mapping[str, tuple[int, int]]  # of those that come apart completely
    partly: tuple[int, int]
    sticks: Sequence[int]  # numbers of the sticks in burrs that come apart completely

    @property
    def solutions(self) -> tuple[int, int]:
        """How many come apart completely: mirror images counted once, and separately."""
        once, apart = (sum(column) for column in zip((0, 0), *self.levels.values(), strict=True))
        return once, apart


def solid_burrs(
    sticks: Iterable[Shape] | None = None, progress: BurrProgress | None = None
) -> SolidBurrs:
    """All solid burrs made of some sticks (by default all 837), taken apart completely.

    >>> from kumitate.model.burr_sticks import burr_sticks
    >>> from kumitate.workshop import notchable
    >>> found = solid_burrs(filter(notchable, burr_sticks()))
    >>> found.levels, found.solutions, len(found.sticks)
    ({'1': (148, 257), '1.2': (31, 57)}, (179, 314), 25)
    """
    burrs = SixPieceBurrs(sticks, solid=True)
    disassembler = Disassembler(burrs.problem)
    levels: dict[str, tuple[int, int]] = {}
    used = set[int]()
    counts = BurrCounts({}, {}, 0)
    for _, done, piece, kept in burrs.slices(None, Question(keep_level=1)):
        counts += piece
        for kinds, _, mirrored, _ in kept:
            assembly = burrs.assembly(kinds)
            disassembly = disassembler.examine(assembly).disassembly
            level = str(disassembly.levels) if disassembly else PARTLY
            once, apart = levels.get(level, (0, 0))
            levels[level] = (once + 1, apart + 1 + mirrored)
            if disassembly:
                used |= {int(burrs.sticks[p.piece].name) for p in assembly.placements}
        if progress is not None:
            progress(done, counts)
    partly = levels.pop(PARTLY, (0, 0))
    ordered = dict(sorted(levels.items(), key=lambda item: (-item[1][0], item[0])))
    mirrors = {mirror_of(number) for number in used}
    return SolidBurrs(counts, ordered, partly, tuple(sorted(used | mirrors)))
