"""Open and save puzzles: the gallery, files in the folder, new puzzles, dropped files."""

import asyncio
from contextlib import suppress

from msgspec import structs
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from kumitate.designer.assembly_shapes import assembly_shapes, puzzle_from
from kumitate.files import decode
from kumitate.files.document import MOST_CELLS, Document, place
from kumitate.files.regrid import regrid
from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import GRIDS
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.output.gallery import picture_of
from kumitate.store import Run, text_of
from kumitate.store.database import MAGIC
from kumitate.store.plain_index import PlainIndex
from kumitate.studio.ask.codec import grid_data, grid_of, puzzle_data, puzzle_of
from kumitate.studio.messages import (
    HomeData,
    Message,
    NewRequest,
    Opened,
    RegridRequest,
    Saved,
    SaveRequest,
    ShapesOfRequest,
    WhereData,
)
from kumitate.studio.refusal import Refusal
from kumitate.studio.serve.collections import is_in_collection, puzzle_at
from kumitate.studio.serve.folder import version_of
from kumitate.studio.serve.gallery import Gallery, find, library_card, puzzle_picture
from kumitate.studio.serve.http import (
    Studio,
    address_route,
    endpoint_of,
    json_response,
    message_route,
    query_parameter,
    read_message,
    svg_response,
)
from kumitate.studio.serve.kept import answers_of, keep_answers
from kumitate.studio.serve.results import choice_of
from kumitate.studio.serve.runs import Runs, question_of

MOST_SHAPES = 1000  # made of solutions
FOR_EVER = "private, max-age=31536000, immutable"


def routes(studio: Studio, runs: Runs) -> list[BaseRoute]:
    folder, gallery = studio.folder, Gallery(studio.folder)

    def home(request: Request) -> Response:
        cards, more = gallery.cards()
        return json_response(
            HomeData(
                library=[library_card(name) for name in library],
                folder=cards,
                folder_name=folder.root.name or str(folder.root),
                grids=[grid_data(grid) for grid in GRIDS.values()],
                more=more,
            )
        )

    def picture(request: Request) -> Response:
        address = query_parameter(request, "place")
        if is_in_collection(address):
            found = puzzle_at(folder, address)
            svg, version = picture_of(found), version_of(found.text.encode())
        else:
            document, version = find(folder, address)
            svg = puzzle_picture(document.puzzle)
        same = version == query_parameter(request, "version")
        return svg_response(svg, FOR_EVER if same else "no-store")

    def open_puzzle(request: Request) -> Response:
        address = query_parameter(request, "place")
        if address.startswith("run/"):
            puzzle, _ = runs.puzzle(address.removeprefix("run/"))
            version = version_of(text_of(puzzle))
            return json_response(opened(Document(puzzle), address, version, False))
        document, version = find(folder, address, answers=True)
        where, _, name = address.partition("/")
        writable = where == "folder" and not is_in_collection(address) and folder.is_writable(name)
        made = opened(document, address, version, writable)
        return json_response(structs.replace(made, kept=kept_of(document)))

    def where(request: Request) -> Response:
        """The puzzle of a run: in the gallery if it is there, else as the run has it."""
        name = request.path_params["run"]
        puzzle, problem = runs.puzzle(name)
        asked = question_of(puzzle.problems[problem])
        cards = [*gallery.cards()[0], *map(library_card, library)]
        for card in cards:
            if card.title != puzzle.title or card.error or card.collection:
                continue
            with suppress(PuzzleError, Refusal, OSError):
                problems = find(folder, card.place)[0].puzzle.problems
                for number, one in enumerate(problems):
                    if question_of(one) == asked:
                        return json_response(WhereData(card.place, number))
        return json_response(WhereData(f"run/{name}", problem))

    def save(request: SaveRequest) -> Saved:
        where, _, name = request.place.partition("/")
        if where != "folder":
            raise PuzzleError(
                "puzzles of the library and of searches cannot be changed; save a copy in your"
                " folder under a new name"
            )
        puzzle = puzzle_of(request.puzzle)
        answers = answers_of(runs, puzzle, request.kept)
        version, warnings = folder.save(name, request.version, puzzle, answers)
        saved = Saved(request.place, version, warnings)
        studio.events.post("saved", saved)
        return saved

    async def import_file(request: Request) -> Response:
        name, data = query_parameter(request, "name"), await request.body()

        def answer() -> Response:
            document = imported(name, data)
            made = opened(document, "", "", False)
            return json_response(structs.replace(made, kept=kept_of(document)))

        return await asyncio.to_thread(answer)

    def kept_of(document: Document) -> list[str]:
        """The solutions in a file as runs; the puzzle opens even if they cannot be shown."""
        try:
            return keep_answers(runs, document)
        except (PuzzleError, OSError):
            return []

    async def shapes_of(request: Request) -> Message | Response | None:
        wanted = await read_message(request, ShapesOfRequest)

        def making(run: Run, index: PlainIndex) -> Opened:
            return opened(Document(generated(run, index, wanted)), "", "", False)

        return await runs.read(request.path_params["run"], making)

    return [
        Route("/api/runs/{run}/shapes", endpoint_of(shapes_of), methods=["POST"]),
        address_route("/api/home", home),
        address_route("/api/picture", picture),
        address_route("/api/puzzle", open_puzzle),
        address_route("/api/runs/{run}/where", where),
        message_route("/api/puzzle", SaveRequest, save, "PUT"),
        message_route("/api/new", NewRequest, new),
        message_route("/api/regrid", RegridRequest, regridded),
        Route("/api/import", import_file, methods=["POST"]),
    ]


def warm() -> None:
    """Fill the caches for the gallery before the page asks."""
    for name in library:
        library_card(name)
    for grid in GRIDS.values():
        grid_data(grid)


def opened(document: Document, address: str, version: str, writable: bool) -> Opened:
    """A document as it is sent to the page."""
    return Opened(
        place=address,
        version=version,
        puzzle=puzzle_data(document.puzzle),
        grid=grid_data(document.puzzle.grid),
        writable=writable,
        warnings=list(document.warnings),
    )


def new(request: NewRequest) -> Opened:
    """A new puzzle, with an empty shape and an empty problem."""
    grid = grid_of(request.grid)
    first = Shape(grid, set(), name="A")
    puzzle = Puzzle(grid, [first], [Problem(Shape(grid, set()), [])])
    return opened(Document(puzzle), "", "", False)


def regridded(request: RegridRequest) -> Opened:
    """The same puzzle on another grid; it has no place yet."""
    document = regrid(Document(puzzle_of(request.puzzle)), grid_of(request.grid))
    return opened(document, "", "", False)


def generated(run: Run, index: PlainIndex, wanted: ShapesOfRequest) -> Puzzle:
    """A puzzle whose pieces are the listed solutions, each as one shape."""
    numbers = index.choose(run, choice_of(wanted))
    solutions = (one for number in numbers for one in run.page(int(number), 1))
    labels = [run.problem.label(piece) for piece in wanted.pieces]
    found = assembly_shapes(
        (solution.assembly for solution in solutions),
        pieces=labels or None,
        connected=wanted.connected,
        mirrors=wanted.mirrors,
    )
    made: list[Shape] = []
    cells = 0
    for shape in found:
        cells += len(shape)
        if cells > MOST_CELLS or len(made) == MOST_SHAPES:
            raise PuzzleError(
                f"these solutions make more than {MOST_SHAPES:,} shapes or {MOST_CELLS:,} cells;"
                " list fewer of them, with the filter"
            )
        made.append(shape.named(f"S{len(made) + 1}"))
    if not made:
        raise PuzzleError("no solution makes such a shape; ask for less")
    return puzzle_from(run.puzzle, made)


def imported(name: str, data: bytes) -> Document:
    """The puzzle in a file that was dropped on the page; it has no place yet."""
    with place(name[:200]):
        if data.startswith(MAGIC):
            raise PuzzleError(
                "a collection or a run cannot be dropped here; move it to the folder that the"
                " studio serves, where collections are listed"
            )
        return decode(data)
