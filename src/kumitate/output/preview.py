"""What an export would make, to look at before it is made: plates of solids, drawings, or text.

Solids come plate by plate whatever the format, and drawings with lines thick enough to be seen.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import dist

from kumitate.model.errors import PuzzleError
from kumitate.output.make.plates import Plate
from kumitate.output.make.rectangles import BED, Bed
from kumitate.output.make.sheets import Sheet
from kumitate.output.order import Order, pieces_of
from kumitate.output.views import SOLIDS

SEEN = 0.3  # mm: how wide the lines of a sheet are drawn


@dataclass(frozen=True)
class Preview:
    """Plates on a bed, or drawings as SVG, or text; and what is known of the work, in mm."""

    unit: float | tuple[float, float, float] | None = None  # of a cell, if it is made of solids
    bed: Bed | None = None
    plates: Sequence[Plate] = ()
    drawings: Sequence[str] = ()
    text: str = ""
    cut: float = 0.0  # the length of all cuts of a laser
    engraved: float = 0.0
    stock: float = 0.0  # the length of all sticks, saw cuts included


def preview(order: Order) -> Preview:
    """What the order would make.

    >>> import kumitate
    >>> from kumitate.output.export import order_for
    >>> shown = preview(order_for(kumitate.library["soma"], "soma.3mf"))
    >>> shown.unit, [len(plate) for plate in shown.plates]
    (17.0, [7])
    """
    if order.suffix in SOLIDS:
        return _of_solids(order)
    match order.view:
        case "sheets":
            return _of_sheets(order)
        case "sticks":
            return _of_sticks(order)
        case "booklet":
            return _of_booklet(order)
    raise PuzzleError(f"{order.suffix} ({order.view}) has no preview")


def _of_solids(order: Order) -> Preview:
    from kumitate.output.write_solids import batches, sized

    shapes = [shape for shape, _, _ in pieces_of(order)]
    plates = [*batches(replace(order, suffix=".stl")).values()]
    bed = None if order.view == "assembly" else order.bed or BED
    return Preview(unit=sized(order.options, shapes).unit, bed=bed, plates=plates)


def _of_sheets(order: Order) -> Preview:
    from kumitate.output.make.sheets import to_svg
    from kumitate.output.write_drawings import sheets_of

    sheets = sheets_of(order)
    return Preview(
        drawings=[to_svg(sheet, SEEN) for sheet in sheets],
        cut=sum(map(_cut, sheets)),
        engraved=sum(map(_engraved, sheets)),
    )


def _cut(sheet: Sheet) -> float:
    loops = (loop for part in sheet.parts for loop in part.loops)
    return sum(_length((*loop, loop[0])) for loop in loops)


def _engraved(sheet: Sheet) -> float:
    return sum(_length(stroke) for part in sheet.parts for stroke in part.engraving)


def _length(line: Sequence[tuple[float, float]]) -> float:
    return sum(dist(a, b) for a, b in pairwise(line))


def _of_sticks(order: Order) -> Preview:
    from kumitate.output.make.cutlist import cut_list_csv, cut_list_text, stock_of
    from kumitate.output.make.stickplan import cut_list_svg
    from kumitate.output.write_drawings import sticks_of

    sticks = sticks_of(order)
    return Preview(
        drawings=[cut_list_svg(sticks)] if order.suffix == ".svg" else (),
        text=(cut_list_csv if order.suffix == ".csv" else cut_list_text)(sticks),
        stock=sum(stock.length for stock in stock_of(sticks)),
    )


def _of_booklet(order: Order) -> Preview:
    from kumitate.output.draw import booklet

    assert order.solution is not None
    return Preview(drawings=booklet.drawings(order.puzzle, order.solution))
