"""Access control: the server runs on the user's own machine, where any web page can reach it.

Three independent checks keep strangers out: a token, which only the address in the terminal has;
the Host header, which reveals a site whose name was made to point at this machine (DNS rebinding);
and the Origin header, which reveals a page of another site. The page itself is not secret and needs
no token. It takes the token from its address, keeps it in its own storage, and sends it as a
header, or, for a picture, in the address. A cookie would not do: browsers send it to every server
on this machine, whatever its port.

Request bodies are limited, counted as they arrive. Pages may not load anything from elsewhere, nor
be framed.
"""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from secrets import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kumitate.studio.refusal import Refusal
from kumitate.studio.serve.http import error_response

MOST_BYTES = 16_000_000  # of a body
MOST_DROPPED = 64_000_000  # bytes to read and discard, so that the browser reads our answer
LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
PICTURE = "/api/picture"  # the only address that may contain the token: images send no header
CLOSING = (403, 413)  # statuses after which the connection is closed
SAFE_SITES = (None, "same-origin", "none")

PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",  # positions and widths
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
DATA_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox"
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
NO_TOKEN = """<!doctype html><html lang="en"><meta charset="utf-8"><title>kumitate studio</title>
<h1>The access token is missing or out of date</h1>
<p>Open the whole address that <code>kumitate studio</code> printed in the terminal,
with its <code>?token=...</code></p></html>
"""


class Guard:
    """ASGI middleware that rejects requests from strangers."""

    def __init__(self, app: ASGIApp, token: str, host: str) -> None:
        self.app, self.token, self.host = app, token, _bracketed(host).lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # we have no web sockets
        request = Request(scope)
        api = scope["path"].startswith("/api/")

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers["content-security-policy"] = DATA_POLICY if api else PAGE_POLICY
                headers.setdefault("cache-control", "no-store")
                if message["status"] in CLOSING:
                    headers["connection"] = "close"  # the rest of the body is not read
            await send(message)

        body = _Body(receive)
        try:
            self._require_known(request, api)
            await body.require_short(request.headers)
        except Refusal as error:
            await error_response(error)(scope, receive, guarded)
            return
        given = request.query_params.get("token")
        if given is not None and not api and not self._is_token(given):
            await HTMLResponse(NO_TOKEN, 403)(scope, receive, guarded)
            return
        await self.app(scope, body.receive, guarded)

    def _require_known(self, request: Request, api: bool) -> None:
        headers = request.headers
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(hosts[0], _port(request)):
            raise Refusal(
                "this is not the address that kumitate studio printed; open that one",
                "forbidden",
            )
        for origin in headers.getlist("origin"):
            if origin.lower() != f"http://{hosts[0].lower()}":
                raise Refusal("pages of other sites may not use the studio", "forbidden")
        if api and headers.get("sec-fetch-site") not in SAFE_SITES:
            raise Refusal("pages of other sites may not use the studio", "forbidden")
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if request.url.path == PICTURE and "token" in request.query_params:
            scheme, token = "Bearer", request.query_params["token"]
        if api and not (scheme == "Bearer" and self._is_token(token)):
            raise Refusal(
                "the access token is missing or out of date;"
                " open the address that kumitate studio printed",
                "forbidden",
            )

    def _is_ours(self, host: str, port: int) -> bool:
        """Whether a Host header names this server: a loopback name, or the host it is bound to.

        A server bound to all addresses of the machine accepts any numeric address, since a number
        cannot be made to point elsewhere as a name can; except 0.0.0.0, which is no machine's.
        """
        name, _, given = host.lower().rpartition(":")
        if not name or not re.fullmatch("[0-9]{1,5}", given):  # without a port
            name, given = host.lower(), "80"
        if int(given) != port:
            return False
        if name in LOOPBACK:
            return True
        bound, asked = _number(self.host), _number(name)
        if bound is not None and bound.is_unspecified:
            return asked is not None and not asked.is_unspecified
        return name == self.host

    def _is_token(self, given: str) -> bool:
        return compare_digest(given.encode("utf-8", "replace"), self.token.encode())


class _Body:
    """A request's body, rejected when it becomes too long."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._size = receive, 0

    async def require_short(self, headers: Headers) -> None:
        """Reject a body whose declared length is too long."""
        length = headers.get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > MOST_BYTES:
            await self._drop()

    async def receive(self) -> Message:
        message = await self._receive()
        self._size += len(message.get("body", b""))
        if self._size > MOST_BYTES:
            await self._drop(message.get("more_body", False))
        return message

    async def _drop(self, more: bool = True) -> None:
        while more and self._size <= MOST_DROPPED:
            message = await self._receive()
            self._size += len(message.get("body", b""))
            more = message.get("more_body", False)
        raise Refusal(f"too large: the limit is {MOST_BYTES // 1_000_000} MB", "large")


def _port(request: Request) -> int:
    """The port that received the request."""
    server: tuple[str, int] = request.scope["server"]
    return server[1]


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _number(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
