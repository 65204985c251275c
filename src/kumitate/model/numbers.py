"""Numbers where they enter: checked by name, once, before any work begins.

Python takes any object for a number, and the core only integers of its own size; whatever the two
would disagree about is a PuzzleError here.
"""

from math import gcd

from kumitate.model.errors import PuzzleError

LARGEST = 10**18  # of the whole numbers that are taken; the core and every file can keep it
MOST_THREADS = 256
MOST_MILLIMETRES = 10_000


def require_whole(least: int, most: int = LARGEST, /, **numbers: object) -> None:
    """Whole numbers in a range, or a PuzzleError that names the one that is not.

    >>> require_whole(1, MOST_THREADS, threads=0)
    Traceback (most recent call last):
    kumitate.PuzzleError: threads 0: it must be at least 1
    """
    for name, number in numbers.items():
        if not isinstance(number, int) or isinstance(number, bool):
            raise PuzzleError(f"{name} {number!r}: it must be a whole number (an int)")
        _require_within(least, most, name, number)


def require_number(least: float, most: float = LARGEST, /, **numbers: object) -> None:
    """Numbers in a range, whole or not.

    >>> require_number(0, 60, seconds=float("nan"))
    Traceback (most recent call last):
    kumitate.PuzzleError: seconds nan: it must be a number
    """
    for name, number in numbers.items():
        if not isinstance(number, int | float) or isinstance(number, bool):
            raise PuzzleError(f"{name} {number!r}: it must be a number")
        _require_within(least, most, name, number)


def given(**numbers: object) -> dict[str, object]:
    """Those of some optional numbers that are not None.

    >>> given(limit=None, samples=3)
    {'samples': 3}
    """
    return {name: number for name, number in numbers.items() if number is not None}


def count_of(number: int, what: str) -> str:
    """A number of things.

    >>> count_of(1, "cell"), count_of(1000, "cell"), count_of(2, "assembly")
    ('1 cell', '1,000 cells', '2 assemblies')
    """
    if number != 1:
        what = f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
    return f"{number:,} {what}"


def ratio_of(units: int, parts: int) -> str:
    """A length in cells, of which each has so many units.

    >>> ratio_of(3, 1), ratio_of(3, 2), ratio_of(4, 2)
    ('3', '3/2', '2')
    """
    common = gcd(units, parts)
    return f"{units // common}" if common == parts else f"{units // common}/{parts // common}"


def _require_within(least: float, most: float, name: str, number: float) -> None:
    if number < least:
        raise PuzzleError(f"{name} {number}: it must be at least {least:,}")
    if number > most:
        raise PuzzleError(f"{name} {number}: it must be at most {most:,}")
    if number != number:
        raise PuzzleError(f"{name} {number}: it must be a number")
