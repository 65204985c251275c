"""Moves that turn pieces, as files and runs have them.

Numbers on a route are exact, so they are text, such as 3/2. A tolerance has four decimals at most.
"""

import re
from typing import TYPE_CHECKING

from kumitate.files.document import FARTHEST, MOST_POSES
from kumitate.files.entries import DisassemblyEntry, PoseRow, TurnEntry
from kumitate.model.errors import PuzzleError
from kumitate.model.rotation import Rotation
from kumitate.model.route import Pose

if TYPE_CHECKING:
    from fractions import Fraction  # which commands without turns do without

_DECIMALS = 10_000
_RATIONAL = re.compile(r"(-?[0-9]{1,24})(?:/(0{0,23}[1-9][0-9]{0,23}))?")


def turn_entry(rotation: Rotation) -> TurnEntry:
    """A turn, to be written.

    >>> from fractions import Fraction
    >>> turn_entry(Rotation([1], 2, 1, (2, 2, 0), tolerance=Fraction(36, 1000)))
    TurnEntry(pieces=(1,), axis=2, quarters=1, pivot=(2, 2, 0), tolerance=0.036, route=())
    """
    if fault := rotation.fault:
        raise PuzzleError(f"disassembly: {fault}")
    if len(rotation.route) > MOST_POSES:
        raise PuzzleError(f"disassembly: a route of more than {MOST_POSES:,} poses")
    entry = TurnEntry(
        tuple(rotation.pieces),
        rotation.axis,
        rotation.quarters,
        rotation.pivot,
        float(rotation.tolerance) if rotation.tolerance else 0,
        tuple(tuple(map(str, (*pose[:3], *(pose.about or ())))) for pose in rotation.route),
    )
    if rotation_of(entry, rotation.parts) != rotation:
        raise PuzzleError(
            f"disassembly: a tolerance of {rotation.tolerance} has more than four decimals"
        )
    return entry


def rotation_of(entry: TurnEntry, parts: int) -> Rotation:
    """The turn that was written.

    >>> rotation_of(TurnEntry((1,), 2, 1, (2, 2, 0), 0.036), 1).tolerance
    Fraction(9, 250)
    >>> rotation_of(TurnEntry((1,), 2, 1, (1, 2, 0)), 1)
    Traceback (most recent call last):
    kumitate.PuzzleError: disassembly: a quarter turn about (1, 2, 0) does not lead \
from cells to cells
    """
    from fractions import Fraction

    tolerance = Fraction(round(entry.tolerance * _DECIMALS), _DECIMALS)
    if float(tolerance) != entry.tolerance:
        raise PuzzleError(
            f"disassembly: a tolerance of {entry.tolerance}; it may have four decimals at most"
        )
    rotation = Rotation(
        entry.pieces,
        entry.axis,
        entry.quarters,
        entry.pivot,
        parts,
        tolerance,
        tuple(map(_pose, entry.route)),
    )
    if fault := rotation.fault:
        raise PuzzleError(f"disassembly: {fault}")
    return rotation


def poses_in(entry: DisassemblyEntry | None) -> int:
    """How many poses all routes of a disassembly have together."""
    if entry is None:
        return 0
    routes = (move.route for move in entry.moves if isinstance(move, TurnEntry))
    return sum(map(len, routes)) + poses_in(entry.left) + poses_in(entry.removed)


def _pose(row: PoseRow) -> Pose:
    x, y, turn, *about = map(_rational, row)
    if max(map(abs, (x, y, *about))) > FARTHEST:
        raise PuzzleError(f"disassembly: a route leads beyond {FARTHEST:,} cells")
    if abs(turn) > 4:
        raise PuzzleError("disassembly: a route turns more than once around")
    if not about:
        return Pose(x, y, turn)
    if len(about) < 2:
        raise PuzzleError("disassembly: a pose on a route has 3 numbers, or 5 on an arc; not 4")
    return Pose(x, y, turn, (about[0], about[1]))


def _rational(text: str) -> "Fraction":
    from fractions import Fraction

    match = _RATIONAL.fullmatch(text)
    if not match:
        raise PuzzleError(f"disassembly: {text[:20]!r} on a route is not a number such as 3/2")
    return Fraction(int(match[1]), int(match[2] or 1))
