"""The results of a run: pages of the list, and statistics."""

from collections.abc import Iterable
from dataclasses import fields

from kumitate.store import Run
from kumitate.store.alike import one_of_each
from kumitate.store.plain_index import Choice, Here, PlainIndex
from kumitate.studio.messages import (
    BarData,
    ChooseRequest,
    FilterData,
    PageData,
    PageRequest,
    PositionsData,
    RowData,
    SetData,
    StatisticsData,
)

MOST_SETS = 1000  # of pieces, that are sent


def choice_of(wanted: FilterData) -> Choice:
    given = {field.name: getattr(wanted, field.name) for field in fields(Choice)}
    given.update(
        uses=tuple(wanted.uses),
        lacks=tuple(wanted.lacks),
        copies=None if wanted.copies is None else tuple(wanted.copies),
        here=tuple(Here(here.cell, here.piece, here.colour) for here in wanted.here),
    )
    return Choice(**given)


def chosen(run: Run, index: PlainIndex, wanted: ChooseRequest) -> list[int]:
    """The numbers of the solutions that are left, in the order found; kept ones as they are listed.

    Deleting leaves alone what does not pass the filter.
    """
    listed = [int(number) for number in index.choose(run, choice_of(wanted))]
    end = len(listed) if wanted.count is None else wanted.first + wanted.count
    some = listed[wanted.first : end]
    if wanted.act == "keep":
        return some
    if wanted.act == "delete":
        gone = set(some)
        return [number for number in range(1, len(run) + 1) if number not in gone]
    return one_of_each(run, some)


def page(run: Run, index: PlainIndex, wanted: PageRequest) -> PageData:
    """Some rows of the list, and the total number."""
    choice = choice_of(wanted)
    numbers = index.choose(run, choice)
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
    found = index.position(run, choice, wanted.find) if wanted.find else None
    return PageData(len(numbers), rows, found)


def statistics(run: Run, index: PlainIndex) -> StatisticsData:
    """Histograms of all kept solutions, and where pieces lie in the counted ones.

    Pieces of the same shape are counted together, since they are interchangeable.
    """
    placed = index.placed(run)
    by_kind: list[list[int]] = [[] for _ in index.table.kinds]
    for (kind, *_), amount in zip(index.table.rows, placed, strict=True):
        if amount:
            by_kind[kind].append(amount)
    positions = []
    for pieces, amounts, cells in zip(index.table.kinds, by_kind, index.cells(run), strict=True):
        names = dict.fromkeys(run.problem.label(piece) for piece in pieces)
        positions.append(
            PositionsData(
                pieces[0],
                ", ".join(names),
                run.problem.colour(pieces[0]),
                [(*cell, amount) for cell, amount in cells.items()],
                sorted(amounts, reverse=True),
            )
        )
    sets = index.sets(run) if index.varied else []
    return StatisticsData(
        index.counted,
        len(run),
        _bars(run.rows("SELECT level, sum(amount) FROM rank WHERE level GROUP BY level")),
        _bars(run.rows("SELECT moves, sum(amount) FROM rank WHERE level GROUP BY moves")),
        positions,
        [SetData(list(copies), count) for copies, count in sets[:MOST_SETS]],
        len(sets),
        sum(one.solutions == 1 for one in sets),
    )


def _bars(rows: Iterable[tuple[int, int]]) -> list[BarData]:
    return [BarData(value, count) for value, count in rows]
