"""Whether pieces can turn as a move says, and where they stand then."""

from collections.abc import Sequence
from fractions import Fraction

from kumitate.model.geometry import ZERO, add, times
from kumitate.model.grids import CUBES
from kumitate.model.rotation import Rotation
from kumitate.model.solution import Assembly
from kumitate.referee.oblongs import Stand, hits_turning, oblongs
from kumitate.referee.routes import faults_on_route

_LESS = Fraction(1, 1000)  # a tolerance is the least one to three digits


def turn(
    assembly: Assembly,
    rotation: Rotation,
    part: Sequence[int],
    at: dict[int, Stand],
    whole: int,
) -> str | None:
    """Turn pieces, updating `at`; return which of them would collide, or what else is wrong.

    Positions are in fractions of a cell, `whole` of them per cell.
    """
    if assembly.problem.grid != CUBES:
        return f"pieces on the grid {assembly.problem.grid.name!r} do not turn"
    fault = rotation.fault
    if fault:
        return fault
    tolerance, others = rotation.tolerance, [p for p in part if p not in rotation.pieces]
    if rotation.route:
        moving, staying = ([at[p] for p in some] for some in (rotation.pieces, others))
        faults = faults_on_route(moving, staying, rotation.axis, rotation.route, tolerance, whole)
        fault = next(faults, None)
    else:
        fault = _hit(assembly, rotation, others, at, whole, tolerance)
        less = tolerance - _LESS
        if not fault and less >= 0 and not _hit(assembly, rotation, others, at, whole, less):
            fault = f"needs less than its tolerance, {float(tolerance):g}"
    if not fault:
        for piece in rotation.pieces:
            at[piece] = _turned(rotation, at[piece], whole)
    return fault


def _hit(
    assembly: Assembly,
    rotation: Rotation,
    others: Sequence[int],
    at: dict[int, Stand],
    whole: int,
    tolerance: Fraction,
) -> str | None:
    """Which piece hits which if they turn about the fixed pivot."""
    axis, inset = rotation.axis, 2 * whole * tolerance
    pivot = times(whole // rotation.parts, rotation.pivot)
    for mover in rotation.pieces:
        for other in others:
            for moving in oblongs(at[mover], axis, pivot, whole, inset):
                for still in oblongs(at[other], axis, pivot, whole, inset):
                    if abs(moving.layer - still.layer) < 2 * whole and hits_turning(
                        moving, still, rotation.quarters
                    ):
                        return f"{assembly.label(mover)} would hit {assembly.label(other)}"
    return None


def _turned(rotation: Rotation, stand: Stand, whole: int) -> Stand:
    """Where a piece stands after the move: the cells are turned about the origin."""
    axis, quarters = rotation.axis, rotation.quarters
    if not quarters:
        first, last = rotation.route[0], rotation.route[-1]
        slid = [0, 0, 0]
        slid[(axis + 1) % 3] = int(whole * (last.x - first.x))
        slid[(axis + 2) % 3] = int(whole * (last.y - first.y))
        return Stand(stand.cells, add(stand.shift, (slid[0], slid[1], slid[2])))
    about_origin = Rotation((), axis, quarters, ZERO)
    about_pivot = Rotation((), axis, quarters, times(whole // rotation.parts, rotation.pivot))
    x, y, z = about_pivot.turn_point(times(2, stand.shift))
    return Stand(frozenset(map(about_origin.turn_cell, stand.cells)), (x // 2, y // 2, z // 2))
