"""Which kinds of files there are, by their suffixes, and what each can show.

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

The first view of a suffix in VIEWS is the default.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Literal

from kumitate.model.errors import PuzzleError

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


def view_for(path: Path, show: str | None) -> View:
    """The view that a file is to show, if that kind of file can."""
    views = VIEWS.get(path.suffix.lower())
    if views is None:
        raise unknown_suffix(path, VIEWS)
    for view in views:
        if show in (None, view):
            return view
    others = [suffix for suffix, those in VIEWS.items() if show in those]
    hint = f"; to show {show}, use {', '.join(others)}" if others else ""
    raise PuzzleError(f"{path.name}: {path.suffix} shows {', '.join(views)}, not {show}{hint}")


def unknown_suffix(path: Path, known: Iterable[str]) -> PuzzleError:
    return PuzzleError(f"{path.name}: unknown kind of file; use one of {', '.join(known)}")
