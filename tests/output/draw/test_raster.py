"""PNG, GIF and APNG: read back by Pillow."""

import time
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image, ImageChops

from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES, GRIDS
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Disassembly, Move, Solution
from kumitate.output.draw.layers import layers_svg
from kumitate.output.draw.pictures import picture, svg_of
from kumitate.output.draw.raster import START, STOP, apng, gif, png
from kumitate.output.scene import Scene, scene_of
from kumitate.output.timing import seconds_between
from kumitate.search.solve import solve


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


def ink(image: Image.Image) -> float:
    """What part of an image is not white."""
    grey = ImageChops.invert(image.convert("RGB")).convert("L")
    return 1 - grey.histogram()[0] / (image.width * image.height)


def rod() -> Scene:
    tube = Assembly.from_text(CUBES, "AAA  AAA  AAA / AAA  BBB  AAA / AAA  AAA  AAA")
    apart = Disassembly([Move([1], (1, 0, 0), 2), Move([1], (1, 0, 0), None)])
    return scene_of(Solution(tube, apart))


@pytest.mark.parametrize("grid", GRIDS.values(), ids=lambda grid: grid.name)
def test_a_picture_of_every_grid_has_colour(grid: Grid) -> None:
    first = (0, 0, 0, 0)
    shape = Shape(grid, {first, *Shape(grid, {first}).neighbours(first)})
    image = opened(png(svg_of(shape), 200))
    assert (image.format, image.width) == ("PNG", 200)
    assert 0.3 < ink(image) < 0.95
    assert image.convert("RGB").getpixel((0, 0)) == (255, 255, 255)


def test_a_picture_is_as_large_as_its_svg_says_or_as_asked() -> None:
    svg = svg_of(library["soma"])
    small, large = opened(png(svg)), opened(png(svg, 1800))
    assert f'width="{small.width}" height="{small.height}"' in svg
    assert large.width == 1800
    assert large.height == pytest.approx(small.height * 1800 / small.width, abs=1)


def test_pictures_are_the_same_every_time() -> None:
    svg = svg_of(library["soma"])
    assert png(svg) == png(svg)
    assert gif(rod(), 120) == gif(rod(), 120)
    assert apng(rod(), 120) == apng(rod(), 120)


@pytest.mark.parametrize("width", [0, -5, 100_000])
def test_a_width_that_cannot_be_is_refused(width: int) -> None:
    with pytest.raises(
        PuzzleError, match=rf"{width} pixels wide cannot be made; choose from 1 to \d+"
    ):
        png(svg_of(library["soma"]), width)
    with pytest.raises(PuzzleError, match="choose from 1 to"):
        gif(rod(), width)


def test_words_in_a_picture_need_a_font_but_nothing_fails_without() -> None:
    import resvg_py

    letters = layers_svg(Assembly.from_text(CUBES, "AB"))
    bare = resvg_py.svg_to_bytes(svg_string=letters, skip_system_fonts=True)
    assert ink(opened(bytes(bare))) > 0


def film(data: bytes) -> list[tuple[Image.Image, int]]:
    image = opened(data)
    frames = []
    for n in range(getattr(image, "n_frames", 1)):
        image.seek(n)
        frames.append((image.convert("RGB"), int(image.info["duration"])))
    return frames


@pytest.mark.parametrize("make", [gif, apng])
def test_a_film_shows_every_pose_and_what_is_between(make: "type[bytes]") -> None:
    frames = film(make(rod(), 160))  # type: ignore[call-overload]
    # The start, then 10 frames for each of two moves; the pose that says what comes is the start.
    assert len(frames) == 1 + 10 + 10
    assert (frames[0][1], frames[-1][1]) == (START, STOP)
    assert len({image.size for image, _ in frames}) == 1
    for (a, _), (b, _) in pairwise(frames):
        assert ImageChops.difference(a, b).getbbox() is not None
    assert all(0.02 < ink(image) < 0.9 for image, _ in frames)


def test_a_move_of_a_film_takes_as_long_as_in_the_player_and_is_slow_at_its_ends() -> None:
    scene = rod()
    frames = film(apng(scene, 160))
    seconds = seconds_between(*scene.poses[1:3])
    assert sum(time for _, time in frames[1:11]) == pytest.approx(1000 * seconds, abs=60)
    assert frames[10][1] > 2 * frames[9][1]  # a rest

    def right_end(image: Image.Image) -> int:
        box = ImageChops.invert(image).getbbox()
        assert box is not None
        return box[2]

    ends = [right_end(image) for image, _ in frames[:11]]
    steps = [b - a for a, b in pairwise(ends)]
    assert max(steps[:2]) < max(steps[4:7])


def test_a_film_begins_and_ends_as_its_poses_look() -> None:
    scene = rod()
    frames = film(apng(scene, 160))
    assert ink(frames[0][0]) < ink(frames[-1][0])  # the rod came out


def test_what_goes_fades() -> None:
    soma = next(solve(library["soma"].problems[0], disassemble=True))
    frames = film(gif(scene_of(soma), 120))
    assert 40 < len(frames) < 100


def test_a_still_scene_is_a_film_of_one_frame() -> None:
    still = scene_of(Assembly.from_text(CUBES, "AB"))
    assert len(film(gif(still, 80))) == 1
    assert ink(opened(apng(still, 80))) == pytest.approx(
        ink(opened(png(picture(still), 80))), abs=0.02
    )


def test_a_film_of_soma_takes_no_longer_than_watching_it() -> None:
    soma = scene_of(next(solve(library["soma"].problems[0], disassemble=True)))
    start = time.process_time()
    data = gif(soma)
    assert time.process_time() - start < 10  # 1.4 s on the machine this was written on
    assert len(data) < 600_000
    colours = opened(data).convert("RGB").getcolors(100_000)
    assert colours is not None
    assert max(colours)[1] == (255, 255, 255)
