"""Puzzles come and go here: the gallery, opening and saving, new ones, files that were dropped."""

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from kumitate.files import decode
from kumitate.files.document import Document, place
from kumitate.library import library
from kumitate.model.errors import PuzzleError
from kumitate.model.grids import GRIDS
from kumitate.model.puzzle import Problem, Puzzle
from kumitate.model.shape import Shape
from kumitate.studio.codec import grid_data, grid_of, puzzle_data, puzzle_of
from kumitate.studio.gallery import Gallery, find, library_card, puzzle_picture
from kumitate.studio.http import Studio, json_response, message_route, query_parameter, svg_response
from kumitate.studio.messages import HomeData, NewRequest, Opened, Saved, SaveRequest

FOR_EVER = "private, max-age=31536000, immutable"


def routes(studio: Studio) -> list[BaseRoute]:
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
        document, version = find(folder, query_parameter(request, "place"))
        same = version == query_parameter(request, "version")
        return svg_response(puzzle_picture(document.puzzle), FOR_EVER if same else "no-store")

    def open_puzzle(request: Request) -> Response:
        address = query_parameter(request, "place")
        document, version = find(folder, address)
        where, _, name = address.partition("/")
        writable = where == "folder" and folder.is_writable(name)
        return json_response(opened(document, address, version, writable))

    def save(request: SaveRequest) -> Saved:
        where, _, name = request.place.partition("/")
        if where != "folder":
            raise PuzzleError(
                "puzzles of the library cannot be changed; save it in your folder under a new name"
            )
        version, warnings = folder.save(name, request.version, puzzle_of(request.puzzle))
        saved = Saved(request.place, version, warnings)
        studio.events.post("saved", saved)
        return saved

    async def import_file(request: Request) -> Response:
        name, data = query_parameter(request, "name"), await request.body()
        return await run_in_threadpool(lambda: json_response(imported(name, data)))

    return [
        Route("/api/home", home),
        Route("/api/picture", picture),
        Route("/api/puzzle", open_puzzle),
        message_route("/api/puzzle", SaveRequest, save, "PUT"),
        message_route("/api/new", NewRequest, new),
        Route("/api/import", import_file, methods=["POST"]),
    ]


def warm() -> None:
    """What the gallery needs and does not change, made before anybody asks."""
    for name in library:
        library_card(name)
    for grid in GRIDS.values():
        grid_data(grid)


def opened(document: Document, address: str, version: str, writable: bool) -> Opened:
    """A document as the page gets it."""
    return Opened(
        place=address,
        version=version,
        puzzle=puzzle_data(document.puzzle),
        grid=grid_data(document.puzzle.grid),
        writable=writable,
        warnings=list(document.warnings),
    )


def new(request: NewRequest) -> Opened:
    """A puzzle to begin with: a shape to draw, and a problem to set."""
    grid = grid_of(request.grid)
    first = Shape(grid, set(), name="A")
    puzzle = Puzzle(grid, [first], [Problem(Shape(grid, set()), [])])
    return opened(Document(puzzle), "", "", False)


def imported(name: str, data: bytes) -> Opened:
    """The puzzle in a file that was dropped on the page; it lies nowhere yet."""
    with place(name[:200]):
        document = decode(data)
    answers = [answers for answers in document.answers if answers and answers.solutions]
    made = opened(document, "", "", False)
    if answers:
        count = sum(len(some.solutions) for some in answers)
        made.warnings.append(
            f"{count:,} saved solution{'s stay' if count > 1 else ' stays'} in the file"
            " and will not be in the copy; solve again to see them"
        )
    return made
