"""How the server talks: a request becomes a message, an answer a response, a refusal a sentence.

A part of the studio is a module with `routes(studio)`. Most routes are questions: a function from
one message to another, with no idea of HTTP. It runs in a thread with the reading and the writing,
so nothing that takes long holds up anybody else; plain endpoints that are no coroutines do so, too.
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

LONGEST = 600  # characters of a sentence
Ask = TypeVar("Ask", bound=Message)


@dataclass(frozen=True)
class Studio:
    """What the parts of the studio share."""

    folder: Folder
    events: Events = field(default_factory=Events)


def question(
    path: str, ask: type[Ask], answer: Callable[..., Message | str], method: str = "POST"
) -> Route:
    """A route that decodes a message and sends what a function makes of it; a text is an SVG.

    What the path names in braces the function gets as keywords.
    """

    def answered(body: bytes, names: dict[str, str]) -> Response:
        made = answer(decoded(body, ask), **names)
        return drawn(made) if isinstance(made, str) else told(made)

    async def endpoint(request: Request) -> Response:
        return await run_in_threadpool(answered, await request.body(), request.path_params)

    return Route(path, endpoint, methods=[method])


Answer = Callable[[Request], Awaitable[Message | Response | None]]


def answering(answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint of a coroutine that gives a message, or the response itself."""

    async def endpoint(request: Request) -> Response:
        made = await answer(request)
        return made if isinstance(made, Response) else await run_in_threadpool(told, made)

    return endpoint


async def asked_in(request: Request, kind: type[Ask]) -> Ask:
    """The message that a request holds."""
    return await run_in_threadpool(decoded, await request.body(), kind)


def decoded(body: bytes, kind: type[Ask]) -> Ask:
    """The message in the body of a request."""
    try:
        return msgspec.json.decode(body, type=kind)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise PuzzleError(f"the page sent an invalid request: {error}; reload the page") from None


def told(message: Message | None, status: int = 200) -> Response:
    """A message as a response."""
    try:
        body = msgspec.json.encode(message)
    except UnicodeEncodeError:
        raise PuzzleError("a name has a letter that no file can have; change it") from None
    return Response(body, status, media_type="application/json")


def drawn(svg: str, cache: str = "no-store") -> Response:
    """A picture as a response."""
    return Response(svg, media_type="image/svg+xml", headers={"cache-control": cache})


def refused(error: PuzzleError | LimitReached) -> Response:
    """Why something was not done, as a response."""
    reason = error.reason if isinstance(error, Refusal) else "question"
    return sentence(str(error), reason)


def sentence(message: str, reason: Reason, status: int | None = None) -> Response:
    """One printable line, not too long, whatever a file put into it."""
    line = "".join(c if c.isprintable() else "?" for c in " ".join(message.split()))
    if len(line) > LONGEST:
        line = f"{line[: LONGEST * 2 // 3]} ... {line[-LONGEST // 3 :]}"
    return told(ErrorData(line, reason), status or STATUS[reason])


def parameter(request: Request, name: str) -> str:
    """What stands behind ?name= in the address."""
    value = request.query_params.get(name)
    if value is None:
        raise PuzzleError(f"the address needs ?{name}=")
    return value
