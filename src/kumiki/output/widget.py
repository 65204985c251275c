"""A shape, an assembly or a solution in a notebook, in the round: the page's viewer as a widget.

anywidget carries it into Jupyter, VS Code, Colab and marimo. It is an extra, so it is imported only
when a widget is asked for.
"""

from functools import cache
from typing import TYPE_CHECKING

from kumiki.model.errors import PuzzleError
from kumiki.output.page import scene_data, viewer_source
from kumiki.output.scene import scene_of

if TYPE_CHECKING:
    from anywidget import AnyWidget

_RENDER = """
export default {
  render({ model, el }) {
    const frame = document.createElement("div");
    frame.style.cssText =
      "height: 480px; overflow: hidden; border: 1px solid #8884; border-radius: 8px";
    el.append(frame);
    const { dispose } = mount(frame, model.get("scene"));
    return () => (dispose(), frame.remove());
  },
};
"""


def view(what: object) -> "AnyWidget":
    """A widget that shows a shape or an assembly, or plays a solution move by move.

    Its trait `scene` holds what is drawn, as `scene_data` gives it.
    """
    return _viewer()(scene=scene_data(scene_of(what)))


@cache
def _viewer() -> "type[AnyWidget]":
    try:
        from anywidget import AnyWidget
        from traitlets import Dict
    except ImportError:
        raise PuzzleError(
            'a view in a notebook needs anywidget; install it by pip install "kumiki[notebook]"'
        ) from None

    class Viewer(AnyWidget):
        _esm = viewer_source() + _RENDER
        scene = Dict().tag(sync=True)

    return Viewer
