"""Files to look at: pictures, films, pages, booklets, tables, and plans for wood and lasers."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from html import unescape
from typing import TYPE_CHECKING

from kumitate.model.errors import PuzzleError
from kumitate.output.order import Files, Order, scene_for, some_letters, warn_of_strokes

if TYPE_CHECKING:
    from kumitate.output.make.cutlist import Stick
    from kumitate.output.make.sheets import Sheet
    from kumitate.output.solid.print_options import PrintOptions

WIDTH = 800  # pixels of a PNG


def svg_of(order: Order) -> str:
    from kumitate.output.draw import pictures
    from kumitate.output.draw.layers import layers_svg

    if order.view == "pieces":
        return pictures.svg_of(order.puzzle)
    if order.view == "exploded":
        return pictures.exploded_svg(order.assembly)
    if order.view == "layers":
        return layers_svg(order.assembly)
    if order.view == "assembly":
        return pictures.svg_of(order.assembly)
    assert order.solution is not None
    return pictures.steps_svg(order.solution)


def write_svg(order: Order) -> Files:
    if order.view == "sheets":
        from kumitate.output.make.sheets import to_svg

        return _numbered([to_svg(sheet) for sheet in sheets_of(order)], ".svg")
    if order.view == "sticks":
        from kumitate.output.make.stickplan import cut_list_svg

        warn_of_strokes(order)
        return {".svg": cut_list_svg(sticks_of(order)).encode()}
    return {".svg": svg_of(order).encode()}


def write_png(order: Order) -> Files:
    from kumitate.output.draw.raster import png
    from kumitate.output.draw.words import boxed

    svg = svg_of(order)
    _warn_of_missing(order, [unescape(words) for words in re.findall(">([^<]+)</text>", svg)])
    return {".png": png(boxed(svg), order.width or WIDTH)}


def write_film(order: Order) -> Files:
    from kumitate.output.draw import raster

    draw = raster.gif if order.suffix == ".gif" else raster.apng
    return {order.suffix: draw(scene_for(order), order.width or raster.WIDTH)}


def write_html(order: Order) -> Files:
    from kumitate.output.draw import booklet
    from kumitate.output.page import page

    if order.view == "booklet":
        assert order.solution is not None
        return {".html": booklet.to_html(order.puzzle, order.solution).encode()}
    scenes = [(order.view, scene_for(order))]
    if order.view != "pieces":
        scenes.append(("pieces", scene_for(replace(order, view="pieces"))))
    puzzle = order.puzzle
    by = f"by {puzzle.by}" if puzzle.by else ""
    return {".html": page(scenes, puzzle.called, by, puzzle.comment).encode()}


def write_pdf(order: Order) -> Files:
    from kumitate.output.draw import booklet, pdf

    assert order.solution is not None
    pages = booklet.pages_of(order.puzzle, order.solution)
    _warn_of_missing(order, pdf.words_of(pages))
    return {".pdf": booklet.to_pdf(pages, order.puzzle.called)}


def _warn_of_missing(order: Order, words: Sequence[str]) -> None:
    """Name the letters that no font of this machine has, rather than leave them out in silence."""
    from kumitate.output.draw.words import undrawable

    if missing := undrawable(words):
        order.warn(
            f"{order.stem}{order.suffix}: no font on this machine has {some_letters(missing)};"
            " install one that does"
        )


def write_text(order: Order) -> Files:
    from kumitate.output.formats.points import layers_text, points_csv
    from kumitate.output.make.cutlist import cut_list_csv, cut_list_text

    table = order.suffix == ".csv"
    if order.view == "sticks":
        text = (cut_list_csv if table else cut_list_text)(sticks_of(order))
    else:
        text = (points_csv if table else layers_text)(order.assembly)
    return {order.suffix: text.encode()}


# ---- wood and lasers ----


def sheets_of(order: Order) -> list[Sheet]:
    from kumitate.output.make import sheets

    warn_of_strokes(order)
    unit, inset = _lengths(order.options, sheets.UNIT, sheets.INSET)
    size = order.bed or sheets.SIZE
    return sheets.sheets(order.problem or order.puzzle, unit, inset, size=size)


def sticks_of(order: Order) -> tuple[Stick, ...]:
    from kumitate.output.make import cutlist

    unit, inset = _lengths(order.options, cutlist.UNIT, cutlist.INSET)
    return cutlist.cut_list(order.problem or order.puzzle, unit, inset)


def _lengths(options: PrintOptions, unit: float, inset: float) -> tuple[float, float]:
    """Those asked for; where they are as for printers, those of wood and lasers."""
    from kumitate.output.solid.print_options import PrintOptions

    if isinstance(options.unit, tuple):
        raise PuzzleError("only 3D files can have cells of different sides; give --unit one length")
    return (options.unit or unit, inset if options.inset == PrintOptions().inset else options.inset)


def write_dxf(order: Order) -> Files:
    from kumitate.output.make.sheets import to_dxf

    return _numbered([to_dxf(sheet) for sheet in sheets_of(order)], ".dxf")


def _numbered(texts: Sequence[str], suffix: str) -> Files:
    if len(texts) == 1:
        return {suffix: texts[0].encode()}
    return {f"-{number}{suffix}": text.encode() for number, text in enumerate(texts, 1)}
