"""Where right, front and up are in a picture: three small arrows, for the words that moves use."""

from kumitate.model.grid import Grid
from kumitate.output.draw.marks import Line, Mark, Spot, Text
from kumitate.output.draw.view import view_of
from kumitate.output.scene import transposed, turned

WAYS = {"right": (1.0, 0.0, 0.0), "front": (0.0, -1.0, 0.0), "up": (0.0, 0.0, 1.0)}
HEAD = 0.16  # of an arrow: how long its head is


def compass(grid: Grid, centre: Spot, length: float, letters: float, ink: str) -> list[Mark]:
    """Arrows from a spot of the paper, as pictures of a grid are seen, with words at their ends.

    >>> from kumitate.model.grids import CUBES
    >>> [mark.words for mark in compass(CUBES, (0, 0), 20, 10, "#000000") if isinstance(mark, Text)]
    ['right', 'front', 'up']
    """
    marks: list[Mark] = []
    x, y = centre
    head = HEAD * length
    for word, way in WAYS.items():
        right, up, _ = turned(transposed(view_of(grid)), way)
        tip = (x + length * right, y - length * up)
        wings = [
            (tip[0] - head * (right + side * up), tip[1] + head * (up - side * right))
            for side in (-0.6, 0.6)
        ]
        marks.append(Line(((centre, tip), *((tip, wing) for wing in wings)), ink))
        beside = (0.3 * len(word) + 0.3) * letters * ((right > 0.1) - (right < -0.1))
        above = 0.8 * letters * (word == "up")
        marks.append(Text((tip[0] + beside, tip[1] - above), word, letters, ink))
    return marks
