"""The options of a solve: each is declared here, once, with its default and its help.

The library takes them as keywords, the command line as flags, a run keeps them as JSON, and the
studio's page sends them in a message. Inside, only these values are handed on; a function asks for
the part that it needs, and `RunOptions` has every part.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypedDict, TypeVar

from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import given, require_whole


def _option(default: object, text: str) -> Any:
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True, kw_only=True)
class CountOptions:
    """Which assemblies count as the same; by default all rotations and mirror images of one."""

    mirrors: bool = _option(False, "Count mirror images separately.")
    rotations: bool = _option(False, "Count rotations and mirror images separately.")
    thorough: bool = _option(
        False, "Count an assembly once even if optional cells let it lie in several places."
    )
    distinct_copies: bool = _option(
        False, "Treat a shape that is listed twice as two different pieces."
    )


@dataclass(frozen=True, kw_only=True)
class ApartOptions:
    """How to take an assembly apart, and when to give up."""

    fine: bool = _option(False, "Half steps: let pieces also stop between cells.")
    coordinate: bool = _option(
        False, "Coordinate motion: where nothing else moves, move all pieces apart at once."
    )
    turns: float | None = _option(
        None,
        "Also let pieces turn (cubes). The tolerance is how far faces are set back, as a part of a"
        " cell; 0: a perfect fit.",
    )
    max_states: int | None = _option(
        None, "Give up on an assembly after N states. Default: no limit."
    )
    max_moves: int | None = _option(
        None, "Give up on separations that take more than N moves. Default: no limit."
    )

    def __post_init__(self) -> None:
        require_whole(1, **given(max_states=self.max_states, max_moves=self.max_moves))
        if self.turns is None:
            return
        # A rotation reports its tolerance as a fraction; that is accepted here, too.
        number = hasattr(self.turns, "as_integer_ratio") and not isinstance(self.turns, bool)
        if not number or not 0 <= self.turns < 0.5:
            raise PuzzleError(
                f"turns {self.turns!r}: a tolerance is a number, at least 0 and less than 0.5"
            )
        object.__setattr__(self, "turns", float(self.turns))
        if self.coordinate:
            raise PuzzleError("turns cannot be combined with coordinate motions")

    @property
    def tolerance(self) -> int | None:
        """What turns may count on, in thousandths of a cell; None if there are no turns."""
        return None if self.turns is None else int(self.turns * 1000 + 1e-9)


@dataclass(frozen=True, kw_only=True)
class SolveOptions(ApartOptions, CountOptions):
    """How to solve a problem."""

    disassemble: bool = _option(False, "Keep only assemblies that come apart; show their levels.")


@dataclass(frozen=True, kw_only=True)
class RunOptions(SolveOptions):
    """How to solve a problem into a file."""

    keep: str = _option(
        "all", "What the run keeps: all, none, every:N, best:N or best-moves:N. Default: all."
    )


DEFAULTS = RunOptions()


def help_for(option: str) -> str:
    """What an option does, in a sentence.

    >>> help_for("mirrors")
    'Count mirror images separately.'
    """
    texts = {one.name: one.metadata["help"] for one in fields(RunOptions)}
    return str(texts[option])


T = TypeVar("T", bound=CountOptions)


def take(kind: type[T], given: Mapping[str, Any]) -> T:
    """The options of one kind, taken from others; None, or none at all, means the default.

    >>> take(CountOptions, {"mirrors": True, "keep": "none"})
    CountOptions(mirrors=True, rotations=False, thorough=False, distinct_copies=False)
    """
    names = [one.name for one in fields(kind) if given.get(one.name) is not None]
    return kind(**{name: given[name] for name in names})


# The same as keywords of the library's functions, for type checkers.


class CountKeywords(TypedDict, total=False):
    mirrors: bool
    rotations: bool
    thorough: bool
    distinct_copies: bool


class ApartKeywords(TypedDict, total=False):
    fine: bool
    coordinate: bool
    turns: float | None
    max_states: int | None
    max_moves: int | None


class SolveKeywords(ApartKeywords, CountKeywords, total=False):
    disassemble: bool


class RunKeywords(SolveKeywords, total=False):
    keep: str
