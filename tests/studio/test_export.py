"""Exports: files of every kind, named after the puzzle, made in a separate process."""

import re
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import msgspec
import pytest
from PIL import Image
from tests.output.test_export import HEADS
from tests.studio.served import Refused, Studio, studio

import kumitate
from kumitate import CUBES, Puzzle, Shape, open_run
from kumitate.files import decode
from kumitate.output.views import OF_ASSEMBLIES, VIEWS
from kumitate.studio.ask.codec import puzzle_data
from kumitate.studio.messages import ExportRequest, PreviewData, RunData, ViewRequest
from kumitate.studio.serve.exporting import file_name

SOMA = kumitate.library["soma"]
BURRS = kumitate.library["six-piece-burr"]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with studio(tmp_path_factory.mktemp("runs")) as found:
        yield found


@pytest.fixture(scope="module")
def burrs(served: Studio) -> RunData:
    return served.done(served.solve(BURRS))


def suffix(name: str) -> str:
    return "." + name.partition(".")[2]


KINDS = [*VIEWS, ".kumitate.json", ".kumitate.json.gz", ".xmpuzzle"]
KINDS.remove(".apng")  # as GIF


@pytest.mark.parametrize(("to", "show"), [*((to, "") for to in KINDS), (".html", "booklet")])
def test_every_kind_of_file_can_be_taken_along(served: Studio, to: str, show: str) -> None:
    cube = kumitate.library["diabolical-cube"]
    run = served.solve(cube)
    served.done(run)
    name, data = served.export(cube, to=to, show=show, run=run.id, number=3)
    packed = suffix(name) == ".zip"
    of_one = (show or VIEWS.get(to, ("",))[0]) in OF_ASSEMBLIES
    stem = "diabolical-cube-3" if of_one else "diabolical-cube"
    assert name == f"{stem}.zip" if packed else name == stem + to
    assert data.startswith(HEADS.get(suffix(name), b""))
    assert len(data) > 100
    if packed:
        assert to == ".obj"
        with ZipFile(BytesIO(data)) as pack:
            assert len(pack.namelist()) > 1
            assert all(one.startswith(stem) for one in pack.namelist())


def test_the_page_is_answered_while_a_film_is_made(served: Studio, burrs: RunData) -> None:
    made: list[bytes] = []
    wanted = {"to": ".gif", "run": burrs.id, "number": 1}
    thread = threading.Thread(target=lambda: made.append(served.export(BURRS, **wanted)[1]))
    thread.start()
    answers = 0
    while thread.is_alive():
        answers += served.page(burrs, count=10).total == 179
        time.sleep(0.02)
    assert answers > 5
    with Image.open(BytesIO(made[0])) as film:
        assert film.n_frames > 10  # type: ignore[attr-defined]


# ---- puzzles ----


def test_a_puzzle_is_exported_as_it_is_without_any_run(served: Studio) -> None:
    name, data = served.export(SOMA, to=".kumitate.json")
    assert name == "soma-cube.kumitate.json"
    assert decode(data).puzzle == SOMA
    name, data = served.export(SOMA, to=".xmpuzzle")
    assert name == "soma-cube.xmpuzzle"
    assert len(decode(data).puzzle.shapes) == 8
    name, data = served.export(SOMA, to=".scad")
    assert (name, b"puzzlecad" in data) == ("soma-cube.scad", True)
    name, data = served.export(SOMA, to=".stl", show="box", make={"unit": 20.0})
    assert name == "soma-cube.stl"


def test_lengths_are_those_asked_for(served: Studio) -> None:
    import trimesh

    cube = Puzzle(CUBES, [Shape.from_text(CUBES, "#", name="cube")], title="One")
    _, data = served.export(cube, to=".stl", make={"unit": 20.0, "inset": 0.5, "bevel": 0.0})
    assert trimesh.load(BytesIO(data), file_type="stl").extents == pytest.approx([19, 19, 19])
    _, data = served.export(cube, to=".stl")
    assert trimesh.load(BytesIO(data), file_type="stl").extents == pytest.approx([16.86] * 3)


def test_a_file_has_the_solutions_of_its_run(served: Studio, burrs: RunData) -> None:
    renamed = replace(BURRS, title="Mine", comment="changed since")
    name, data = served.export(renamed, to=".kumitate.json", run=burrs.id)
    assert name == "mine.kumitate.json"
    document = decode(data)
    assert document.puzzle == renamed
    [answers] = document.answers
    assert answers is not None
    assert (answers.assembly_count, answers.solution_count, answers.complete) == (588, 179, True)
    with open_run(served.runs.path(burrs.id)) as run:
        assert list(answers.solutions) == run.page(1, 1000, "level")


def test_a_problem_that_has_changed_since_is_saved_as_it_was_solved(
    served: Studio, burrs: RunData
) -> None:
    [problem] = BURRS.problems
    fewer = replace(BURRS, title="Fewer", problems=[replace(problem, pieces=problem.pieces[1:])])
    _, data = served.export(fewer, to=".kumitate.json", run=burrs.id)
    assert decode(data).puzzle == BURRS


def test_what_a_file_cannot_hold_is_told(served: Studio) -> None:
    many = kumitate.library["iq-puzzler-pro/diamond"]
    run = served.solve(many, disassemble=False, limit=1500)
    served.wait(run, lambda data: data.state == "limit")
    request = ExportRequest(puzzle_data(many), to=".kumitate.json", run=run.id)
    headers, _ = served.ask("POST", "export", request)
    assert "only%201%2C000%20of%20the%20run%27s%201%2C500" in headers["kumitate-lost"]


# ---- invalid requests ----


@pytest.mark.parametrize(
    ("wanted", "sentence"),
    [
        ({"to": ".gif"}, "to show steps, solve the problem first, then choose a solution"),
        ({"to": ".doc"}, "'.doc' cannot be exported; use one of .stl, .3mf"),
        ({"to": "/../../x.stl"}, "cannot be exported"),
        ({"to": ".stl", "show": "steps"}, ".stl shows pieces, assembly, box, not steps"),
        ({"to": ".stl", "make": {"unit": 0.0}}, "unit 0 mm; give 0.1 to 1000"),
        ({"to": ".stl", "make": {"bevel": 99.0}}, "bevel 99 mm leaves nothing flat; choose less"),
        ({"to": ".stl", "make": {"bed": [10.0, 10.0]}}, "does not fit the bed of 10 x 10 mm"),
        ({"to": ".stl", "make": {"bevels": 1.0}}, "there is no option 'bevels'"),
        ({"to": ".dxf", "make": {"wall": 1.0}}, "--wall has no effect on puzzle.dxf (sheets)"),
        ({"to": ".3mf", "make": {"neck": 1.0}}, "only balls have necks"),
        ({"to": ".stl", "make": {"unit": [1.0, 2.0]}}, "unit has 2 numbers; give 3"),
        ({"to": ".stl", "make": {"bed": 9.0}}, "bed has 1 number; give 2"),
        ({"to": ".stl", "problem": 4}, "there is no problem 5; the puzzle has 1"),
    ],
)
def test_a_refusal_is_a_sentence(served: Studio, wanted: dict[str, object], sentence: str) -> None:
    with pytest.raises(Refused) as error:
        served.export(SOMA, **wanted)
    assert sentence in str(error.value)
    assert "/tmp" not in str(error.value)
    assert "\n" not in str(error.value)
    assert (error.value.status, error.value.reason) == (400, "question")


def test_a_run_or_a_solution_that_is_not_there_is_refused(served: Studio, burrs: RunData) -> None:
    with pytest.raises(Refused, match="this run no longer exists") as error:
        served.export(SOMA, to=".gif", run="../../etc/passwd", number=1)
    assert error.value.status == 404
    with pytest.raises(Refused, match="this run no longer exists") as error:
        served.export(SOMA, to=".gif", run="0123456789abcdef-01234567", number=1)
    assert error.value.status == 404
    with pytest.raises(Refused, match="there is no solution 180; the run has 179"):
        served.export(BURRS, to=".gif", run=burrs.id, number=180)


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Ten Yen", "ten-yen"),
        ("", "puzzle"),
        ("///", "puzzle"),
        ("組立 1", "組立-1"),
        ("x" * 300, "x" * 50),
    ],
)
def test_files_are_named_after_the_puzzle(title: str, name: str) -> None:
    assert file_name(title) == name


def test_a_name_in_any_script_arrives(served: Studio) -> None:
    name, _ = served.export(replace(SOMA, title="組立 / Übung"), to=".svg")
    assert name == "組立-übung.svg"


def test_no_export_outlives_its_server(tmp_path: Path) -> None:
    with studio(tmp_path) as own:
        run = own.done(own.solve(BURRS))
        refused: list[str] = []

        def export() -> None:
            try:
                own.export(BURRS, to=".gif", run=run.id, number=1, make={"width": 1300})
            except Exception as error:
                refused.append(str(error))

        thread = threading.Thread(target=export)
        thread.start()
        while not own.processes:
            time.sleep(0.01)
        [process] = own.processes
        pid = process.pid
        time.sleep(0.3)
    thread.join(20)
    [why] = refused
    assert "choose" not in why  # nothing was wrong with the request
    assert not Path(f"/proc/{pid}").exists()


# ---- previews ----


def seen(served: Studio, puzzle: Puzzle, **wanted: object) -> PreviewData:
    request = ExportRequest(puzzle_data(puzzle), **wanted)  # type: ignore[arg-type]
    return served.get(PreviewData, "POST", "preview", request)


def test_a_preview_is_what_the_export_makes(served: Studio) -> None:
    import trimesh

    make = {"unit": 10.0, "bed": [60.0, 60.0], "wall": 1.0}
    shown = seen(served, SOMA, to=".3mf", make=make)
    assert (shown.unit, shown.bed) == ([10.0], (60.0, 60.0))
    assert len(shown.plates) > 1
    assert sum(map(len, shown.plates)) == 7
    _, data = served.export(SOMA, to=".stl", make=make)
    with ZipFile(BytesIO(data)) as pack:
        meshes = [trimesh.load_mesh(pack.open(n), file_type="stl") for n in pack.namelist()]
    assert len(meshes) == len(shown.plates)
    volume = sum(shown.solids[one.solid].volume for plate in shown.plates for one in plate)
    assert volume == pytest.approx(sum(mesh.volume for mesh in meshes), rel=1e-3)


def test_sheets_are_measured(served: Studio) -> None:
    square = Puzzle(CUBES, [Shape.from_text(CUBES, "##/##", name="O")], title="O")
    shown = seen(served, square, to=".dxf", make={"unit": 10.0, "inset": 0.0})
    assert shown.cut == pytest.approx(4 * (20 + 0.15))  # half a kerf outside, all around
    assert shown.engraved > 0
    assert len(shown.drawings) == 1


def test_a_preview_without_a_reader_is_given_up(served: Studio) -> None:
    import http.client

    request = ExportRequest(
        puzzle_data(kumitate.library["eighteen-piece-burr"]), make={"label": True}
    )
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    connection.request("POST", "/api/preview", msgspec.json.encode(request))
    while not served.processes:
        time.sleep(0.01)
    connection.close()
    until = time.monotonic() + 30
    while served.processes and time.monotonic() < until:
        time.sleep(0.01)
    assert not served.processes


def test_a_view_is_drawn_as_the_camera_sees_it(served: Studio, burrs: RunData) -> None:
    upright = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    places = [(upright, (0.0, 0.0, 0.0))] * 6
    front = ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, -1.0, 0.0))
    path = f"runs/{burrs.id}/solutions/1/view"
    _, data = served.ask("POST", path, ViewRequest(places, [True] * 6, front))
    width, height = re.findall(rb'(?:width|height)="(\d+)"', data)[:2]
    assert width == height  # a burr is as high as it is wide, seen from the front
    _, fewer = served.ask("POST", path, ViewRequest(places, [True] + [False] * 5, front))
    assert len(fewer) < len(data)
    for wrong in (
        ViewRequest(places[:2], [True] * 2, front),
        ViewRequest(places, [True] * 6, (front[0], front[1], (0.0, -9.0, 0.0))),
    ):
        with pytest.raises(Refused):
            served.ask("POST", path, wrong)
