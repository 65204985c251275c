"""A comparison with other Python packages for exact cover: every answer of some problems, in lists.

    pip install xcover exact-cover && python -m bench.peers

Each package gets the problem in the form that it takes, made beforehand: lists of items, or a
matrix. CPU seconds of a call, without imports and without the compilation in a first call; what is
over at once is called many times, and the fastest of several rounds counts. A package that is not
installed is left out.
"""

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import kumitate
from kumitate.search.placements import ask

LEAST = 0.2  # seconds that a measurement takes


@dataclass(frozen=True)
class Question:
    """What all packages are asked; colours are written as xcover writes them, `item:COLOUR`."""

    name: str
    options: Sequence[Sequence[Hashable]]
    secondary: Sequence[Hashable] = field(default_factory=list)
    coloured: bool = False


def rows_of(problem: kumitate.Problem) -> list[list[int]]:
    """The rows of an exact cover; columns are cells, then pieces."""
    question, _ = ask(problem, distinct_copies=True)
    cells = len(problem.goal)
    return [
        [*question.covers(name), cells + piece]
        for name, (piece, *_) in enumerate(question.placements())
    ]


def sudoku(clues: str) -> list[list[str]]:
    return [
        [f"cell {r} {c}", f"row {r} {d}", f"column {c} {d}", f"box {r // 3} {c // 3} {d}"]
        for r in range(9)
        for c in range(9)
        for d in range(1, 10)
        if clues[9 * r + c] in f".{d}"
    ]


def queens(n: int) -> Question:
    options = [[f"r{r}", f"c{c}", f"a{r + c}", f"b{r - c}"] for r in range(n) for c in range(n)]
    diagonals = dict.fromkeys(item for option in options for item in option[2:])
    return Question(f"{n} queens", options, list(diagonals))


def word_search(words: Sequence[str], wide: int, deep: int) -> Question:
    """Every word once, in any of eight directions; words may share letters."""
    cells = [(x, y) for x in range(wide) for y in range(deep)]
    ways = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if (i, j) != (0, 0)]
    options = [
        [word, *[f"{x},{y}:{letter}" for (x, y), letter in zip(path, word, strict=True)]]
        for word in words
        for x, y in cells
        for i, j in ways
        for path in [[(x + i * n, y + j * n) for n in range(len(word))]]
        if path[-1] in cells
    ]
    name = f"word search, {len(words)} words in {wide}x{deep}"
    return Question(name, options, [f"{x},{y}" for x, y in cells], coloured=True)


def questions() -> list[Question]:
    numbers = [[1, 4, 7], [1, 4], [4, 5, 7], [3, 5, 6], [2, 3, 6, 7], [2, 7]]
    colours = [["p", "q", "x", "y:A"], ["p", "r", "x:A", "y"], ["p", "x:B"], ["q", "x:A"]]
    board = [(x, y) for x in range(6) for y in range(8)]
    dominoes = [
        [one, there]
        for one in board
        for there in ((one[0] + 1, one[1]), (one[0], one[1] + 1))
        if there in board
    ]
    return [
        Question("README of xcover", numbers),
        Question("README of xcover, colours", [*colours, ["r", "y:B"]], ["x", "y"], coloured=True),
        Question("README of exact-cover", [[0, 3], [0, 1, 2], [1, 2], [4]]),
        Question(
            "sudoku of 17 clues",
            sudoku(
                "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
            ),
        ),
        Question(
            "sudoku, hard",
            sudoku(
                "85...24..72......9..4.........1.7..23.5...9...4...........8..7..17..........36.4."
            ),
        ),
        queens(8),
        queens(10),
        queens(12),
        Question("soma", rows_of(kumitate.library["soma"].problem())),
        Question("pentominoes, 6x10", rows_of(kumitate.library["pentominoes"].problem("6x10"))),
        Question("dominoes, 6x8", dominoes),
        word_search(["SOMA", "BURR", "CUBE", "TRAY"], 4, 4),
    ]


# ---- the packages: from a question to a call that lists its answers ----


def by_kumitate(question: Question) -> Callable[[], int]:
    options: Any = question.options
    if question.coloured:
        options = [
            {item: colour or None for text in option for item, _, colour in [text.partition(":")]}
            for option in options
        ]
    return lambda: len(list(kumitate.cover(options, secondary=question.secondary)))


def by_xcover(question: Question) -> Callable[[], int]:
    from xcover import covers  # type: ignore[import-not-found]

    options, coloured = question.options, question.coloured
    secondary = list(question.secondary)
    items = {str(item).split(":")[0] if coloured else item for option in options for item in option}
    primary = list(items - set(secondary))
    return lambda: len(
        list(covers(options, primary=primary, secondary=secondary, colored=coloured))
    )


def by_exact_cover(question: Question) -> Callable[[], int] | None:
    """It has neither colours nor secondary items; a row of its own stands in for the latter."""
    import exact_cover  # type: ignore[import-not-found]
    import numpy as np

    if question.coloured:
        return None
    columns: dict[Hashable, int] = {}
    rows = [[item] for item in question.secondary]
    for option in (*question.options, *rows):
        for item in option:
            columns.setdefault(item, len(columns))
    matrix = np.zeros((len(question.options) + len(rows), len(columns)), dtype=bool)
    for n, option in enumerate((*question.options, *rows)):
        matrix[n, [columns[item] for item in option]] = True
    return lambda: len(exact_cover.get_all_solutions(matrix))


PACKAGES: dict[str, Callable[[Question], Callable[[], int] | None]] = {
    "kumitate": by_kumitate,
    "xcover": by_xcover,
    "exact-cover": by_exact_cover,
}


def seconds(call: Callable[[], int]) -> float:
    call()  # to compile it
    best, spent, calls = float("inf"), 0.0, 1
    while spent < LEAST:
        start = time.process_time()
        for _ in range(calls):
            call()
        took = time.process_time() - start
        best, spent = min(best, took / calls), spent + took
        if took < LEAST / 50:
            calls *= 2
    return best


def main() -> None:
    asked = questions()
    missing = []
    for label, package in PACKAGES.items():
        try:
            package(asked[0])
        except ImportError:
            missing.append(label)
            print(f"{label} is not installed, so it is left out: pip install {label}")
    print(f"{'':32}{'answers':>10}" + "".join(f"{label:>14}" for label in PACKAGES))
    for question in asked:
        cells, answers = [], set()
        for label, package in PACKAGES.items():
            call = None if label in missing else package(question)
            if call is not None:
                answers.add(call())
            cells.append("-" if call is None else f"{seconds(call):.7f}")
        assert len(answers) == 1, f"{question.name}: {answers}"
        row = "".join(f"{cell:>14}" for cell in cells)
        print(f"{question.name:32}{answers.pop():10,}{row}", flush=True)


if __name__ == "__main__":
    main()
