"""What a run has found, as the page lists it and counts it."""

from collections.abc import Iterable
from dataclasses import fields

from kumitate.model.palette import piece_colour
from kumitate.store import Run
from kumitate.store.index import Choice, Index
from kumitate.studio.messages import (
    BarData,
    PageData,
    PageRequest,
    PositionsData,
    RowData,
    StatisticsData,
)


def page(run: Run, index: Index, wanted: PageRequest) -> PageData:
    """Some rows, and how many there are in all."""
    given = {field.name: getattr(wanted, field.name) for field in fields(Choice)}
    given.update(uses=tuple(wanted.uses), lacks=tuple(wanted.lacks))
    numbers = index.choose(run, Choice(**given))
    some = [int(number) for number in numbers[wanted.first : wanted.first + wanted.count]]
    rows = [
        RowData(
            row.number,
            str(row.levels or ""),
            row.levels.total if row.levels else None,
            list(row.copies),
        )
        for row in index.rows(run, some)
    ]
    return PageData(len(numbers), rows)


def statistics(run: Run, index: Index) -> StatisticsData:
    """Histograms of all solutions that are kept, and where pieces lie in those counted.

    Pieces of one shape are the same piece here: which of them lies where means nothing.
    """
    placed = index.placed(run)
    by_kind: list[list[int]] = [[] for _ in index.table.kinds]
    for (kind, *_), amount in zip(index.table.rows, placed.tolist(), strict=True):
        if amount:
            by_kind[kind].append(amount)
    positions = []
    for pieces, amounts, cells in zip(index.table.kinds, by_kind, index.cells(run), strict=True):
        names = dict.fromkeys(run.problem.label(piece) for piece in pieces)
        positions.append(
            PositionsData(
                pieces[0],
                ", ".join(names),
                piece_colour(pieces[0]),
                [(*cell, amount) for cell, amount in cells.items()],
                sorted(amounts, reverse=True),
            )
        )
    return StatisticsData(
        index.counted,
        len(run),
        _bars(run.rows("SELECT level, sum(amount) FROM rank WHERE level GROUP BY level")),
        _bars(run.rows("SELECT moves, sum(amount) FROM rank WHERE level GROUP BY moves")),
        positions,
    )


def _bars(rows: Iterable[tuple[int, int]]) -> list[BarData]:
    return [BarData(value, count) for value, count in rows]
