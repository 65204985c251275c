"""Polyforms are as many as the literature counts."""

import pytest

import kumitate
from kumitate import CUBES
from kumitate.designer import polyforms
from kumitate.grids import HEXAGONS, PRISMS, SPHERES


@pytest.mark.parametrize(
    ("grid", "mirrors", "flat", "counts"),
    [
        (CUBES, False, False, [1, 1, 2, 8, 29, 166, 1023]),  # OEIS A000162
        (CUBES, True, False, [1, 1, 2, 7, 23, 112]),  # A038119
        (CUBES, True, True, [1, 1, 2, 5, 12, 35, 108]),  # polyominoes, A000105
        (CUBES, False, True, [1, 1, 2, 7, 18, 60, 196]),  # one-sided, A000988
        (PRISMS, True, True, [1, 1, 1, 3, 4, 12, 24, 66]),  # polyiamonds, A000577
        (PRISMS, False, True, [1, 1, 1, 4, 6, 19, 43]),  # one-sided, A006534
        (HEXAGONS, True, True, [1, 1, 3, 7, 22, 82]),  # polyhexes, A000228
        (SPHERES, True, True, [1, 1, 2, 5, 12]),  # a square layer of balls: polyominoes again
    ],
)
def test_polyforms_are_as_many_as_the_literature_counts(
    grid: kumitate.Grid, mirrors: bool, flat: bool, counts: list[int]
) -> None:
    found = [len(polyforms(grid, n, mirrors, flat)) for n in range(1, len(counts) + 1)]
    assert found == counts


@pytest.mark.parametrize("grid", list(kumitate.grids.GRIDS.values()), ids=lambda grid: grid.name)
def test_polyforms_are_connected_and_different(grid: kumitate.Grid) -> None:
    found = polyforms(grid, 3)
    assert all(shape.connected and len(shape) == 3 for shape in found)
    canonical = {shape.canonical() for shape in found}
    assert len(canonical) == len(found)


def test_there_is_no_polyform_of_no_cells() -> None:
    assert polyforms(CUBES, 0) == []


def test_turning_twice_reaches_no_other_sphere_shape() -> None:
    """The spheres' 120 turns are not a group; for connected shapes they act like one."""
    for shape in polyforms(SPHERES, 4):
        once = set(shape.orientations())
        assert {image for other in once for image in other.orientations()} == once
