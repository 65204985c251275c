"""Values in a notebook: they draw themselves, and `view` shows them in the round.

IPython asks a value for `_repr_svg_`. The values live in model/, which knows no pictures, so it is
given to them here; the front door imports this if IPython is running. The view is the page's viewer
as a widget, which anywidget carries into Jupyter, VS Code, Colab and marimo; that is an extra,
imported only when a widget is asked for.
"""

from functools import cache
from typing import TYPE_CHECKING, Any

from kumitate.model.errors import PuzzleError
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly, Solution

if TYPE_CHECKING:
    from anywidget import AnyWidget


def _drawn(value: object) -> str:
    from kumitate.output.draw.pictures import svg_of

    return svg_of(value)


for _noun in (Shape, Problem, Puzzle, Assembly, Solution):
    setattr(_noun, "_repr_svg_", _drawn)  # noqa: B010 (mypy knows no such attribute)


def view(what: Shape | Assembly | Solution) -> "AnyWidget":
    """A widget that shows a shape or an assembly, or plays a solution move by move.

    Needs `pip install "kumitate[notebook]"`. Its trait `scene` holds what is drawn. Where
    widgets do not run, as on GitHub or in an exported notebook, a picture stands in for it.

    >>> from kumitate.model.grids import CUBES
    >>> view(Shape.from_text(CUBES, "##", name="bar")).scene["bodies"][0]["name"]
    'bar'
    """
    from kumitate.output.page import scene_data
    from kumitate.output.scene import scene_of

    viewer = _viewer()(scene=scene_data(scene_of(what)))
    viewer.what = what
    return viewer


@cache
def _viewer() -> "type[AnyWidget]":
    try:
        from anywidget import AnyWidget
        from traitlets import Dict
    except ImportError:
        raise PuzzleError(
            "a view in a notebook needs anywidget, which is not installed;"
            " run: pip install 'kumitate[notebook]'"
        ) from None

    from kumitate.output.page import script_source

    class Viewer(AnyWidget):
        _esm = script_source("viewer.js")
        scene = Dict().tag(sync=True)
        what: Shape | Assembly | Solution

        def _repr_mimebundle_(self, **given: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
            bundle = super()._repr_mimebundle_(**given)
            if bundle is not None:
                bundle[0]["image/svg+xml"] = _drawn(self.what)
            return bundle

    return Viewer
