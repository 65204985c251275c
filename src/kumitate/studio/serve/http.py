"""HTTP for the studio: requests become messages; messages, pictures and errors become responses.

A part of the studio is a module with `routes(studio)`. Most routes are functions from one message
to another that know nothing about HTTP. They run in a thread, and so do decoding and encoding, so a
slow answer delays no other. In the browser, which has no threads for Python, `asyncio.to_thread`
just calls the function.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kumitate.decoding import from_json
from kumitate.files import json_errors
from kumitate.model.errors import LimitReached, PuzzleError
from kumitate.studio.messages import ErrorData, Message
from kumitate.studio.refusal import STATUS, Reason, Refusal
from kumitate.studio.serve.events import Events
from kumitate.studio.serve.folder import Folder, store_of

LONGEST = 600  # characters of an error line
Ask = TypeVar("Ask", bound=Message)


@dataclass(frozen=True)
class Studio:
    """What the parts of the studio share."""

    folder: Folder
    events: Events = field(default_factory=Events)

    @cached_property
    def store(self) -> Path:
        """The hidden folder for runs and drafts."""
        return store_of(self.folder.root)


def message_route(
    path: str, ask: type[Ask], answer: Callable[..., Message | str], method: str = "POST"
) -> Route:
    """A route that decodes a message and sends a function's answer; a string is sent as SVG.

    The function gets the path's parameters (in braces) as keyword arguments.
    """

    def answered(body: bytes, names: dict[str, str]) -> Response:
        made = answer(decode_message(body, ask), **names)
        return svg_response(made) if isinstance(made, str) else json_response(made)

    async def endpoint(request: Request) -> Response:
        return await asyncio.to_thread(answered, await request.body(), request.path_params)

    return Route(path, endpoint, methods=[method])


def address_route(path: str, answer: Callable[[Request], Response], method: str = "GET") -> Route:
    """A route for a function that answers from the address alone, in a thread."""

    async def endpoint(request: Request) -> Response:
        return await asyncio.to_thread(answer, request)

    return Route(path, endpoint, methods=[method])


Handler = Callable[[Request], Awaitable[Message | Response | None]]


def endpoint_of(answer: Handler) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint for a coroutine that returns a message or a response."""

    async def endpoint(request: Request) -> Response:
        made = await answer(request)
        return made if isinstance(made, Response) else await asyncio.to_thread(json_response, made)

    return endpoint


async def read_message(request: Request, kind: type[Ask]) -> Ask:
    """The message in a request."""
    return await asyncio.to_thread(decode_message, await request.body(), kind)


def decode_message(body: bytes, kind: type[Ask]) -> Ask:
    """The message in the body of a request."""
    try:
        return from_json(body, kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        problem = json_errors.describe(error, "it")
        raise PuzzleError(f"the page sent an invalid request: {problem}; reload the page") from None


def json_response(message: Message | None, status: int = 200) -> Response:
    """A message as a response."""
    try:
        body = msgspec.json.encode(message)
    except UnicodeEncodeError:
        raise PuzzleError("a name has a character that cannot be saved; change it") from None
    return Response(body, status, media_type="application/json")


def svg_response(svg: str, cache: str = "no-store") -> Response:
    """A picture as a response."""
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": cache})


def error_response(error: PuzzleError | LimitReached) -> Response:
    """An error as a response."""
    reason = error.reason if isinstance(error, Refusal) else "question"
    return error_line(str(error), reason)


def error_line(message: str, reason: Reason, status: int | None = None) -> Response:
    """An error as a response: one printable line, not too long, whatever a file put into it."""
    line = "".join(c if c.isprintable() else "?" for c in " ".join(message.split()))
    if len(line) > LONGEST:
        line = f"{line[: LONGEST * 2 // 3]} ... {line[-LONGEST // 3 :]}"
    return json_response(ErrorData(line, reason), status or STATUS[reason])


def query_parameter(request: Request, name: str) -> str:
    """The value of ?name= in the address."""
    value = request.query_params.get(name)
    if value is None:
        raise PuzzleError(f"the address needs ?{name}=")
    return value
