"""Booklets: a cover, the pieces, and steps that end with the whole puzzle."""

from typing import TYPE_CHECKING

import pytest

from kumitate.library import library
from kumitate.model.grids import CUBES
from kumitate.model.puzzle import Puzzle
from kumitate.model.solution import Assembly, Disassembly, Move, Solution
from kumitate.output.draw import booklet
from kumitate.output.draw.drawing import draw
from kumitate.output.draw.marks import Polygon, Text
from kumitate.output.scene import scene_of
from kumitate.search.assemble import assemble
from kumitate.search.solve import solve

if TYPE_CHECKING:
    from tests.output.conftest import Show

    from kumitate.output.draw.pdf import Page


def words_on(page: "Page") -> list[str]:
    return [m.words for placed in page for m in placed.drawing.marks if isinstance(m, Text)]


def test_the_cover_tells_what_it_is_and_how_hard() -> None:
    puzzle = library["evolved-box"]
    pages = booklet.pages_of(puzzle, next(solve(puzzle.problems[0], disassemble=True)))
    assert words_on(pages[0])[0] == puzzle.title
    assert any("level 32.5.6.5.3, total moves: 51" in words for words in words_on(pages[0]))
    assert words_on(pages[1]) == ["The pieces", "A", "B", "C", "D", "E", "F"]


def test_every_move_is_a_step_and_the_last_shows_the_whole() -> None:
    puzzle = library["evolved-box"]
    solution = next(solve(puzzle.problems[0], disassemble=True))
    steps = list(booklet._backwards(solution))
    numbered = [entry.words for entry in steps if entry.words[0].isdigit()]
    assert [words.split(".")[0] for words in numbered] == [str(n) for n in range(1, 52)]
    whole = draw(scene_of(solution.assembly))
    assert steps[-1].drawing.size == pytest.approx(whole.size)


def test_a_move_is_described_backwards() -> None:
    three = Assembly.from_text(CUBES, "ABC")
    away, slide = Move([0], (-1, 0, 0), None), Move([1, 2], (0, 0, 1), 2)
    assert away.describe_undone(three) == "A slides in to the right"
    assert slide.describe_undone(three) == "B, C slide 2 down"
    halves = Solution(three, Disassembly([Move([1], (0, 0, 1), 1, parts=2), away]))
    assert [entry.words for entry in booklet._backwards(halves)] == [
        "Take A and B, C",
        "1. A slides in to the right",
        "2. B slides 1/2 down",
    ]


def test_without_a_disassembly_pieces_are_laid_one_by_one_from_below() -> None:
    [problem] = library["kanoodle-pyramid"].problems
    assembly = next(assemble(problem))
    steps = list(booklet._one_by_one(assembly))
    assert len(steps) == 12
    layers = [
        min(cell[2] for cell in map(problem.grid.spot, shape.cells)) for shape in assembly.shapes
    ]
    names = [entry.words.split(". ")[1] for entry in steps]
    label = {assembly.label(n): layer for n, layer in enumerate(layers)}
    assert [label[name] for name in names] == sorted(layers)
    sizes = [len(entry.drawing.marks) for entry in steps]
    assert sizes == sorted(sizes)


@pytest.mark.parametrize("name", ["soma", "six-piece-burr", "kanoodle"])
def test_both_forms_show_the_same_pages_every_time(name: str) -> None:
    puzzle = library[name]
    solution = Solution(next(assemble(puzzle.problems[0])))
    first, again = (booklet.to_pdf(booklet.pages_of(puzzle, solution), "") for _ in range(2))
    assert first == again
    pages = booklet.pages_of(puzzle, solution)
    assert booklet.to_html(puzzle, solution).count("<section>") == len(pages)
    assert any(isinstance(m, Polygon) for p in pages[0] for m in p.drawing.marks) != (
        puzzle.grid.balls
    )


def test_the_page_prints_as_it_looks(show: "Show") -> None:
    three = Assembly.from_text(CUBES, "ABC")
    puzzle = Puzzle(CUBES, [p.shape for p in three.problem.pieces], title="</title><script>x")
    page = show(booklet.to_html(puzzle, Solution(three)))
    assert page.locator("section").count() == 3
    assert page.title() == "</title><script>x"
    assert "x" in page.locator("section text").first.text_content()  # type: ignore[operator]
