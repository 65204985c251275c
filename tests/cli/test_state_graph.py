"""The graph of a puzzle with very many states: watched, bounded, and stopped by Ctrl-C."""

import subprocess
from pathlib import Path

import pytest
from tests.children import MAIN, interrupted

from kumitate import CUBES, Assembly, LimitReached, Puzzle, explore, save


def loose_cubes() -> Assembly:
    """Four small cubes in a closed box that is far too large for them: a million states."""
    lid = "/".join(["A" * 9] * 9)
    inside = ["A" * 9, "ABCDE...A", *["A.......A"] * 6, "A" * 9]
    layers = zip(lid.split("/"), inside, lid.split("/"), strict=True)
    return Assembly.from_text(CUBES, "\n".join(" ".join(row) for row in layers))


def test_progress_and_the_limit() -> None:
    known: list[int] = []
    with pytest.raises(LimitReached, match="more than 4,000 states"):
        explore(loose_cubes(), max_states=4_000, progress=known.append)
    assert known == sorted(known)
    assert len(known) > 1
    assert known[0] == 1
    assert known[-1] <= 4_000


def test_ctrl_c_ends_it_and_a_higher_limit_goes_further(tmp_path: Path) -> None:
    save(Puzzle.of(loose_cubes().problem), tmp_path / "box.kumitate.json")
    words = [*MAIN, "export", "box.kumitate.json", "-o", "a.graphml", "--assembly", "1"]
    for most in ("1000", "2000"):
        child = subprocess.run(
            [*words, "--max-states", most], capture_output=True, text=True, cwd=tmp_path
        )
        assert child.returncode == 3
        line = f"kumitate: more than {int(most):,} states; raise --max-states\n"
        assert child.stderr == line
    status, _, errors, used = interrupted([*words, "--max-states", "10000000"], 2, tmp_path)
    assert (status, errors.strip()) == (130, "")
    assert used < 0.5
    assert [path.name for path in tmp_path.iterdir()] == ["box.kumitate.json"]
