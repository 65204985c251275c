"""Refusal: a PuzzleError with the reason in one word, so that the page can act on it."""

from typing import Literal, get_args

from kumitate.model.errors import PuzzleError

Reason = Literal["question", "conflict", "missing", "forbidden", "large", "ours"]
STATUS: dict[Reason, int] = dict(
    zip(get_args(Reason), (400, 409, 404, 403, 413, 500), strict=True)
)  # HTTP status codes


class Refusal(PuzzleError):
    """Why a request was rejected, where, and the way out.

    >>> Refusal("soma.xmpuzzle does not exist", "missing").status
    404
    """

    def __init__(self, message: str, reason: Reason) -> None:
        super().__init__(message)
        self.reason = reason

    @property
    def status(self) -> int:
        return STATUS[self.reason]
