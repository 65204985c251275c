"""Numbers that no database holds, wherever the page can send one: a sentence, not a traceback."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import msgspec
import pytest
from tests.studio.served import Refused, Studio, studio

import kumitate
from kumitate.studio.ask.codec import puzzle_data
from kumitate.studio.messages import MOST, RunData

HUGE = [2**53, 2**63 - 1, 2**63, 2**64, 10**30]
ROW = kumitate.Puzzle.of(
    kumitate.Problem(
        kumitate.Shape.from_text(kumitate.CUBES, "####"),
        [kumitate.Piece(kumitate.Shape.from_text(kumitate.CUBES, "##"), 2, 2)],
    )
)


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Studio, RunData]]:
    with studio(tmp_path_factory.mktemp("runs")) as served:
        run = served.solve(ROW)
        yield served, served.done(run)


def refusal(served: Studio, method: str, path: str, body: object = None) -> Refused:
    with pytest.raises(Refused) as refused:
        served.ask(method, path, body)
    assert refused.value.status in (400, 404), refused.value
    assert len(str(refused.value)) < 700
    return refused.value


@pytest.mark.parametrize(
    "number", ["0", *map(str, HUGE), "9" * 5000, "-1", "x", "٣"], ids=lambda n: n[:24]
)
def test_a_solution_with_such_a_number_is_not_there(
    solved: tuple[Studio, RunData], number: str
) -> None:
    served, run = solved
    refused = refusal(served, "GET", f"runs/{run.id}/solutions/{quote(number)}")
    assert "the run keeps 1" in str(refused)
    assert refused.status == 404


@pytest.mark.parametrize("number", HUGE)
@pytest.mark.parametrize(
    "field", ["first", "count", "min_level", "max_level", "min_moves", "max_moves"]
)
def test_a_page_of_rows_is_refused(solved: tuple[Studio, RunData], field: str, number: int) -> None:
    served, run = solved
    for sign in (1, -1):
        refused = refusal(served, "POST", f"runs/{run.id}/page", {field: sign * number})
        assert f"{field}" in str(refused)


@pytest.mark.parametrize("number", HUGE)
def test_a_limit_is_refused(solved: tuple[Studio, RunData], number: int) -> None:
    served, _ = solved
    puzzle = json.loads(msgspec.json.encode(puzzle_data(ROW)))
    body = {"puzzle": puzzle, "options": {"limit": number}}
    assert "options.limit" in str(refusal(served, "POST", "runs", body))


def test_the_largest_limit_is_a_limit(tmp_path: Path) -> None:
    with studio(tmp_path) as served:
        run = served.solve(ROW, limit=MOST)
        assert served.done(run).assemblies == 1


@pytest.mark.parametrize("number", HUGE)
@pytest.mark.parametrize("field", ["number", "problem"])
def test_an_export_of_such_a_number_is_refused(
    solved: tuple[Studio, RunData], field: str, number: int
) -> None:
    served, run = solved
    puzzle = json.loads(msgspec.json.encode(puzzle_data(ROW)))
    body = {"puzzle": puzzle, "to": ".svg", "run": run.id, "number": 1, field: number}
    assert f"{field}" in str(refusal(served, "POST", "export", body))
