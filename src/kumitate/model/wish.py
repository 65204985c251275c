"""What a user may wish of a new puzzle: each wish is declared here, once, with its help.

The library takes wishes as keywords, the command line as flags, a small file as lines, and a
collection keeps them as JSON. None, False and () mean that nothing is asked.
"""

from dataclasses import dataclass, field, fields
from typing import Any, TypedDict

from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import given, require_number, require_whole


def _wish(default: object, text: str) -> Any:
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True, kw_only=True)
class Wish:
    """What is wanted of a new puzzle, besides its goal.

    >>> Wish(pieces=4, holes=1).given
    {'pieces': 4, 'holes': 1}
    """

    pieces: int | None = _wish(None, "Number of pieces to design. Default: 4 for a box.")
    holes: int | tuple[int, int] | None = _wish(
        None, "Number of cells inside that stay empty, or a range such as 0..8."
    )
    maximise: tuple[str, ...] = _wish(
        (), "What to maximise, most important first; separate by commas, or repeat the option."
    )
    unique: bool = _wish(False, "Exactly one assembly comes apart.")
    level: int | None = _wish(None, "Lowest level to accept.")
    smallest: int | None = _wish(None, "Fewest cells in a piece.")
    largest: int | None = _wish(None, "Most cells in a piece.")
    notchable: bool = _wish(False, "A saw can make every piece.")
    millable: bool = _wish(False, "A milling cutter can make every piece.")
    printable: bool = _wish(False, "Every piece prints without support.")
    different: bool = _wish(False, "No two pieces are the same.")
    identical: bool = _wish(False, "All pieces are the same.")
    symmetric: bool = _wish(False, "Every piece is symmetric.")
    keep: tuple[str, ...] = _wish((), "A piece that must not change; may be repeated.")
    home: tuple[str, ...] = _wish(
        (), "A drawing of the cells that one piece may use; repeat it for each piece."
    )
    no_turns: float | None = _wish(
        None,
        "Turns open it no sooner than slides, at this tolerance, a part of a cell such as 0.02.",
    )
    seed: int = _wish(0, "Seed of the random choices. Default: 0.")

    def __post_init__(self) -> None:
        names = (self.maximise,) if isinstance(self.maximise, str) else self.maximise
        object.__setattr__(self, "maximise", tuple(names))
        for several in ("keep", "home"):
            object.__setattr__(self, several, tuple(getattr(self, several)))
        low, high = self.holes if isinstance(self.holes, tuple) else (self.holes, self.holes)
        require_whole(0, seed=self.seed, **given(holes=low))
        require_whole(low or 0, **given(holes=high))
        require_whole(1, **given(level=self.level, smallest=self.smallest, largest=self.largest))
        require_whole(1, **given(pieces=self.pieces))
        require_number(0, 0.499, **given(no_turns=self.no_turns))
        if self.largest is not None and self.largest < (self.smallest or 1):
            raise PuzzleError(
                f"no piece can have at least {self.smallest} and at most {self.largest} cells;"
                " raise largest or lower smallest"
            )

        if self.different and self.identical:
            raise PuzzleError("--different and --identical contradict each other; choose one")

    @property
    def given(self) -> dict[str, Any]:
        """The wishes that were made, and their values."""
        default = Wish()
        pairs = ((one.name, getattr(self, one.name)) for one in fields(self))
        return {name: value for name, value in pairs if value != getattr(default, name)}


def wish_help(name: str) -> str:
    """What a wish asks, in a sentence.

    >>> wish_help("unique")
    'Exactly one assembly comes apart.'
    """
    return str({one.name: one.metadata["help"] for one in fields(Wish)}[name])


class WishKeywords(TypedDict, total=False):
    """The same as keywords, for type checkers."""

    pieces: int | None
    holes: int | tuple[int, int] | None
    unique: bool
    level: int | None
    smallest: int | None
    largest: int | None
    notchable: bool
    millable: bool
    printable: bool
    different: bool
    identical: bool
    symmetric: bool
    keep: tuple[str, ...]
    home: tuple[str, ...]
    no_turns: float | None
    seed: int
