"""Document: what a file holds — a puzzle, the answers saved with it, and what the reader must say.

Nothing a file says is dropped in silence: what the values cannot hold, or the other format cannot
write, becomes a warning.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Puzzle
from kumitate.model.solution import Answers

# Bounds for files from strangers: a bomb is refused within a second and 200 MB.
MOST_BYTES = 16_000_000  # once unpacked
MOST_CELLS = 100_000  # in all shapes together
MOST_SPOTS = 4_000_000  # filled or not, in all drawings together
FARTHEST = 1_000_000  # coordinate of a cell
MOST_PLACED = 10_000  # cells of a piece with saved placements
MOST_TAGS = 600_000
DEEPEST = 250  # separations within separations


@dataclass(frozen=True)
class Document:
    """A puzzle, and for each of its problems the saved answers (None where there are none)."""

    puzzle: Puzzle
    answers: Sequence[Answers | None] = ()
    warnings: Sequence[str] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        missing = len(self.puzzle.problems) - len(self.answers)
        object.__setattr__(self, "answers", (*self.answers, *[None] * missing))
        assert len(self.answers) == len(self.puzzle.problems)


@contextmanager
def place(where: str) -> Iterator[None]:
    """Whatever is wrong inside, the message begins with where it was."""
    try:
        yield
    except PuzzleError as error:
        raise PuzzleError(f"{where}: {error}") from None
