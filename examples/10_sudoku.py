"""Solves a sudoku, and counts how many solutions it has without each of its clues."""

from kumitate import cover

CLUES = """
    4 . . | . . . | 8 . 5
    . 3 . | . . . | . . .
    . . . | 7 . . | . . .
    ------+-------+------
    . 2 . | . . . | . 6 .
    . . . | . 8 . | 4 . .
    . . . | . 1 . | . . .
    ------+-------+------
    . . . | 6 . 3 | . 7 .
    5 . . | 2 . . | . . .
    1 . 4 | . . . | . . .
"""

MOST = 1000  # solutions to count
Option = tuple[int, int, int]  # row, column, digit


def sudoku(clues: str) -> dict[Option, list[tuple[str, int, int]]]:
    """A digit in a cell covers the cell, and this digit in its row, its column and its box."""
    return {
        (row, column, digit): [
            ("cell", row, column),
            ("row", row, digit),
            ("column", column, digit),
            ("box", row // 3 * 3 + column // 3, digit),
        ]
        for row in range(9)
        for column in range(9)
        for digit in range(1, 10)
        if clues[9 * row + column] in f".{digit}"
    }


clues = "".join(sign for sign in CLUES if sign in ".123456789")
[solution] = cover(sudoku(clues))  # there is exactly one
digits = {(row, column): digit for row, column, digit in solution}
for row in range(9):
    print(*[digits[row, column] for column in range(9)])

print("\nWithout one of the clues:")
for place, digit in enumerate(clues):
    if digit != ".":
        fewer = clues[:place] + "." + clues[place + 1 :]
        ways = cover(sudoku(fewer)).count(limit=MOST)
        more = " or more" if ways == MOST else ""
        where = f"row {place // 9 + 1}, column {place % 9 + 1}"
        print(f"the {digit} in {where}: {ways:,} solutions{more}")
