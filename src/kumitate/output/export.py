"""One door to all formats: the suffix of a file says how to write, the view says what.

    view       what it shows                                   goes into
    pieces     the pieces, laid out to print or to look at     stl 3mf obj scad glb svg png html
    assembly   the puzzle put together                         stl 3mf obj scad glb svg png html
    exploded   the same, pieces drawn apart                    svg png
    layers     the same, layer by layer                        svg png txt csv
    steps      how it comes apart, move by move                html glb gif apng svg png
    booklet    cover, pieces and steps, to print               pdf html
    box        a box and a lid for the goal                    stl 3mf obj scad
    sheets     outlines for a laser cutter                     dxf svg
    sticks     a cut list for sticks of wood                   txt csv svg

The first view of a suffix in VIEWS is the one meant when nobody says. Everything is made before
anything is written.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from kumitate.disk import put, require_free
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import MOST_MILLIMETRES, given, require_number, require_whole
from kumitate.model.palette import piece_colour
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Solution
from kumitate.workshop import pieces_to_make

if TYPE_CHECKING:
    from kumitate.output.cutlist import Stick
    from kumitate.output.mesh import Mesh
    from kumitate.output.plates import Bed, Plate
    from kumitate.output.print_options import PrintOptions
    from kumitate.output.scene import Scene
    from kumitate.output.sheets import Sheet

View = Literal[
    "pieces", "assembly", "exploded", "layers", "steps", "booklet", "box", "sheets", "sticks"
]

SOLIDS = (".stl", ".3mf", ".obj", ".scad")
_PICTURES: tuple[View, ...] = ("pieces", "assembly", "exploded", "layers", "steps")
VIEWS: dict[str, tuple[View, ...]] = {
    **dict.fromkeys(SOLIDS, ("pieces", "assembly", "box")),
    ".glb": ("steps", "assembly", "pieces"),
    ".svg": (*_PICTURES, "sheets", "sticks"),
    ".png": _PICTURES,
    ".gif": ("steps",),
    ".apng": ("steps",),
    ".html": ("steps", "booklet", "assembly", "pieces"),
    ".pdf": ("booklet",),
    ".csv": ("layers", "sticks"),
    ".txt": ("layers", "sticks"),
    ".dxf": ("sheets",),
}
OF_ASSEMBLIES: tuple[View, ...] = ("assembly", "exploded", "layers", "booklet", "steps")

WIDTH = 800  # pixels of a PNG
MOST_MISSING = 8  # letters named in a warning

Files = dict[str, bytes]  # what goes before the suffix of the path, and the content


@dataclass(frozen=True)
class Order:
    """All that a writer may need."""

    puzzle: Puzzle
    problem: Problem | None
    solution: Solution | None
    view: View
    options: PrintOptions
    bed: Bed | None
    gap: float
    each: bool
    split: bool
    width: int | None
    stem: str
    suffix: str
    tell: Callable[[str], None]
    warn: Callable[[str], None]

    @property
    def assembly(self) -> Assembly:
        assert self.solution is not None
        return self.solution.assembly


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

    Several files are written if that is what it takes (a plate, or with `each` a piece each), with
    a number or a name before the suffix. `split` cuts pieces in parts that print without support,
    with pegs to snap them together. `puzzle` gives title, designer and colours where `what` has
    none, `tell` is told how much material solids take, `warn` which letters cannot be drawn.
    Returns the paths. A file is replaced only by `force`.

    >>> import kumitate, tempfile
    >>> path = tempfile.mkdtemp() + "/soma.svg"
    >>> [made] = export(kumitate.library["soma"], path)
    >>> made.name
    'soma.svg'
    """
    from kumitate.output.plates import GAP
    from kumitate.output.print_options import PrintOptions

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
    files = _WRITERS[order.suffix](order)
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


def view_for(path: Path, show: str | None) -> View:
    """The view that a file is to show, if that kind of file can."""
    views = VIEWS.get(path.suffix.lower())
    if views is None:
        raise unknown_suffix(path, VIEWS)
    for view in views:
        if show in (None, view):
            return view
    others = [suffix for suffix, those in VIEWS.items() if show in those]
    hint = f"; {show} goes into {', '.join(others)}" if others else ""
    raise PuzzleError(f"{path.name}: {path.suffix} shows {', '.join(views)}, not {show}{hint}")


def unknown_suffix(path: Path, known: Iterable[str]) -> PuzzleError:
    return PuzzleError(f"{path.name}: unknown kind of file; use one of {', '.join(known)}")


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


# ---- solids ----


def _pieces(order: Order) -> list[tuple[Shape, int, str]]:
    """The pieces to make, how many of each, and in which colour."""
    problem = order.problem
    made = pieces_to_make(problem or order.puzzle)
    if problem is None:
        return [(*one, piece_colour(number)) for number, one in enumerate(made)]
    named = [piece.shape.named(problem.label(n)) for n, piece in enumerate(problem.pieces)]
    return [(shape, count, piece_colour(named.index(shape))) for shape, count in made]


def _meshes(order: Order) -> list[Mesh]:
    """What is to be printed: a mesh for each thing, copies being the same mesh."""
    from kumitate.output.boxes import box
    from kumitate.output.joints import split
    from kumitate.output.print_options import solid

    pieces = _pieces(order)
    if not pieces:
        raise PuzzleError("there are no pieces to make")
    options = _sized(order.options, [shape for shape, _, _ in pieces])
    if order.view == "box":
        if order.problem is None:
            raise PuzzleError("a box needs a goal, and the puzzle sets no problem")
        return list(box(order.problem.goal, options))
    if options.label:
        _warn_of_strokes(order)
    made: list[Mesh] = []
    for shape, count, colour in pieces:
        parts = split(shape, options) if order.split else [solid(shape, options)]
        made += [replace(part, colour=colour) for part in parts] * count
    return made


def _sized(options: PrintOptions, shapes: Sequence[Shape]) -> PrintOptions:
    from kumitate.output.print_options import unit_for

    return options if options.unit is not None else replace(options, unit=unit_for(shapes))


def _bodies(order: Order, scene: Scene) -> tuple[list[Mesh], PrintOptions]:
    """The bodies of a scene where they lie, and how they are made."""
    from kumitate.output.placed_meshes import solids_of
    from kumitate.output.print_options import solid

    shapes = [body.shape for body in scene.bodies]
    options = _sized(order.options, shapes)
    if options.label:
        _warn_of_strokes(order)
    if order.view == "pieces":
        raw = [solid(shape, options) for shape in shapes]
    else:
        raw = solids_of(order.assembly, options)
    return [
        replace(mesh, name=body.name, colour=body.colour)
        for mesh, body in zip(raw, scene.bodies, strict=True)
    ], options


def _write_solids(order: Order) -> Files:
    """The assembly in one file, or plates of pieces, or a file for each piece."""
    batches = _batches(order)
    solids = [mesh for placed in batches.values() for mesh, _ in placed]
    volume = sum(mesh.volume for mesh in solids) / 1000
    order.tell(f"{len(solids)} solid{'s' * (len(solids) != 1)}, {volume:.2f} cm³")
    return {
        ending: data
        for before, placed in batches.items()
        for ending, data in _encoded(order, placed, before).items()
    }


def _batches(order: Order) -> dict[str, Plate]:
    """What goes into each file, by what is said of it before the suffix; 3MF holds all plates."""
    from kumitate.output.plates import BED, in_a_row, lay_out
    from kumitate.output.scene import scene_of

    if order.view == "assembly":
        meshes, _ = _bodies(order, scene_of(order.assembly))
        return {"": [(mesh, (0.0, 0.0, 0.0)) for mesh in meshes]}
    meshes, bed = _meshes(order), order.bed or BED
    if order.each:
        different = list(dict.fromkeys(meshes))
        names = _distinct([mesh.name for mesh in different])
        return {
            f"-{name}": lay_out([mesh], bed, order.gap)[0]
            for name, mesh in zip(names, different, strict=True)
        }
    plates = lay_out(meshes, bed, order.gap)
    if order.suffix == ".3mf":
        return {"": in_a_row(plates, bed, order.gap)}
    if len(plates) == 1:
        return {"": plates[0]}
    return {f"-{number}": plate for number, plate in enumerate(plates, 1)}


def _distinct(names: Sequence[str]) -> list[str]:
    """Names of pieces as parts of file names; those that are not unique are numbered."""
    plain = [re.sub(r"[^\w.-]+", "_", name) or "piece" for name in names]
    return [f"{name}-{n}" if plain.count(name) > 1 else name for n, name in enumerate(plain, 1)]


def _encoded(order: Order, placed: Plate, before: str) -> Files:
    from kumitate.output import obj, openscad, stl, threemf

    if order.suffix == ".3mf":
        return {f"{before}.3mf": threemf.write(placed)}
    meshes = [mesh.shifted(by) for mesh, by in placed]
    if order.suffix == ".stl":
        return {f"{before}.stl": stl.write(meshes)}
    if order.suffix == ".scad":
        return {f"{before}.scad": openscad.write(meshes)}
    shape, colours = obj.write(meshes, order.stem + before)
    return {f"{before}.obj": shape, f"{before}.mtl": colours}


def _write_glb(order: Order) -> Files:
    from kumitate.output import gltf

    scene = _scene(order)
    meshes, options = _bodies(order, scene)
    assert options.unit is not None
    return {".glb": gltf.write(scene, meshes, options.unit)}


# ---- screens and paper ----


def _scene(order: Order) -> Scene:
    from kumitate.output.page import pieces_scene
    from kumitate.output.scene import Body, scene_of

    if order.view == "steps":
        return scene_of(order.solution)
    if order.view == "assembly":
        return scene_of(order.assembly)
    bodies = [
        Body(shape, f"{shape.name} × {count}" if count > 1 else shape.name, colour)
        for shape, count, colour in _pieces(order)
    ]
    return pieces_scene(order.puzzle.grid, bodies)


def _svg(order: Order) -> str:
    from kumitate.output import svg

    if order.view == "pieces":
        return svg.svg_of(order.puzzle)
    if order.view == "exploded":
        return svg.exploded_svg(order.assembly)
    if order.view == "layers":
        return svg.layers_svg(order.assembly)
    if order.view == "assembly":
        return svg.svg_of(order.assembly)
    assert order.solution is not None
    return svg.steps_svg(order.solution)


def _write_svg(order: Order) -> Files:
    if order.view == "sheets":
        from kumitate.output.sheets import to_svg

        return _numbered([to_svg(sheet) for sheet in _sheets(order)], ".svg")
    if order.view == "sticks":
        from kumitate.output.stickplan import cut_list_svg

        _warn_of_strokes(order)
        return {".svg": cut_list_svg(_sticks(order)).encode()}
    return {".svg": _svg(order).encode()}


def _write_png(order: Order) -> Files:
    from kumitate.output.raster import png
    from kumitate.output.words import boxed

    svg = _svg(order)
    _warn_of_missing(order, [unescape(words) for words in re.findall(">([^<]+)</text>", svg)])
    return {".png": png(boxed(svg), order.width or WIDTH)}


def _write_film(order: Order) -> Files:
    from kumitate.output import raster

    draw = raster.gif if order.suffix == ".gif" else raster.apng
    return {order.suffix: draw(_scene(order), order.width or raster.WIDTH)}


def _write_html(order: Order) -> Files:
    from kumitate.output import booklet
    from kumitate.output.page import page

    if order.view == "booklet":
        assert order.solution is not None
        return {".html": booklet.to_html(order.puzzle, order.solution).encode()}
    scenes = [(order.view, _scene(order))]
    if order.view != "pieces":
        scenes.append(("pieces", _scene(replace(order, view="pieces"))))
    puzzle = order.puzzle
    by = f"by {puzzle.by}" if puzzle.by else ""
    return {".html": page(scenes, puzzle.called, by, puzzle.comment).encode()}


def _write_pdf(order: Order) -> Files:
    from kumitate.output import booklet, pdf

    assert order.solution is not None
    pages = booklet.pages_of(order.puzzle, order.solution)
    _warn_of_missing(order, pdf.words_of(pages))
    return {".pdf": booklet.to_pdf(pages, order.puzzle.called)}


def _warn_of_missing(order: Order, words: Sequence[str]) -> None:
    """Letters that cannot be drawn here are named, rather than left out in silence."""
    from kumitate.output.words import undrawable

    if missing := undrawable(words):
        order.warn(
            f"{order.stem}{order.suffix}: no font on this machine has {_some(missing)};"
            " install one that does"
        )


def _warn_of_strokes(order: Order) -> None:
    """Likewise of letters in the names of pieces that cannot be engraved."""
    from kumitate.output.strokes import lacking

    if missing := lacking(shape.name for shape, _, _ in _pieces(order)):
        order.warn(
            f"{order.stem}{order.suffix}: left out of the names, since strokes cannot write them:"
            f" {_some(missing)}; name the pieces by A to Z and digits"
        )


def _some(letters: Sequence[str]) -> str:
    named = []
    for letter in letters[:MOST_MISSING]:
        code = f"U+{ord(letter):04X}"
        named.append(f"{letter} ({code})" if letter.isprintable() else code)
    return ", ".join(named) + (" and others" if len(letters) > MOST_MISSING else "")


def _write_text(order: Order) -> Files:
    from kumitate.output.cutlist import cut_list_csv, cut_list_text
    from kumitate.output.points import layers_text, points_csv

    table = order.suffix == ".csv"
    if order.view == "sticks":
        text = (cut_list_csv if table else cut_list_text)(_sticks(order))
    else:
        text = (points_csv if table else layers_text)(order.assembly)
    return {order.suffix: text.encode()}


# ---- wood and lasers ----


def _sheets(order: Order) -> list[Sheet]:
    from kumitate.output import sheets

    _warn_of_strokes(order)
    unit, inset = _lengths(order.options, sheets.UNIT, sheets.INSET)
    size = order.bed or sheets.SIZE
    return sheets.sheets(order.problem or order.puzzle, unit, inset, size=size)


def _sticks(order: Order) -> tuple[Stick, ...]:
    from kumitate.output import cutlist

    unit, inset = _lengths(order.options, cutlist.UNIT, cutlist.INSET)
    return cutlist.cut_list(order.problem or order.puzzle, unit, inset)


def _lengths(options: PrintOptions, unit: float, inset: float) -> tuple[float, float]:
    """Those asked for; where they are as for printers, those of wood and lasers."""
    from kumitate.output.print_options import PrintOptions

    if isinstance(options.unit, tuple):
        raise PuzzleError("cells of different sides are for printers only; give one --unit")
    return (options.unit or unit, inset if options.inset == PrintOptions().inset else options.inset)


def _write_dxf(order: Order) -> Files:
    from kumitate.output.sheets import to_dxf

    return _numbered([to_dxf(sheet) for sheet in _sheets(order)], ".dxf")


def _numbered(texts: Sequence[str], suffix: str) -> Files:
    if len(texts) == 1:
        return {suffix: texts[0].encode()}
    return {f"-{number}{suffix}": text.encode() for number, text in enumerate(texts, 1)}


_WRITERS: dict[str, Callable[[Order], Files]] = {
    ".stl": _write_solids,
    ".3mf": _write_solids,
    ".obj": _write_solids,
    ".scad": _write_solids,
    ".glb": _write_glb,
    ".svg": _write_svg,
    ".png": _write_png,
    ".gif": _write_film,
    ".apng": _write_film,
    ".html": _write_html,
    ".pdf": _write_pdf,
    ".csv": _write_text,
    ".txt": _write_text,
    ".dxf": _write_dxf,
}
