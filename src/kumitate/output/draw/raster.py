"""Pictures of pixels: PNG from any SVG, and GIF and APNG that play a scene.

All frames of an animation have one box, and in a GIF one palette, so nothing jumps or flickers.
Bodies move as timing.py says; where some come or go, one picture fades into the next. The longer a
disassembly, the fewer frames a move gets and the faster it is: files stay small and nobody waits
for minutes.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from kumitate.model.errors import PuzzleError
from kumitate.output.draw.drawing import draw, without_faint_lines
from kumitate.output.draw.svg import framed
from kumitate.output.scene import Place, Pose, Scene, between
from kumitate.output.timing import MOTION, seconds_between, smooth

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH = 480  # pixels
MOST_PIXELS = 200_000_000  # of a picture, or of all frames together
FRAMES = 260  # about so many for the moves of a scene, but
MOST_A_MOVE, LEAST_A_MOVE = 10, 3
FADE = 4  # frames
START, STOP = 1200, 2000  # milliseconds before and after the moves
COLOURS = 255
NEARLY_WHITE = 244


def png(svg: str, width: int | None = None) -> bytes:
    """An SVG as PNG on white paper, of this width in pixels or as large as it says.

    Words need some font on the machine; without one they are left out and nothing else changes.

    >>> from kumitate.output.draw.svg import framed
    >>> from kumitate.output.draw.marks import Drawing
    >>> png(framed(Drawing((), (0, 0), (1, 1))), width=100)[1:4]
    b'PNG'
    """
    _refuse_large(svg, width, frames=1)
    return _rendered(svg, width, words=True)


def gif(scene: Scene, width: int = WIDTH) -> bytes:
    """The poses of a scene as an animated GIF that plays again and again."""
    from PIL import Image

    camera = _camera(scene, width)
    palette = _palette([camera(pose) for pose in _some(scene.poses)])
    frames = [
        _Frame(frame.image.quantize(palette=palette, dither=Image.Dither.NONE), frame.time)
        for frame in _film(scene, camera)
    ]
    return _saved(frames, "GIF", disposal=1)


def apng(scene: Scene, width: int = WIDTH) -> bytes:
    """The poses of a scene as an animated PNG in full colour; larger than a GIF."""
    return _saved(list(_film(scene, _camera(scene, width))), "PNG")


class _Frame(NamedTuple):
    image: "Image"
    time: int  # milliseconds


_Camera = Callable[[Pose], "Image"]


def _saved(frames: Sequence[_Frame], kind: str, **more: int) -> bytes:
    data = BytesIO()
    first, *rest = [frame.image for frame in frames]
    times = [frame.time for frame in frames]
    first.save(data, kind, save_all=True, append_images=rest, duration=times, loop=0, **more)
    return data.getvalue()


def _rendered(svg: str, width: int | None, words: bool) -> bytes:
    import resvg_py

    made = resvg_py.svg_to_bytes(
        svg_string=svg, width=width, background="#ffffff", skip_system_fonts=not words
    )
    return bytes(made)


def _refuse_large(svg: str, width: int | None, frames: int) -> None:
    """Bound memory: refuse a width that is too large, and name the largest that works."""
    size = re.search(r'width="(\d+)" height="(\d+)"', svg)
    wide, high = (int(size[1]), int(size[2])) if size else (1, 1)
    most = int((MOST_PIXELS / frames * wide / high) ** 0.5)
    asked = wide if width is None else width
    if not 1 <= asked <= most:
        what = f"a film of {frames} pictures" if frames > 1 else "a picture"
        raise PuzzleError(f"{what} {asked} pixels wide cannot be made; choose from 1 to {most}")


# ---- the film ----


def _camera(scene: Scene, width: int) -> _Camera:
    """A function that draws poses, all in the same frame."""
    from PIL import Image

    drawings = [draw(scene, pose) for pose in (*scene.poses, *_swept(scene.poses))]
    low = (min(d.low[0] for d in drawings), min(d.low[1] for d in drawings))
    high = (max(d.high[0] for d in drawings), max(d.high[1] for d in drawings))
    frames = 1 + _frames_a_move(scene) * len(scene.poses)
    _refuse_large(framed(drawings[0], low, high), width, frames)

    def shot(pose: Pose) -> Image.Image:
        # Lines between cells take half of the time and are lost in motion.
        svg = framed(without_faint_lines(draw(scene, pose)), low, high)
        return Image.open(BytesIO(_rendered(svg, width, words=False))).convert("RGB")

    return shot


def _film(scene: Scene, camera: _Camera) -> Iterator[_Frame]:
    """The poses to show and for how long, from the first to the last."""
    pairs = [(a, b) for a, b in pairwise(scene.poses) if _moment(a) != _moment(b)]
    count = _frames_a_move(scene)
    here = camera(scene.poses[0])
    yield _Frame(here, START)
    for number, (before, after) in enumerate(pairs, 1):
        there = camera(after)
        images = list(
            map(camera, _between(before, after, count))
            if tuple(before.shown) == tuple(after.shown)
            else _fading(here, there)
        )
        time = 1000 * seconds_between(before, after) * count / MOST_A_MOVE
        tick = MOTION * time / (len(images) + 1)
        yield from (_Frame(image, _whole(tick)) for image in images)
        rest = tick + (1 - MOTION) * time
        yield _Frame(there, _whole(rest) if number < len(pairs) else STOP)
        here = there


def _whole(milliseconds: float) -> int:
    """In hundredths of a second, as a GIF counts."""
    return 10 * round(milliseconds / 10)


def _frames_a_move(scene: Scene) -> int:
    moves = max(1, len(scene.poses) - 1)
    return min(MOST_A_MOVE, max(LEAST_A_MOVE, FRAMES // moves))


def _moment(pose: Pose) -> tuple[list[Place], tuple[bool, ...]]:
    return pose.places, tuple(pose.shown)


def _between(before: Pose, after: Pose, count: int) -> Iterator[Pose]:
    """Poses between one and the next, evenly spaced in time, both ends left out."""
    return (between(before, after, smooth(n / count)) for n in range(1, count))


def _swept(poses: Sequence[Pose]) -> Iterator[Pose]:
    """Poses that may reach out of the box around those before and after: bodies turn there."""
    for before, after in pairwise(poses):
        if after.turning:
            yield from _between(before, after, MOST_A_MOVE)


def _fading(was: "Image", now: "Image") -> "Iterator[Image]":
    from PIL import Image

    for n in range(1, FADE):
        yield Image.blend(was, now, n / FADE)


def _some(poses: Sequence[Pose]) -> list[Pose]:
    """A few poses, from the first to the last."""
    return [poses[n * (len(poses) - 1) // 4] for n in range(5)]


def _palette(images: "Sequence[Image]") -> "Image":
    """An image whose palette suits these frames, with white for the paper only.

    Pillow compares colours coarsely, so a nearly white one could take the place of white.
    """
    from PIL import Image

    wide, high = images[0].size
    strip = Image.new("RGB", (wide, high * len(images)))
    for n, image in enumerate(images):
        strip.paste(image, (0, n * high))
    palette = strip.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, kmeans=2)
    colours = palette.getpalette() or []
    rows = (colours[n : n + 3] for n in range(0, len(colours), 3))
    whitened = [c for row in rows for c in ([255] * 3 if min(row) > NEARLY_WHITE else row)]
    palette.putpalette(whitened)
    return palette
