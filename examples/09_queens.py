"""Places queens on a chessboard, none of which attacks another: an exact cover of its own."""

from kumitate import cover


def queens(n: int) -> list[list[str]]:
    """An option for each square: the row, the column and the two diagonals that a queen takes."""
    squares = [(row, column) for row in range(n) for column in range(n)]
    return [[f"row {r}", f"column {c}", f"up {r + c}", f"down {r - c}"] for r, c in squares]


for n in range(1, 11):
    options = queens(n)
    diagonals = {item for option in options for item in option[2:]}
    print(f"{n:2} queens: {cover(options, secondary=diagonals).count():4} ways")

options = queens(8)
diagonals = {item for option in options for item in option[2:]}
chosen = next(iter(cover(options, secondary=diagonals)))
for row in range(8):
    print(*["Q" if 8 * row + column in chosen else "." for column in range(8)])
