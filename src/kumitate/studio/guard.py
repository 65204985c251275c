"""Who may ask: the server stands on a user's own machine, where any web page can reach it.

What keeps strangers out, each by itself: a token, which only the address in the terminal has; the
Host header, which gives away a site whose name was made to point at this machine (DNS rebinding);
and the Origin, which gives away a page of another site. The page itself is no secret and needs no
token; it takes the token from its address, keeps it in its own storage, and sends it as a header,
or, for a picture, in its address.
A cookie would not do: browsers send it to every server on this machine, whatever its port.
Bodies have a limit, counted as they arrive. Pages may load nothing from elsewhere nor be framed.
"""

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from secrets import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kumitate.studio.http import error_response
from kumitate.studio.refusal import Refusal

MOST_BYTES = 16_000_000  # of a body
MOST_DROPPED = 64_000_000  # bytes read and forgotten, so that a browser hears why
LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
PICTURE = "/api/picture"  # the one address that may have the token: images send no header
HUNG_UP = (403, 413)
SAFE_SITES = (None, "same-origin", "none")

PAGE_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "style-src-attr 'unsafe-inline'",  # where things stand and how wide they are
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
STRANGER = """<!doctype html><html lang="en"><meta charset="utf-8"><title>kumitate studio</title>
<h1>The access token is missing or out of date</h1>
<p>Open the whole address that <code>kumitate studio</code> printed in the terminal,
with its <code>?token=...</code></p></html>
"""


class Guard:
    """Stands before the studio and turns away whoever may not ask."""

    def __init__(self, app: ASGIApp, token: str, host: str) -> None:
        self.app, self.token, self.host = app, token, _bracketed(host).lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # nobody here speaks by web sockets
        request = Request(scope)
        api = scope["path"].startswith("/api/")

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(HEADERS)
                headers["content-security-policy"] = DATA_POLICY if api else PAGE_POLICY
                headers.setdefault("cache-control", "no-store")
                if message["status"] in HUNG_UP:
                    headers["connection"] = "close"  # whatever more of a body there may be
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
            await HTMLResponse(STRANGER, 403)(scope, receive, guarded)
            return
        await self.app(scope, body.receive, guarded)

    def _require_known(self, request: Request, api: bool) -> None:
        headers = request.headers
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(hosts[0], _port(request)):
            raise Refusal(
                "this address is not the one that kumitate studio printed; open that one",
                "forbidden",
            )
        for origin in headers.getlist("origin"):
            if origin.lower() != f"http://{hosts[0].lower()}":
                raise Refusal("a page of another site may not ask the studio", "forbidden")
        if api and headers.get("sec-fetch-site") not in SAFE_SITES:
            raise Refusal("a page of another site may not ask the studio", "forbidden")
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
        """Whether a Host header names this server: a loopback name, or what it was bound to.

        Bound to every address of the machine, it has many: any number is one, for a number cannot
        be made to point elsewhere like a name. But 0.0.0.0 is the address of no machine.
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
    """A request's body, cut off where it becomes too long."""

    def __init__(self, receive: Receive) -> None:
        self._receive, self._size = receive, 0

    async def require_short(self, headers: Headers) -> None:
        """Refuse at once what says that it is too long."""
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
        raise Refusal(f"that is more than {MOST_BYTES // 1_000_000} MB, which is too much", "large")


def _port(request: Request) -> int:
    """The port that the request came to."""
    server: tuple[str, int] = request.scope["server"]
    return server[1]


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _number(name: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return None
