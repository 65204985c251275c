"""HTTP for the studio: requests become messages, and messages, pictures and errors responses.

A part of the studio is a module with `routes(studio)`. Most routes are functions from one message
to another that know nothing of HTTP. They run in a thread, and so do decoding and encoding, so that
a slow answer delays no other; plain endpoints that are not coroutines run in a thread, too.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from kumitate.model.errors import LimitReached, PuzzleError
from kumitate.studio.events import Events
from kumitate.studio.folder import Folder
from kumitate.studio.messages import ErrorData, Message
from kumitate.studio.refusal import STATUS, Reason, Refusal

LONGEST = 600  # characters of an error line
Ask = TypeVar("Ask", bound=Message)


@dataclass(frozen=True)
class Studio:
    """What the parts of the studio share."""

    folder: Folder
    events: Events = field(default_factory=Events)


def message_route(
    path: str, ask: type[Ask], answer: Callable[..., Message | str], method: str = "POST"
) -> Route:
    """A route that decodes a message and sends what a function makes of it; a text is an SVG.

    What the path names in braces the function gets as keywords.
    """

    def answered(body: bytes, names: dict[str, str]) -> Response:
        made = answer(decode_message(body, ask), **names)
        return svg_response(made) if isinstance(made, str) else json_response(made)

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(answered, await request.body(), request.path_params)

    return Route(path, endpoint, methods=[method])


Handler = Callable[[Request], Awaitable[Message | Response | None]]


def endpoint_of(answer: Handler) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint of a coroutine that gives a message, or the response itself."""

    async def endpoint(request: Request) -> Response:
        made = await answer(request)
        return made if isinstance(made, Response) else await run_in_threadpool(json_response, made)

    return endpoint


async def read_message(request: Request, kind: type[Ask]) -> Ask:
    """The message that a request holds."""
    return await run_in_threadpool(decode_message, await request.body(), kind)


def decode_message(body: bytes, kind: type[Ask]) -> Ask:
    """The message in the body of a request."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise PuzzleError(f"the page sent an invalid request: {error}; reload the page") from None


def json_response(message: Message | None, status: int = 200) -> Response:
    """A message as a response."""
    try:
        body = msgspec.json.encode(message)
    except UnicodeEncodeError:
        raise PuzzleError("a name has a letter that no file can have; change it") from None
    return Response(body, status, media_type="application/json")


def svg_response(svg: str, cache: str = "no-store") -> Response:
    """A picture as a response."""
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": cache})


def error_response(error: PuzzleError | LimitReached) -> Response:
    """Why something was not done, as a response."""
    reason = error.reason if isinstance(error, Refusal) else "question"
    return error_line(str(error), reason)


def error_line(message: str, reason: Reason, status: int | None = None) -> Response:
    """One printable line, not too long, whatever a file put into it."""
    line = "".join(c if c.isprintable() else "?" for c in " ".join(message.split()))
    if len(line) > LONGEST:
        line = f"{line[: LONGEST * 2 // 3]} ... {line[-LONGEST // 3 :]}"
    return json_response(ErrorData(line, reason), status or STATUS[reason])


def query_parameter(request: Request, name: str) -> str:
    """What stands behind ?name= in the address."""
    value = request.query_params.get(name)
    if value is None:
        raise PuzzleError(f"the address needs ?{name}=")
    return value
