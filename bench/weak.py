"""Where kumitate was slower than it should be, next to BurrTools and to the aims.

Puzzles drawn at a larger scale, assemblies that fall apart at once, loose pieces, listing millions,
and cold starts, with modules compiled before. CPU seconds on one thread, the median of three, and
microseconds for each assembly. BurrTools' seconds are those of version 0.7.1 on the same files; R
marks its reduction. Files that are not part of the project are skipped if ../shared/reference does
not have them.
"""

import json
import resource
import subprocess
import sys
import tempfile
from statistics import median

from tests.search.test_loose import lidded_box

import kumitate
from bench.__main__ import REFERENCE, cpu, yardstick

ROUNDS = 3
HEADS = f"{'':38} {'found':>10} {'CPU s':>8} {'us each':>8} {'BurrTools s':>12}  aim"
KUMITATE = [sys.executable, "-m", "kumitate"]
FIRST = """
import sys, time
from kumitate import Assembly, Piece, Placement, Problem, Shape, disassemble
from kumitate.grids import GRIDS
near, far = (Shape(GRIDS[sys.argv[1]], {(x, 0, 0, 0)}) for x in (0, 9))
problem = Problem(near | far, [Piece(near), Piece(far)])
assembly = Assembly(problem, [Placement(n, 0, (0, 0, 0)) for n in (0, 1)])
times = [time.process_time()]
for _ in range(2):
    disassemble(assembly)
    times.append(time.process_time())
print(times[1] - times[0] - (times[2] - times[1]))
"""
FRESH = """
import sys, time, warnings
import kumitate.search.solve
warnings.simplefilter("ignore")
problem = kumitate.load(sys.argv[1]).problems[int(sys.argv[2])]
start = time.process_time()
if sys.argv[3] == "count":
    kumitate.count(problem)
else:
    for found in kumitate.examine_all(problem, disassemble=True):
        pass
print(time.process_time() - start)
"""


def row(what: str, seconds: float, found: int | None, theirs: str, aim: str) -> None:
    each = f"{1e6 * seconds / found:8.2f}" if found else ""
    amount = f"{found:,}" if found else ""
    print(f"{what:38} {amount:>10} {seconds:8.4f} {each:>8} {theirs:>12}  {aim}", flush=True)


def problem_of(name: str) -> kumitate.Problem | None:
    """A problem of the library, or the first of a reference file, if that is here."""
    if name.split("/")[0] in kumitate.library:
        return kumitate.library[name].problems[0]
    for path in REFERENCE.rglob(f"{name}.xmpuzzle"):
        return kumitate.load(path).problems[0]
    print(f"{name:38} skipped: no such file in {REFERENCE}")
    return None


def scaled() -> None:
    """1. As fast as the unscaled puzzle, and little time to set them up."""
    unscaled = cpu(lambda: kumitate.count(kumitate.library["pentominoes/6x10"].problems[0]), ROUNDS)
    most = f"{1.5 * unscaled + 0.3:.2f}"
    for name, theirs, aim in (
        ("pentominoes/6x10", "2.5", ""),
        ("pent6x10_x2", "4.2 R", most),
        ("pent6x10_x3", "6.7 R", most),
        ("soma_x2", "", "0.1"),
        ("soma_x3", "0.24 R", "0.1"),
    ):
        if problem := problem_of(name):
            found = kumitate.count(problem).assemblies
            seconds = cpu(lambda problem=problem: kumitate.count(problem), ROUNDS)  # type: ignore[misc]
            row(f"count {name}", seconds, found, theirs, aim)


def examine(problem: kumitate.Problem) -> int:
    return sum(1 for _ in kumitate.examine_all(problem, disassemble=True))


def easy() -> None:
    """2. From the assembly to the level, with Python values: what `solve` adds to `count`."""
    for name, theirs, aim in (
        ("DemoPieceGenerator", "0.010", "10 us each"),
        ("loose4_in_5x5x1", "4-9 us each", "10 us each"),
        ("pentominoes/5x12", "", "10 us each"),
        ("pentominoes/6x10", "", "10 us each"),
    ):
        if problem := problem_of(name):
            found = examine(problem)
            counting = cpu(lambda problem=problem: kumitate.count(problem), ROUNDS)  # type: ignore[misc]
            seconds = cpu(lambda problem=problem: examine(problem), ROUNDS)  # type: ignore[misc]
            row(f"take apart {name}", seconds - counting, found, theirs, aim)


def whole() -> None:
    """2. From the problem to its level, both searches and Python values: all that `solve` does.

    BurrTools finds and takes apart, too, once it has read the file. Its seconds are those of a
    machine whose yardstick took 0.159 s.
    """
    for name, theirs, aim in (
        ("CubeInCage", "0.0057", "0.0019"),
        ("evolved-box", "0.00084", "0.00028"),
    ):
        if problem := problem_of(name):
            found = examine(problem)
            seconds = cpu(lambda problem=problem: examine(problem), 20 * ROUNDS)  # type: ignore[misc]
            row(f"solve {name}", seconds, found, theirs, aim)


def loose() -> None:
    """3. Pieces that are loose in a box under a lid."""
    for name, theirs in (("lidbox14", "31.3"), ("lidbox15", "")):
        if problem := problem_of(name):
            assembly = next(kumitate.assemble(problem))
            seconds = cpu(lambda assembly=assembly: kumitate.disassemble(assembly), ROUNDS)  # type: ignore[misc]
            row(f"take apart {name}", seconds, None, theirs, "1")
    box = lidded_box(40)
    row("take apart 40 bars", cpu(lambda: kumitate.disassemble(box), ROUNDS), None, "", "1")


def child(words: list[str]) -> float:
    """The median of the CPU seconds of a process."""

    def used() -> float:
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        return now.ru_utime + now.ru_stime

    times = []
    for _ in range(ROUNDS):
        start = used()
        subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
        times.append(used() - start)
    return median(times)


def listing() -> None:
    """4. The command line, to the last assembly; a solve that prints less is the search alone."""
    with tempfile.TemporaryDirectory() as folder:
        for name in ("kanoodle/5x11", "dom_range_holes_6x6"):
            problem = problem_of(name)
            if problem is None:
                continue
            puzzle = str(next(REFERENCE.rglob(f"{name}.xmpuzzle"), name))
            found = kumitate.count(problem).assemblies
            run = ["--output", f"{folder}/listed.kumitate", "--force"]
            aim = "" if "/" in name else "5 us each"
            for rest in ([], ["--jsonl"], run):
                seconds = child([*KUMITATE, "solve", puzzle, "--threads", "1", *rest])
                row(f"solve {name} {' '.join(rest[:1])}", seconds, found, "", aim)


def cold() -> None:
    """5. A fresh process."""
    python = [sys.executable, "-c"]
    row("python alone", child([*python, "pass"]), None, "", "")
    row("import kumitate", child([*python, "import kumitate"]), None, "", "0.06")
    row("kumitate count soma", child([*KUMITATE, "count", "soma"]), None, "0.015", "0.12")
    for grid in ("cubes", "spheres", "rhombic", "orthoschemes"):
        row(
            f"first of disassemblies, {grid}",
            told([*python, FIRST, grid]),
            None,
            "",
            "0.005",
        )


def fresh() -> None:
    """6. BurrTools' examples, each in a fresh process, with modules loaded and files read."""
    results = REFERENCE / "burrtools_results.json"
    if not results.exists():
        return
    for each in json.loads(results.read_text("utf-8"))["rows"]:
        if each["set"] != "examples" or each.get("assemblies") is None:
            continue
        [path] = REFERENCE.glob(f"*/{each['puzzle']}.xmpuzzle")
        for what, theirs in (
            ("count", each["seconds_assembly"]),
            ("take apart", each.get("seconds_full")),
        ):
            if theirs:
                call = [sys.executable, "-c", FRESH, str(path), str(each["problem"]), what]
                label = f"{what} {each['puzzle']}/{each['problem']}"
                row(label, told(call), None, f"{theirs:.4f}", "no slower")


def told(words: list[str]) -> float:
    """The median of the seconds that a process prints."""
    return median(
        float(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
        for _ in range(ROUNDS)
    )


def main() -> None:
    print(f"yardstick {cpu(yardstick, 3):.3f} s")
    for part in (scaled, easy, whole, loose, listing, cold, fresh):
        print(f"\n{part.__doc__}\n{HEADS}")
        part()


if __name__ == "__main__":
    main()
