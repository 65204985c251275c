"""Ctrl-C on a cluster: of the many assemblies found, only those that are shown are read."""

from pathlib import Path

import pytest
from tests.children import MAIN, interrupted

pytest.importorskip("distributed")


def test_ctrl_c_on_a_cluster_takes_no_longer_for_having_found_many(tmp_path: Path) -> None:
    words = [*MAIN, "solve", "iq-puzzler-pro/5x11", "--rotations", "--cluster", "local:1"]
    status, out, errors, used = interrupted(words, 3.5, tmp_path)
    assert status == 130
    assert "Traceback" not in errors
    assert int(out.splitlines()[-1].split()[0].replace(",", "")) > 30_000
    assert used < 3
