"""Document: the contents of a file: a puzzle, the answers saved with it, and the reader's warnings.

Nothing is dropped silently: whatever the model cannot hold, or the target format cannot write,
becomes a warning.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.solution import Answers

# Limits for untrusted files: a decompression bomb is rejected within a second and 200 MB.
MOST_BYTES = 16_000_000  # once unpacked
MOST_CELLS = 100_000  # in all shapes together
MOST_SPOTS = 4_000_000  # characters of all drawings together, for filled and empty cells
FARTHEST = 1_000_000  # largest coordinate of a cell
MOST_PLACED = 10_000  # cells of a piece that has saved placements
MOST_TAGS = 600_000
MOST_POSES = 30_000  # on all routes of pieces that turn
DEEPEST = 250  # nested separations


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
        answers = tuple(map(_owned, self.answers, self.puzzle.problems))
        object.__setattr__(self, "answers", answers)


def _owned(answers: Answers | None, problem: Problem) -> Answers | None:
    """Answers whose pieces have the names and colours that the puzzle gives them."""
    solutions = answers.solutions if answers else ()
    if all(s.assembly.problem.identities == problem.identities for s in solutions):
        return answers
    assert answers is not None
    owned = [replace(s, assembly=replace(s.assembly, problem=problem)) for s in solutions]
    return replace(answers, solutions=owned)


@contextmanager
def place(where: str) -> Iterator[None]:
    """Prefix the message of any PuzzleError raised inside with where it happened."""
    try:
        yield
    except PuzzleError as error:
        raise PuzzleError(f"{where}: {error}") from None
