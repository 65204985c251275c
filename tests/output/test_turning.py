"""Pieces that turn, wherever they are shown: they end on the right cells and keep to their arcs."""

import json
from fractions import Fraction
from io import BytesIO
from itertools import pairwise
from math import hypot, pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageChops, ImageSequence
from tests.output.conftest import WATCH_PLACES, Show, settled, soon
from tests.output.turned import assembly_of, key, room, square
from tests.search.test_routes import WALL, ask, block, cubes

from kumitate.model.geometry import Cell
from kumitate.model.rotation import Rotation
from kumitate.model.route import Pose as RoutePose
from kumitate.model.solution import Disassembly, Move, Solution
from kumitate.output import notebook
from kumitate.output.draw import booklet
from kumitate.output.draw.arrow import INK, with_arrow
from kumitate.output.draw.drawing import draw
from kumitate.output.draw.marks import Drawing, Polygon
from kumitate.output.draw.pictures import steps_svg
from kumitate.output.draw.raster import apng, gif
from kumitate.output.draw.visible_faces import view_array as view_of
from kumitate.output.page import page, scene_data
from kumitate.output.scene import Place, Pose, Scene, Stop, Turning, between, corners_of, scene_of
from kumitate.output.timing import MOTION, seconds_between, smooth
from kumitate.referee import disassembly_faults

MOTIONS = Path(__file__).parents[2] / "web" / "tests" / "motions.json"


def scenes() -> list[tuple[Solution, Scene]]:
    return [(solution, scene_of(solution)) for solution in (room(), key(), square())]


def cells_of(scene: Scene, pose: Pose, body: int) -> set[Cell]:
    """The cells that a body covers; it must lie on them exactly."""
    found: set[Cell] = set()
    for x, y, z, _ in scene.bodies[body].shape.cells:
        corner = [c - 0.5 for c in pose.places[body]((x + 0.5, y + 0.5, z + 0.5))]
        assert corner == [int(c) for c in corner]
        found.add((int(corner[0]), int(corner[1]), int(corner[2]), 0))
    return found


# ---- places ----


def test_the_referee_accepts_the_moves() -> None:
    for solution, _ in scenes()[:2]:
        assert solution.disassembly is not None
        assert disassembly_faults(solution.assembly, solution.disassembly) == []


def test_in_each_pose_pieces_lie_where_their_moves_put_the_cells() -> None:
    for solution, scene in scenes():
        assert solution.disassembly is not None
        places = [set(shape.cells) for shape in solution.assembly.shapes]
        for move, pose in zip(solution.disassembly.moves[:-1], scene.poses[2:], strict=False):
            for piece in move.pieces:
                if isinstance(move, Rotation):
                    places[piece] = {move.turn_cell(cell) for cell in places[piece]}
                else:
                    shift = move.shift
                    places[piece] = {
                        (x + shift[0], y + shift[1], z + shift[2], tile)
                        for x, y, z, tile in places[piece]
                    }
            assert [cells_of(scene, pose, n) for n in range(len(places))] == places
            assert pose.words == move.describe(solution.assembly)


def test_half_way_through_a_turn_pieces_are_at_45_degrees_and_nobody_else_moves() -> None:
    for _, scene in scenes()[:2]:
        [(before, after)] = [(a, b) for a, b in pairwise(scene.poses) if b.turning]
        middle = between(before, after, 0.5)
        still, turned = middle.places
        assert still == before.places[0]
        assert abs(turned.turn[0][0]) == pytest.approx(0.5**0.5)
        for part, pose in ((0.0, before), (1.0, after)):
            for a, b in zip(between(before, after, part).places, pose.places, strict=True):
                np.testing.assert_allclose(np.vstack([*a]), np.vstack([*b]), atol=1e-12)


def test_all_points_go_on_arcs_around_the_pivot() -> None:
    [(before, after)] = [(a, b) for a, b in pairwise(scenes()[0][1].poses) if b.turning]
    assert after.turning is not None
    (pivot, _), _ = after.turning.route
    for point in ((0.0, 0.0, 0.0), (3.0, 1.0, 2.0)):
        ways = [between(before, after, n / 7).places[1](point) for n in range(8)]
        far = {round(float(np.hypot(x - pivot[0], y - pivot[1])), 9) for x, y, _ in ways}
        assert len(far) == 1
        assert len({z for *_, z in ways}) == 1


def test_a_route_is_followed_from_stop_to_stop() -> None:
    """A square is lifted as it turns, so it never sinks into its wall."""
    _, scene = scenes()[2]
    before, after = scene.poses[1:3]
    corners = [(x, y, 0.0) for x in (0.0, 1.0) for y in (0.0, 1.0)]
    for n in range(101):
        place = between(before, after, n / 100).places[1]
        assert min(place(corner)[1] for corner in corners) >= -1e-9
    turning = after.turning
    assert turning is not None
    assert [stop.at for stop in turning.route] == [
        (0.5, 0.5, 0.0),
        (0.5, 1.0, 0.0),
        (0.5, 0.5, 0.0),
    ]
    assert turning.along(0.5)((0.5, 0.5, 0.0)) == pytest.approx((0.5, 1.0, 0.0), abs=0.2)


@pytest.mark.parametrize("length", [2, 3, 5])
def test_a_route_that_was_found_is_shown_without_a_collision(length: int) -> None:
    """A stick that stands up beside a wall, by a pivot that moves."""
    stick = [block(length, 1)]
    route = ask(stick, WALL, 1).route
    assert len(route) > 1
    parts = [cells for pieces in (WALL, stick) for cells in cubes(pieces)]
    turn = Rotation([1], 2, 1, (0, 0, 0), route=route)
    assembly = assembly_of(*parts)
    apart = Solution(assembly, Disassembly([turn, Move([1], (0, 1, 0), None)]))
    _, before, after, _ = scene_of(apart).poses
    corners = [(x, y, 0.0) for x in (0.0, float(length)) for y in (0.0, 1.0)]
    for n in range(201):
        place = between(before, after, n / 200).places[1]
        assert min(place(corner)[1] for corner in corners) > -1e-9, n
    assert after.places[1].turn == ((0, -1, 0), (1, 0, 0), (0, 0, 1))


def test_an_arc_is_shown_as_it_is() -> None:
    """A square that turns beside a wall, and keeps a corner on it all the time."""
    half = Fraction(1, 2)
    tilted = RoutePose(half, Fraction(7, 10), half, (half, Fraction(0)))
    upright = RoutePose(half, half, Fraction(1), (half, Fraction(0)))
    turn = Rotation(
        [1], 2, 1, (1, 1, 0), route=[RoutePose(half, half, Fraction(0)), tilted, upright]
    )
    assembly = assembly_of(*cubes(WALL), {(0, 0, 0, 0)})
    apart = Disassembly([turn, Move([1], (0, 1, 0), None)])
    assert disassembly_faults(assembly, apart) == []
    _, before, after, _ = scene_of(Solution(assembly, apart)).poses
    corners = [(x, y, 0.0) for x in (0.0, 1.0) for y in (0.0, 1.0)]
    for n in range(201):
        place = between(before, after, n / 200).places[1]
        assert min(place(corner)[1] for corner in corners) == pytest.approx(0, abs=0.0005), n


def test_legs_without_a_turn_are_straight() -> None:
    """Tilt, slide, tilt back."""
    tilt = 0.3
    stops = [Stop((0, 0, 0), 0), Stop((0, 0, 0), tilt), Stop((3, 0, 0), tilt), Stop((3, 0, 0), 0)]
    turning = Turning([0], (0.0, 0.0, 1.0), stops)
    assert turning.along(0.5).turn[0][0] == pytest.approx(np.cos(tilt))
    assert turning.along(0.5)((0.0, 0.0, 0.0)) == pytest.approx((1.5, 0, 0))
    last = turning.along(1.0)
    np.testing.assert_allclose(np.vstack([*last]), [*np.eye(3), (3, 0, 0)], atol=1e-12)


@pytest.mark.parametrize("quarters", [-3, -2, -1, 1, 2, 3])
def test_a_turn_by_any_number_of_quarters_goes_the_way_it_says(quarters: int) -> None:
    """Seen from above, counter-clockwise if positive."""
    start, end = Stop((1, 2, 0), 0), Stop((1, 2, 0), quarters * pi / 2)
    x, y, _ = Turning([0], (0.0, 0.0, 1.0), [start, end]).along(0.01)((2, 2, 0))
    assert (y > 2) == (quarters > 0)
    assert x == pytest.approx(2, abs=0.02)


def test_what_was_turned_away_comes_back_turned() -> None:
    """The pieces that left are taken apart where they lay before, and as they lay."""
    parts: list[set[Cell]] = [{(0, 0, 0, 0)}, {(2, 0, 0, 0), (3, 0, 0, 0)}, {(2, 1, 0, 0)}]
    assembly = assembly_of(*parts)
    turn = Rotation([1, 2], 2, 1, (5, 1, 0))
    apart = Disassembly([Move([1], (0, 0, 1), None)])
    whole = Disassembly([turn, Move([1, 2], (1, 0, 0), None)], removed=apart)
    poses = scene_of(Solution(assembly, whole)).poses
    assert poses[4].words == "take apart B, C"
    assert poses[4].places[1:] == poses[2].places[1:] != poses[0].places[1:]
    assert poses[3].places[1].turn == poses[2].places[1].turn
    assert poses[3].places[1].shift[0] > poses[2].places[1].shift[0]


# ---- pictures ----


def arrows(drawing: Drawing) -> list[Polygon]:
    return [mark for mark in drawing.marks if isinstance(mark, Polygon) and mark.fill == INK]


def test_a_booklet_tells_turns_backwards_and_draws_an_arrow() -> None:
    solution = key()
    steps = list(booklet._backwards(solution))
    assert [step.words for step in steps] == [
        "Take B and A",
        "1. B slides in downwards",
        "2. B turns a quarter clockwise, seen from above",
        "3. B slides 1 to the left",
    ]
    assert [len(arrows(step.drawing)) for step in steps] == [0, 0, 1, 0]
    whole = draw(scene_of(solution.assembly))
    assert steps[-1].drawing.size == pytest.approx(whole.size)


def test_the_arrow_points_to_where_pieces_are_drawn() -> None:
    """Its tip is at a corner of theirs: after the move, or before it if that is undone."""
    _, scene = scenes()[1]
    [(before, after)] = [(a, b) for a, b in pairwise(scene.poses) if b.turning]
    view = view_of(scene.grid)
    for back, pose in ((False, after), (True, before)):
        [arrow] = arrows(with_arrow(draw(scene, pose), scene, before, after, back))
        corners = [
            pose.places[1](corner) @ view
            for cell in scene.bodies[1].shape
            for corner in corners_of(scene.grid, cell)
        ]
        tip = arrow.rings[0][len(arrow.rings[0]) // 2]
        assert min(hypot(tip[0] - x, tip[1] + y) for x, y, _ in corners) < 1e-6


def test_steps_on_a_sheet_show_the_turn() -> None:
    assert steps_svg(key()).count(f'fill="{INK}"') == 1


@pytest.mark.parametrize("make", [gif, apng])
def test_a_film_shows_the_turn_on_its_way_and_nothing_leaves_the_frame(make: Any) -> None:
    for _, scene in scenes():
        film = Image.open(BytesIO(make(scene, 160)))
        frames = [frame.convert("RGB") for frame in ImageSequence.Iterator(film)]
        assert len(frames) == 1 + 10 * (len(scene.poses) - 2)
        for frame in frames:
            left, top, right, bottom = ImageChops.invert(frame).getbbox() or (0, 0, 0, 0)
            assert left > 0
            assert top > 0
            assert right < frame.width
            assert bottom < frame.height


# ---- the page ----


def motions() -> dict[str, Any]:
    """What web/tests/scene.test.ts compares with."""

    def told(place: Place) -> dict[str, Any]:
        turn = [[round(x, 9) + 0.0 for x in row] for row in place.turn]
        return {"turn": turn, "shift": [round(x, 9) + 0.0 for x in place.shift]}

    turns = []
    for _, scene in scenes():
        poses: Any = scene_data(scene)["poses"]
        for number, (before, after) in enumerate(pairwise(scene.poses)):
            if after.turning:
                parts = (0.0, 0.1, 0.3, 0.5, 0.8, 1.0)
                ways = [
                    {"part": part, "places": [told(p) for p in between(before, after, part).places]}
                    for part in parts
                ]
                seconds = round(seconds_between(before, after), 6)
                both = [{**pose, "words": ""} for pose in poses[number : number + 2]]
                turns.append({"poses": both, "seconds": seconds, "ways": ways})
    return {"smooth": [[n / 8, smooth(n / 8)] for n in range(9)], "turns": turns}


def test_the_page_moves_bodies_as_films_do() -> None:
    """To update what the page's tests compare with: python -m tests.output.test_turning"""
    assert json.loads(MOTIONS.read_text("utf-8")) == motions()


def test_the_exported_page_plays_a_turn(show: Show) -> None:
    """Half-way it is at 45 degrees, and at the end a quarter turn from where it began."""
    solution = key()
    shown = show(page([("", scene_of(solution))], "Key"), before=WATCH_PLACES)

    def turned_at(time: float) -> list[float]:
        shown.evaluate("placed = []")
        shown.get_by_label("Step", exact=True).fill(str(time))
        settled(shown)
        assert soon(lambda: bool(shown.evaluate("placed.length")))
        return sorted({round(turn[3], 4) for turn in shown.evaluate("placed")})  # the sine

    assert turned_at(2) == [0]
    assert turned_at(2 + MOTION / 2) == [0, round(0.5**0.5, 4)]
    assert shown.locator(".words span").inner_text() == (
        "B turns a quarter counter-clockwise, seen from above"
    )
    assert turned_at(3) == [0, 1]
    shown.get_by_label("Speed", exact=True).select_option("4")
    shown.get_by_label("Step", exact=True).fill("0")
    shown.evaluate("placed = []")
    shown.get_by_label("Play", exact=True).click()
    assert soon(lambda: float(shown.get_by_label("Step", exact=True).input_value()) == 4)
    sines = [turn[3] for turn in shown.evaluate("placed")]
    assert any(0.2 < sine < 0.8 for sine in sines)
    assert max(sines) == pytest.approx(1)


def test_slides_are_told_to_the_page_without_turns() -> None:
    for _, scene in scenes():
        poses: Any = scene_data(scene)["poses"]
        assert [("turns" in p, "turning" in p) for p in poses[:2]] == [(False, False)] * 2
        assert [bool(pose.turning) for pose in scene.poses] == ["turning" in p for p in poses]
        assert json.loads(json.dumps(poses)) == poses


def test_a_notebook_is_sent_the_turn() -> None:
    pytest.importorskip("anywidget")
    solution = key()
    assert notebook.view(solution).scene == scene_data(scene_of(solution))


if __name__ == "__main__":
    MOTIONS.write_text(json.dumps(motions()) + "\n", "utf-8")
