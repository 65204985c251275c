"""A comparison with other Python packages for exact cover: all solutions of two puzzles, in lists.

    pip install xcover exact-cover && python -m bench.peers

All three get the same rows and count every rotation and reflection. CPU seconds, without imports
and without the compilation in a first small call.
"""

import time
from collections.abc import Callable

import kumitate
from kumitate.search.placements import ask


def rows_of(problem: kumitate.Problem) -> list[list[int]]:
    """The rows of an exact cover; columns are cells, then pieces."""
    question, _ = ask(problem, distinct_copies=True)
    cells = len(problem.goal)
    return [
        [*question.covers(name), cells + piece]
        for name, (piece, *_) in enumerate(question.placements())
    ]


def by_kumitate(problem: kumitate.Problem) -> int:
    return len(list(kumitate.assemble(problem, rotations=True)))


def by_xcover(problem: kumitate.Problem) -> int:
    from xcover import covers_bool  # type: ignore[import-not-found]

    return len(list(covers_bool(matrix_of(problem))))


def by_exact_cover(problem: kumitate.Problem) -> int:
    import exact_cover  # type: ignore[import-not-found]

    return len(exact_cover.get_all_solutions(matrix_of(problem)))


def matrix_of(problem: kumitate.Problem):  # type: ignore[no-untyped-def]
    import numpy as np

    rows = rows_of(problem)
    matrix = np.zeros((len(rows), len(problem.goal) + len(problem.pieces)), dtype=bool)
    for i, columns in enumerate(rows):
        matrix[i, columns] = True
    return matrix


def main() -> None:
    works: dict[str, Callable[[kumitate.Problem], int]] = {
        "kumitate": by_kumitate,
        "xcover": by_xcover,
        "exact-cover": by_exact_cover,
    }
    [tiny] = kumitate.library["diabolical-cube"].problems
    for name in ("soma", "pentominoes/6x10"):
        [problem] = kumitate.library[name].problems
        for label, work in works.items():
            try:
                work(tiny)
            except ImportError:
                print(f"{name:18} {label:12} not installed: pip install {label}")
                continue
            start = time.process_time()
            found = work(problem)
            print(
                f"{name:18} {label:12} {found:6} {time.process_time() - start:8.3f} s", flush=True
            )


if __name__ == "__main__":
    main()
