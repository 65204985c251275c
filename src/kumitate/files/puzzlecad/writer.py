"""Write .scad: a plate with all pieces to print, and a comment with the puzzle for kumitate."""

from kumitate.files import json
from kumitate.files.document import Document, place
from kumitate.files.puzzlecad.reader import MOST_LETTERS, plate, read
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import CUBES
from kumitate.model.puzzle import Puzzle
from kumitate.model.shape import Shape

_UNITS = {1: 17, 2: 17, 3: 17, 4: 16, 5: 14}  # mm, by the longest side of any piece, as in bt2scad
_LEAST_UNIT = 11


def write(document: Document) -> tuple[bytes, list[str]]:
    """The bytes of a .scad file, and what the format cannot keep.

    >>> from kumitate.library import library
    >>> print(write(Document(library["soma"]))[0].decode().split("burr_plate")[0])
    // Soma cube, by Piet Hein
    // 3x3x3: V, L, T, Z, A, B, P fill 3x3x3 (27 cells)
    <BLANKLINE>
    include <puzzlecad.scad>
    <BLANKLINE>
    require_puzzlecad_version("2.0");
    <BLANKLINE>
    $burr_scale = 17;
    $burr_inset = 0.07;
    $burr_bevel = 0.5;
    <BLANKLINE>
    <BLANKLINE>
    """
    puzzle = document.puzzle
    if puzzle.grid != CUBES:
        raise PuzzleError(
            f"puzzlecad prints cubes, and this puzzle uses the grid {puzzle.grid.name!r};"
            " save it as .kumitate.json, or export meshes"
        )
    pieces = [puzzle.shapes[number] for number in plate(puzzle)]
    longest = max((max(piece.size) for piece in pieces), default=1)
    saved = json.write(Document(puzzle)).replace(b"*/", b"*\\/").decode()
    text = (
        f"{_header(puzzle)}include <puzzlecad.scad>\n\n"
        'require_puzzlecad_version("2.0");\n\n'
        f"$burr_scale = {_UNITS.get(longest, _LEAST_UNIT)};\n"
        "$burr_inset = 0.07;\n"
        "$burr_bevel = 0.5;\n\n"
        f"burr_plate([\n{''.join(map(_piece, pieces))}]);\n\n"
        f"/* kumitate\n{saved}*/\n"
    )
    data = text.encode()
    with place("cannot be written"):  # never write what could not be read back
        back = read(data)
    assert back.puzzle == puzzle
    lost = [
        f"problem {number}: saved answers are not kept"
        for number, answers in enumerate(document.answers, 1)
        if answers is not None
    ]
    return data, lost


def _header(puzzle: Puzzle) -> str:
    by = f", by {puzzle.designer}" if puzzle.designer else ""
    title = f"{puzzle.title or 'Puzzle'}{by}"
    lines = [*title.splitlines(), *puzzle.comment.splitlines(), *map(str, puzzle.problems)]
    return "".join(f"// {_one_line(line)}".rstrip() + "\n" for line in lines) + "\n"


def _piece(shape: Shape) -> str:
    columns, rows, layers = shape.size
    if columns * rows * layers > MOST_LETTERS:
        raise PuzzleError(
            f"shape {shape.name!r} spans {columns} x {rows} x {layers} cells,"
            " too many for this format"
        )
    cells = shape.at_origin().cells
    texts = [
        "|".join(
            "".join("x" if (x, y, z, 0) in cells else "." for x in range(columns))
            for y in range(rows)
        )
        for z in range(layers)
    ]
    drawing = ",\n     ".join(f'"{text}"' for text in texts)
    name = f"    // {_one_line(shape.name)}\n" if shape.name else ""
    return f"{name}    [{drawing}],\n"


def _one_line(text: str) -> str:
    """Text without line breaks, for a comment that ends with its line."""
    return "".join(letter if letter.isprintable() else " " for letter in text)
