"""Imports point only at the rooms that STYLE names; and the rule that says so can fail."""

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).resolve().parents[1] / "src" / "kumitate"
CORE = Path(__file__).resolve().parents[1] / "core"

BELOW = {"model", "referee", "disk", "files", "library", "search", "store"}
MAY_IMPORT = {
    "silence": set[str](),
    "model": set[str](),
    "referee": {"model"},
    "disk": {"model"},
    "files": {"model", "disk"},
    "library": {"model", "files"},
    "search": {"model", "_core"},
    "output": {"model", "disk"},
    "store": {"model", "disk", "files"},
    "scale": {"model", "search", "store", "_core"},
    "studio": {*BELOW, "output", "scale"},
    "__main__": {"cli"},
    "cli": {*BELOW, "output", "scale", "studio", "silence"},
}


def rooms_imported(source: str, package: str) -> set[str]:
    """The rooms that a module's source imports, wherever in the file it does so."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                module = ".".join([*package.split(".")[: -node.level + 1 or None], module])
            names = [module]
            if module.rstrip(".") == "kumitate":
                names = [f"kumitate.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in names if name.startswith("kumitate.")}
    return found


def trespasses(room: str, source: str, package: str) -> set[str]:
    return rooms_imported(source, package) - MAY_IMPORT[room] - {room}


def modules() -> list[Path]:
    return sorted(path for path in SOURCE.rglob("*.py") if path != SOURCE / "__init__.py")


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_imports_only_the_rooms_it_may(path: Path) -> None:
    parts = path.relative_to(SOURCE).with_suffix("").parts
    package = ".".join(["kumitate", *parts[:-1]])
    assert trespasses(parts[0], path.read_text("utf-8"), package) == set()


def test_every_room_is_known() -> None:
    rooms = {path.relative_to(SOURCE).with_suffix("").parts[0] for path in modules()}
    assert rooms <= MAY_IMPORT.keys()


@pytest.mark.parametrize(
    "source",
    [
        "import kumitate.search.check",
        "from kumitate.search import check",
        "from kumitate import search",
        "from ..search.check import check",
        "def late():\n    from kumitate.search.check import check",
    ],
)
def test_the_rule_can_fail(source: str) -> None:
    assert trespasses("model", source, "kumitate.model") == {"search"}


def test_only_the_bindings_know_python() -> None:
    sources = [path for path in CORE.rglob("*.[ch]pp") if path.name != "bindings.cpp"]
    assert sources
    for path in sources:
        text = path.read_text("utf-8")
        assert not any(word in text for word in ("nanobind", "Python.h")), path.name
