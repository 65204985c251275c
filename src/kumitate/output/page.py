"""One file to send: a page that shows scenes in the round and plays them, in any browser, offline.

The page holds all it needs: the scenes as data; viewer.js, which draws them and is built from
web/src/exported; and where there is something to take apart or put together, the core as
WebAssembly, which knows the way. What a user wrote (titles, names, words) is never markup: in the
page it is escaped, in the data it is a JSON string that the viewer sets as text. The page's policy
allows just this script and this style and no network at all, so even a slip here could run nothing;
with the core it also allows WebAssembly, and workers that this script makes.
"""

import json
import re
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from itertools import combinations, pairwise
from typing import Any
from zlib import compress

from kumitate.model.errors import PuzzleError
from kumitate.model.grid import Grid
from kumitate.model.palette import DARK, LIGHT, css_variables
from kumitate.model.puzzle import Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Solution
from kumitate.output.scene import (
    Body,
    Point,
    Pose,
    Scene,
    box_of,
    corners_of,
    minus,
    radius_of,
    require_near,
    scene_of,
)
from kumitate.output.sliding import lattice_of, steps_of
from kumitate.output.solid.surface import edges_of, faces_of

MOST_BYTES = 1_500_000  # of a page
GAP = 1.0  # units between pieces laid side by side

_STYLE = (
    f"""
:root {{ color-scheme: light dark; {css_variables(LIGHT)} }}
@media (prefers-color-scheme: dark) {{ :root {{ {css_variables(DARK)} }} }}
"""
    + """\
* { box-sizing: border-box; }
body { display: flex; flex-direction: column; height: 100vh; height: 100dvh; margin: 0;
  font: 15px/1.4 system-ui, sans-serif; color: var(--ink); background: var(--paper); }
header { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 14px;
  padding: 12px 16px 10px; }
h1 { margin: 0; font-size: 20px; font-weight: 650; overflow-wrap: anywhere; }
header p { margin: 0; color: var(--muted); overflow-wrap: anywhere; }
header .note { flex-basis: 100%; max-height: 4.2em; overflow: auto; white-space: pre-line; }
main { display: flex; flex: 1; flex-direction: column; min-height: 0;
  border-top: 1px solid var(--line); }
nav { display: flex; flex: none; gap: 4px; padding: 0 10px; overflow-x: auto;
  border-bottom: 1px solid var(--line); }
nav[hidden] { display: none; }
nav button { flex: none; padding: 10px 8px 8px; border: 0; border-bottom: 3px solid transparent;
  font: inherit; color: var(--muted); background: none; cursor: pointer; }
nav button:hover { color: var(--ink); }
nav button[aria-current] { color: var(--ink); border-color: var(--accent); }
nav button:focus-visible { outline: 3px solid var(--accent); outline-offset: -3px; }
.scene { flex: 1; min-height: 0; }
noscript { padding: 16px; }
@media print { body { display: block; height: auto; } main { border: 0; } }
"""
)


def page(
    scenes: Sequence[tuple[str, Scene]], title: str, designer: str = "", note: str = ""
) -> str:
    """One HTML file that shows these scenes, each under its title, and asks for nothing else.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.shape import Shape
    >>> from kumitate.output.scene import scene_of
    >>> tee = Shape.from_text(CUBES, "###/.#.", name="T")
    >>> text = page([("the piece", scene_of(tee))], "</script><b>")
    >>> "&lt;/script&gt;&lt;b&gt;" in text, text.count("</script>")
    (True, 2)
    """
    shown: list[dict[str, Any]] = [
        {"title": name, "scene": scene_data(scene)} for name, scene in scenes
    ]
    steps: object = []
    for one in shown:  # they are the same in all scenes, so the page has them once
        one["hand"] = "steps" in one["scene"]
        steps = one["scene"].pop("steps", steps)
    lattice = None
    for one, (_, scene) in zip(shown, scenes, strict=True):
        kit = kit_data(scene) if one["hand"] else None
        if kit:
            one["goal"], lattice = kit["goal"], kit["lattice"]
    data = {"scenes": shown, "steps": steps, "lattice": lattice}
    toy = any(one["hand"] for one in shown)
    made = html_page("viewer", data, title, designer, note, toy=toy)
    size = len(made.encode())
    if size > MOST_BYTES:
        raise PuzzleError(
            f"the page would be {size / 1e6:.1f} MB, more than the {MOST_BYTES / 1e6} MB that are"
            f" easy to send; show fewer solutions (now {len(scenes)} scenes) on one page"
        )
    return made


def solutions_page(puzzle: Puzzle, solutions: Sequence[tuple[str, Solution]], note: str) -> str:
    """One HTML file that plays these solutions of a puzzle, each under its title."""
    by = f"by {puzzle.by}" if puzzle.by else ""
    return page([(name, scene_of(one)) for name, one in solutions], puzzle.called, by, note)


def html_page(
    name: str,
    data: dict[str, Any],
    title: str,
    designer: str = "",
    note: str = "",
    *,
    toy: bool = False,
    site: bool = False,
) -> str:
    """The page around its data, with the script of this name that shows them.

    A toy comes with the core, if this kumitate was built with one for pages. The page of a site
    may fetch the files beside it.
    """
    script = script_source(f"{name}.js")
    assert not re.search("</script|<!--", script)
    core = packed_core() if toy else ""
    if core:
        data = {**data, "core": core}
    policy = "; ".join(
        (
            "default-src 'none'",
            f"script-src '{_digest(script)}'" + (" 'wasm-unsafe-eval'" if core else ""),
            *(["worker-src blob:" + " 'self'" * site] if core or site else []),
            *(["connect-src 'self'"] if site else []),
            f"style-src '{_digest(_STYLE)}'",
            "img-src data:" + " 'self'" * site,
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    by = f"<p>{_text(designer)}</p>" if designer else ""
    said = f'<p class="note">{_text(note)}</p>' if note else ""
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="kumitate">
<link rel="icon" href="data:,">
<title>{_text(title or "Puzzle")}</title>
<style>{_STYLE}</style>
</head>
<body>
<header><h1>{_text(title or "Puzzle")}</h1>{by}{said}</header>
<main id="{name}"><noscript>This page draws with JavaScript, which is off here.</noscript></main>
<script type="application/json" id="data">{_json(data)}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def script_source(name: str) -> str:
    """A script of exported pages; viewer.js is an ES module and also a notebook's widget."""
    try:
        return files("kumitate.output").joinpath(name).read_text("utf-8")
    except FileNotFoundError:
        raise PuzzleError(
            "this kumitate was built without its page viewer; build it with"
            " npm --prefix web install && npm --prefix web run build"
        ) from None


@cache
def packed_core() -> str:
    """The core for pages (core/wasm.cpp), compressed, in letters; none if it was not built."""
    try:
        made = files("kumitate.output").joinpath("core.wasm").read_bytes()
    except FileNotFoundError:
        return ""
    return b64encode(compress(made, 9)).decode()


def _digest(text: str) -> str:
    """How a page's policy names a script or style that may run."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _text(words: str) -> str:
    """What a user wrote, as text of a page; halves of characters become question marks."""
    return escape(words.encode("utf-8", "replace").decode())


def _json(data: object) -> str:
    """Data that can stand in a script element: nothing in it opens or closes one."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


# ---- scenes as data ----


def scene_data(scene: Scene) -> dict[str, object]:
    """A scene as viewer.js wants it: lists and numbers, ready for JSON, places in space.

    A form has flat lists, as web/src/scene/form.ts says: three numbers a point, three points a
    triangle, six numbers an edge; necks are numbers of balls. What is assembled can be taken apart
    by hand, along the steps.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.shape import Shape
    >>> from kumitate.output.scene import scene_of
    >>> [cube] = scene_data(scene_of(Shape.from_text(CUBES, "#")))["bodies"]
    >>> {name: len(numbers) for name, numbers in cube["form"].items() if name != "radius"}
    {'positions': 24, 'triangles': 36, 'edges': 72, 'balls': 0, 'necks': 0}
    """
    data: dict[str, object] = {
        "bodies": [_body_data(body) for body in scene.bodies],
        "poses": [_pose_data(pose) for pose in scene.poses],
    }
    if len(scene.bodies) > 1 and not any(map(any, scene.poses[0].shifts)):
        data["steps"] = [
            {
                "by": list(step.by),
                "way": _rounded(step.way),
                "words": step.words,
                "swept": [list(map(list, cells)) for cells in step.swept],
            }
            for step in steps_of(scene.grid)
        ]
    return data


def kit_data(scene: Scene) -> dict[str, Any] | None:
    """What it takes to put the bodies of a scene together by hand, on grids of equal cells."""
    lattice = lattice_of(scene.grid)
    if lattice is None:
        return None
    goal = Shape(scene.grid, {cell for body in scene.bodies for cell in body.shape.cells})
    return {
        "lattice": {
            "basis": [_rounded(row) for row in lattice.basis],
            "centre": _rounded(lattice.centre),
            "turns": [[_rounded(row) for row in turn] for turn in lattice.turns],
        },
        "goal": _body_data(Body(goal, "", ""))["form"],
    }


def _pose_data(pose: Pose) -> dict[str, object]:
    data: dict[str, object] = {
        "shifts": [_rounded(shift) for shift in pose.shifts],
        "shown": [bool(shown) for shown in pose.shown],
        "words": pose.words,
    }
    if pose.turns:
        data["turns"] = [[_rounded(row) for row in turn] for turn in pose.turns]
    if pose.turning:
        data["turning"] = {
            "bodies": list(pose.turning.bodies),
            "axis": _rounded(pose.turning.axis),
            "route": [
                {"at": _rounded(at), "angle": round(angle, 6)} for at, angle in pose.turning.route
            ],
        }
    return data


def _body_data(body: Body) -> dict[str, object]:
    shape = body.shape
    points: dict[tuple[float, ...], int] = {}

    def number(point: Point) -> int:
        return points.setdefault(tuple(_rounded(point)), len(points))

    rings = [[number(corner) for corner in face.corners] for face in faces_of(shape)]
    folds = [(edge.start, edge.end) for edge in edges_of(shape) if edge.folds]
    balls = list(shape) if shape.grid.balls else []
    form = {
        "positions": [number for point in points for number in point],
        "triangles": [n for ring in rings for b, c in pairwise(ring[1:]) for n in (ring[0], b, c)],
        "edges": [number for fold in folds for end in fold for number in _rounded(end)],
        "balls": [_rounded(corners_of(shape.grid, cell)[0]) for cell in balls],
        "radius": round(radius_of(shape.grid), 4),
        "necks": [
            [a, b]
            for (a, one), (b, other) in combinations(enumerate(balls), 2)
            if other in shape.neighbours(one)
        ],
    }
    cells = sorted(map(list, shape.cells))
    return {"name": body.name, "colour": body.colour, "form": form, "cells": cells}


def _rounded(point: Point) -> list[float]:
    """Few digits, and whole numbers without a point: the page is sent around."""
    short = (round(x, 4) for x in point)
    return [int(x) if x == int(x) else x for x in short]


# ---- pieces side by side ----


def pieces_scene(grid: Grid, bodies: Sequence[Body]) -> Scene:
    """Bodies laid out in rows on the floor, each on its flattest side, the first at the back left.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.shape import Shape
    >>> bars = [Body(Shape.from_text(CUBES, "##"), name, "#E69F00") for name in "AB"]
    >>> pieces_scene(CUBES, bars).poses[0].shifts
    ((-1.5, -1.0, 0.0), (-1.5, -3.0, 0.0))
    """
    require_near(body.shape for body in bodies)
    lying = [replace(body, shape=_flattest(body.shape)) for body in bodies]
    boxes = [box_of(body.shape) for body in lying]
    sizes = [minus(high, low) for low, high in boxes]
    shifts: list[Point] = []
    y = 0.0
    for row in _rows(sizes):
        x = -sum(sizes[n][0] + GAP for n in row) / 2  # rows share their middle
        for n in row:
            low, high = boxes[n]
            shifts.append((x - low[0], y - high[1], 0.0 - low[2]))
            x += sizes[n][0] + GAP
        y -= max(sizes[n][1] for n in row) + GAP
    return Scene(grid, tuple(lying), (Pose(tuple(shifts), (True,) * len(lying)),))


def _flattest(shape: Shape) -> Shape:
    """The shape turned so that it is least high, then least deep; as it is, if that is no worse."""

    def height_and_depth(turned: Shape) -> tuple[float, float]:
        low, high = box_of(turned)
        _, depth, height = minus(high, low)
        return round(height, 6), round(depth, 6)

    return min(shape.orientations(), key=height_and_depth, default=shape)


def _rows(sizes: Sequence[Point]) -> list[list[int]]:
    """Which bodies, by number, stand in a row: as many as make the whole twice as wide as deep."""
    area = sum((width + GAP) * (depth + GAP) for width, depth, _ in sizes)
    rows: list[list[int]] = []
    room = 0.0
    for n, (width, _, _) in enumerate(sizes):
        if not rows or room < width:
            rows.append([])
            room = (2 * area) ** 0.5
        rows[-1].append(n)
        room -= width + GAP
    return rows
