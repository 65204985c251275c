"""The one exception for a user's slip; our own slips are asserts."""


class PuzzleError(ValueError):
    """A mistake in a puzzle or a question: what is wrong, where, and how to fix it.

    >>> raise PuzzleError("goal has 27 cells but the pieces fill 26")
    Traceback (most recent call last):
    kumitate.PuzzleError: goal has 27 cells but the pieces fill 26
    """

    __module__ = "kumitate"  # where users find it


class LimitReached(Exception):
    """A limit stopped a search before the answer was known."""
