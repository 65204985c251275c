"""Drafts: changes that are not saved, kept in the folder's hidden store, a file each.

So they outlive the tab, the browser and the server, and are found again at another port. A draft
belongs to the tab that writes it. Another tab may take it over by naming the owner that it has
seen; if that is no longer the owner, the request is rejected, and the tab keeps a draft of its own.
So no tab ever overwrites what another has drawn.
"""

import os
import re
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute

from kumitate.decoding import from_json
from kumitate.disk import put, remove
from kumitate.model.errors import PuzzleError
from kumitate.studio.ask.codec import grid_data, grid_of
from kumitate.studio.messages import (
    DraftCard,
    DraftData,
    DraftRequest,
    DraftsData,
    Opened,
)
from kumitate.studio.refusal import Refusal
from kumitate.studio.serve.http import Studio, address_route, json_response, message_route

FOLDER = "drafts"
SUFFIX = ".json"
MOST_LISTED = 1000

T = TypeVar("T")


def routes(studio: Studio) -> list[BaseRoute]:
    drafts = Drafts(lambda: studio.store / FOLDER)

    def listed(request: Request) -> Response:
        return json_response(drafts.listed())

    def opened(request: Request) -> Response:
        return json_response(drafts.opened(request.path_params["id"]))

    def drop(request: Request) -> Response:
        drafts.drop(request.path_params["id"])
        return json_response(None)

    return [
        address_route("/api/drafts", listed),
        address_route("/api/drafts/{id}", opened),
        message_route("/api/drafts/{id}", DraftRequest, drafts.keep, "PUT"),
        address_route("/api/drafts/{id}", drop, "DELETE"),
    ]


class _Shapes(msgspec.Struct):
    """What a list says of a puzzle: all that need be read of it."""

    grid: str
    title: str = ""
    shapes: list[msgspec.Raw] = []


class _Head(msgspec.Struct):
    """What a list says of a draft."""

    place: str
    version: str
    puzzle: _Shapes
    time: int
    tab: str


class Drafts:
    """The drafts in a folder, which need not exist."""

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    def _path(self, id: str) -> Path:
        if not re.fullmatch("[0-9a-z]{1,32}", id):
            raise Refusal(f"{id[:40]!r} is not the name of a draft", "missing")
        return self._folder() / f"{id}{SUFFIX}"

    def listed(self) -> DraftsData:
        """All drafts, the latest first; those that cannot be read are left out."""
        found: list[DraftCard] = []
        with suppress(OSError):
            for entry in list(os.scandir(self._folder()))[:MOST_LISTED]:
                if not entry.name.endswith(SUFFIX) or entry.name.startswith("."):
                    continue
                with suppress(PuzzleError):
                    head = self._read(Path(entry.path), _Head)
                    found.append(_card(entry.name.removesuffix(SUFFIX), head))
        return DraftsData(sorted(found, key=lambda draft: -draft.time))

    def opened(self, id: str) -> DraftData:
        """A draft, as it is opened."""
        draft = self._read(self._path(id), DraftRequest)
        grid = grid_data(grid_of(draft.puzzle.grid))
        opened = Opened(draft.place, draft.version, draft.puzzle, grid, draft.writable)
        return DraftData(opened, draft.time, draft.tab)

    def keep(self, draft: DraftRequest, id: str) -> DraftCard:
        """Write a draft, unless it is another tab's."""
        path = self._path(id)
        card = _card(id, draft)  # rejects a grid that is unknown
        with self._lock:
            owner = self._owner(path)
            if owner is not None and owner not in (draft.tab, draft.before):
                raise Refusal("another tab has changes of its own to this puzzle", "conflict")
            with suppress(OSError):
                path.parent.mkdir(parents=True, exist_ok=True)
            put(path, msgspec.json.encode(draft))
        return card

    def drop(self, id: str) -> None:
        with self._lock:
            remove(self._path(id))

    def _owner(self, path: Path) -> str | None:
        """The tab that a draft belongs to; None if there is none that can be read."""
        try:
            return self._read(path, _Head).tab
        except PuzzleError:
            return None

    def _read(self, path: Path, kind: type[T]) -> T:
        try:
            return from_json(path.read_bytes(), kind)
        except FileNotFoundError:
            raise Refusal("this draft no longer exists", "missing") from None
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            raise Refusal(f"{path.name} in {path.parent} cannot be read", "question") from None


def _card(id: str, draft: _Head | DraftRequest) -> DraftCard:
    return DraftCard(
        id=id,
        place=draft.place,
        version=draft.version,
        title=draft.puzzle.title,
        grid=grid_of(draft.puzzle.grid).name,
        shapes=len(draft.puzzle.shapes),
        time=draft.time,
        tab=draft.tab,
    )
