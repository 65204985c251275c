"""Scenes: who is where, in which colour, from the assembled puzzle to its parts."""

from itertools import combinations, pairwise

import pytest

from kumitate.library import library
from kumitate.model.grids import CUBES, GRIDS, SPHERES
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Disassembly, Move, Solution
from kumitate.output.draw.explode import exploded
from kumitate.output.scene import (
    Pose,
    Scene,
    box_of,
    in_space,
    minus,
    plus,
    radius_of,
    scene_of,
)
from kumitate.search.solve import solve

ROD = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")


def overlap(scene: Scene, pose: Pose) -> list[tuple[str, str]]:
    """Bodies of cubes that are shown and share space; places are whole numbers here."""
    placed = []
    for body, shift, shown in zip(scene.bodies, pose.shifts, pose.shown, strict=True):
        x, y, z = map(round, shift)
        assert shift == pytest.approx((x, y, z))
        if shown:
            placed.append((body.name, body.shape.shifted((x, y, z)).cells))
    return [(a, b) for (a, mine), (b, its) in combinations(placed, 2) if mine & its]


@pytest.mark.parametrize("name", ["evolved-box", "eighteen-piece-burr", "maze-box"])
def test_every_pose_of_a_disassembly_is_possible(name: str) -> None:
    solution = next(iter(solve(library[name].problems[0], disassemble=True)))
    assert solution.disassembly is not None
    scene = scene_of(solution)
    separations = list(solution.disassembly.separations(range(len(scene.bodies))))
    assert len(scene.poses) == 1 + sum(1 + len(s.moves) for _, s in separations)
    for pose in scene.poses:
        assert not overlap(scene, pose)
    for before, after in pairwise(scene.poses):
        if before.shown == after.shown:
            ways = {minus(b, a) for a, b in zip(before.shifts, after.shifts, strict=True)}
            assert len(ways - {(0.0, 0.0, 0.0)}) <= 1, "one step for all that move"


def test_what_goes_away_ends_clear_of_what_stays() -> None:
    solution = Solution(ROD, Disassembly([Move([1], (1, 0, 0), None)]))
    _, start, end = scene_of(solution).poses
    assert start.words == "take apart A, B"
    assert end.words == "B slides out to the right"
    assert end.shifts == ((0.0, 0.0, 0.0), (4.0, 0.0, 0.0))


def test_a_part_is_alone_on_the_stage_when_its_turn_has_come() -> None:
    four = Assembly.from_text(CUBES, "ABCD")
    apart = Disassembly(
        [Move([2, 3], (1, 0, 0), None)],
        left=Disassembly([Move([1], (0, 1, 0), None)]),
        removed=Disassembly([Move([3], (0, 0, 1), None)]),
    )
    poses = scene_of(Solution(four, apart)).poses
    assert [pose.shown for pose in poses] == [
        (True,) * 4,
        *[(True,) * 4] * 2,
        *[(True, True, False, False)] * 2,
        *[(False, False, True, True)] * 2,
    ]
    assert poses[5].shifts[2:] == ((0.0, 0.0, 0.0),) * 2, "back where they were"


def test_half_a_unit_is_half_a_unit() -> None:
    halfway = Disassembly([Move([1], (1, 0, 0), 1, parts=2), Move([1], (1, 0, 0), None)])
    assert scene_of(Solution(ROD, halfway)).poses[2].shifts[1] == (0.5, 0.0, 0.0)


def test_in_a_coordinate_motion_all_go_at_once_each_its_way() -> None:
    steps = ((1, 0, 0), (-1, 0, 0))
    out = Disassembly([Move([0, 1], steps[0], None, steps=steps)])
    right, left = scene_of(Solution(Assembly.from_text(CUBES, "BA"), out)).poses[-1].shifts
    assert right[0] == -left[0] == 1


def test_copies_get_colours_that_no_piece_has() -> None:
    [problem] = library["slothouber-graatsma"].problems
    assembly = next(iter(solve(problem, disassemble=True))).assembly
    assert len({body.colour for body in scene_of(assembly).bodies}) == 9


def test_an_exploded_view_leaves_gaps_between_all_bodies() -> None:
    assembly = next(iter(solve(library["soma"].problems[0], disassemble=True))).assembly
    scene = exploded(scene_of(assembly), by=4)
    [pose] = scene.poses
    boxes = [
        tuple(plus(corner, shift) for corner in box_of(body.shape))
        for body, shift in zip(scene.bodies, pose.shifts, strict=True)
    ]
    for (low, high), (low2, high2) in combinations(boxes, 2):
        assert any(high[i] < low2[i] or high2[i] < low[i] for i in range(3))


def test_balls_that_touch_are_two_radii_apart() -> None:
    for grid in GRIDS.values():
        if grid.balls:
            for x, y, z, _ in grid.neighbours[0]:
                there = in_space(grid, (x, y, z))
                assert sum(c * c for c in there) ** 0.5 == pytest.approx(2 * radius_of(grid))
    ball = Shape(SPHERES, {(0, 0, 0, 0)})
    low, high = box_of(ball)
    assert minus(high, low) == pytest.approx((2 * radius_of(SPHERES),) * 3)


def test_what_cannot_be_drawn_is_an_own_slip() -> None:
    with pytest.raises(TypeError):
        scene_of(42)
