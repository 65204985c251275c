"""DXF, the drawing format that laser cutters and mills read, in its plainest version: R12, text.

A file is a list of groups, each a number that says what follows and a value. Every polyline lies
on a layer, and a layer has a colour of the AutoCAD palette. R12 proper knows no units; programs
since read them from $INSUNITS there too.
"""

from collections.abc import Iterator, Sequence

Polyline = tuple[str, bool, Sequence[tuple[float, float]]]  # layer, whether it is closed, corners
Group = tuple[int, str | int | float]

_MILLIMETRES = 4


def dxf(
    layers: Sequence[tuple[str, int]], lines: Sequence[Polyline], size: tuple[float, float]
) -> str:
    """A drawing in millimetres: its layers with their colours, its polylines, and its extent.

    >>> dxf([("CUT", 1)], [("CUT", True, [(0, 0), (1, 0), (0, 1)])], (9, 9)).splitlines()[:4]
    ['  0', 'SECTION', '  2', 'HEADER']
    """
    groups = [
        *_section("HEADER", _header(size)),
        *_section("TABLES", _tables(layers)),
        *_section("ENTITIES", (group for line in lines for group in _polyline(*line))),
        (0, "EOF"),
    ]
    return "".join(f"{code:3d}\n{_value(value)}\n" for code, value in groups)


def _section(name: str, groups: Iterator[Group]) -> Iterator[Group]:
    yield from ((0, "SECTION"), (2, name))
    yield from groups
    yield (0, "ENDSEC")


def _header(size: tuple[float, float]) -> Iterator[Group]:
    yield from ((9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS"), (70, _MILLIMETRES))
    for name, (x, y) in (("$EXTMIN", (0.0, 0.0)), ("$EXTMAX", size)):
        yield from ((9, name), (10, float(x)), (20, float(y)), (30, 0.0))


def _tables(layers: Sequence[tuple[str, int]]) -> Iterator[Group]:
    yield from ((0, "TABLE"), (2, "LTYPE"), (70, 1))
    yield from ((0, "LTYPE"), (2, "CONTINUOUS"), (70, 0), (3, "Solid line"), (72, 65), (73, 0))
    yield from ((40, 0.0), (0, "ENDTAB"))
    yield from ((0, "TABLE"), (2, "LAYER"), (70, len(layers) + 1))
    for name, colour in (("0", 7), *layers):
        yield from ((0, "LAYER"), (2, name), (70, 0), (62, colour), (6, "CONTINUOUS"))
    yield (0, "ENDTAB")


def _polyline(layer: str, closed: bool, corners: Sequence[tuple[float, float]]) -> Iterator[Group]:
    yield from ((0, "POLYLINE"), (8, layer), (66, 1), (70, int(closed)))
    yield from ((10, 0.0), (20, 0.0), (30, 0.0))
    for x, y in corners:
        yield from ((0, "VERTEX"), (8, layer), (10, float(x)), (20, float(y)), (30, 0.0))
    yield from ((0, "SEQEND"), (8, layer))


def _value(value: str | int | float) -> str:
    return f"{round(value, 4) + 0.0:.4f}" if isinstance(value, float) else str(value)
