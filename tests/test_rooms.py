"""Imports point only where docs/architecture.md says; and the rule that says so can fail."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SOURCE, CORE, WEB = ROOT / "src" / "kumitate", ROOT / "core", ROOT / "web" / "src"


def table(title: str) -> list[list[str]]:
    """The rows of the page's table whose first column has this title, as lists of names."""
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    [rows] = re.findall(rf"^\| {title} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", page, re.MULTILINE)
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows.splitlines()]


def names(cell: str) -> set[str]:
    return set(re.findall(r"[^\s,`]+", cell))


def allowed(title: str) -> dict[str, set[str]]:
    """For each file or folder of the core or the page: those it may use."""
    rows = [(part, names(files), names(others)) for part, files, others in table(title)]
    files_of = {part: files for part, files, _ in rows}
    return {
        file: files.union(*(files_of[other] for other in others))
        for _, files, others in rows
        for file in files
    }


# ---- Python ----

MAY_IMPORT = {room.strip("`"): names(others) for room, _, others in table("room")}


def rooms_imported(source: str, package: str) -> set[str]:
    """The rooms that a module's source imports, wherever in the file it does so."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        modules: list[str] = []
        if isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                module = ".".join([*package.split(".")[: -node.level + 1 or None], module])
            modules = [module]
            if module.rstrip(".") == "kumitate":
                modules = [f"kumitate.{alias.name}" for alias in node.names]
        found |= {name.split(".")[1] for name in modules if name.startswith("kumitate.")}
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


def test_every_room_is_on_the_page() -> None:
    rooms = {path.relative_to(SOURCE).with_suffix("").parts[0] for path in modules()}
    assert rooms == MAY_IMPORT.keys()


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


# ---- the core ----

MAY_INCLUDE = allowed("core part")


def included(source: str) -> set[str]:
    return set(re.findall(r'^#include "(\w+)\.hpp"', source, re.MULTILINE))


def core_files() -> list[Path]:
    return sorted(path for path in CORE.glob("*.[ch]pp"))


@pytest.mark.parametrize("path", core_files(), ids=lambda path: path.name)
def test_a_file_of_the_core_includes_only_what_it_may(path: Path) -> None:
    assert included(path.read_text("utf-8")) - MAY_INCLUDE[path.stem] == set()


def test_every_file_of_the_core_is_on_the_page() -> None:
    assert {path.stem for path in core_files()} == MAY_INCLUDE.keys()
    assert not included('#include "disassemble.hpp"') <= MAY_INCLUDE["cover"]


def test_only_the_bindings_know_python() -> None:
    sources = [path for path in CORE.rglob("*.[ch]pp") if not path.name.startswith("bindings")]
    assert sources
    for path in sources:
        text = path.read_text("utf-8")
        assert not any(word in text for word in ("nanobind", "Python.h")), path.name


# ---- the page ----

MAY_USE = allowed("page part")


def part(path: Path) -> str:
    """The folder in web/src, or the name of the file."""
    return path.relative_to(WEB).parts[0].partition(".")[0]


def used(source: str, path: Path) -> set[str]:
    """The parts that a file of the page imports, whatever is imported along with the page."""
    found = re.findall(r'(?:from|import)\s*\(?"(\.[^"]+)"', source)
    return {part((path.parent / name).resolve()) for name in found} - {"theme"}


def page_files() -> list[Path]:
    return sorted(path for path in WEB.rglob("*") if path.suffix in (".ts", ".svelte"))


@pytest.mark.parametrize("path", page_files(), ids=lambda path: str(path.relative_to(WEB)))
def test_a_file_of_the_page_imports_only_what_it_may(path: Path) -> None:
    assert used(path.read_text("utf-8"), path) - MAY_USE[part(path)] == set()


def test_every_part_of_the_page_is_on_the_page() -> None:
    assert {part(path) for path in page_files()} == MAY_USE.keys()
    wrong = used('import { findRuns } from "../solutions/solving.svelte";', WEB / "stage" / "x.ts")
    assert wrong == {"solutions"}
    assert not wrong <= MAY_USE["stage"]
