"""Find one: fill boxes with one piece, by our engines, and by python-sat and OR-tools directly.

    python -m bench.blocks            CPU seconds, median (and maximum) over seeds, and the tails
    python -m bench.blocks cover Y 5 5 5 0    one run, in this process

Every run is a process of its own with a limit of CPU seconds; starting Python and importing modules
is not counted. Our engines are measured from the problem to the assembly, including arguments. The
tests, not this benchmark, check the assemblies with the referee.
"""

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import product
from typing import Any

import kumitate
from kumitate import CUBES, Piece, Problem, Shape
from kumitate.search.assemble import PreparedProblem
from kumitate.search.one import sat_process
from kumitate.search.one.first import _cover_of

DRAWN = {"T": "###/.#.", "Y": "####/.#..", "N": "###./..##"}
CAP = 60  # CPU seconds a run may take

Run = tuple[str, str, tuple[int, int, int]]  # engine, piece, box
TABLE: list[tuple[str, tuple[int, int, int], str, dict[str, int]]] = [
    ("Y", (5, 5, 5), "0.1; local 0.37", {"cover": 10, "local": 10, "pysat": 5, "ortools": 3}),
    ("T", (6, 6, 6), "0.02", {"cover": 10, "local": 5, "pysat": 5, "ortools": 3}),
    ("T", (8, 8, 8), "0.1", {"cover": 10, "pysat": 3, "ortools": 1}),
    ("T", (10, 10, 10), "2", {"cover": 10, "pysat": 3, "ortools": 1}),
    ("Y", (10, 10, 4), "10", {"cover": 10, "divide": 3, "pysat": 3, "ortools": 1}),
    ("Y", (10, 10, 10), "none", {"cover": 1, "divide": 3, "pysat": 1, "ortools": 1}),
    ("N", (10, 10, 10), "none", {"cover": 1, "divide": 3, "pysat": 1, "ortools": 1}),
]


def box(letter: str, size: tuple[int, ...]) -> Problem:
    """A box, and as many copies of the piece as have its volume."""
    shape = Shape.from_text(CUBES, DRAWN[letter], name=letter)
    x, y, z = map(range, size)
    goal = Shape(CUBES, {(*spot, 0) for spot in product(x, y, z)})
    return Problem(goal, [Piece(shape, len(goal) // len(shape))])


def by_kumitate(problem: Problem, engine: str, seed: int) -> bool:
    return kumitate.first(problem, engine=engine, seed=seed).assembly is not None


def by_pysat(problem: Problem, seed: int) -> bool:
    """CaDiCaL; at most one placement per cell, encoded in pairs, or as a chain if they are many."""
    return sat_process.solve(_cover_of(PreparedProblem(problem)), seed) is not None


def by_ortools(problem: Problem, seed: int) -> bool:
    """CP-SAT on one thread."""
    from ortools.sat.python import cp_model

    cover = _cover_of(PreparedProblem(problem))
    model = cp_model.CpModel()
    chosen = [model.new_bool_var("") for _ in cover["covers"]]
    for column in sat_process.columns_of(cover["covers"], len(cover["optional"])):
        model.add_exactly_one(chosen[i] for i in column)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = seed
    return bool(solver.solve(model) == cp_model.OPTIMAL)


ENGINES: dict[str, Callable[[Problem, int], bool]] = {
    "cover": lambda problem, seed: by_kumitate(problem, "cover", seed),
    "local": lambda problem, seed: by_kumitate(problem, "local", seed),
    "divide": lambda problem, seed: by_kumitate(problem, "divide", seed),
    "auto": lambda problem, seed: by_kumitate(problem, "auto", seed),
    "pysat": by_pysat,
    "ortools": by_ortools,
}


def one(engine: str, letter: str, size: tuple[int, ...], seed: int) -> None:
    """Print the CPU seconds of one run, including child processes."""
    if engine == "pysat":
        import pysat.solvers  # noqa: F401
    if engine == "ortools":
        import ortools.sat.python.cp_model  # noqa: F401
    resource.setrlimit(resource.RLIMIT_CPU, (CAP + 5, CAP + 5))
    problem = box(letter, size)
    start = time.process_time()
    done = ENGINES[engine](problem, seed)
    used = time.process_time() - start
    used += resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    print(used if done else "wrong")


def measured(engine: str, letter: str, size: tuple[int, ...], seeds: int) -> list[float | None]:
    """The CPU seconds for each seed; None if it hit the limit."""
    times: list[float | None] = []
    for seed in range(seeds):
        words = [sys.executable, "-m", "bench.blocks", engine, letter, *map(str, size), str(seed)]
        done = subprocess.run(words, capture_output=True, text=True)
        times.append(float(done.stdout) if done.returncode == 0 else None)
    return times


def summary(times: list[float | None]) -> str:
    known = [t for t in times if t is not None]
    lost = len(times) - len(known)
    if not known:
        return f"> {CAP}"
    text = f"{statistics.median([t if t is not None else CAP for t in times]):.3f}"
    if len(times) > 1:
        text += f" ({max(known):.3f})" if not lost else f" ({lost} of {len(times)} > {CAP})"
    return text


def main() -> None:
    columns = ("cover", "local", "divide", "pysat", "ortools")
    print(f"{'':14}{'bar':16}" + "".join(f"{column:>22}" for column in columns))
    for letter, size, bar, seeds in TABLE:
        row = f"{letter + ' ' + 'x'.join(map(str, size)):14}{bar:16}"
        for column in columns:
            some = seeds.get(column, 0)
            row += f"{summary(measured(column, letter, size, some)) if some else '-':>22}"
        print(row, flush=True)
    for letter, size in (("Y", (5, 5, 5)), ("T", (6, 6, 6))):
        times = tail(letter, size)
        print(f"{letter} {'x'.join(map(str, size))}, 100 seeds: {summary(times)}", flush=True)


def tail(letter: str, size: tuple[int, ...]) -> list[float | None]:
    """The cover engine with a hundred seeds, in one process."""
    problem = box(letter, size)
    times: list[float | None] = []
    for seed in range(100):
        start = time.process_time()
        assert by_kumitate(problem, "cover", seed)
        times.append(time.process_time() - start)
    return times


if __name__ == "__main__":
    words: list[Any] = sys.argv[1:]
    if words:
        one(words[0], words[1], tuple(map(int, words[2:5])), int(words[5]))
    else:
        main()
