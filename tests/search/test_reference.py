"""Counts equal BurrTools' on all its examples and all five grids, in every mode that it has.

Its keep-rotations column is left out: there BurrTools still restricts one piece, so the number is
not that of all assemblies.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest

import kumitate
from kumitate import count

REFERENCE = Path(__file__).resolve().parents[3] / "shared" / "reference"
RESULTS = REFERENCE / "burrtools_results.json"
ROWS = json.loads(RESULTS.read_text("utf-8"))["rows"] if RESULTS.exists() else []
LONG = {"bedlam"}
UNCOUNTED = {"y25"}  # only its first assembly was found


def test_the_reference_is_here() -> None:
    if not ROWS:
        pytest.skip("../shared/reference is not here")
    assert len(ROWS) > 25


@pytest.mark.skipif(not ROWS, reason="the reference files are not here")
@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['puzzle']}-{row['problem']}")
def test_counts_equal_those_of_burrtools(row: dict[str, Any]) -> None:
    if row["puzzle"] in UNCOUNTED:
        pytest.skip("BurrTools did not count these")
    if row["puzzle"] in LONG and "KUMITATE_SOAK" not in os.environ:
        pytest.skip("takes seconds: make soak")
    [path] = REFERENCE.glob(f"*/{row['puzzle']}.xmpuzzle")
    problem = kumitate.read(path).puzzle.problems[row["problem"]]
    if row.get("assemblies") is None:
        with pytest.raises(kumitate.PuzzleError, match="fits nowhere"):
            kumitate.assemble(problem)
        assert count(problem).assemblies == 0
        return
    options = {"distinct_copies": True, "threads": 2}  # BurrTools tells them apart
    counted = count(problem, **options)  # type: ignore[arg-type]
    assert counted.assemblies == row["assemblies"]
    if row.get("assemblies_keep_mirror") is not None:
        kept = count(problem, mirrors=True, **options)  # type: ignore[arg-type]
        assert kept.assemblies == row["assemblies_keep_mirror"]
    if row.get("assemblies_complete_check") is not None:
        complete = count(problem, thorough=True, **options)  # type: ignore[arg-type]
        assert complete.assemblies == row["assemblies_complete_check"]
