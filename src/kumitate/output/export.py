"""One door to all formats: the suffix of a file says how to write, the view says what.

Everything is made before anything is written.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from kumitate.disk import put, require_free
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import MOST_MILLIMETRES, given, require_number, require_whole
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Solution
from kumitate.output.order import Files, Order
from kumitate.output.views import OF_ASSEMBLIES, View, view_for

if TYPE_CHECKING:
    from kumitate.output.make.rectangles import Bed
    from kumitate.output.solid.print_options import PrintOptions


def export(
    what: Puzzle | Problem | Shape | Assembly | Solution,
    path: str | Path,
    *,
    show: View | None = None,
    options: PrintOptions | None = None,
    bed: Bed | None = None,
    gap: float | None = None,
    each: bool = False,
    split: bool = False,
    width: int | None = None,
    puzzle: Puzzle | None = None,
    force: bool = False,
    tell: Callable[[str], None] | None = None,
    warn: Callable[[str], None] = warnings.warn,
) -> list[Path]:
    """Write a file for printers, screens or paper; the suffix of the path says which kind.

    Where needed it writes several files, one for each plate or (with `each`) for each piece, with a
    number or a name before the suffix. `split` cuts pieces into parts that print without support,
    with pegs to snap them together. `puzzle` gives title, designer and colours where `what` has
    none. `tell` receives a line on how much material solids take, `warn` one on letters that cannot
    be drawn. Returns the paths. Files that exist are replaced only with `force`.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/soma.svg"
    >>> [made] = export(kumitate.library["soma"], path)
    >>> made.name
    'soma.svg'
    """
    order = order_for(
        what,
        path,
        show=show,
        options=options,
        bed=bed,
        gap=gap,
        each=each,
        split=split,
        width=width,
        puzzle=puzzle,
        tell=tell,
        warn=warn,
    )
    path = Path(path)
    files = _writers()[order.suffix](order)
    if not files:
        raise PuzzleError(f"{path.name}: there are no pieces to show")
    made = {path.with_name(path.stem + ending): data for ending, data in files.items()}
    for file in made:
        require_free(file, force)
    for file, data in made.items():
        try:
            put(file, data)
        except PuzzleError as error:
            raise PuzzleError(f"{file}: {error}") from None
    return list(made)


def order_for(
    what: Puzzle | Problem | Shape | Assembly | Solution,
    path: str | Path,
    *,
    show: View | None = None,
    options: PrintOptions | None = None,
    bed: Bed | None = None,
    gap: float | None = None,
    each: bool = False,
    split: bool = False,
    width: int | None = None,
    puzzle: Puzzle | None = None,
    tell: Callable[[str], None] | None = None,
    warn: Callable[[str], None] = warnings.warn,
) -> Order:
    """What `export` is to make, checked and complete."""
    from kumitate.output.make.rectangles import GAP
    from kumitate.output.solid.print_options import PrintOptions

    require_number(0, MOST_MILLIMETRES, **given(gap=gap))
    for side in bed or ():
        require_number(0, MOST_MILLIMETRES, bed=side)
    require_whole(16, 10_000, **given(width=width))
    path = Path(path)
    view = view_for(path, show)
    whose, problem, solution = _taken_apart(what)
    order = Order(
        puzzle or whose, problem, solution, view, options or PrintOptions(), bed,
        GAP if gap is None else gap, each, split, width, path.stem, path.suffix.lower(),
        tell or (lambda words: None), warn,
    )  # fmt: skip
    if view in OF_ASSEMBLIES and solution is None:
        raise PuzzleError(f"{path.name}: to show {view}, give an assembly or a solution")
    return order


def _taken_apart(
    what: Puzzle | Problem | Shape | Assembly | Solution,
) -> tuple[Puzzle, Problem | None, Solution | None]:
    if isinstance(what, Puzzle):
        return what, what.problems[0] if what.problems else None, None
    if isinstance(what, Shape):
        return Puzzle(what.grid, [what]), None, None
    if isinstance(what, Assembly):
        return _taken_apart(Solution(what))
    if isinstance(what, Solution):
        whose, problem, _ = _taken_apart(what.assembly.problem)
        return whose, problem, what
    return Puzzle.of(what), what, None


def _writers() -> dict[str, Callable[[Order], Files]]:
    """What writes each kind of file."""
    from kumitate.output import write_drawings, write_solids

    return {
        ".stl": write_solids.write_solids,
        ".3mf": write_solids.write_solids,
        ".obj": write_solids.write_solids,
        ".scad": write_solids.write_solids,
        ".glb": write_solids.write_glb,
        ".svg": write_drawings.write_svg,
        ".png": write_drawings.write_png,
        ".gif": write_drawings.write_film,
        ".apng": write_drawings.write_film,
        ".html": write_drawings.write_html,
        ".pdf": write_drawings.write_pdf,
        ".csv": write_drawings.write_text,
        ".txt": write_drawings.write_text,
        ".dxf": write_drawings.write_dxf,
    }
