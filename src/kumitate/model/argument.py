"""Argument, Certificate: why a problem has no assembly.

A certificate numbers the goal's cells and says of each piece what the numbers below it add up to,
wherever it lies. If all pieces together make something else than the goal's cells do, no assembly
exists: the colouring arguments of puzzle books are of this kind. Anyone can check one with a
pencil; the referee does.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from kumitate.model.geometry import Cell
from kumitate.model.puzzle import Problem
from kumitate.model.text import draw_page


@dataclass(frozen=True)
class Certificate:
    """Numbers of the goal's fixed cells, counted modulo `modulus`, that rule out every assembly.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.puzzle import Piece
    >>> from kumitate.model.shape import Shape
    >>> goal, bar = Shape.from_text(CUBES, "###/.#."), Shape.from_text(CUBES, "##", name="bar")
    >>> numbers = {(0, 0, 0, 0): 1, (1, 0, 0, 0): 2, (2, 0, 0, 0): 1, (1, 1, 0, 0): 1}
    >>> print(Certificate(3, numbers, {0: 0}).describe(Problem(goal, [Piece(bar, 2)])))
    number the cells of the goal so:
    <BLANKLINE>
    121
    .1.
    <BLANKLINE>
    wherever it lies, bar covers numbers that make 0, counted modulo 3
    so all pieces together make 0, and the cells of the goal 2
    """

    modulus: int
    cells: Mapping[Cell, int]  # fixed cells; one that is left out has the number 0
    pieces: Mapping[int, int]  # what each piece of the problem covers, wherever it lies

    def made(self, problem: Problem) -> tuple[int, int]:
        """What all pieces make, and what all cells do; a proof if these are not the same."""
        pieces = sum(piece.min * self.pieces.get(n, 0) for n, piece in enumerate(problem.pieces))
        return pieces % self.modulus, sum(self.cells.values()) % self.modulus

    def describe(self, problem: Problem) -> str:
        """In words, with the numbers drawn."""
        numbers = {cell: str(self.cells.get(cell, 0)) for cell in problem.goal.fixed}
        pieces, cells = self.made(problem)
        makes: dict[int, list[str]] = {}
        for number in range(len(problem.pieces)):
            names = makes.setdefault(self.pieces.get(number, 0), [])
            if problem.label(number) not in names:
                names.append(problem.label(number))
        covers = "; ".join(
            f"{', '.join(names)} cover{'s' * (len(names) == 1)} numbers that make {made}"
            for made, names in sorted(makes.items())
        )
        return (
            f"number the cells of the goal so:\n\n{draw_page(problem.grid, numbers)}\n\n"
            f"wherever it lies, {covers}, counted modulo {self.modulus}\n"
            f"so all pieces together make {pieces}, and the cells of the goal {cells}"
        )


@dataclass(frozen=True)
class Argument:
    """Why there is no assembly: a sentence, and if it is by a colouring, that."""

    text: str
    certificate: Certificate | None = None

    def describe(self, problem: Problem) -> str:
        """In words, with the colouring drawn if there is one."""
        if self.certificate is None:
            return self.text
        return f"{self.text}: {self.certificate.describe(problem)}"
