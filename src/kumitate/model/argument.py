"""Argument, Certificate: why a problem has no assembly.

A certificate writes a number on every cell of the goal such that each piece covers the same sum
wherever it lies. If the sums of all pieces add up to something other than the numbers of the goal,
no assembly exists: the colouring arguments of puzzle books are of this kind. Anyone can check one
with a pencil; the referee does.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from kumitate.model.geometry import Cell
from kumitate.model.puzzle import Problem
from kumitate.model.text import draw_page


@dataclass(frozen=True)
class Certificate:
    """Numbers on the goal's fixed cells, added modulo `modulus`, that rule out every assembly.

    >>> from kumitate.model.grids import CUBES
    >>> from kumitate.model.puzzle import Piece
    >>> from kumitate.model.shape import Shape
    >>> goal, bar = Shape.from_text(CUBES, "###/.#."), Shape.from_text(CUBES, "##", name="bar")
    >>> numbers = {(0, 0, 0, 0): 1, (1, 0, 0, 0): 2, (2, 0, 0, 0): 1, (1, 1, 0, 0): 1}
    >>> print(Certificate(3, numbers, {0: 0}).describe(Problem(goal, [Piece(bar, 2)])))
    number the cells of the goal like this:
    <BLANKLINE>
    121
    .1.
    <BLANKLINE>
    wherever a piece lies, it covers the same sum modulo 3: bar covers 0
    so all pieces together cover 0, but the numbers of the goal add up to 2
    """

    modulus: int
    cells: Mapping[Cell, int]  # the number on each fixed cell; 0 if left out
    pieces: Mapping[int, int]  # the sum that each piece of the problem covers, wherever it lies

    def made(self, problem: Problem) -> tuple[int, int]:
        """The sum that all pieces cover, and the sum of all cells; a proof if they differ."""
        pieces = sum(piece.min * self.pieces.get(n, 0) for n, piece in enumerate(problem.pieces))
        return pieces % self.modulus, sum(self.cells.values()) % self.modulus

    def describe(self, problem: Problem) -> str:
        """The certificate in words, with its numbers drawn."""
        numbers = {cell: str(self.cells.get(cell, 0)) for cell in problem.goal.fixed}
        pieces, cells = self.made(problem)
        sums: dict[int, list[str]] = {}
        for number in range(len(problem.pieces)):
            names = sums.setdefault(self.pieces.get(number, 0), [])
            if problem.label(number) not in names:
                names.append(problem.label(number))
        covers = "; ".join(
            f"{', '.join(names)} cover{'s' * (len(names) == 1)} {covered}"
            for covered, names in sorted(sums.items())
        )
        return (
            f"number the cells of the goal like this:\n\n{draw_page(problem.grid, numbers)}\n\n"
            f"wherever a piece lies, it covers the same sum modulo {self.modulus}: {covers}\n"
            f"so all pieces together cover {pieces}, but the numbers of the goal add up to {cells}"
        )


@dataclass(frozen=True)
class Argument:
    """Why there is no assembly: a sentence, and the colouring if there is one."""

    text: str
    certificate: Certificate | None = None

    def describe(self, problem: Problem) -> str:
        """The argument in words, with the colouring drawn if there is one."""
        if self.certificate is None:
            return self.text
        return f"{self.text}: {self.certificate.describe(problem)}"
