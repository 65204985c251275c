"""A search hands out what it has found a little at a time, so that Ctrl-C never waits for more."""

import time
from dataclasses import replace
from pathlib import Path

from tests.children import MAIN, interrupted
from tests.search.unpacked import unpacked

from kumitate import CUBES, Piece, Problem, Puzzle, Shape, save
from kumitate.search.assemble import PreparedProblem

AT_ONCE = 5000  # assemblies of 16 pieces


def tinted_cubes() -> Problem:
    """Sixteen cubes with one red cell each, in a row: 8^16 ways to turn them, found at once."""
    cube = Shape.from_text(CUBES, "a# ##/## ##", name="cube")
    row = "##" * 16
    return Problem(Shape.from_text(CUBES, f"{row} {row}/{row} {row}"), [Piece(cube, 16)])


def test_however_many_wait_only_some_are_read_at_once() -> None:
    prepared = PreparedProblem(tinted_cubes())
    prepared.prepare()
    for ordered in (True, False):
        run = prepared.core.run(2, True, ordered)
        while run.report()[1] < 20 * AT_ONCE:
            time.sleep(0.01)
        seen: set[tuple[int, ...]] = set()
        for reads in range(1, 31):
            packed, over = run.read(1000)
            found = unpacked(packed)
            assert not over
            assert 0 < len(found) < AT_ONCE
            seen.update(map(tuple, found))
            assert len(seen) > 1000 * reads  # none comes twice
        run.stop()


def test_ctrl_c_does_not_wait_for_what_was_found(tmp_path: Path) -> None:
    puzzle = replace(Puzzle.of(tinted_cubes()), colours=["#ff0000"])
    save(puzzle, tmp_path / "tinted.kumitate.json")
    words = [*MAIN, "solve", "tinted.kumitate.json", "--threads", "1"]
    status, out, errors, used = interrupted(words, 2.5, tmp_path)
    assert (status, errors) == (130, "")
    assert "assemblies so far" in out
    assert used < 0.3
