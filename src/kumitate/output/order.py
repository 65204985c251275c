"""An order: all that a writer of files may need, checked and complete."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Solution
from kumitate.output.views import View
from kumitate.workshop import pieces_to_make

if TYPE_CHECKING:
    from kumitate.output.make.rectangles import Bed
    from kumitate.output.scene import Scene
    from kumitate.output.solid.print_options import PrintOptions

MOST_MISSING = 8  # letters named in a warning

Files = dict[str, bytes]  # what goes before the suffix of the path, and the content


@dataclass(frozen=True)
class Order:
    """All that a writer may need."""

    puzzle: Puzzle
    problem: Problem | None
    solution: Solution | None
    view: View
    options: PrintOptions
    bed: Bed | None
    gap: float
    each: bool
    split: bool
    width: int | None
    stem: str
    suffix: str
    tell: Callable[[str], None]
    warn: Callable[[str], None]

    @property
    def assembly(self) -> Assembly:
        assert self.solution is not None
        return self.solution.assembly


def pieces_of(order: Order) -> list[tuple[Shape, int, str]]:
    """The pieces to make, how many of each, and in which colour."""
    problem, puzzle = order.problem, order.puzzle
    shapes = [piece.shape for piece in problem.pieces] if problem else puzzle.shapes
    named = zip(shapes, (problem or puzzle).identities, strict=True)
    colours = {shape.named(who.name): who.colour for shape, who in named}
    return [(shape, count, colours[shape]) for shape, count in pieces_to_make(problem or puzzle)]


def scene_for(order: Order) -> Scene:
    """The scene to show: a solution or an assembly, or else the pieces side by side."""
    from kumitate.output.page import pieces_scene
    from kumitate.output.scene import Body, scene_of

    if order.view == "steps":
        return scene_of(order.solution)
    if order.view == "assembly":
        return scene_of(order.assembly)
    bodies = [
        Body(shape, f"{shape.name} × {count}" if count > 1 else shape.name, colour)
        for shape, count, colour in pieces_of(order)
    ]
    return pieces_scene(order.puzzle.grid, bodies)


def warn_of_strokes(order: Order) -> None:
    """Name the letters of piece names that cannot be engraved."""
    from kumitate.output.make.strokes import lacking

    if missing := lacking(shape.name for shape, _, _ in pieces_of(order)):
        order.warn(
            f"{order.stem}{order.suffix}: names cannot be engraved or drawn with"
            f" {some_letters(missing)}, which are left out; name the pieces with A to Z and digits"
        )


def some_letters(letters: Sequence[str]) -> str:
    """The first few letters, with their code points.

    >>> some_letters("é")
    'é (U+00E9)'
    """
    named = []
    for letter in letters[:MOST_MISSING]:
        code = f"U+{ord(letter):04X}"
        named.append(f"{letter} ({code})" if letter.isprintable() else code)
    return ", ".join(named) + (" and others" if len(letters) > MOST_MISSING else "")
