"""What a value looks like: one picture, or a sheet of pictures with words under them.

Pictures of one sheet share one scale, so pieces can be compared.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import singledispatch

from kumitate.model.grid import Grid
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Solution
from kumitate.output.draw.arrow import with_arrow
from kumitate.output.draw.drawing import draw, draw_each, paled, without_faint_lines
from kumitate.output.draw.explode import cleared, exploded, space_of
from kumitate.output.draw.sheet import ENTRY, Entry, sheet
from kumitate.output.draw.svg import PICTURE, framed
from kumitate.output.scene import Body, Pose, Scene, scene_of

LEAST_CELL = 11  # pixels: on a sheet that is wide enough
STEP = 150  # pixels: how large a picture of a step is
MANY = 24  # steps: more than that are drawn smaller


def picture(scene: Scene, pose: int | Pose = 0, colours: Sequence[str] = ()) -> str:
    """One moment of a scene; `colours` are those of cells of colour 1, 2, ...

    >>> from kumitate.model.grids import CUBES
    >>> picture(scene_of(Shape.from_text(CUBES, "##")))[:44]
    '<svg xmlns="http://www.w3.org/2000/svg" widt'
    """
    return framed(draw(scene, pose, colours))


@singledispatch
def svg_of(what: object) -> str:
    """A shape, problem, puzzle, assembly or solution as a document of its own.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.solution import Levels
    >>> "level 2" in svg_of(Solution(Assembly.from_text(CUBES, "AB"), levels=Levels(2)))
    True
    """
    raise TypeError(f"{type(what).__name__} is not drawn")


@svg_of.register
def _(what: Scene) -> str:
    return picture(what)


@svg_of.register
def _(what: Shape) -> str:
    return picture(scene_of(what))


@svg_of.register
def _(what: Assembly) -> str:
    return picture(scene_of(what))


@svg_of.register
def _(what: Solution) -> str:
    words = f"level {what.levels}" if what.levels else ""
    return sheet([Entry(draw(scene_of(what.assembly)), words)], size=PICTURE)


@svg_of.register
def _(what: Problem) -> str:
    return svg_of(Puzzle.of(what))


@svg_of.register
def _(what: Puzzle) -> str:
    copies = {
        piece.shape: f" × {piece.copies}"
        for problem in reversed(what.problems)
        for piece in problem.pieces
        if piece.copies != "1"
    }
    bodies = [Body(shape, what.label(n), what.colour(n)) for n, shape in enumerate(what.shapes)]
    entries = [
        Entry(drawing, body.name + copies.get(body.shape, ""))
        for body, drawing in zip(bodies, draw_each(what.grid, bodies, what.colours), strict=True)
    ]
    by = f"by {what.by}" if what.by else ""
    longest = max((max(entry.drawing.size) for entry in entries), default=0.0)
    size = max(ENTRY, LEAST_CELL * longest / _cell_size(what.grid))
    return sheet(entries, what.called, by, size=size)


def exploded_svg(assembly: Assembly) -> str:
    """An assembly with its pieces drawn apart, just far enough to be clear of each other."""
    return picture(cleared(exploded(scene_of(assembly))))


def steps_svg(solution: Solution) -> str:
    """Every step of taking a solution apart on one sheet; pieces that do not move are pale.

    A pose is left out if it shows nothing but what the last move left.
    """
    scene = scene_of(solution)
    [start, *poses] = scene.poses
    entries = [Entry(draw(scene, start))]
    before, moved, number = start, set[int](), 0
    for pose in poses:
        left = [shown and n not in moved for n, shown in enumerate(before.shown)]
        moved = _moved(before, pose)
        if moved:
            number += 1
            words = re.sub(r", (?=[-\d, ]*\))", ",\u00a0", pose.words)  # steps stay on one line
            drawing = with_arrow(draw(paled(scene, moved), pose), scene, before, pose, back=False)
            entries.append(Entry(drawing, f"{number}. {words}"))
        elif list(pose.shown) != left:
            entries.append(Entry(draw(scene, pose), pose.words))
        before = pose
    title = f"level {solution.levels}" if solution.levels else ""
    if len(entries) > MANY:
        entries = [replace(e, drawing=without_faint_lines(e.drawing)) for e in entries]
    size = STEP if len(entries) <= MANY else ENTRY
    return sheet(entries, title, size=size, even=True, shown=scene.grid)


def _moved(before: Pose, pose: Pose) -> set[int]:
    """The bodies that moved; none if bodies appeared or vanished instead."""
    if tuple(before.shown) != tuple(pose.shown):
        return set()
    pairs = zip(before.places, pose.places, strict=True)
    return {n for n, (was, now) in enumerate(pairs) if was != now and pose.shown[n]}


def _cell_size(grid: Grid) -> float:
    """The side of a cube as large as a cell on average, in units."""
    return float((space_of(grid) / len(grid.tiles)) ** (1 / 3))
