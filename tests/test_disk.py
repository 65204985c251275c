"""Files appear whole or not at all."""

from pathlib import Path

import pytest

from kumitate import PuzzleError
from kumitate.disk import put


def test_a_name_that_the_folder_cannot_hold_is_told_in_a_line(tmp_path: Path) -> None:
    """Also if only the file beside it, from which it is moved, has too long a name."""
    for length in (250, 256):
        with pytest.raises(PuzzleError, match=r"^file name too long$"):
            put(tmp_path / ("x" * length), b"")
    assert list(tmp_path.iterdir()) == []
