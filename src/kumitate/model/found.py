"""A puzzle that a search has found, as collections keep it and galleries show it."""

from typing import NamedTuple

from kumitate.model.puzzle import Puzzle
from kumitate.model.solution import Answers, Solution


class Found(NamedTuple):
    """A puzzle of a collection, which is known by its sample, with its answers."""

    sample: int
    puzzle: Puzzle
    answers: Answers | None
    text: str  # as .kumitate.json

    @property
    def solution(self) -> Solution | None:
        """The solution to show, if one is kept."""
        return self.answers.solutions[0] if self.answers and self.answers.solutions else None
