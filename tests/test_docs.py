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
from dataclasses import fields
from pathlib import Path
from urllib.parse import unquote

import msgspec
import pytest
from tests.fork_server import run_kumitate
from tools import gallery, reference
from tools.public_names import NAMES, ROOMS
from tools.reference import pages
from tools.site import build

import kumitate
from kumitate import grids
from kumitate.cli import cli
from kumitate.files import entries
from kumitate.model.options import RunOptions

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
DOCS = ROOT / "docs"
PAGES = [README, *sorted(DOCS.glob("*.md"))]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))

each_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)


# ---- Python ----


def run_python(page: Path) -> doctest.TestResults:
    return doctest.testfile(str(page), module_relative=False, encoding="utf-8")


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


def test_the_examples_are_numbered_from_one_and_listed() -> None:
    examples = [*EXAMPLES, *NOTEBOOKS]
    assert [example.name[:3] for example in examples] == [
        f"{number:02}_" for number in range(1, len(examples) + 1)
    ]
    listed = [row[0].strip("`") for row in rows(section(DOCS / "python.md", "Examples"))]
    assert listed == [example.name for example in examples]


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


@each_page
def test_the_python_of_a_page_runs_and_the_shell_shows_what_it_says(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In one folder, the Python first: it may save a puzzle there that a command reads."""
    monkeypatch.chdir(tmp_path)
    assert run_python(page).failed == 0
    status = 0
    for command, output in commands(page):
        if command == "echo $?":
            assert output == f"{status}\n", f"after that command the status is {status}"
            continue
        if command.startswith("cat "):
            status, printed = 0, (tmp_path / command[4:]).read_text(encoding="utf-8")
        else:
            assert command.startswith("kumitate "), f"{command!r} is not run here; write ```sh"
            words = shlex.split(command)[1:]
            run = run_kumitate(tmp_path, *words, environment=plain_environment(), together=True)
            status, printed = run.status, run.stdout
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
    assert unnamed == [], "the line above each must be <!-- drawing --> or <!-- output of ... -->"


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


MEASURED = {  # rows of the README: the line of bench/README.md, and the unit of its numbers
    "pentominoes in 6x10": (r"^pentominoes/6x10 +\S+ +\S+ +(\S+) +(\S+)", 1.0),
    "Bedlam cube": (r"^bedlam/4x4x4 +\S+ +\S+ +(\S+) +(\S+)", 1.0),
    "each rotation": (r"^. pentominoes in 6x10, the same . \S+ . (\S+) . (\S+) . (\S+)", 1e-3),
    "12 queens": (r"^. 12 queens . \S+ . (\S+) . (\S+) . (\S+)", 1e-3),
    "six options": (r"^. the six options \D+ 1 . (\S+) . (\S+) . (\S+)", 1e-3),
    "Pelikan": (r"^. Pelikan, Dracula, taken apart cold . (\S+) ms", 1e-3),
}


@pytest.mark.parametrize("what", MEASURED)
def test_the_readme_compares_what_bench_has_measured(what: str) -> None:
    text = README.read_text(encoding="utf-8")
    [row] = [line for line in text.splitlines() if line.startswith("|") and what in line]
    cells = row.split("|")[2:]
    shown = re.findall(r"(\d[\d.]*)(?: to [\d.]+)? (m?)s\b", " ".join(cells))
    pattern, unit = MEASURED[what]
    bench = re.search(pattern, (ROOT / "bench" / "README.md").read_text(encoding="utf-8"), re.M)
    assert bench, "bench/README.md has no such line"
    measured = [float(number.replace(",", "")) * unit for number in bench.groups()]
    seconds = [float(number) * (1e-3 if milli else 1) for number, milli in shown]
    assert seconds[: len(measured)] == pytest.approx(measured, rel=0.08)


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


def test_the_front_door_shows_few_names() -> None:
    assert len(ROOMS[0].__all__) <= 50


@pytest.mark.parametrize("name", NAMES)
def test_every_public_name_is_explained(name: str) -> None:
    assert inspect.getdoc(NAMES[name])
    everything = "\n".join(code(page.read_text(encoding="utf-8")) for page in PAGES)
    assert re.search(rf"\b{name}\b", everything), f"no page shows {name}"


def test_the_tables_of_names_are_complete() -> None:
    page = DOCS / "python.md"
    front = {name for row in rows(section(page, "The front door")) for name in code_words(row[1])}
    assert front == set(ROOMS[0].__all__)
    table = {row[0]: set(code_words(row[1])) for row in rows(section(page, "The rooms"))}
    assert [set(room.__all__) for room in ROOMS[1:]] == [
        next(names for title, names in table.items() if f"`{room.__name__}`" in title)
        for room in ROOMS[1:]
    ]


def code_words(text: str) -> list[str]:
    return re.findall(r"`(\w+)`", text)


def test_the_table_of_options_is_right() -> None:
    assert rows(section(DOCS / "python.md", "The options")) == [
        [f"`{one.name}`", f"`{one.default!r}`", one.metadata["help"]] for one in fields(RunOptions)
    ]


def test_the_table_of_grids_is_right() -> None:
    constants = {id(value): name for name, value in vars(grids).items()}
    shown = rows((DOCS / "grids.md").read_text(encoding="utf-8"))
    assert shown == [
        [f"`{constants[id(grid)]}`", grid.name]
        + [str(number) for number in (len(grid.tiles), len(grid.turns))]
        + [str(number) for number in (2 * len(grid.turns), *set(map(len, grid.neighbours)))]
        + [str(number) for number in (len(grid.steps), grid.fineness)]
        for grid in grids.GRIDS.values()
    ]


def test_those_who_come_from_burrtools_find_every_menu_and_every_word() -> None:
    """Words in italics on the right are shown by the studio's page, letter by letter."""
    page = (DOCS / "from-burrtools.md").read_text(encoding="utf-8")
    table = rows(page)
    left = " ".join(row[0] for row in table)
    for entry in BURRTOOLS:
        assert entry.lower() in left.lower(), entry
    sources = (ROOT / "web" / "src" / "words").glob("*.ts")
    words = "\n".join(source.read_text(encoding="utf-8") for source in sources)
    named = [name for row in table for name in re.findall(r"(?<!\*)\*([^*]+)\*(?!\*)", row[1])]
    assert len(named) > 80
    assert [name for name in named if f'"{name}"' not in words] == []


# BurrTools' menus, its tabs' groups of buttons, and the options of its two text programs.
BURRTOOLS = (
    *("File: New", "Load", "Import", "Save", "Save as", "Convert", "Assemblies to shapes", "Quit"),
    *("Toggle 3D", "Images", "Vector image", "STL", "Status", "Edit comment", "Config", "Help"),
    *("About", "Label", "pen", "eraser", "colour brush", "rubber band", "mirror X", "column X"),
    *(
        "minimise",
        "centre",
        "origin",
        "apply to all",
        "scale 1:1",
        "fill holes",
        "inside or outside",
    ),
    *(
        "flip",
        "rotate",
        "nudge",
        "weight",
        "Set result",
        "Max holes",
        "colour constraints",
        "groups",
    ),
    *("Start", "Stop", "Continue", "Prepare", "Step", "Disassemble", "Just count", "Keep mirror"),
    *("Keep rotated", "Complete rotation check", "Sort by", "Drop", "Limit", "delete solutions"),
    *("piece visibility", "placement browser", "movement browser", "time left", "`burrTxt FILE`"),
    *("`-d`", "`-d -p`", "`-s`", "`-r`", "`-q`", "`-o N`", "`burrTxt2 FILE`", "`-c`", "`-t N`"),
)

# ---- the file format ----

FORMAT = DOCS / "format.md"
HEADINGS: dict[type[msgspec.Struct], str] = {
    entries.PuzzleFile: "The file",
    entries.GridTable: "A grid table",
    entries.ShapeEntry: "A shape",
    entries.ProblemEntry: "A problem",
    entries.PieceEntry: "A piece",
    entries.AnswersEntry: "Answers",
    entries.SolutionEntry: "A solution",
    entries.DisassemblyEntry: "A disassembly",
    entries.TurnEntry: "A turn",
    entries.LevelsEntry: "Levels",
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
    assert {entry.__name__ for entry in HEADINGS} == entries.schema()["$defs"].keys()


def test_the_schema_beside_the_page_is_that_of_the_reader() -> None:
    """To write it anew: python tests/test_docs.py"""
    saved = (DOCS / "kumitate.schema.json").read_text(encoding="utf-8")
    assert saved == schema_text()


def schema_text() -> str:
    return json.dumps(entries.schema(), indent=2) + "\n"


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
    assert kumitate.referee.assembly_faults(solution.assembly) == []
    assert solution.disassembly
    assert kumitate.referee.disassembly_faults(solution.assembly, solution.disassembly) == []


# ---- the site ----


def test_the_links_of_the_readme_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README.read_text(encoding="utf-8"))
    assert {f"docs/{page.name}" for page in DOCS.glob("*.md")} <= set(links)
    for link in links:
        assert (ROOT / link).exists(), link


def test_every_page_has_a_place_in_the_navigation() -> None:
    named = re.findall(r'= "([\w-]+\.md)"', (ROOT / "zensical.toml").read_text(encoding="utf-8"))
    made = {"gallery.md", *pages()}
    assert sorted(named) == sorted({page.name for page in DOCS.glob("*.md")} | made)


def test_the_reference_explains_every_member_and_spells_out_all_options() -> None:
    made = pages()
    undescribed = [
        f"{name}: {entry.splitlines()[0]}"
        for name, text in made.items()
        for entry in re.split(r"^##+ ", text, flags=re.MULTILINE)[1:]
        if not re.sub(r"^```python\n.*?^```$|^\S*$", "", entry, flags=re.M | re.S).strip()
    ]
    assert undescribed == []
    front = made["api-kumitate.md"]
    assert re.search(r"^    max_states: int . None = None,$", front, re.MULTILINE)
    signatures = re.findall(r"^```python\n(?!>>>)(.*?)^```$", "\n".join(made.values()), re.M | re.S)
    assert len(signatures) > 200
    assert [text for text in signatures if re.search(r"<|Keywords|= ?[,)]", text)] == []


def test_the_examples_of_the_reference_are_right() -> None:
    assert doctest.testmod(reference).failed == 0
    assert "`kumitate solve --resume run.kumitate`" in pages()["commands.md"]


def test_the_site_builds_and_has_all_names(tmp_path: Path) -> None:
    """Links lead somewhere, and the reference has every public name and every command."""
    shown = {"soma": "240 assemblies", "letterbox": "level 3R0", "triaboloes": "6 problems"}
    shown["de-bruijn-cube"] = "has no assembly"
    build(tmp_path / "site", tmp_path / "work", shown)
    for page in DOCS.glob("*.md"):
        name = "index.html" if page.stem == "index" else f"{page.stem}/index.html"
        assert (tmp_path / "site" / name).exists()
    assert dead_links(tmp_path / "site") == []
    for built in (tmp_path / "site").rglob("index.html"):
        assert "BLANKLINE" not in built.read_text(encoding="utf-8"), built
    published = {path.suffix for path in (tmp_path / "site").rglob("*") if path.is_file()}
    assert ".py" not in published
    reference = "".join(
        path.read_text(encoding="utf-8")
        for name in ("api-*", "commands")
        for path in (tmp_path / "site").glob(f"{name}/index.html")
    )
    missing = [name for name in NAMES if f'id="{name.lower()}"' not in reference]
    assert missing == ["KnownAnswer"]  # what library.answers returns, not a name to import
    assert all(f'id="kumitate-{command}"' in reference for command in cli.commands)
    cards = (tmp_path / "site" / "gallery" / "index.html").read_text(encoding="utf-8")
    for name, known in shown.items():
        assert f'id="{name}"' in cards
        assert known in cards
        for suffix in (".svg", ".html", ".3mf", ".kumitate.json"):
            assert f"{name}{suffix}" in cards
            assert (tmp_path / "site" / "gallery" / f"{name}{suffix}").stat().st_size > 200


def dead_links(site: Path) -> list[str]:
    """What pages refer to that is not there; Zensical looks for neither pictures nor headings."""
    texts = {page: page.read_text(encoding="utf-8") for page in site.rglob("index.html")}
    dead = []
    for page, text in texts.items():
        for link in re.findall(r'(?:href|src)="([^"]+)"', text):
            path, _, heading = unquote(link).partition("#")
            path = path.partition("?")[0]
            if re.match(r"\w+:|/", path):
                continue
            at = page.parent.joinpath(path).resolve() if path else page
            at = at / "index.html" if at.is_dir() else at
            if not at.is_file() or (heading and f'id="{heading}"' not in texts.get(at, link)):
                dead.append(f"{page.parent.name}: {link}")
    return dead


def test_a_dead_link_would_be_noticed(tmp_path: Path) -> None:
    links = ["a/#b", "a/#c", "#d", "https://example.com/x"]
    page = "".join(f'<a href="{link}">x</a>' for link in links) + '<img src="no.svg">'
    (tmp_path / "a").mkdir()
    (tmp_path / "index.html").write_text(page, encoding="utf-8")
    (tmp_path / "a" / "index.html").write_text('<h2 id="b">B</h2>', encoding="utf-8")
    at = tmp_path.name
    assert dead_links(tmp_path) == [f"{at}: a/#c", f"{at}: #d", f"{at}: no.svg"]


def test_every_puzzle_of_the_library_is_in_one_group_of_the_gallery() -> None:
    members = [name for names in gallery.groups().values() for name in names]
    assert sorted(members) == list(kumitate.library)


def test_the_library_is_as_large_as_the_pages_say() -> None:
    problems = sum(len(puzzle.problems) for puzzle in kumitate.library.values())
    said = f"There are {len(kumitate.library)} puzzles with {problems} problems."
    assert said in (DOCS / "library.md").read_text(encoding="utf-8")
    assert f": {problems} problems, from" in README.read_text(encoding="utf-8")


def test_the_citation_has_the_version() -> None:
    cited = re.findall(r"(?m)^version: (.+)$", (ROOT / "CITATION.cff").read_text("utf-8"))
    assert cited == [kumitate.__version__]


if __name__ == "__main__":
    (DOCS / "kumitate.schema.json").write_text(schema_text(), encoding="utf-8")
