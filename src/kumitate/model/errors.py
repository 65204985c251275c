"""The one exception for a user's slip; our own slips are asserts."""


class PuzzleError(ValueError):
    """Says what is wrong, where, and the way out, in one line.

    >>> raise PuzzleError("goal has 27 cells but the pieces fill 26")
    Traceback (most recent call last):
    kumitate.PuzzleError: goal has 27 cells but the pieces fill 26
    """

    __module__ = "kumitate"  # where users find it


class LimitReached(Exception):
    """A search was stopped by the limit that was set for it, so nothing is known."""
