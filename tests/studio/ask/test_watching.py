"""What the page plays: bodies on every grid are closed, and poses follow the moves."""

from itertools import pairwise
from math import pi
from pathlib import Path

import msgspec
import numpy as np
import pytest
from tests.output.solid.test_bevelled import blob
from tests.output.turned import key
from tests.studio.served import studio

import kumitate
from kumitate import Assembly, Disassembly, Grid, Piece, Placement, Problem, Shape, Solution
from kumitate.grids import GRIDS
from kumitate.model.geometry import volume6
from kumitate.output.scene import corners_of, in_space
from kumitate.output.solid.mesh import Mesh
from kumitate.studio.ask.watching import forms_data, solution_data
from kumitate.studio.messages import BodyData, FormData, SolutionData


def split_in_two(grid: Grid) -> Assembly:
    """A lump of cells in two pieces, upper and lower, or with one more tile."""
    shape = blob(grid, 20, seed=5)
    ordered = sorted(shape.cells, key=lambda cell: (cell[2], cell))
    halves = [Shape(grid, set(half), name=name) for name, half in zip(
        "AB", (ordered[:9], ordered[9:]), strict=True)]  # fmt: skip
    problem = Problem(shape, [Piece(half) for half in halves])
    return Assembly(problem, [Placement(n, 0, (0, 0, 0)) for n in range(2)])


def burr() -> Solution:
    [problem] = kumitate.library["six-piece-burr"].problems
    found = kumitate.solve(problem, disassemble=True)
    return max(found, key=lambda s: s.levels.total if s.levels else 0)


def cells_volume(shape: Shape) -> float:
    grid = shape.grid
    a, b, c = (np.array(in_space(grid, axis)) for axis in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    unit = abs(float(np.dot(a, np.cross(b, c)))) / grid.denominator**3 / 6
    return unit * sum(volume6(grid.tiles[tile]) for *_, tile in shape.cells)


def put(points: object, body: BodyData) -> "np.ndarray[tuple[int, ...], np.dtype[np.float64]]":
    """Points of a form, where a body has them."""
    moved = np.array(points, float).reshape(-1, 3) @ np.array(body.turn).T + body.at
    return np.asarray(moved)


def mesh(form: FormData, body: BodyData) -> Mesh:
    return Mesh(put(form.positions, body), np.array(form.triangles, np.int32).reshape(-1, 3))


def meshes(solution: Solution) -> list[Mesh]:
    forms = forms_data(solution.assembly.problem).forms
    return [mesh(forms[body.piece], body) for body in solution_data(solution, 1).bodies]


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_every_grid_can_be_watched(grid: Grid) -> None:
    assembly = split_in_two(grid)
    solution = Solution(assembly, kumitate.disassemble(assembly))
    data = solution_data(solution, 3)
    again = msgspec.json.decode(msgspec.json.encode(data), type=SolutionData)
    assert msgspec.json.encode(again) == msgspec.json.encode(data)
    assert (data.number, data.text) == (3, str(assembly))
    forms = forms_data(assembly.problem).forms
    for body, shape in zip(data.bodies, assembly.shapes, strict=True):
        form = forms[body.piece]
        if grid.balls:
            assert len(form.balls) == len(shape)
            assert form.triangles == form.positions == form.edges == []
            distance = [
                np.linalg.norm(np.subtract(form.balls[a], form.balls[b])) for a, b in form.necks
            ]
            assert distance == pytest.approx([2 * form.radius] * len(distance), abs=1e-3)
            continue
        made = mesh(form, body)
        whole = cells_volume(shape)
        assert 0.7 * whole < made.volume < whole
        assert len(form.edges) % 6 == 0
        assert form.radius == 0
        corners = [c for cell in shape.cells for c in corners_of(grid, cell)]
        assert made.points.min(axis=0) == pytest.approx(np.min(corners, axis=0), abs=0.2)
        assert made.points.max(axis=0) == pytest.approx(np.max(corners, axis=0), abs=0.2)
        assert all(number == round(number, 4) for number in (*form.positions, *form.edges))


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_every_turn_puts_the_form_where_the_placement_puts_the_cells(grid: Grid) -> None:
    shape = blob(grid, 4, seed=3).shifted((3, -2, 5))
    problem = Problem(shape, [Piece(shape)])
    lying = [n for n, turn in enumerate(grid.turns) if shape.turned(turn) is not None]
    assert len(lying) >= (1 if grid.balls else len(grid.turns))
    for turn in lying:
        assembly = Assembly(problem, [Placement(0, turn, (1, 2, -4))])
        [body] = solution_data(Solution(assembly), 1).bodies
        [form] = forms_data(problem).forms
        cells = assembly.shapes[0].cells
        if grid.balls:
            balls = [corners_of(grid, cell)[0] for cell in cells]
            assert sorted(put(form.balls, body).round(2).tolist()) == sorted(
                np.round(balls, 2).tolist()
            )
            continue
        corners = [corner for cell in cells for corner in corners_of(grid, cell)]
        made = mesh(form, body)
        assert made.volume > 0.6 * cells_volume(shape)
        assert made.points.min(axis=0) == pytest.approx(np.min(corners, axis=0), abs=0.2)
        assert made.points.max(axis=0) == pytest.approx(np.max(corners, axis=0), abs=0.2)


def test_poses_are_the_moves_with_a_level_where_a_separation_begins() -> None:
    solution = burr()
    assert solution.disassembly is not None
    data = solution_data(solution, 1)
    assert (data.levels, data.moves) == ("1.2", 6)
    kinds = [pose.kind for pose in data.poses]
    assert kinds[:2] == ["start", "part"]
    assert kinds.count("move") + kinds.count("away") == data.moves

    def levels(tree: Disassembly | None) -> list[str]:
        if tree is None:
            return []
        return [str(len(tree.moves)), *levels(tree.left), *levels(tree.removed)]

    assert [p.level for p in data.poses if p.kind == "part"] == levels(solution.disassembly)
    assert all(not pose.level for pose in data.poses if pose.kind != "part")
    for before, pose in pairwise(data.poses):
        if pose.kind in ("move", "away"):
            assert pose.shown == before.shown
            moved = [a != b for a, b in zip(before.shifts, pose.shifts, strict=True)]
            assert 0 < sum(moved) < len(moved)
            assert all(shown for shown, move in zip(pose.shown, moved, strict=True) if move)
        if pose.kind == "part":
            names = [b.name for b, shown in zip(data.bodies, pose.shown, strict=True) if shown]
            assert pose.words == f"take apart {', '.join(names)}"


def test_turns_are_told_apart_from_slides() -> None:
    data = solution_data(key(), 1)
    assert [pose.kind for pose in data.poses] == ["start", "part", "move", "turn", "away"]
    assert (data.levels, data.moves, data.poses[1].level) == ("2R1", 3, "2R1")
    again = msgspec.json.decode(msgspec.json.encode(data), type=SolutionData)
    assert again == data
    *_, slid, turned, away = data.poses
    assert slid.turns == []
    assert slid.turning is None
    assert turned.turning is not None
    assert (turned.turning.bodies, turned.turning.axis) == ([1], (0, 0, 1))
    assert [stop.angle for stop in turned.turning.route] == pytest.approx([0, pi / 2], abs=1e-6)
    assert turned.turns[1] == away.turns[1] == ((0, -1, 0), (1, 0, 0), (0, 0, 1))
    assert away.turning is None


def test_bodies_know_their_piece_colour_and_weight() -> None:
    [problem] = kumitate.library["slothouber-graatsma"].problems
    data = solution_data(Solution(next(kumitate.assemble(problem))), 1)
    assert [pose.kind for pose in data.poses] == ["start"]
    assert (data.levels, data.moves) == ("", None)
    assert [body.piece for body in data.bodies] == [0] * 6 + [1] * 3
    assert len({body.colour for body in data.bodies}) == 9
    frame = Shape(kumitate.CUBES, {(0, 0, 0, 0)}, name="frame", weight=5)
    alone = Assembly(Problem(frame, [Piece(frame)]), [Placement(0, 0, (0, 0, 0))])
    [body] = solution_data(Solution(alone), 1).bodies
    assert (body.name, body.weight, body.colour) == ("frame", 5, "#E69F00")


def test_a_piece_in_two_parts_can_be_watched() -> None:
    shape = Shape.from_text(kumitate.CUBES, "#.#", name="two")
    other = Shape.from_text(kumitate.CUBES, ".#.", name="one")
    goal = Shape.from_text(kumitate.CUBES, "###")
    problem = Problem(goal, [Piece(shape), Piece(other)])
    here = [Placement(n, 0, (0, 0, 0)) for n in range(2)]
    one, two = sorted(made.volume for made in meshes(Solution(Assembly(problem, here))))
    assert two == pytest.approx(2 * one, rel=1e-3)


def test_pieces_of_an_assembly_do_not_touch() -> None:
    """Their faces lie an inset within their cells, so seams are seen and nothing flickers."""
    for made in meshes(burr()):
        flat = np.abs(made.normals) > 0.999
        assert flat.sum() > 50
        heights = made.points[made.triangles[:, 0]][flat] % 1
        assert np.minimum(heights, 1 - heights) == pytest.approx(np.full(len(heights), 0.01))


def test_a_large_burr_is_quick_and_small(tmp_path: Path) -> None:
    """What its pieces look like is sent once; then each solution is short."""
    with studio(tmp_path) as served:
        run = served.done(served.solve(kumitate.library["eighteen-piece-burr"]))
        data = served.solution(run, 1)
        _, raw = served.ask("GET", f"runs/{run.id}/solutions/1")
        assert len(raw) < 50_000
        assert len(data.bodies) == len(served.forms(run).forms) == 18
        [answer] = kumitate.library.answers("eighteen-piece-burr")
        assert [data.levels] == list(answer.levels)
        assert data.moves == sum(pose.kind in ("move", "away") for pose in data.poses)
