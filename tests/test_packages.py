"""What builds packages: the app's words, zig's spelling, and what cibuildwheel reads."""

import tomllib
from pathlib import Path

import pytest
from tools import app_start, zig

ROOT = Path(__file__).resolve().parents[1]


def test_the_app_opens_the_studio_unless_it_is_given_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert app_start.words(["count", "soma"], tmp_path) == ["count", "soma"]
    assert app_start.words(["soma"], tmp_path) == ["soma"]
    assert app_start.words([], tmp_path) == ["studio", "--folder", str(tmp_path / "Puzzles")]
    assert (tmp_path / "Puzzles").is_dir()
    Path("my soma.xmpuzzle").touch()
    assert app_start.words(["my soma.xmpuzzle"], tmp_path) == ["studio", "my soma.xmpuzzle"]


def test_zig_has_its_own_names_for_processors() -> None:
    given = ["-O3", "-march=x86-64-v4", "-fno-tree-slp-vectorize", "x-march=a-b.cpp"]
    assert zig.words(given) == [given[0], "-march=x86_64_v4", *given[2:]]


def test_wheels_are_built_and_tried_out_for_every_python() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]
    [script] = [word for word in settings["cibuildwheel"]["test-command"].split() if "/" in word]
    assert (ROOT / script.removeprefix("{project}/")).is_file()
    oldest, stable = (name.partition("-")[0] for name in settings["cibuildwheel"]["build"])
    assert oldest == "cp311"
    assert stable == settings["scikit-build"]["wheel"]["py-api"]
