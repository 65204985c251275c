"""Broken files: whatever bytes come in, a document or a PuzzleError comes out, and quickly.

Good files are broken at random: bits flipped, pieces of text cut, doubled and swapped, numbers made
extreme. Most are rejected; if one is not, our own format must keep everything that was read. The
search continues with new random seeds for KUMITATE_FUZZ_SECONDS (default 10), and prints a failing
file as bytes, to be made a test of its own.
"""

import gzip
import os
import re
import secrets
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from itertools import count
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from tests.files.strategies import documents, xml_documents

from kumitate import Document, PuzzleError
from kumitate.files import burrtools, decode, json
from kumitate.files.burrtools.places import GRID_TYPES

SECONDS = float(os.environ.get("KUMITATE_FUZZ_SECONDS", "10"))
LONGEST = 5.0  # CPU seconds for one file
MEMORY = 2_000_000_000  # bytes, beyond what is in use already

# ---- good files ----


def handwritten(grid: int, size: tuple[int, int, int], text: str, step: int) -> bytes:
    """Three copies of a shape on top of each other, taken apart, with every field of the format."""
    columns, rows, layers = size
    still = "<dx>0 0 0</dx><dy>0 0 0</dy>"
    return f"""<?xml version="1.0"?>
<puzzle version="2"><gridType type="{grid}"/>
<colors><color red="1" green="20" blue="255"/><color red="0" green="0" blue="0"/></colors>
<shapes>
 <voxel x="{columns}" y="{rows}" z="{layers}" type="0" name="a &amp; b" weight="2"
  hx="0" hy="0" hz="0">{text}</voxel>
 <voxel x="2" y="1" z="1" type="0">_+2</voxel>
</shapes>
<problems>
 <problem name="first" state="2" assemblies="7" solutions="1" time="12" maxHoles="3">
  <shapes><shape id="0" count="3" group="1"/><shape id="1" min="0" max="2">
   <group group="1" count="1"/><group group="2" count="2"/></shape></shapes>
  <result id="1"/><bitmap><pair piece="0" result="1"/></bitmap>
  <solutions>
   <solution asmNum="1" solNum="1">
    <assembly>0 0 0 0 0 0 {step} 0 0 0 {2 * step} 0 x x</assembly>
    <separation><pieces count="3">0 1 2</pieces>
     <state>{still}<dz>0 {step} {2 * step}</dz></state>
     <state>{still}<dz>0 {step} {5 * step}</dz></state>
     <state>{still}<dz>0 {step} {30_005 * step}</dz></state>
     <separation type="left"><pieces count="2">0 1</pieces>
      <state><dx>0 0</dx><dy>0 0</dy><dz>0 {step}</dz></state>
      <state><dx>0 0</dx><dy>0 0</dy><dz>{-30_000 * step} {step}</dz></state></separation>
    </separation></solution>
   <solution asmNum="3"><assembly>x x 0 0 {step} 0 x x</assembly>
    <separationInfo>4 2 0 0 3 0 0</separationInfo></solution>
  </solutions></problem>
 <problem state="0"><shapes/></problem>
</problems><comment popup="">caf&#233;</comment></puzzle>""".encode()


HANDWRITTEN = [
    handwritten(0, (2, 2, 1), "##1#_", 1),
    handwritten(1, (3, 1, 1), "##1+", 1),
    handwritten(2, (2, 2, 1), "#__#1", 2),
    handwritten(3, (1, 3, 3), "_____#_#1_", 5),
    handwritten(4, (3, 3, 3), "__#__________#1_____________", 6),
]


TURNING = b"""{"kumitate": 1, "shapes": [{"name": "a", "drawing": ["###"]},
 {"name": "b", "drawing": ["#"]}], "problems": [{"goal": "a", "pieces": [{"shape": "a"},
 {"shape": "b"}], "answers": {"solutions": [{"assembly": [[0, 0, 0, 0, 0], [1, 0, 0, 1, 0]],
 "disassembly": {"parts": 2, "moves": [[[1], [1, 0, 0], 2],
  {"pieces": [1], "axis": 2, "quarters": -1, "pivot": [4, 6, 0], "tolerance": 0.036},
  {"pieces": [1], "axis": 2, "quarters": 1, "pivot": [2, 2, 0], "route": [["1/2", "3/2", "0"],
   ["1/2", "7/4", "1/3"], ["-1/2", "1/2", "1"]]},
  {"pieces": [0], "axis": 0, "quarters": 0, "pivot": [0, 0, 0], "tolerance": 0.0565,
   "route": [["1/2", "1/2", "0"], ["1/2", "3/4", "-41/1024"], ["1", "-5/2", "0"]]},
  [[1], [0, 0, 1], null]]}},
 {"assembly": [[0, 0, 0, 0, 0]], "levels": {"moves": 3, "turns": 1, "left": {"moves": 2}}}]}}]}"""


def library_files() -> list[bytes]:
    folder = resources.files("kumitate.library").iterdir()
    return [entry.read_bytes() for entry in folder if entry.name.endswith(".kumitate.json")]


def written_files() -> list[bytes]:
    """Random documents in both formats."""
    found = []

    @settings(max_examples=40, deadline=None, database=None, phases=[Phase.generate])
    @given(documents(), xml_documents())
    def collect(any_document: Document, xml_document: Document) -> None:
        found.extend([json.write(any_document), burrtools.write(xml_document)[0]])

    collect()
    return sorted(set(found), key=len)


@pytest.fixture(scope="module")
def good_files() -> list[bytes]:
    return [*HANDWRITTEN * 5, *[TURNING] * 25, *library_files(), *written_files()]


@pytest.mark.parametrize("data", HANDWRITTEN, ids=[grid.name for grid in GRID_TYPES])
def test_what_is_to_be_broken_is_whole(data: bytes) -> None:
    answers = decode(data).answers[0]
    assert answers is not None
    assert [str(solution.levels) for solution in answers.solutions] == ["2", "3.2"]


def test_what_turns_is_whole() -> None:
    answers = decode(TURNING).answers[0]
    assert answers is not None
    assert [str(solution.levels) for solution in answers.solutions] == ["2R3", "2R1.2R0"]


# ---- breaking them ----

Spans = list[tuple[int, int]]
EXTREME = (
    b"0 -0 -1 1 2 3 4 5 9 24 63 64 65 99 120 255 256 1000 9999 10000 10001 30000 65536 100000"
    b" 999999 1000000 1000001 -1000000 -1000001 2147483647 2147483648 -2147483649 4294967296"
    b" 9007199254740992 9007199254740993 9223372036854775807 18446744073709551616 999999999999999"
    b" 1000000000000000 1e5 1e400 0.5 -0.0 NaN Infinity null true 0x10 1_000 +1 \xc2\xb2 \xd9\xa5"
).split() + [b"1" + b"0" * 400, b"", b" ", b"1 2"]
SNIPPETS = [
    *[b"<", b">", b"/", b'"', b"'", b"&", b"&#0;", b"&lt;", b"<!--", b"]]>", b"<a/>", b"<?x?>"],
    *[b"{", b"}", b"[", b"]", b",", b":", b"null", b'""', b"{}", b"[]", b"\\u0000", b"\\"],
    *[b"#", b"+", b"_", b".", b"z", b"A", b"#63", b"#64", b" ", b"\n", b"\n\n", b"\t", b"\0"],
    *[b"\xff", b"\xe9", b"\x81", b"\xef\xbb\xbf", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80"],
    *[b' encoding="utf-16"', b' encoding="cp1252"', b"<!DOCTYPE a>", b"<separation/>"],
    *[b'"cells":{"":[[0,0,0,0]]},', b'"drawing":["#"],', b'"at":[1,2,3],', b'"count":[1,2],'],
]
_TOKEN = re.compile(rb'"[^"]*"|[\w.+-]+|[^\w\s]')
_NUMBER = re.compile(rb"[+-]?[0-9]+")
_TAG = re.compile(rb"<(/?)(\w+)[^<>]*?(/?)>")
_BRACKET = re.compile(rb'"(?:[^"\\]|\\.)*"|[][{}]')


def structures(data: bytes) -> Spans:
    """The spans of elements, objects, lists and strings."""
    found, begun = [], []
    if data.lstrip()[:1] == b"<":
        for tag in _TAG.finditer(data):
            if tag[3]:
                found.append(tag.span())
            elif not tag[1]:
                begun.append(tag.start())
            elif begun:
                found.append((begun.pop(), tag.end()))
        return found
    for bracket in _BRACKET.finditer(data):
        if bracket[0] in b"[{":
            begun.append(bracket.start())
        elif bracket[0] not in b"]}":
            found.append(bracket.span())
        elif begun:
            found.append((begun.pop(), bracket.end()))
    return found


def spans(pattern: re.Pattern[bytes], data: bytes) -> Spans:
    return [match.span() for match in pattern.finditer(data)]


def replaced(data: bytes, span: tuple[int, int], new: bytes) -> bytes:
    return data[: span[0]] + new + data[span[1] :]


def swapped(data: bytes, some: Spans, a: int, b: int) -> bytes:
    """Two spans swapped, or the first one doubled if they overlap."""
    if not some:
        return data
    first, second = sorted((some[a % len(some)], some[b % len(some)]))
    one, two = data[first[0] : first[1]], data[second[0] : second[1]]
    if first[1] > second[0]:
        comma = b"" if one.startswith(b"<") else b","
        return replaced(data, first, one + comma + one)
    return replaced(replaced(data, second, one), first, two)


def flip(data: bytes, a: int, b: int) -> bytes:
    at = a % len(data)
    return replaced(data, (at, at + 1), bytes([data[at] ^ 1 << b % 8]))


def cut(data: bytes, a: int, b: int) -> bytes:
    at = a % len(data)
    return replaced(data, (at, at + 1 + b % 40), b"")


def truncate(data: bytes, a: int, b: int) -> bytes:
    return data[: len(data) - a % len(data)] if b % 4 == 0 else data


def insert(data: bytes, a: int, b: int) -> bytes:
    at = a % len(data)
    return replaced(data, (at, at), SNIPPETS[b % len(SNIPPETS)])


def double(data: bytes, a: int, b: int) -> bytes:
    at = a % len(data)
    return replaced(data, (at, at), data[at : at + 1 + b % 200])


def swap_tokens(data: bytes, a: int, b: int) -> bytes:
    return swapped(data, spans(_TOKEN, data), a, b)


def swap_structures(data: bytes, a: int, b: int) -> bytes:
    return swapped(data, structures(data), a, b)


def double_structure(data: bytes, a: int, b: int) -> bytes:
    return swapped(data, structures(data), a, a)


def drop_structure(data: bytes, a: int, b: int) -> bytes:
    some = structures(data)
    return replaced(data, some[a % len(some)], b"") if some else data


def change_number(data: bytes, a: int, b: int) -> bytes:
    some = spans(_NUMBER, data)
    return replaced(data, some[a % len(some)], EXTREME[b % len(EXTREME)]) if some else data


def copy_number(data: bytes, a: int, b: int) -> bytes:
    some = spans(_NUMBER, data)
    if not some:
        return data
    start, end = some[b % len(some)]
    return replaced(data, some[a % len(some)], data[start:end])


BREAKS: list[Callable[[bytes, int, int], bytes]] = [
    *[flip, cut, truncate, insert, double, swap_tokens, swap_structures, double_structure],
    *[drop_structure, change_number, change_number, change_number, copy_number, copy_number],
]
numbers = st.integers(0, 2**16)
breaks = st.lists(st.tuples(st.sampled_from(BREAKS), numbers, numbers), min_size=1, max_size=5)


@st.composite
def broken(draw: st.DrawFn, files: list[bytes]) -> bytes:
    data = draw(st.sampled_from(files))
    packed = draw(st.sampled_from(["", "", "", "", "", "", "whole", "broken"]))
    if packed == "broken":
        data = gzip.compress(data, mtime=0)
    for how, a, b in draw(breaks):
        data = how(data, a, b) or b" "
    return gzip.compress(data, mtime=0) if packed == "whole" else data


# ---- what must hold ----


class TooSlow(BaseException):
    """Not an Exception, so that it is never caught as an error of the file."""


@contextmanager
def limited_time(seconds: float) -> Iterator[None]:
    """Raise TooSlow after some CPU time, if the system supports that."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        raise TooSlow(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def limited_memory(more: int) -> Iterator[None]:
    """Raise MemoryError beyond a number of bytes, if the system supports that."""
    usage = Path("/proc/self/statm")
    if not usage.exists():
        yield
        return
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    now = int(usage.read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def judge(data: bytes) -> None:
    """Read the bytes; a document must survive our format and, if it can be written, the other."""
    try:
        document = decode(data)
    except PuzzleError:
        return
    text = json.write(document)
    again = json.read(text)
    assert again == document
    assert json.write(again) == text
    try:
        written, _ = burrtools.write(document)
        burrtools.read(written)
    except PuzzleError:
        pass


def test_whatever_bytes_come_in_a_document_or_a_puzzle_error_comes_out(
    good_files: list[bytes], tmp_path: Path
) -> None:
    """The file being read is in tmp_path, in case the interpreter itself crashes."""
    end = time.monotonic() + SECONDS
    current = tmp_path / "current"
    found: list[bytes] = []  # shrinking continues after the time is up

    def attempt(data: bytes) -> None:
        if time.monotonic() > end and not found:
            return
        current.write_bytes(data)
        try:
            with limited_time(LONGEST):
                judge(data)
        except (Exception, TooSlow) as error:
            found.append(data)
            what = f"{type(error).__name__}: {error}"
            raise AssertionError(f"{what[:1000]}\nfrom decode({data!r})") from error

    bounds = settings(
        max_examples=300,
        deadline=None,
        database=None,
        derandomize=False,
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )
    fresh = {"KUMITATE_SOAK", "KUMITATE_FUZZ_SECONDS"} & os.environ.keys()
    seeds = iter(lambda: secrets.randbits(64), -1) if fresh else count()
    while time.monotonic() < end:
        with limited_memory(MEMORY):
            seed(next(seeds))(bounds(given(broken(good_files))(attempt)))()


def test_a_document_that_is_not_kept_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    other = Document(decode(HANDWRITTEN[0]).puzzle)
    monkeypatch.setattr(json, "read", lambda data: other)
    with pytest.raises(AssertionError):
        judge(HANDWRITTEN[0])


def test_a_file_that_takes_too_long_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(burrtools, "read", lambda *data: any(0 for _ in iter(int, 1)))
    with limited_memory(MEMORY), pytest.raises(TooSlow), limited_time(0.1):
        judge(HANDWRITTEN[0])
