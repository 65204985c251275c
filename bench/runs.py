"""Runs on disk: the cost of writing, memory, the time for a page, and the accuracy of progress.

CPU seconds, since the machine may be busy; all runs go into a temporary folder.
"""

import gc
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median

import kumitate
from kumitate import CUBES, Disassembly, Move, Piece, Problem, Puzzle, Shape
from kumitate.model.options import RunOptions
from kumitate.model.table import PackedRows
from kumitate.search import Progress
from kumitate.search.assemble import PreparedProblem
from kumitate.store import (
    Batch,
    FoundAssembly,
    Recorder,
    Task,
    create,
    open_run,
)

PAGE = 50
LONG: tuple[tuple[str, dict[str, bool]], ...] = (  # runs of more than 5 s
    ("bedlam", {}),
    ("bedlam", {"disassemble": True}),
    ("iq-puzzler-pro/5x11", {}),
    ("iq-puzzler-pro/diamond", {"rotations": True}),
    ("pentominoes/3x4x5", {"rotations": True}),
    ("kanoodle", {"disassemble": True}),
)


def memory() -> float:
    """Peak memory so far, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def dominoes() -> Puzzle:
    """A chessboard and 32 dominoes: 12,988,816 ways, counting all rotations."""
    board = Shape(CUBES, {(x, y, 0, 0) for x in range(8) for y in range(8)}, name="board")
    domino = Shape.from_text(CUBES, "##", name="domino")
    return Puzzle(CUBES, [board, domino], [Problem(board, [Piece(domino, 32)])])


def search_only(puzzle: Puzzle) -> None:
    """Search to the last assembly; each is passed to Python and discarded."""
    prepared = PreparedProblem(puzzle.problems[0])
    prepared.prepare()
    search = prepared.core.search()
    while not search.done:
        search.run(100_000, 1 << 18, 2)


def writing(folder: Path) -> None:
    print(
        "writing                   assemblies   search  and count   and keep   slower     a second"
    )
    for name in ("iq-puzzler-pro/5x11", "iq-puzzler-pro/diamond", "kanoodle", "bedlam"):
        puzzle, path = kumitate.library[name], folder / "w.kumitate"
        times: list[list[float]] = []
        for _ in range(3):
            times.append(
                [
                    cpu(lambda: search_only(puzzle)),  # noqa: B023
                    cpu(lambda: kumitate.solve_into(path, puzzle, keep="none")),  # noqa: B023
                    cpu(lambda: kumitate.solve_into(path, puzzle)),  # noqa: B023
                ]
            )
        alone, counted, kept = (median(some) for some in zip(*times, strict=True))
        with open_run(path) as run:
            found = run.summary().assemblies
        print(
            f"{name:26}{found:10,} {alone:8.2f} {counted:10.2f} {kept:10.2f}"
            f" {100 * (kept / alone - 1):7.1f} % {found / kept:12,.0f}"
        )


def ten_million(folder: Path) -> None:
    before, path = memory(), folder / "m.kumitate"
    start, spent = time.monotonic(), time.process_time()
    found = kumitate.solve_into(path, dominoes(), rotations=True)
    seconds, spent = time.monotonic() - start, time.process_time() - spent
    print(
        f"\n{found.kept:,} assemblies kept: {seconds:.1f} s, {spent:.1f} s of CPU, file"
        f" {path.stat().st_size / 1e6:.0f} MB, memory {before:.0f} -> {memory():.0f} MB"
    )
    with open_run(path) as run:
        pages(run, "found")


def pages(run: kumitate.Run, order: str) -> None:
    chance, times = Random(1), []
    run.page(1, 1)
    gc.disable()  # a full collection now and then takes longer than the page
    for _ in range(200):
        first = chance.randrange(1, len(run) - PAGE)
        start = time.thread_time()
        assert len(run.page(first, PAGE, order)) == PAGE  # type: ignore[arg-type]
        times.append(1000 * (time.thread_time() - start))
    gc.enable()
    times.sort()
    print(
        f"a page of {PAGE} of {len(run):,} by {order:6} median {median(times):.2f} ms of CPU,"
        f" 95 % below {times[189]:.2f}, all 200 below {times[-1]:.2f}"
    )


def _tree(chance: Random, level: int) -> Disassembly:
    """A made-up disassembly: `level` moves to the first separation, a few to the others."""

    def moves(number: int) -> list[Move]:
        steps = [(1, 0, 0), (0, 1, 0), (0, 0, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1)]
        some = [
            (chance.sample(range(6), chance.randrange(1, 4)), chance.choice(steps))
            for _ in range(number)
        ]
        far = [*(chance.randrange(1, 4) for _ in range(number - 1)), None]
        return [Move(*move, units) for move, units in zip(some, far, strict=True)]

    rest = [Disassembly(moves(chance.randrange(1, 6))) for _ in range(3)]
    return Disassembly(moves(level), Disassembly(rest[0].moves, rest[1]), rest[2])


def million_solutions(folder: Path) -> None:
    """Made-up solutions of a six-piece burr, with levels up to 99."""
    path, chance = folder / "s.kumitate", Random(1)
    puzzle = kumitate.library["six-piece-burr"]
    options = RunOptions(disassemble=True)
    prepared = PreparedProblem(puzzle.problems[0])
    prepared.prepare()
    search = prepared.core.search()
    create(path, puzzle, 1, options, None, prepared.table, "made up", search.save())
    names, rows, length = search.run(10**9, 10**9, 2)
    size = 2 * length
    trees = [_tree(chance, level) for level in range(1, 100) for _ in range(5)]
    task = Task(1, search.save(), 0, 0.5)
    with open_run(path) as run:
        recorder = Recorder(run)
        spent = time.process_time()
        for _ in range(100):
            some = [chance.randrange(rows) for _ in range(10_000)]
            found = [
                FoundAssembly.of(names[n * size : (n + 1) * size], "apart", chance.choice(trees))
                for n in some
            ]
            recorder.commit([Batch(task, task, False, PackedRows(b"", 0, 0), found)], 0, "running")
        spent = time.process_time() - spent
        print(
            f"\n1,000,000 solutions with disassemblies: {spent:.1f} s of CPU to write them,"
            f" file {path.stat().st_size / 1e6:.0f} MB"
        )
        for order in ("found", "level", "moves"):
            pages(run, order)


def progress(folder: Path) -> None:
    print(
        f"\n{'progress at half time, threads':40} {'seconds':>10} fraction"
        "  left: est.     was   ratio"
    )
    for name, options in LONG:
        for threads in (1, 2):
            seen: list[tuple[float, float]] = []
            start = time.process_time()

            def note(
                now: Progress, start: float = start, seen: list[tuple[float, float]] = seen
            ) -> None:
                seen.append((time.process_time() - start, now.fraction))

            kumitate.solve_into(
                folder / "p.kumitate",
                kumitate.library[name],
                keep="none",
                threads=threads,
                progress=note,
                **options,
            )
            whole = time.process_time() - start
            moment, fraction = min(seen, key=lambda one: abs(one[0] - whole / 2))
            estimate = moment * (1 - fraction) / fraction
            label = " ".join([name, *(f"--{option}" for option in options)])
            print(
                f"{label:40} {threads} {whole:8.1f} {fraction:8.2f} {estimate:11.1f}"
                f" {whole - moment:7.1f} {estimate / (whole - moment):7.2f}",
                flush=True,
            )


def main() -> None:
    parts = (ten_million, million_solutions, writing, progress)
    wanted = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for part in parts:
            if not wanted or part.__name__ in wanted:
                part(Path(folder))


if __name__ == "__main__":
    main()
