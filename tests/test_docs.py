"""The pages tell the truth: what they show is what kumitate does.

Python examples run as doctests, shell examples run too, and tables are held against the values they
describe. No option flags for doctest: with ELLIPSIS the dots of a drawing would match anything.

A `console` block is run: seconds may differ, a line `[...]` stands for any lines, and `cat` shows a
file that an earlier command wrote. A `text` block is not run; a comment above it says what it is:

    <!-- output of `kumitate burr6 --sample 300`, 2026-11-16 -->
    <!-- drawing -->
"""

import ast
import doctest
import inspect
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import kumitate
from kumitate.cli import cli
from kumitate.files import json as own_format

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DOCS = ROOT / "docs"
PAGES = [README, *sorted(DOCS.glob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


# ---- Python ----


def run_python(page: Path) -> doctest.TestResults:
    return doctest.testfile(str(page), module_relative=False, encoding="utf-8")


@each_page
def test_the_python_on_a_page_runs(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run_python(page).failed == 0


def test_a_wrong_example_would_be_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```pycon\n>>> 1 + 1\n3\n\n```\n", encoding="utf-8")
    assert run_python(page).failed == 1


def test_the_readme_and_the_tutorial_of_an_own_grid_are_among_the_pages() -> None:
    assert README in PAGES
    tutorial = (DOCS / "own-grid.md").read_text(encoding="utf-8")
    assert DOCS / "own-grid.md" in PAGES
    for must in ("Grid(", ".check()", "assembly_faults", "disassembly_faults", "save", "load"):
        assert re.search(rf"^(>>>|\.\.\.) .*{re.escape(must)}", tutorial, re.MULTILINE), must


@pytest.mark.parametrize("script", EXAMPLES, ids=lambda script: script.stem)
def test_an_example_runs(script: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", script],
        cwd=tmp_path,
        env=plain_environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert ast.get_docstring(ast.parse(script.read_text(encoding="utf-8")))


def test_the_examples_are_numbered_from_one() -> None:
    assert [script.name[:3] for script in EXAMPLES] == [
        f"{number:02}_" for number in range(1, len(EXAMPLES) + 1)
    ]


# ---- the shell ----


def plain_environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "FORCE_COLOR"}
    return kept | {"COLUMNS": "100", "NO_COLOR": "1", "TERM": "dumb", "PYTHONUTF8": "1"}


def commands(page: Path) -> Iterator[tuple[str, str]]:
    """Every command in the console blocks of a page, with the output shown below it."""
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        assert block.startswith("$ "), f"{page.name}: a console block begins with a command"
        for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = entry.partition("\n")
            yield command, output


def run_kumitate(command: str, folder: Path) -> tuple[int, str]:
    program = "import sys; sys.argv[0] = 'kumitate'; from kumitate.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, *shlex.split(command)[1:]],
        cwd=folder,
        env=plain_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=60,
    )
    return done.returncode, done.stdout


def tidy(text: str) -> str:
    """Without what may differ: spaces at the ends of lines, and how many seconds a search took."""
    lines = "\n".join(line.rstrip() for line in text.splitlines()).rstrip("\n")
    return re.sub(r"\b[\d,]+(\.\d+)? s\b", "0 s", lines)


def agrees(printed: str, shown: str) -> bool:
    """Whether a command printed what a page shows, where `[...]` stands for any number of lines."""
    parts = [re.escape(part) for part in re.split(r"^\[\.\.\.\]$", tidy(shown), flags=re.M)]
    return re.fullmatch(".*".join(parts), tidy(printed), re.DOTALL) is not None


def test_a_page_that_shows_other_output_would_be_noticed() -> None:
    printed = "a\nb\nc\n3 found (0.01 s)\n"
    assert agrees(printed, "a\nb\nc\n3 found (12.50 s)\n")
    assert agrees(printed, "[...]\n3 found (12.50 s)\n")
    assert not agrees(printed, "[...]\n4 found (12.50 s)\n")
    assert not agrees(printed, "a\n")
    assert not agrees("abc\n", "...\n")


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(commands(page))], ids=lambda page: page.stem
)
def test_the_shell_shows_what_a_page_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the folder where the page's Python has already run: it may have saved a puzzle there."""
    monkeypatch.chdir(tmp_path)
    run_python(page)
    status = 0
    for command, output in commands(page):
        if command == "echo $?":
            assert output == f"{status}\n", f"after that command the status is {status}"
            continue
        if command.startswith("cat "):
            status, printed = 0, (tmp_path / command[4:]).read_text(encoding="utf-8")
        else:
            assert command.startswith("kumitate "), f"{command!r} is not run here; write ```sh"
            status, printed = run_kumitate(command, tmp_path)
        if not agrees(printed, output):
            assert tidy(printed) == tidy(output), f"$ {command}"


@each_page
def test_a_page_says_what_its_other_blocks_are(page: Path) -> None:
    """Nothing looks like output without being run, or saying of which command and how old."""
    unnamed = [
        block.partition("\n")[0]
        for above, block in other_blocks(page.read_text(encoding="utf-8"))
        if not re.fullmatch(
            r"<!-- (output of `kumitate [^`]+`, \d{4}-\d\d-\d\d|drawing) -->", above
        )
    ]
    assert unnamed == []


def other_blocks(text: str) -> list[tuple[str, str]]:
    """Blocks of `text`, or of no language at all, each with the line above it."""
    return [
        (text[: block.start()].splitlines()[-1], block[2])
        for block in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
        if block[1] in ("", "text")
    ]


def test_a_block_without_a_word_on_it_would_be_noticed() -> None:
    page = "A\n```sh\nls\n```\n\n<!-- drawing -->\n```text\n+-+\n```\n\nSo:\n\n```\n3 found\n```\n"
    assert other_blocks(page) == [("<!-- drawing -->", "+-+\n"), ("", "3 found\n")]


def test_the_readme_shows_soma_and_how_to_test() -> None:
    text = README.read_text(encoding="utf-8")
    assert "pip install . && kumitate solve soma\n" in text
    assert "make test\n" in text
    assert "kumitate show soma" in [command for command, _ in commands(README)]


# ---- nothing is left out ----


def section(page: Path, title: str) -> str:
    """What stands below a heading, up to the next one."""
    text = page.read_text(encoding="utf-8")
    found = re.search(rf"^## {re.escape(title)}$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    assert found, f"{page.name} has no heading {title!r}"
    return found[1]


def rows(text: str) -> list[list[str]]:
    """The rows of the tables in a text, without their headings."""
    lines = [line.strip() for line in text.splitlines()]
    table = [line[1:-1].split("|") for line in lines if line.startswith("|")]
    heads = [n for n, row in enumerate(table) if set("".join(row)) <= set("-")]
    return [
        [cell.strip() for cell in row]
        for n, row in enumerate(table)
        if n not in heads and n + 1 not in heads
    ]


@pytest.mark.parametrize("command", sorted(cli.commands))
def test_every_command_has_a_section_with_an_example(command: str) -> None:
    page = DOCS / "command-line.md"
    assert f"$ kumitate {command} " in section(page, f"kumitate {command}") + " "
    assert f"`kumitate {command} " in README.read_text(encoding="utf-8")


def code(text: str) -> str:
    """Only what is set as code: blocks and words in backticks."""
    blocks = re.findall(r"^```.*?\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    outside = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return "\n".join([*blocks, *re.findall(r"`([^`]+)`", outside)])


@pytest.mark.parametrize("name", kumitate.__all__)
def test_every_public_name_is_explained(name: str) -> None:
    assert inspect.getdoc(getattr(kumitate, name))
    everything = "\n".join(code(page.read_text(encoding="utf-8")) for page in PAGES)
    assert re.search(rf"\b{name}\b", everything), f"no page shows {name}"


def test_the_table_of_grids_is_right() -> None:
    constants = {id(value): name for name, value in vars(kumitate).items()}
    shown = rows((DOCS / "grids.md").read_text(encoding="utf-8"))
    assert shown == [
        [f"`{constants[id(grid)]}`", grid.name]
        + [str(number) for number in (len(grid.tiles), len(grid.turns))]
        + [str(number) for number in (2 * len(grid.turns), *set(map(len, grid.neighbours)))]
        + [str(number) for number in (len(grid.steps), grid.fineness)]
        for grid in kumitate.GRIDS.values()
    ]


# ---- the file format ----

FORMAT = DOCS / "format.md"
HEADINGS: dict[type[msgspec.Struct], str] = {
    own_format.PuzzleFile: "The file",
    own_format.GridTable: "A grid table",
    own_format.ShapeEntry: "A shape",
    own_format.ProblemEntry: "A problem",
    own_format.PieceEntry: "A piece",
    own_format.AnswersEntry: "Answers",
    own_format.SolutionEntry: "A solution",
    own_format.DisassemblyEntry: "A disassembly",
    own_format.LevelsEntry: "Levels",
}


def default(field: msgspec.structs.FieldInfo) -> str:
    if field.required:
        return "required"
    value = field.default
    if value is msgspec.NODEFAULT:
        assert callable(field.default_factory)
        value = field.default_factory()
    return f"`{json.dumps(value)}`"


@pytest.mark.parametrize("entry", HEADINGS, ids=lambda entry: entry.__name__)
def test_every_field_of_the_format_is_documented(entry: type[msgspec.Struct]) -> None:
    shown = [(row[0], row[-1]) for row in rows(section(FORMAT, HEADINGS[entry]))]
    fields = msgspec.structs.fields(entry)
    assert shown == [(f"`{field.name}`", default(field)) for field in fields]


def test_every_object_of_the_format_is_documented() -> None:
    assert {entry.__name__ for entry in HEADINGS} == own_format.schema()["$defs"].keys()


def test_the_schema_beside_the_page_is_that_of_the_reader() -> None:
    """To write it anew: python tests/test_docs.py"""
    saved = (DOCS / "kumitate.schema.json").read_text(encoding="utf-8")
    assert saved == schema_text()


def schema_text() -> str:
    return json.dumps(own_format.schema(), indent=2) + "\n"


def test_the_complete_example_is_one(tmp_path: Path) -> None:
    """It is read, passes the referee, and is written again letter by letter."""
    text = re.search(r"^```json\n(.*?)^```$", section(FORMAT, "A complete example"), re.M | re.S)
    assert text
    path = tmp_path / "example.kumitate.json"
    path.write_text(text[1], encoding="utf-8")
    document = kumitate.read(path)
    assert kumitate.write(document, path) == []
    assert path.read_text(encoding="utf-8") == text[1]
    [answers] = document.answers
    assert answers
    [solution] = answers.solutions
    assert kumitate.assembly_faults(solution.assembly) == []
    assert solution.disassembly
    assert kumitate.disassembly_faults(solution.assembly, solution.disassembly) == []


# ---- the site ----


def test_the_links_of_the_readme_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README.read_text(encoding="utf-8"))
    assert {f"docs/{page.name}" for page in DOCS.glob("*.md")} <= set(links)
    for link in links:
        assert (ROOT / link).exists(), link


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("mkdocs")
    words = ["mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120
    )
    assert done.returncode == 0, done.stderr
    for page in DOCS.glob("*.md"):
        name = "index.html" if page.stem == "index" else f"{page.stem}/index.html"
        assert (tmp_path / "site" / name).exists()


if __name__ == "__main__":
    (DOCS / "kumitate.schema.json").write_text(schema_text(), encoding="utf-8")
