"""What is known of the puzzles in the library: `answers.toml`, with the sources."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from kumitate.model.numbers import count_of


@dataclass(frozen=True)
class KnownAnswer:
    """What is known of a problem in the library; a number that nobody knows is None."""

    puzzle: str
    problem: str  # its name
    source: str
    assemblies: int | None = None  # rotations and mirror images counted once
    mirrors: int | None = None  # mirror images counted separately
    rotations: int | None = None  # rotations and mirror images all counted
    levels: Mapping[str, int] = field(default_factory=dict)  # level text: number of solutions
    first: bool = False  # an assembly is known to exist, but not how many
    fine: bool = False  # the levels are those of pieces that may stop between cells

    @property
    def turns(self) -> float | None:
        """The tolerance for which the levels hold, if they count turns: pieces are perfect."""
        return 0.0 if any("R" in level for level in self.levels) else None

    def __str__(self) -> str:
        """A few words for a list.

        >>> print(known_answers()[0])
        240 assemblies
        """
        if self.assemblies is None:
            return "has an assembly" if self.first else "unknown"
        if not self.assemblies:
            return "has no assembly"
        level = next(iter(self.levels)) if sum(self.levels.values()) == 1 else "1"
        far = f", level {level}" if level != "1" else ""
        return count_of(self.assemblies, "assembly") + far


@cache
def known_answers() -> tuple[KnownAnswer, ...]:
    """Every row of the table."""
    table = tomllib.loads(Path(__file__).with_name("answers.toml").read_text("utf-8"))
    return tuple(KnownAnswer(**row) for row in table["answer"])
