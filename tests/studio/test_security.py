"""Strangers stay out: other sites, rebound names, wrong tokens, path traversal, endless bodies."""

import asyncio
import gzip
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import quote

import pytest
from starlette.types import Message, Receive, Scope, Send
from tests.studio.bench import TOKEN, Bench, running
from tests.studio.serve.test_folder import BAD

import kumitate
from kumitate import library
from kumitate.studio.ask.codec import puzzle_data
from kumitate.studio.messages import SaveRequest
from kumitate.studio.serve.guard import MOST_BYTES, Guard
from kumitate.studio.serve.server import listen

SOMA = library["soma"]
KEY = f"Authorization: Bearer {TOKEN}\r\n"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """One studio for all tests; it must survive all of them."""
    folder = tmp_path_factory.mktemp("studio") / "bench"
    folder.mkdir()
    with running(folder) as bench:
        yield bench


def refusal(bench: Bench, path: str = "/api/home", method: str = "GET", **headers: str) -> str:
    """The error for a request with the right token that is rejected anyway."""
    answer = bench.ask(method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})
    assert answer.status == 403
    assert answer.error["reason"] == "forbidden"
    return answer.error["message"]


# ---- who asks ----


@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "https://evil.example",
        "null",
        "",
        "http://localhost",
        "http://127.0.0.1:1",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:{port}.evil.example",
        "http://127.0.0.1:{port}@evil.example",
        "http://localhost:{port}",  # ours, but not the address that the request went to
        "http://evil.example/127.0.0.1:{port}",
        "file://",
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS"])
def test_a_page_of_another_origin_may_not_ask(bench: Bench, origin: str, method: str) -> None:
    origin = origin.format(port=bench.port)
    assert "other sites" in refusal(bench, "/api/puzzle", method, origin=origin)


def test_our_own_origin_may(bench: Bench) -> None:
    answer = bench.ask("GET", "/api/home", headers={"origin": f"http://127.0.0.1:{bench.port}"})
    assert answer.status == 200
    assert not any(name.startswith("access-control") for name in answer.headers)


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_picture_on_a_page_of_another_site_is_not_drawn(bench: Bench, site: str) -> None:
    """Image requests have no Origin; another port of this machine counts as the same site."""
    path = "/api/picture?place=library/soma&version=x"
    assert "other sites" in refusal(bench, path, sec_fetch_site=site)
    for fine in ("same-origin", "none"):
        assert bench.ask("GET", path, headers={"sec-fetch-site": fine}).status == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1.evil.example:{port}",
        "localhost.evil.example:{port}",
        "evil.example:{port}:{port}",
        "127.0.0.1:{other}",
        "127.0.0.1",
        "localhost",
        "0.0.0.0:{port}",
        "[::]:{port}",
        "192.168.1.2:{port}",
        "127.0.0.2:{port}",
        "2130706433:{port}",
        "127.1:{port}",
        "user@127.0.0.1:{port}",
        "127.0.0.1:{port}/",
        "",
        " ",
        "127.0.0.1:0{port}0",
    ],
)
@pytest.mark.parametrize("path", ["/api/home", "/"])
def test_a_name_that_is_not_ours_is_not_served(bench: Bench, host: str, path: str) -> None:
    """DNS rebinding: the browser sends the name of a site that points at this machine."""
    host = host.format(port=bench.port, other=bench.port % 60_000 + 1)
    answer = raw(bench, f"GET {path} HTTP/1.1\r\nHost: {host}\r\n{KEY}Connection: close\r\n\r\n")
    assert status(answer) in (400, 403)
    assert b"library" not in answer


@pytest.mark.parametrize(
    "host", ["127.0.0.1:{port}", "localhost:{port}", "LocalHost:{port}", "[::1]:{port}"]
)
def test_loopback_has_several_names(bench: Bench, host: str) -> None:
    host = host.format(port=bench.port)
    assert bench.ask("GET", "/api/home", headers={"host": host}).status == 200
    answer = bench.ask("GET", "/api/home", headers={"host": host, "origin": f"http://{host}"})
    assert answer.status == 200


def test_a_host_that_is_missing_or_given_twice_is_not_served(bench: Bench) -> None:
    here = f"Host: 127.0.0.1:{bench.port}\r\n"
    for hosts in ("", here + "Host: evil.example\r\n", "Host: evil.example\r\n" + here):
        lines = f"GET /api/home HTTP/1.1\r\n{hosts}{KEY}Connection: close\r\n\r\n"
        assert status(raw(bench, lines)) in (400, 403)
    old = raw(bench, f"GET /api/home HTTP/1.0\r\n{KEY}\r\n")
    assert status(old) == 403
    whole = f"GET http://evil.example/api/home HTTP/1.1\r\n{here}{KEY}"
    assert status(raw(bench, whole + "Connection: close\r\n\r\n")) in (400, 403, 404)


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ([("host", "127.0.0.1:5")], 200),
        ([], 403),
        ([("host", "127.0.0.1:5"), ("host", "evil.example")], 403),
        ([("host", "127.0.0.1:5"), ("host", "127.0.0.1:5")], 403),
        ([("host", "127.0.0.1:5"), ("origin", "http://127.0.0.1:5")], 200),
        (
            [
                ("host", "127.0.0.1:5"),
                ("origin", "http://127.0.0.1:5"),
                ("origin", "http://evil.example"),
            ],
            403,
        ),
    ],
)
def test_no_second_header_is_overlooked(headers: list[tuple[str, str]], expected: int) -> None:
    """Even if the HTTP parser in front of the guard lets it through."""
    sent: list[Message] = []

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    key = ("authorization", f"Bearer {TOKEN}")
    scope = {
        "type": "http",
        "method": "GET",
        "path": "/api/home",
        "query_string": b"",
        "server": ("127.0.0.1", 5),
        "headers": [(name.encode(), value.encode()) for name, value in [*headers, key]],
    }
    # On a new thread, since this one may already run a browser's event loop.
    guarded = Guard(answered, TOKEN, "127.0.0.1")(scope, receive, send)
    with ThreadPoolExecutor(1) as beside:
        beside.submit(asyncio.run, guarded).result()
    assert sent[0]["status"] == expected


def test_what_a_proxy_would_say_is_not_believed(bench: Bench) -> None:
    answer = bench.ask(
        "GET",
        "/api/home",
        headers={
            "host": "evil.example",
            "x-forwarded-host": f"127.0.0.1:{bench.port}",
            "x-forwarded-for": "127.0.0.1",
            "forwarded": f"host=127.0.0.1:{bench.port}",
        },
    )
    assert answer.status == 403


def raw(bench: Bench, text: str) -> bytes:
    with socket.create_connection(("127.0.0.1", bench.port), timeout=30) as line:
        line.sendall(text.encode("latin-1"))
        answer = b""
        while part := line.recv(65536):
            answer += part
        return answer


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


@pytest.mark.parametrize(
    ("bound", "host", "ours"),
    [
        ("127.0.0.1", "127.0.0.1:5", True),
        ("127.0.0.1", "box:5", False),
        ("box", "box:5", True),
        ("box", "BOX:5", True),
        ("box", "other:5", False),
        ("192.168.1.2", "192.168.1.2:5", True),
        ("192.168.1.2", "192.168.1.3:5", False),
        ("::1", "[::1]:5", True),
        ("fe80::1", "[fe80::1]:5", True),
        ("0.0.0.0", "192.168.1.3:5", True),
        ("0.0.0.0", "[fe80::1]:5", True),
        ("0.0.0.0", "localhost:5", True),
        ("0.0.0.0", "0.0.0.0:5", False),
        ("0.0.0.0", "[::]:5", False),
        ("0.0.0.0", "[0::0]:5", False),
        ("::", "[::]:5", False),
        ("::", "0.0.0.0:5", False),
        ("0.0.0.0", "evil.example:5", False),
        ("0.0.0.0", "192.168.1.3:6", False),
        ("::", "192.168.1.3:5", True),
        ("::", "evil.example:5", False),
    ],
)
def test_told_to_serve_elsewhere_that_name_is_ours_too(bound: str, host: str, ours: bool) -> None:
    guard = Guard(lambda scope, receive, send: None, TOKEN, bound)  # type: ignore[arg-type, return-value]
    assert guard._is_ours(host, 5) is ours


def test_a_plain_address_means_port_80() -> None:
    guard = Guard(lambda scope, receive, send: None, TOKEN, "127.0.0.1")  # type: ignore[arg-type, return-value]
    assert guard._is_ours("localhost", 80)
    assert guard._is_ours("[::1]", 80)
    assert not guard._is_ours("localhost", 8080)


def test_the_server_is_bound_to_loopback_alone(bench: Bench) -> None:
    bound = listen("127.0.0.1", 0)
    assert bound.getsockname()[0] == "127.0.0.1"
    bound.close()
    outward = own_address()
    if outward is None:
        pytest.skip("this machine has no other address")
    with pytest.raises(OSError, match=r"refused|timed out|unreachable"):
        socket.create_connection((outward, bench.port), timeout=3).close()


def own_address() -> str | None:
    """An address of this machine on the network, if it has one; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        address: str = probe.getsockname()[0]
    return None if address.startswith("127.") else address


# ---- the token ----


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/home"),
        ("GET", "/api/events"),
        ("GET", "/api/puzzle?place=library/soma"),
        ("PUT", "/api/puzzle"),
        ("POST", "/api/import?name=a"),
        ("POST", "/api/shape/facts"),
        ("GET", "/api/picture?place=library/soma&version=x"),
        ("GET", "/api/nothing"),
    ],
)
@pytest.mark.parametrize("key", ["", "wrong", TOKEN[:-1], TOKEN + "x", TOKEN.upper(), "ü", "\\"])
def test_without_the_right_key_nothing_is_answered(
    bench: Bench, method: str, path: str, key: str
) -> None:
    ways: list[dict[str, str]] = [
        {},
        {"authorization": key},
        {"authorization": f"Bearer {key}"},
        {"authorization": f"Basic {TOKEN}"},
        {"authorization": TOKEN},
        {"cookie": f"kumitate-{bench.port}={TOKEN}; token={TOKEN}"},
    ]
    asked = [bench.ask(method, path, headers=headers, key=False) for headers in ways]
    address = f"{path}{'&' if '?' in path else '?'}token={TOKEN}"
    if not path.startswith("/api/picture"):
        asked.append(bench.ask(method, address, key=False))
    for answer in asked:
        assert answer.status == 403
        assert answer.error["reason"] == "forbidden"
        assert "open the address that kumitate studio printed" in answer.error["message"]


def test_a_picture_may_have_the_token_in_its_address(bench: Bench) -> None:
    """An image on the page sends no header."""
    path = "/api/picture?place=library/soma&version=x&token="
    assert bench.ask("GET", path + TOKEN, key=False).status == 200
    for wrong in ("", "wrong", TOKEN + "x"):
        assert bench.ask("GET", path + wrong, key=False).status == 403
        assert bench.ask("GET", path + wrong).status == 403


def test_the_page_is_no_secret_but_a_wrong_token_is_not_taken(bench: Bench) -> None:
    """A link to /?token=wrong must not make the page forget the right one."""
    for path in ("/?token=", "/?token=wrong", f"/?token={TOKEN}x", "/index.html?token=wrong"):
        stranger = bench.ask("GET", path, key=False)
        assert stranger.status == 403
        assert b"<h1>The access token is missing or out of date</h1>" in stranger.body
    for path in ("/", f"/?token={TOKEN}"):
        assert bench.ask("GET", path, key=False).status in (200, 503)  # 503: it is not built


def test_no_answer_sets_a_cookie_or_repeats_the_token(bench: Bench) -> None:
    for path in ("/", f"/?token={TOKEN}", "/?token=wrong", "/api/home", "/nothing"):
        for key in (True, False):
            answer = bench.ask("GET", path, key=key)
            assert "set-cookie" not in answer.headers
            assert TOKEN not in str(answer.headers)
            assert TOKEN.encode() not in answer.body


# ---- response headers ----


def test_pages_may_load_nothing_from_elsewhere_nor_be_framed(bench: Bench) -> None:
    for path in ("/", "/?token=wrong", "/nothing"):
        headers = bench.ask("GET", path).headers
        policy = dict(rule.split(" ", 1) for rule in headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == policy["connect-src"] == "'self'"
        assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
        assert not any("http" in rule or "*" in rule for rule in policy.values())
    for path in ("/api/home", "/api/nothing", "/api/picture?place=library/soma&version=x"):
        policy_text = bench.ask("GET", path).headers["content-security-policy"]
        assert policy_text == "default-src 'none'; frame-ancestors 'none'; sandbox"


@pytest.mark.parametrize("path", ["/", "/api/home", "/api/nothing", "/nothing"])
def test_every_answer_has_the_headers_that_keep_it_in(bench: Bench, path: str) -> None:
    for key in (True, False):
        headers = bench.ask("GET", path, key=key).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert headers["cross-origin-opener-policy"] == "same-origin"
        assert "server" not in headers
        assert headers["cache-control"] == "no-store"


def test_what_a_file_says_does_not_become_part_of_a_picture(bench: Bench) -> None:
    evil = kumitate.Shape.from_text(kumitate.CUBES, "#", name='"><script>alert(1)</script>')
    kumitate.save(
        kumitate.Puzzle(kumitate.CUBES, [evil], title=evil.name), bench.folder / "e.kumitate.json"
    )
    answer = bench.get("picture", place="folder/e.kumitate.json", version="x")
    assert answer.status == 200
    assert b"<script" not in answer.body
    (bench.folder / "e.kumitate.json").unlink()


def test_nobody_speaks_by_web_sockets(bench: Bench) -> None:
    answer = raw(
        bench,
        f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{bench.port}\r\n{KEY}"
        "Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: http://evil.example\r\n\r\n",
    )
    assert status(answer) == 403


# ---- the folder ----


@pytest.mark.parametrize("name", BAD, ids=lambda name: repr(name[:30]))
def test_no_spelling_of_a_place_leads_out_of_the_folder(bench: Bench, name: str) -> None:
    secret = bench.folder.parent / "secret.kumitate.json"
    kumitate.save(SOMA, secret)
    if name.startswith("\ud800"):
        return  # no URL can contain that
    before = sorted(bench.folder.parent.rglob("*"))
    for place in (f"folder/{name}", name, f"library/{name}"):
        for path in ("puzzle", "picture"):
            answer = bench.get(path, place=place, version="x")
            assert answer.status in (400, 404)
            assert b"Soma" not in answer.body
    for spelled in (quote(f"folder/{name}", safe=""), quote(f"folder/{name}").replace("%", "%25")):
        assert bench.ask("GET", f"/api/puzzle?place={spelled}").status in (400, 404)
    request = SaveRequest(f"folder/{name}", "", puzzle_data(library["y25"]))
    assert bench.ask("PUT", "/api/puzzle", request).status == 400
    assert kumitate.load(secret) == SOMA
    assert sorted(bench.folder.parent.rglob("*")) == before


def test_the_address_itself_leads_nowhere_else(bench: Bench) -> None:
    for path in (
        "/api/../server.py",
        "/api/%2e%2e/x",
        "/..%2f..%2fetc/passwd",
        "//etc/passwd",
        "/api//home",
    ):
        assert bench.ask("GET", path).status == 404


def test_the_library_cannot_be_written(bench: Bench) -> None:
    request = SaveRequest("library/soma", "", puzzle_data(SOMA))
    answer = bench.ask("PUT", "/api/puzzle", request)
    assert answer.status == 400
    assert "save a copy in your folder under a new name" in answer.error["message"]


# ---- large bodies ----


def test_a_body_that_says_it_is_too_long_is_refused(bench: Bench) -> None:
    answer = bench.ask("POST", "/api/import?name=big.json", b" " * (MOST_BYTES + 1))
    assert answer.status == 413
    assert answer.error == {
        "message": "too large: the limit is 16 MB",
        "reason": "large",
    }
    assert bench.ask("POST", "/api/import?name=fits.json", b" " * MOST_BYTES).status == 400


def test_a_body_in_chunks_is_counted_as_it_comes(bench: Bench) -> None:
    connection = bench.connection()
    chunks = (b" " * 1_000_000 for _ in range(20))
    connection.request("PUT", "/api/puzzle", chunks, bench.key, encode_chunked=True)
    response = connection.getresponse()
    assert response.status == 413
    assert b"the limit is 16 MB" in response.read()
    connection.close()


@pytest.mark.parametrize("declared", [True, False])
def test_a_body_without_end_is_not_waited_for(bench: Bench, declared: bool) -> None:
    """At most a few times the limit is read, and none of it is kept."""
    length = f"Content-Length: {10**15}" if declared else "Transfer-Encoding: chunked"
    part = b"x" * 65536 if declared else b"10000\r\n" + b"x" * 65536 + b"\r\n"
    sent = 0
    with socket.create_connection(("127.0.0.1", bench.port), timeout=30) as line:
        head = f"PUT /api/puzzle HTTP/1.1\r\nHost: 127.0.0.1:{bench.port}\r\n{KEY}"
        line.sendall(f"{head}{length}\r\n\r\n".encode())
        try:
            while sent < 20 * MOST_BYTES:
                line.sendall(part)
                sent += len(part)
        except OSError:  # the server has closed the connection
            pass
    assert sent < 10 * MOST_BYTES
    assert bench.get("home").status == 200


def test_strangers_are_refused_before_their_body_is_read(bench: Bench) -> None:
    head = (
        f"POST /api/import?name=a HTTP/1.1\r\nHost: 127.0.0.1:{bench.port}\r\n"
        f"Content-Length: {MOST_BYTES}\r\nConnection: close\r\n\r\n"
    )
    assert status(raw(bench, head)) == 403


def test_a_bomb_is_not_unpacked(bench: Bench) -> None:
    bomb = gzip.compress(b" " * 60_000_000)
    assert len(bomb) < 100_000
    answer = bench.ask("POST", "/api/import?name=bomb.xmpuzzle", bomb)
    assert answer.status == 400
    assert "unpacks to more than 16 MB" in answer.error["message"]
