"""Files of other programs for the tests; without those files, the tests are skipped."""

from pathlib import Path

import pytest

import kumitate
from kumitate import Document

REFERENCE = Path(__file__).resolve().parents[2].parent / "shared" / "reference"


@pytest.fixture(scope="session")
def reference() -> Path:
    """The folder of reference files next to the project."""
    if not REFERENCE.is_dir():
        pytest.skip("../shared/reference is not here")
    return REFERENCE


@pytest.fixture(scope="session")
def references(reference: Path) -> dict[str, Document]:
    """Every BurrTools puzzle in that folder, by file name."""
    paths = sorted(reference.rglob("*.xmpuzzle"))
    assert len(paths) >= 23
    return {path.stem: kumitate.read(path) for path in paths}
