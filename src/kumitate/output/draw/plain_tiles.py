"""Cells with faces as marks where there is no NumPy: face by face, by the depth of their cells.

tiles.py joins faces to areas, and cuts those that hide each other in a ring. Here every face that
is seen is an area of its own. Cells of one grid are drawn by the depth of their middles, which is
right for cells of one kind and near enough for others, and for bodies between the cells.
"""

from collections.abc import Iterator

from kumitate.model.geometry import Vector, cross, dot, subtract
from kumitate.model.shape import Shape
from kumitate.output.draw.marks import (
    FAINT,
    OPTIONAL_OPACITY,
    Arrangement,
    Drawing,
    Line,
    Mark,
    Polygon,
    Spot,
    dark,
    shaded,
)
from kumitate.output.draw.view import view_of
from kumitate.output.scene import Point, cell_centre, crossed, minus, scaled, transposed
from kumitate.output.scene import turned as turned_by
from kumitate.output.solid.surface import exposed, point

SEEN = 1e-9  # how far a face must look towards the eye


def draw_plainly(arranged: Arrangement) -> list[Drawing]:
    """The visible faces, painted from the back to the front.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.output.scene import UPRIGHT, Body, Place
    >>> body = Body(Shape.from_text(CUBES, "##"), "A", "#E69F00")
    >>> here = Place(UPRIGHT, (0.0, 0.0, 0.0))
    >>> [drawing] = draw_plainly(Arrangement(CUBES, [body], [here], [0], ()))
    >>> [type(mark).__name__ for mark in drawing.marks].count("Polygon")
    5
    """
    grid, bodies, places, sheets, colours = arranged
    to_eye = transposed(view_of(grid))
    found: list[list[tuple[float, int, list[Mark]]]] = [[] for _ in range(1 + max([0, *sheets]))]
    for body, place, sheet in zip(bodies, places, sheets, strict=True):
        if sheet < 0:
            continue
        for cell, face, folds in _faces(body.shape):
            corners = [turned_by(to_eye, place(corner)) for corner in face]
            normal = crossed(minus(corners[1], corners[0]), minus(corners[2], corners[1]))
            length = sum(c * c for c in normal) ** 0.5
            if normal[2] <= SEEN * length:
                continue
            number = body.shape.colours.get(cell, 0)
            colour = colours[number - 1] if 0 < number <= len(colours) else body.colour
            opacity = OPTIONAL_OPACITY if cell in body.shape.optional else 1.0
            fill = shaded(colour, scaled(1 / length, normal))
            depth = turned_by(to_eye, place(cell_centre(grid, cell)))[2]
            marks = _marks(corners, folds, fill, dark(body.colour), opacity)
            found[sheet].append((round(depth, 6), len(found[sheet]), marks))
    return [_drawing([mark for *_, marks in sorted(some) for mark in marks]) for some in found]


def _faces(shape: Shape) -> Iterator[tuple[tuple[int, int, int, int], list[Point], list[bool]]]:
    """The faces of a shape with their cells, and whether the surface folds at each side."""
    faces = list(exposed(shape))
    normals = [cross(subtract(c[1], c[0]), subtract(c[2], c[1])) for _, c in faces]
    meeting: dict[tuple[Vector, Vector], list[Vector]] = {}
    for (_, corners), normal in zip(faces, normals, strict=True):
        for ends in _sides(corners):
            meeting.setdefault(ends, []).append(normal)
    for (cell, corners), normal in zip(faces, normals, strict=True):
        folds = [
            not any(
                cross(normal, other) == (0, 0, 0) and dot(normal, other) > 0
                for other in meeting.get((end, start), ())
            )
            for start, end in _sides(corners)
        ]
        yield cell, [point(shape.grid, corner) for corner in corners], folds


def _sides(corners: tuple[Vector, ...]) -> Iterator[tuple[Vector, Vector]]:
    yield from zip(corners, (*corners[1:], corners[0]), strict=True)


def _marks(
    corners: list[Point], folds: list[bool], fill: str, line: str, opacity: float
) -> list[Mark]:
    """An area, and its sides: dark where the surface folds, faint where it goes on."""
    ring: tuple[Spot, ...] = tuple((x, -y) for x, y, _ in corners)
    strokes = list(zip(ring, (*ring[1:], ring[0]), strict=True))
    dark_ones = tuple(s for s, fold in zip(strokes, folds, strict=True) if fold)
    faint = tuple(s for s, fold in zip(strokes, folds, strict=True) if not fold)
    marks: list[Mark] = [Polygon((ring,), fill, "", opacity)]
    if faint and opacity == 1:
        marks.append(Line(faint, fill))  # or what lies behind would shine through the seam
    if faint:
        marks.append(Line(faint, line, *FAINT))
    if dark_ones:
        marks.append(Line(dark_ones, line))
    return marks


def _drawing(marks: list[Mark]) -> Drawing:
    spots = [spot for mark in marks if isinstance(mark, Polygon) for spot in mark.rings[0]]
    xs, ys = zip(*(spots or [(0.0, 0.0)]), strict=True)
    return Drawing(tuple(marks), (min(xs), min(ys)), (max(xs), max(ys)))
