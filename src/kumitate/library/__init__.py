"""Famous puzzles, ready to solve, and their known answers.

Each puzzle is a file in our own format; `answers.toml` has the counts and levels from the
literature or from measurements, with their sources. Tests and benchmarks read the same files.
"""

import os
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING

from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import count_of

if TYPE_CHECKING:
    from kumitate.library.answers import KnownAnswer
    from kumitate.model.puzzle import Puzzle

_FOLDER = os.path.dirname(__file__)
_ENDING = ".kumitate.json"


class UnknownPuzzle(KeyError, PuzzleError):
    """The library has no such puzzle; the message suggests one."""

    def __str__(self) -> str:
        return str(self.args[0])  # KeyError would print the repr


class Library(Mapping[str, "Puzzle"]):
    """The built-in puzzles by name; `name/problem` is the puzzle with only that problem.

    >>> len(library["pentominoes"].problems), len(library["pentominoes/6x10"].problems)
    (8, 1)
    """

    def __getitem__(self, name: str) -> "Puzzle":
        if not isinstance(name, str):
            raise UnknownPuzzle(f"library puzzles have names, such as soma, not {name!r}")
        title, _, problem = name.partition("/")
        if title not in self._names():
            near = self.nearest(title)
            hint = f"did you mean {near}?" if near else f"the puzzles are {', '.join(self)}"
            raise UnknownPuzzle(f"the library has no puzzle {title!r}; {hint}")
        puzzle = _load(title)
        if not problem:
            return puzzle
        try:
            return puzzle.only(problem)
        except PuzzleError as error:
            raise UnknownPuzzle(f"{title}: {error}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def __repr__(self) -> str:
        return f"<Library: {count_of(len(self), 'puzzle')}>"

    def answers(self, name: str) -> "list[KnownAnswer]":
        """What is known of a puzzle, or with `puzzle/problem` of one of its problems.

        >>> [answer.assemblies for answer in library.answers("pentominoes/6x10")]
        [2339]
        """
        from kumitate.library.answers import known_answers

        puzzle, _, problem = name.partition("/")
        found = [answer for answer in known_answers() if answer.puzzle == puzzle]
        return [answer for answer in found if not problem or answer.problem == problem]

    def nearest(self, name: str) -> str | None:
        """The puzzle with the most similar name, if any is similar.

        >>> library.nearest("somma")
        'soma'
        """
        from difflib import get_close_matches

        return next(iter(get_close_matches(name[:100], self._names(), 1, 0.5)), None)

    def _names(self) -> list[str]:
        files = os.listdir(_FOLDER)
        return sorted(name.removesuffix(_ENDING) for name in files if name.endswith(_ENDING))


@cache
def _load(name: str) -> "Puzzle":
    from kumitate.files import read

    return read(os.path.join(_FOLDER, name + _ENDING)).puzzle


library = Library()
