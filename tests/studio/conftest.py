"""A studio for each test; a module that only reads may share one."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.studio.bench import Bench, running


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    """A studio that serves an empty folder."""
    folder = tmp_path / "bench"
    folder.mkdir()
    with running(folder) as bench:
        yield bench
