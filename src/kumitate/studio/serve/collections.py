"""Collections in the studio: the puzzles that searches have found, page by page.

A puzzle of a collection has a place, too: folder/cubes.kumitate/sample 99. Unlike its rank, its
sample stays the same while a search adds puzzles. It cannot be changed there; saving makes a copy.
"""

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from urllib.parse import urlencode

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from kumitate.model.errors import PuzzleError
from kumitate.model.found import Found
from kumitate.output.cards import card_of
from kumitate.output.gallery import content_of
from kumitate.store import Collection, is_collection, open_collection
from kumitate.studio.messages import CollectionData
from kumitate.studio.refusal import Refusal
from kumitate.studio.serve.folder import Folder, version_of
from kumitate.studio.serve.http import Studio, address_route, json_response, query_parameter

MOST_CARDS = 200  # in one response

_PUZZLE = re.compile(r"(.+\.kumitate)/sample ([0-9]{1,18})", re.IGNORECASE)
_LOCK = threading.Lock()  # `is_collection` must not read a file that is open here


def routes(studio: Studio) -> list[BaseRoute]:
    folder = studio.folder

    def collection(request: Request) -> Response:
        address = query_parameter(request, "place")
        first, count = (_whole(request, name) for name in ("first", "count"))
        with opened(folder, name_of(address)) as found:
            total = len(found)
            puzzles = found.found(first, min(count, MOST_CARDS))
        cards = [
            replace(card_of(number, one), picture=picture_address(address, one))
            for number, one in enumerate(puzzles, first)
        ]
        return json_response(CollectionData(address, total, cards))

    def content(request: Request) -> Response:
        found = puzzle_at(folder, query_parameter(request, "place"))
        return Response(msgspec.json.encode(content_of(found)), media_type="application/json")

    return [
        address_route("/api/collection", collection),
        address_route("/api/collection/puzzle", content),
    ]


def is_collection_file(folder: Folder, name: str) -> bool:
    """Whether a file of the folder is a collection, and not a run."""
    with _LOCK:
        return is_collection(folder.collection(name))


@contextmanager
def opened(folder: Folder, name: str) -> Iterator[Collection]:
    """A collection of the folder, for reading."""
    path = folder.collection(name)
    with _LOCK:
        if not path.is_file():
            raise Refusal(f"{name} does not exist; it may have been moved or deleted", "missing")
        if not is_collection(path):
            raise PuzzleError(f"{name}: not a collection, which kumitate search --output saves")
        with open_collection(path) as collection:
            yield collection


def is_in_collection(address: str) -> bool:
    """Whether a place is that of a puzzle in a collection.

    >>> is_in_collection("folder/cubes.kumitate/sample 99"), is_in_collection("folder/a.scad")
    (True, False)
    """
    return _PUZZLE.fullmatch(address) is not None


def puzzle_at(folder: Folder, address: str) -> Found:
    """The puzzle of a collection at this place."""
    found = _PUZZLE.fullmatch(address)
    if found is None:
        raise Refusal(
            f"there is no puzzle {address[:80]!r}; choose one from the gallery", "missing"
        )
    with opened(folder, name_of(found[1])) as collection:
        puzzle = collection.sampled(int(found[2]))
    if puzzle is None:
        raise Refusal(f"{found[1][:80]} has no puzzle of sample {found[2]}", "missing")
    return puzzle


def picture_address(address: str, found: Found) -> str:
    """Where the picture of a puzzle in a collection is, under api/."""
    place = f"{address}/sample {found.sample}"
    return f"picture?{urlencode({'place': place, 'version': version_of(found.text.encode())})}"


def name_of(address: str) -> str:
    """The name of a file in the folder, from its place."""
    where, _, name = address.partition("/")
    if where != "folder":
        raise Refusal(f"there is no collection {address[:80]!r}", "missing")
    return name


def _whole(request: Request, name: str) -> int:
    value = query_parameter(request, name)
    if not re.fullmatch("[0-9]{1,15}", value) or not int(value):
        raise PuzzleError(f"?{name}= must be a whole number, at least 1")
    return int(value)
