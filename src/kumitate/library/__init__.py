"""Famous puzzles, ready to solve, and the answers that are known for them.

The puzzles lie here as files in our own format, one each; `answers.toml` has the counts and levels
that the literature or a measurement gives, with the source. Tests and benchmarks read the same.
"""

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from importlib import resources

from kumitate.files import decode
from kumitate.files.document import place
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of
from kumitate.model.puzzle import Puzzle

_FOLDER = resources.files(__name__)
_ENDING = ".kumitate.json"


@dataclass(frozen=True)
class Answer:
    """What is known of a problem in the library; a number that nobody knows is None."""

    puzzle: str
    problem: str  # its name
    source: str
    assemblies: int | None = None  # rotations and mirror images counted once
    mirrors: int | None = None  # mirror images kept apart
    rotations: int | None = None  # every one of them
    levels: Mapping[str, int] = field(default_factory=dict)  # level text: how many solutions
    first: bool = False  # one is known to exist, how many nobody counts

    def __str__(self) -> str:
        """In words, for a list.

        >>> print(answers("soma")[0])
        240 assemblies
        """
        if self.assemblies is None:
            return "has an assembly" if self.first else "unknown"
        level = next(iter(self.levels)) if self.assemblies == len(self.levels) == 1 else "1"
        far = f", level {level}" if level != "1" else ""
        return count_of(self.assemblies, "assembly") + far


@cache
def _answers() -> tuple[Answer, ...]:
    table = tomllib.loads((_FOLDER / "answers.toml").read_text("utf-8"))
    return tuple(Answer(**row) for row in table["answer"])


def answers(name: str) -> list[Answer]:
    """What is known of a puzzle, or with `puzzle/problem` of one of its problems."""
    puzzle, _, problem = name.partition("/")
    found = [answer for answer in _answers() if answer.puzzle == puzzle]
    return [answer for answer in found if not problem or answer.problem == problem]


class UnknownPuzzle(KeyError, PuzzleError):
    """That the library has no such puzzle, and which one may be meant."""

    def __str__(self) -> str:
        return str(self.args[0])  # not its repr, as KeyError has it


class Library(Mapping[str, Puzzle]):
    """The built-in puzzles by name; `name/problem` is the puzzle with that one problem.

    >>> len(library["pentominoes"].problems), len(library["pentominoes/6x10"].problems)
    (8, 1)
    """

    def __getitem__(self, name: str) -> Puzzle:
        if not isinstance(name, str):
            raise UnknownPuzzle(f"puzzles of the library have names, such as soma, not {name!r}")
        title, _, problem = name.partition("/")
        if title not in self._names():
            near = self.nearest(title)
            hint = f"did you mean {near}?" if near else f"there are {', '.join(self)}"
            raise UnknownPuzzle(f"the library has no puzzle {title!r}; {hint}")
        puzzle = _load(title)
        if not problem:
            return puzzle
        problems = [p for p in puzzle.problems if p.name == problem]
        if not problems:
            names = ", ".join(p.name for p in puzzle.problems)
            raise UnknownPuzzle(f"{title} has no problem {problem!r}; it has {names}")
        used = {p.goal for p in problems} | {piece.shape for p in problems for piece in p.pieces}
        shapes = tuple(shape for shape in puzzle.shapes if shape in used)
        return replace(puzzle, problems=problems, shapes=shapes)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def nearest(self, name: str) -> str | None:
        """The puzzle whose name is most like this one, if any is.

        >>> library.nearest("somma")
        'soma'
        """
        return next(iter(get_close_matches(name[:100], self._names(), 1, 0.5)), None)

    def _names(self) -> list[str]:
        files = (entry.name for entry in _FOLDER.iterdir())
        return sorted(name.removesuffix(_ENDING) for name in files if name.endswith(_ENDING))


@cache
def _load(name: str) -> Puzzle:
    with place(f"library puzzle {name}"):
        try:
            data = (_FOLDER / (name + _ENDING)).read_bytes()
        except OSError as error:
            raise PuzzleError(str(error)) from None
        return decode(data).puzzle


library = Library()
