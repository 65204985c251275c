"""Which options have an effect on which files; any other is refused, with where it belongs."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import get_args

from kumitate.model.errors import PuzzleError
from kumitate.model.grid import Grid
from kumitate.model.grids import CUBES
from kumitate.output.making import MAKE_OPTIONS
from kumitate.output.views import OF_ASSEMBLIES, SOLIDS, VIEWS, View

OTHERS = (".json", ".graphml")  # files that have no views

_MAKE = ("unit", "inset", "bevel", "bevel_units", "wall", "drain", "label", "neck")  # of solids
_ANY: tuple[View, ...] = get_args(View)
_EFFECTS: tuple[tuple[Sequence[str], Sequence[View | None], Sequence[str]], ...] = (
    (SOLIDS, ("pieces",), (*_MAKE, "bed", "gap", "each", "split")),
    (SOLIDS, ("assembly",), _MAKE),
    (SOLIDS, ("box",), ("unit", "bed", "gap", "each")),
    ((".glb",), _ANY, _MAKE),
    ((".png", ".gif", ".apng"), _ANY, ("width",)),
    ((".svg", ".dxf"), ("sheets",), ("unit", "inset", "bed")),
    ((".svg", ".txt", ".csv"), ("sticks",), ("unit", "inset")),
    (tuple(VIEWS), OF_ASSEMBLIES, ("assembly", "solution", "turns")),
    (OTHERS, (None,), ("assembly", "solution", "turns")),
    ((".graphml",), (None,), ("max_states",)),
    (tuple(VIEWS), _ANY, ("show",)),
)


def require_effects(path: Path, view: View | None, given: Mapping[str, object], grid: Grid) -> None:
    """Refuse an option that would change nothing; None and False are options not given.

    >>> from kumitate.model.grids import CUBES
    >>> require_effects(Path("a.svg"), "pieces", {"width": 300}, CUBES)
    Traceback (most recent call last):
    kumitate.PuzzleError: --width has no effect on a.svg (pieces); it is for .png, .gif, .apng
    """
    suffix = path.suffix.lower()
    for name, value in given.items():
        if value is None or value is False:  # unlike 0
            continue
        option = f"--{name.replace('_', '-')}"
        if not _acts(name, suffix, view):
            views = [other for other in VIEWS.get(suffix, ()) if _acts(name, suffix, other)]
            where = f"--show {', '.join(views)}" if views else ", ".join(_suffixes(name))
            shows = f" ({view})" if view else ""
            raise PuzzleError(f"{option} has no effect on {path.name}{shows}; it is for {where}")
        if name == "neck" and not grid.balls:
            raise PuzzleError(f"{option} has no effect: only balls have necks")
        if name == "turns" and grid != CUBES:
            raise PuzzleError(f"{option} has no effect: pieces turn on cubes only")
        if name == "split" and grid != CUBES:
            raise PuzzleError(f"{option} has no effect: only pieces of cubes are split")
        if name in ("bevel", "bevel_units") and grid.balls:
            raise PuzzleError(f"{option} has no effect: balls have no edges")


def effective(suffix: str, view: View) -> list[str]:
    """The options of how things are made that have an effect on this view in such a file.

    >>> effective(".dxf", "sheets")
    ['unit', 'inset', 'bed']
    """
    return [one.name for one in MAKE_OPTIONS if _acts(one.name, suffix, view)]


def _acts(option: str, suffix: str, view: View | None) -> bool:
    return any(
        suffix in suffixes and view in views and option in options
        for suffixes, views, options in _EFFECTS
    )


def _suffixes(option: str) -> list[str]:
    every = ((suffix, view) for suffix in (*VIEWS, *OTHERS) for view in (*_ANY, None))
    return list(dict.fromkeys(s for s, v in every if _acts(option, s, v)))
