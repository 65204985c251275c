"""A booklet to print: cover, pieces, and how they go together, step by step.

The steps are those of the disassembly, backwards; without a disassembly, the pieces are laid one
after the other, the lowest first. Pages are laid out once, as drawings on A4 paper; PDF and HTML
show the same pages.
"""

from collections.abc import Iterator, Sequence
from html import escape
from textwrap import wrap

from kumitate.model.grid import Grid
from kumitate.model.palette import LIGHT
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.solution import Assembly, Solution
from kumitate.output.draw import pdf, svg
from kumitate.output.draw.arrow import with_arrow
from kumitate.output.draw.compass import compass
from kumitate.output.draw.drawing import draw, draw_each, paled
from kumitate.output.draw.marks import Drawing, Mark, Placed, Text, standing
from kumitate.output.draw.sheet import Entry
from kumitate.output.scene import Body, Pose, Scene, scene_of

WIDTH, HEIGHT = 595.0, 842.0  # A4 in points
MARGIN = 48.0
INK, FAINT_INK = LIGHT["ink"], LIGHT["muted"]
LETTERS = 10.0
UNIT = 60.0  # the most for a lattice unit


def to_pdf(pages: Sequence[pdf.Page], title: str) -> bytes:
    """The pages of a booklet as a PDF file."""
    return pdf.write(pages, WIDTH, HEIGHT, title)


def to_html(puzzle: Puzzle, solution: Solution) -> str:
    """The booklet as a page for the browser, which prints one sheet for each of its pages."""
    sheets = "".join(f"<section>{page}</section>\n" for page in drawings(puzzle, solution))
    title = escape(puzzle.called or "Puzzle")
    return f"{_HEAD}<title>{title}</title>\n<style>{_STYLE}</style>\n{sheets}</html>\n"


def drawings(puzzle: Puzzle, solution: Solution) -> list[str]:
    """The pages of the booklet, each as SVG."""
    return [svg.document(WIDTH, HEIGHT, page) for page in pages_of(puzzle, solution)]


_HEAD = '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
_STYLE = f"""
@page {{ size: A4; margin: 0 }}
body {{ margin: 0; background: {LIGHT["bench"]} }}
section {{ background: #fff; width: 210mm; height: 297mm; margin: 6mm auto; break-after: page }}
section svg {{ width: 100%; height: 100% }}
@media print {{ body {{ background: #fff }} section {{ margin: 0 }} }}
"""


def pages_of(puzzle: Puzzle, solution: Solution) -> list[pdf.Page]:
    """The pages: cover, pieces, steps.

    >>> from kumitate.library import library
    >>> from kumitate.search.solve import solve
    >>> soma = library["soma"]
    >>> len(pages_of(soma, next(solve(soma.problems[0], disassemble=True))))
    4
    """
    problem = solution.assembly.problem
    pieces = _grid(list(piece_entries(puzzle, problem)), 3, 4, "The pieces")
    steps = list(_backwards(solution) if solution.disassembly else _one_by_one(solution.assembly))
    shown = problem.grid
    return [_cover(puzzle, solution), *pieces, *_grid(steps, 2, 3, "Putting it together", shown)]


# ---- the cover ----


def _cover(puzzle: Puzzle, solution: Solution) -> pdf.Page:
    problem = solution.assembly.problem
    placements = len(solution.assembly.placements)
    facts = [f"{placements} piece{'s' * (placements != 1)}", str(problem)]
    if solution.levels:
        facts.append(f"level {solution.levels}, total moves: {solution.levels.total}")
    lines = [*_centred(puzzle.called or "Puzzle", 30, 110, INK)]
    if puzzle.by:
        lines += _centred(f"by {puzzle.by}", 14, 160, FAINT_INK)
    y = 690.0
    for fact in facts:
        made = _centred(fact, 12, y, FAINT_INK)
        lines += made
        y += 18 * len(made)
    drawing = draw(scene_of(solution.assembly), 0, puzzle.colours)
    return [_fitted(drawing, (120, 210, WIDTH - 240, 420)), _written(lines)]


def _centred(words: str, size: float, y: float, colour: str) -> list[Text]:
    """Words in the middle of the page, in as many lines as they need."""
    room = int((WIDTH - 2 * MARGIN) / pdf.text_width("n", size))
    lines = enumerate(wrap(words, room))
    return [Text((WIDTH / 2, y + 1.3 * size * n), line, size, colour) for n, line in lines]


# ---- pages of pictures ----


def piece_entries(puzzle: Puzzle, problem: Problem) -> Iterator[Entry]:
    """The pieces of a problem, each with its name and how many there are."""
    bodies = [
        Body(piece.shape, problem.label(number), problem.colour(number))
        for number, piece in enumerate(problem.pieces)
    ]
    drawings = draw_each(problem.grid, bodies, puzzle.colours)
    for body, piece, drawing in zip(bodies, problem.pieces, drawings, strict=True):
        copies = "" if piece.copies == "1" else f" × {piece.copies}"
        yield Entry(drawing, body.name + copies)


def _grid(
    entries: Sequence[Entry], columns: int, rows: int, title: str, shown: Grid | None = None
) -> Iterator[pdf.Page]:
    """Pages of pictures in columns and rows, all at one scale; for a grid, with a compass."""
    top = MARGIN + 44
    wide, high = (WIDTH - 2 * MARGIN) / columns, (HEIGHT - MARGIN - top) / rows
    words_high = 40.0
    room = (wide - 16, high - words_high - 10)
    sizes = [entry.drawing.size for entry in entries]
    scale = min(
        [UNIT] + [r / max(s, 1e-9) for size in sizes for r, s in zip(room, size, strict=True)]
    )
    each = columns * rows
    for batch in (entries[n : n + each] for n in range(0, len(entries), each)):
        page: list[Placed] = []
        texts: list[Mark] = [Text((WIDTH / 2, MARGIN + 10), title, 16, INK)]
        if shown:
            texts += compass(shown, (MARGIN + 30, MARGIN + 14), 20, 0.8 * LETTERS, FAINT_INK)
        for number, entry in enumerate(batch):
            row, column = divmod(number, columns)
            x, y = MARGIN + wide * (column + 0.5), top + high * row
            page.append(standing(entry.drawing, scale, x, y + room[1]))
            lines = wrap(entry.words, int(room[0] / pdf.text_width("n", LETTERS)))
            texts += [
                Text((x, y + room[1] + 12 + 1.25 * LETTERS * n), line, LETTERS, INK)
                for n, line in enumerate(lines[:3])
            ]
        yield [*page, _written(texts)]


def _fitted(drawing: Drawing, box: tuple[float, float, float, float]) -> Placed:
    """A drawing in the middle of a box: left, top, width, height."""
    left, top, width, height = box
    scale = min(width / max(drawing.size[0], 1e-9), height / max(drawing.size[1], 1e-9), 90.0)
    return standing(drawing, scale, left + width / 2, top + (height + scale * drawing.size[1]) / 2)


def _written(texts: Sequence[Mark]) -> Placed:
    return Placed(Drawing(tuple(texts), (0, 0), (0, 0)), 1.0, (0.0, 0.0))


# ---- steps ----


def _backwards(solution: Solution) -> Iterator[Entry]:
    """The disassembly from its end: parts are brought near, then slid or turned together."""
    assembly, disassembly = solution.assembly, solution.disassembly
    assert disassembly is not None
    scene = scene_of(solution)
    separations = list(disassembly.separations(range(len(scene.bodies))))
    first = 1 + sum(1 + len(separation.moves) for _, separation in separations)
    number = 0
    for part, separation in reversed(separations):
        first -= 1 + len(separation.moves)
        joined = ", ".join(map(assembly.label, separation.moves[-1].pieces))
        others = [p for p in part if p not in separation.moves[-1].pieces]
        rest = ", ".join(map(assembly.label, others))
        apart = scene.poses[first + len(separation.moves)]
        yield Entry(draw(scene, apart), f"Take {joined}" + (f" and {rest}" if rest else ""))
        for at in range(len(separation.moves) - 1, -1, -1):
            move, number = separation.moves[at], number + 1
            before, after = scene.poses[first + at : first + at + 2]
            drawing = draw(paled(scene, set(move.pieces)), before)
            words = f"{number}. {move.describe_undone(assembly)}"
            yield Entry(with_arrow(drawing, scene, before, after, back=True), words)


def _one_by_one(assembly: Assembly) -> Iterator[Entry]:
    """Each picture adds one piece, the lowest first."""
    scene = scene_of(assembly)
    order = sorted(range(len(scene.bodies)), key=lambda n: (_height(scene, n), n))
    laid: set[int] = set()
    [here] = scene.poses
    for number, piece in enumerate(order, 1):
        laid.add(piece)
        pose = Pose(here.shifts, tuple(n in laid for n in range(len(scene.bodies))))
        drawing = draw(paled(scene, {piece}), pose)
        yield Entry(drawing, f"{number}. {scene.bodies[piece].name}")


def _height(scene: Scene, body: int) -> tuple[float, float]:
    """Where the lowest cell of a body lies, and its mean."""
    layers = [scene.grid.spot(cell)[2] for cell in scene.bodies[body].shape.cells]
    return min(layers), sum(layers) / len(layers)
