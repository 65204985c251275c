"""Can the tests fail? Puts one small fault at a time into a copy of the project and runs the tests.

    python -m bench.faults --count 100 --seed 1            a sample over all rooms below
    python -m bench.faults --only core/problem.cpp         of one file or folder
    python -m bench.faults --skip 40                       resumes after the first 40
    python -m bench.faults --nearest                       quick: only the nearest test of each
    python -m bench.faults --again 3 17                    only these two of the sample

A fault is a typical mistake: `<` for `<=`, `+` for `-`, `and` for `or`, a number off by one, a
branch never taken, a line left out. Only the tests nearest to the file are run (TESTS), so other
tests may still notice an "unnoticed" fault. A test that hangs counts as noticing. Faults are drawn
with a seed, so a sample can be repeated; those that do not compile are drawn again. An unnoticed
fault shows that a test is missing, or it does not change what the program does; a person has to
decide.
"""

import argparse
import ast
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SECONDS = 600  # CPU seconds for the tests of one fault, and three times that of wall time
PRINTED = "printed.txt"  # the output of the last command
PYTEST = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]

# Files, their weight in the sample, and their nearest tests, the quickest first.
TESTS: list[tuple[str, int, list[str]]] = [
    ("core/problem.cpp", 1, ["tests/search/test_assemble.py", "tests/search/one/test_first.py"]),
    ("core/symmetry.cpp", 2, ["tests/search/test_assemble.py", "tests/search/one/test_first.py"]),
    ("core/disassemble.cpp", 1, ["tests/search/test_disassemble.py"]),
    ("core/separation.cpp", 1, ["tests/search/test_disassemble.py", "tests/search/test_states.py"]),
    ("core/expander.hpp", 1, ["tests/search/test_disassemble.py", "tests/search/test_states.py"]),
    (
        "src/kumitate/store",
        3,
        [
            "tests/test_store.py",
            "tests/test_damage.py",
            "tests/test_damage_words.py",
            "tests/test_safety.py",
            "tests/test_collection.py",
            "tests/studio/serve/test_results.py",
            "tests/jobs",
        ],
    ),
    ("src/kumitate/files/burrtools", 3, ["tests/files/test_burrtools.py"]),
    ("src/kumitate/output", 3, ["tests/output"]),
    ("core/cover.cpp", 1, ["tests/search/test_assemble.py"]),
    ("core/search_tree.cpp", 1, ["tests/search/test_assemble.py", "tests/jobs/test_local.py"]),
    ("core/slide.cpp", 1, ["tests/search/test_disassemble.py"]),
    ("src/kumitate/model", 2, ["tests/model", "tests/test_referee.py", "tests/files"]),
    ("src/kumitate/referee.py", 1, ["tests/test_referee.py", "tests/search/one/test_arguments.py"]),
    ("src/kumitate/search", 3, ["tests/search"]),
    ("src/kumitate/files/json.py", 1, ["tests/files/test_json.py"]),
    ("src/kumitate/disk.py", 1, ["tests/test_disk.py"]),
    ("src/kumitate/cli", 2, ["tests/cli"]),
    ("src/kumitate/studio", 2, ["tests/studio"]),
]


@dataclass(frozen=True)
class Fault:
    """One place in a file, and the text to put there."""

    file: str
    start: int
    end: int
    text: str
    tests: tuple[str, ...]

    def applied(self, source: str) -> str:
        return source[: self.start] + self.text + source[self.end :]

    def describe(self, source: str) -> str:
        line = source.count("\n", 0, self.start) + 1
        was = " ".join(source[self.start : self.end].split())
        return f"{self.file}:{line}: {was!r} -> {' '.join(self.text.split())!r}"


# ---- faults in Python ----

COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==",
    ast.In: "not in", ast.NotIn: "in", ast.Is: "is not", ast.IsNot: "is",
}  # fmt: skip
OPERATORS: dict[type[ast.operator], str] = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "+", ast.FloorDiv: "*", ast.Mod: "//",
    ast.BitOr: "&", ast.BitAnd: "|",
}  # fmt: skip
WORDS = {"min": "max", "max": "min", "any": "all", "all": "any"}


def python_faults(source: str) -> Iterator[tuple[int, int, str]]:
    """Every fault that can be put into a module, as (start, end, text)."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    encoded = source.encode()

    def at(line: int, column: int) -> int:
        return len(encoded[: starts[line - 1] + column].decode())

    def span(node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return at(node.lineno, node.col_offset), at(node.end_lineno, node.end_col_offset)

    def between(left: ast.expr, right: ast.expr, text: str) -> tuple[int, int, str] | None:
        start, end = span(left)[1], span(right)[0]
        operator = re.fullmatch(r"(\s*)([^\s()]+|not in|is not)(\s*)", source[start:end])
        return (start, end, f"{operator[1]}{text}{operator[3]}") if operator else None

    tree = ast.parse(source)
    hints = {
        id(inner)
        for node in ast.walk(tree)
        for hint in (getattr(node, "annotation", None), getattr(node, "returns", None))
        if isinstance(hint, ast.AST)
        for inner in ast.walk(hint)
    }
    for node in ast.walk(tree):
        if id(node) in hints:
            continue
        fault: tuple[int, int, str] | None = None
        if isinstance(node, ast.Compare) and type(node.ops[0]) in COMPARISONS:
            fault = between(node.left, node.comparators[0], COMPARISONS[type(node.ops[0])])
        elif isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            fault = between(node.left, node.right, OPERATORS[type(node.op)])
        elif isinstance(node, ast.BoolOp):
            other = "or" if isinstance(node.op, ast.And) else "and"
            fault = between(node.values[0], node.values[1], other)
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            fault = (*span(node), str(node.value + 1))
        elif isinstance(node, ast.Constant) and type(node.value) is bool:
            fault = (*span(node), str(not node.value))
        elif isinstance(node, ast.Name) and node.id in WORDS:
            fault = (*span(node), WORDS[node.id])
        elif isinstance(node, ast.If | ast.While | ast.IfExp):
            start, end = span(node.test)
            fault = (start, end, f"not ({source[start:end]})")
        elif isinstance(node, ast.Continue | ast.Raise) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        ):
            fault = (*span(node), "pass")
        if fault:
            yield fault


# ---- faults in C++ ----

CPP = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "),
    (r" != ", " == "), (r" \+ ", " - "), (r" - ", " + "), (r" && ", " || "), (r" \|\| ", " && "),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"std::min\b", "std::max"),
    (r"std::max\b", "std::min"), (r"\bany_of\b", "all_of"), (r"\ball_of\b", "any_of"),
    (r"(?<=if \()!", ""), (r"\bif \(", "if (!"), (r"(?<=[ (])0(?=[;,)])", "1"),
    (r"(?<=[ (])1(?=[;,)])", "2"), (r"\bcontinue;", ";"), (r" \| ", " & "), (r" & ", " | "),
    (r"(?m)^ +[a-z_]+(\.|->)?[a-z_]*\([^;{}()]*\);$", ";"),
]  # fmt: skip


def cpp_faults(source: str) -> Iterator[tuple[int, int, str]]:
    """The same for C++, by regular expressions: bad matches do not compile."""
    idle = [m.span() for m in re.finditer(r'//[^\n]*|^#[^\n]*|"[^"\n]*"|<[\w:, ]+>', source, re.M)]
    for pattern, text in CPP:
        for match in re.finditer(pattern, source):
            if not any(start <= match.start() < end for start, end in idle):
                yield match.start(), match.end(), text


# ---- the sample ----


def faults(only: str | None) -> dict[str, list[Fault]]:
    """All possible faults, by the entry of TESTS that names their file."""
    found: dict[str, list[Fault]] = {}
    for place, _, tests in TESTS:
        path = ROOT / place
        files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
        for file in files:
            name = file.relative_to(ROOT).as_posix()
            if only and not name.startswith(only):
                continue
            source = file.read_text("utf-8")
            make: Callable[[str], Iterator[tuple[int, int, str]]]
            make = python_faults if file.suffix == ".py" else cpp_faults
            nearest = tuple(filter(None, [own_test(name), *tests]))
            found.setdefault(place, []).extend(Fault(name, *f, nearest) for f in make(source))
    return {place: here for place, here in found.items() if here}


def own_test(file: str) -> str | None:
    """The test that mirrors a file, if there is one: the quickest to notice."""
    path = Path("tests", *Path(file).parts[2:-1], f"test_{Path(file).stem}.py")
    return path.as_posix() if (ROOT / path).exists() else None


def drawn(seed: int, only: str | None) -> Iterator[Fault]:
    """An endless sample of faults; rooms are drawn by their weights."""
    chance = random.Random(seed)
    here = faults(only)
    parts = [part for place, part, _ in TESTS if place in here]
    while True:
        [place] = chance.choices(list(here), parts)
        yield chance.choice(here[place])


# ---- trying one ----


def run(words: list[str], folder: Path, seconds: float) -> int | None:
    """The exit status, or None if it did not end in time; all its processes are killed."""
    environment = os.environ | {"PYTHONPATH": str(folder / "src"), "CI": "1"}
    with open(folder / PRINTED, "wb") as printed:
        process = subprocess.Popen(
            words,
            cwd=folder,
            env=environment,
            stdout=printed,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (int(seconds),) * 2),
        )
    try:
        return process.wait(3 * seconds)
    except subprocess.TimeoutExpired:
        return None
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def built(folder: Path) -> bool:
    """Build the core of the copy, and put it where Python finds it; return whether that worked."""
    if run(["cmake", "--build", "build/faults"], folder, 900) != 0:
        return False
    for library in (folder / "build" / "faults").glob("_core*"):
        shutil.copy(library, folder / "src" / "kumitate")
    return True


def copied(folder: Path) -> None:
    """Copy the files that git knows, and build the core there."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(words, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    for name in filter(None, names.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    words = [sys.executable, "-m", "nanobind", "--cmake_dir"]
    nanobind = subprocess.run(words, capture_output=True, check=True, text=True).stdout.strip()
    words = ["cmake", "-S", ".", "-B", "build/faults", "-DKUMITATE_STUDIO=OFF"]
    words += [f"-Dnanobind_DIR={nanobind}", f"-DPython_EXECUTABLE={sys.executable}"]
    if run(words, folder, 120) != 0 or not built(folder):
        sys.exit("the core does not build: pip install nanobind, and see CMakeLists.txt")
    import kumitate

    package, copy = Path(kumitate.__file__).parent, folder / "src" / "kumitate"
    if (package / "studio" / "static").exists():
        shutil.copytree(package / "studio" / "static", copy / "studio" / "static")
        for script in (package / "output").glob("*.js"):
            shutil.copy(script, copy / "output")


def noticed(fault: Fault, tests: Sequence[str], folder: Path) -> bool | None:
    """Whether one of the nearest tests fails, and passes again without the fault.

    None if the fault does not even compile.
    """
    file = folder / fault.file
    source = file.read_text("utf-8")
    core = file.suffix in (".cpp", ".hpp")
    failed: list[str] = []
    try:
        file.write_text(fault.applied(source), encoding="utf-8")
        if core and not built(folder):
            return None
        for test in tests:
            if run([*PYTEST, test], folder, SECONDS) != 0:
                failed = failures(folder) or [test]
                break
    finally:
        file.write_text(source, encoding="utf-8")
        if core:
            built(folder)
    if failed and run([*PYTEST, *failed], folder, 2 * SECONDS) != 0:
        said = (folder / PRINTED).read_text("utf-8", "replace")[-2000:]
        sys.exit(f"{said}\n{failed[0]} fails without any fault")
    return bool(failed)


def failures(folder: Path) -> list[str]:
    """The tests that failed in the last run."""
    printed = (folder / PRINTED).read_text("utf-8", "replace")
    return re.findall(r"^(?:FAILED|ERROR) (\S+?(?:::\w+)+)", printed, re.M)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--skip", type=int, default=0, help="skip this many of the sample")
    parser.add_argument("--only", help="a file or folder, such as core/problem.cpp")
    parser.add_argument("--again", nargs="+", type=int, help="only these, by number")
    parser.add_argument("--nearest", action="store_true", help="run only the nearest test of each")
    asked = parser.parse_args()
    tried = found = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "project"
        copied(folder)
        for number, fault in enumerate(drawn(asked.seed, asked.only)):
            if tried == asked.count or (asked.again and number > max(asked.again)):
                break
            if number < asked.skip or (asked.again and number not in asked.again):
                continue
            tests = fault.tests[:1] if asked.nearest else fault.tests
            outcome = noticed(fault, tests, folder)
            if outcome is None:
                continue
            tried, found = tried + 1, found + outcome
            what = fault.describe((ROOT / fault.file).read_text("utf-8"))
            print(f"{number:4}  {'noticed  ' if outcome else 'UNNOTICED'}  {what}", flush=True)
    print(f"{found} of {tried} noticed ({found / max(tried, 1):.0%})")


if __name__ == "__main__":
    main()
