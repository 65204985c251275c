"""The viewer as a notebook widget, in a page that hosts it the way anywidget does."""

import json
import sys
from typing import TYPE_CHECKING

import pytest
from tests.output.conftest import Show, colours_in, settled, share_of, soon

from kumitate import PuzzleError
from kumitate.library import library
from kumitate.model.grids import CUBES
from kumitate.model.shape import Shape
from kumitate.model.solution import Assembly
from kumitate.output import notebook
from kumitate.output.page import scene_data
from kumitate.output.scene import scene_of
from kumitate.search.solve import solve

if TYPE_CHECKING:
    from anywidget import AnyWidget

HOST = """<!doctype html><meta charset="utf-8"><title>notebook</title>
<div id="viewer"></div><div style="height: 900px">cells below</div>
<script type="application/json" id="traits">%s</script>
<script type="application/json" id="source">%s</script>
<script type="module">
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const source = URL.createObjectURL(new Blob([read("source")], { type: "text/javascript" }));
  const { default: widget } = await import(source);
  const model = { get: (name) => read("traits")[name] };
  window.leave = await widget.render({ model, el: document.getElementById("viewer") });
</script>"""


def hosted(made: "AnyWidget") -> str:
    texts = ({"scene": made.scene}, made._esm)
    return HOST % tuple(json.dumps(text).replace("<", "\\u003c") for text in texts)


def test_a_widget_holds_what_it_shows() -> None:
    pytest.importorskip("anywidget")
    solution = next(solve(library["soma"].problems[0], disassemble=True))
    for what in (Shape.from_text(CUBES, "##"), Assembly.from_text(CUBES, "AAB/ABB"), solution):
        assert notebook.view(what).scene == scene_data(scene_of(what))


def test_a_widget_draws_and_plays_and_leaves_nothing_behind(show: Show) -> None:
    pytest.importorskip("anywidget")
    solution = next(solve(library["soma"].problems[0], disassemble=True))
    scene = scene_of(solution)
    shown = show(hosted(notebook.view(solution)))
    canvas = shown.locator("canvas")
    assert soon(lambda: share_of(scene.bodies[2].colour, colours_in(canvas)) > 0.02)
    shown.get_by_label("One step forward").click()
    settled(shown)
    assert shown.locator(".words span").inner_text() == scene.poses[1].words
    shown.evaluate("leave()")
    assert shown.locator("#viewer > *").count() == 0


def test_a_widget_takes_keys_and_the_wheel_only_when_in_focus(show: Show) -> None:
    pytest.importorskip("anywidget")
    made = notebook.view(Assembly.from_text(CUBES, "AAB/ABB"))
    shown = show(hosted(made), viewport={"width": 600, "height": 600})
    canvas = shown.locator("canvas")
    explode = shown.get_by_label("Explode").last
    shown.keyboard.press("e")
    assert explode.input_value() == "0"
    shown.mouse.move(200, 150)
    shown.mouse.wheel(0, 20)
    shown.wait_for_function("() => scrollY === 20", polling=20)
    before, scrolled = canvas.screenshot(), shown.evaluate("scrollY")
    shown.mouse.click(200, 150)
    shown.mouse.wheel(0, 20)
    settled(shown)
    assert shown.evaluate("scrollY") == scrolled
    assert soon(lambda: canvas.screenshot() != before)
    shown.keyboard.press("e")
    settled(shown)
    assert explode.input_value() == "1"


def test_without_anywidget_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    notebook._viewer.cache_clear()
    with pytest.raises(PuzzleError, match=r"run: pip install 'kumitate\[notebook\]'"):
        notebook.view(Shape.from_text(CUBES, "##"))
