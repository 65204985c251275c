"""An untrusted file gets one clear line as an answer, quickly and in little memory.

The table WRONG has files with a mistake in them; BOMBS has files that are cheap to make but
expensive to read carelessly. Both go through the real command line in a process of its own, whose
CPU time and memory are measured. The process has hard limits, so a bomb that does go off only fails
its test.
"""

import gzip
import json
import os
import random
import time
import zlib
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests import fork_server
from tests.fork_server import Run, needs_fork

import kumitate
from kumitate import PuzzleError

MOST_SECONDS = 1.0  # of processor time
MOST_MEMORY = 200_000_000
LONGEST_LINE = 300

run_kumitate = partial(fork_server.run_kumitate, limits=(10, 2_000_000_000))

# ---- files ----


def xml(body: str, version: int = 2) -> bytes:
    return f'<puzzle version="{version}">{body}</puzzle>'.encode()


def voxel(x: object, y: object, z: object, text: str) -> bytes:
    return xml(f'<shapes><voxel x="{x}" y="{y}" z="{z}" type="0">{text}</voxel></shapes>')


def separation(pieces: str, *states: str, kind: str = "", parts: str = "") -> str:
    """A separation; a state is the places on three axes: '0 1, 0 1, 0 0'."""
    axes = [zip(("dx", "dy", "dz"), state.split(","), strict=True) for state in states]
    inside = "".join(
        "<state>" + "".join(f"<{name}>{row}</{name}>" for name, row in state) + "</state>"
        for state in axes
    )
    attribute = f' type="{kind}"' if kind else ""
    return f"<separation{attribute}><pieces>{pieces}</pieces>{inside}{parts}</separation>"


ASSEMBLY = "<assembly>0 0 0 0 1 1 0 0</assembly>"
START = "0 1, 0 1, 0 0"
END = "0 30001, 0 1, 0 0"


def problem(
    first: str = 'id="0"', second: str = 'id="1"', result: str = "2", solution: str = ""
) -> bytes:
    """An L and a dot fill a square."""
    solutions = f"<solutions><solution>{solution}</solution></solutions>" if solution else ""
    return xml(f"""
        <gridType type="0"/>
        <shapes>
          <voxel x="2" y="2" z="1" name="L" type="0">###_</voxel>
          <voxel x="1" y="1" z="1" name="dot" type="0">#</voxel>
          <voxel x="2" y="2" z="1" name="square" type="0">####</voxel>
        </shapes>
        <problems><problem name="2x2" state="2"><shapes><shape {first}/><shape {second}/></shapes>
        <result id="{result}"/>{solutions}</problem></problems>""")


def solution(text: str) -> bytes:
    return problem(solution=text)


def kumitate_json(**fields: Any) -> bytes:
    return json.dumps({"kumitate": 1, **fields}).encode()


def deep_separations(levels: int) -> str:
    """Nested separations: both parts are taken apart again, and so on."""
    both = separation("0 1", START, "30000 30001, 0 1, 0 0", kind="removed")
    head, tail = both[: -len("</separation>")], "</separation>"
    return head.replace(' type="removed"', "") + head * levels + tail * (levels + 1)


def deep_json(field: str, node: str, levels: int) -> bytes:
    """A solution with a disassembly tree of this depth."""
    tree = f'{{{node}, "left": ' * levels + "null" + "}" * levels
    return f"""{{"kumitate": 1, "shapes": [{{"drawing": ["#"]}}], "problems": [
        {{"goal": 0, "pieces": [{{"shape": 0}}], "answers": {{"solutions": [
        {{"assembly": [[0, 0, 0, 0, 0]], "{field}": {tree}}}]}}}}]}}""".encode()


def turning(pose: list[str], poses: int, turns: int = 1) -> bytes:
    """A solution with turns on long routes."""
    route = [["1/2", "1/2", "0"], *[pose] * (poses - 2), ["1/2", "1/2", "1"]]
    move = {"pieces": [0], "axis": 2, "quarters": 1, "pivot": [1, 1, 0], "route": route}
    solution = {"assembly": [[0, 0, 0, 0, 0]], "disassembly": {"moves": [move] * turns}}
    problem = {"goal": 0, "pieces": [{"shape": 0}], "answers": {"solutions": [solution]}}
    return kumitate_json(shapes=[{"drawing": ["#"]}], problems=[problem])


def grid_table(**fields: Any) -> dict[str, Any]:
    """The cubic grid as a custom table."""
    corners = [[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    table = {
        "name": "mine",
        "basis": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        "tiles": [corners],
        "generators": [],
        "mirror": [[-1, 0, 0], [0, 1, 0], [0, 0, 1]],
    }
    return {**table, **fields}


LAUGHS = "".join(f'<!ENTITY lol{n} "{f"&lol{n - 1};" * 10}">' for n in range(1, 10))
SHAPES = [{"name": "L", "drawing": ["##", "#."]}, {"name": "dot", "drawing": ["#"]}]

WRONG: dict[str, tuple[bytes, list[str]]] = {
    # the container
    "an empty file": (b"", ["empty"]),
    "a file of blanks": (b" \n\t\r\n", ["empty"]),
    "random bytes": (random.Random(1).randbytes(1000), ["JSON", ".xmpuzzle"]),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", ["JSON", ".xmpuzzle"]),
    "a page of the web": (b"<!DOCTYPE html><html><body/></html>", ["document type"]),
    "another kind of XML": (b"<svg/>", ["<svg>", "<puzzle>"]),
    "another kind of JSON": (b'{"name": "x", "version": "1.0"}', ['"kumitate": 1']),
    "a list of JSON": (b"[1, 2]", ["JSON"]),
    "truncated gzip": (gzip.compress(problem())[:-20], ["truncated", "gzip"]),
    "gzip of nothing but its first bytes": (b"\x1f\x8b", ["gzip"]),
    "damaged gzip": (b"\x1f\x8b\x08\0\0\0\0\0\0\3" + b"\xff" * 50, ["damaged gzip"]),
    "gzip in gzip": (gzip.compress(gzip.compress(problem())), ["JSON", ".xmpuzzle"]),
    "truncated XML": (problem()[:-30], ["XML", "line 9"]),
    "truncated JSON": (kumitate_json(shapes=SHAPES)[:-5], ["truncated"]),
    "JSON that is no UTF-8": (b'{"kumitate": 1, "title": "\xff\xfe"}', ["UTF-8"]),
    "JSON in UTF-16": (kumitate_json().decode().encode("utf-16"), ["JSON"]),
    "half a character in JSON": (b'{"kumitate": 1, "title": "\\ud800"}', []),
    # dangerous XML
    "a billion laughs": (
        f'<!DOCTYPE a [<!ENTITY lol0 "lol">{LAUGHS}]><puzzle version="2">'
        "<comment>&lol9;</comment></puzzle>".encode(),
        ["rejected", "entities"],
    ),
    "an external entity": (
        b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><puzzle version="2">'
        b"<comment>&x;</comment></puzzle>",
        ["rejected", "entities"],
    ),
    "an external document type": (
        b'<!DOCTYPE puzzle SYSTEM "http://localhost/x.dtd"><puzzle version="2"/>',
        ["rejected", "document type"],
    ),
    "an unknown entity": (b'<puzzle version="2"><comment>&x;</comment></puzzle>', ["line 1"]),
    "an unknown encoding": (
        b'<?xml version="1.0" encoding="klingon"?><puzzle version="3"/>',
        ["version '3'"],
    ),
    # numbers
    "no version": (b"<puzzle/>", ["has no version"]),
    "an unknown version": (xml("", version=3), ["version '3'"]),
    "an unknown grid": (xml('<gridType type="9"/>'), ["grid type 9", "0 (cubes)"]),
    "a negative grid": (xml('<gridType type="-1"/>'), ["grid type -1"]),
    "a colour that is too bright": (
        xml('<colors><color red="256" green="0" blue="0"/></colors>'),
        ["colour 1", "256"],
    ),
    "sixty-four colours": (
        xml("<colors>" + '<color red="0" green="0" blue="0"/>' * 64 + "</colors>"),
        ["64 colours", "63"],
    ),
    "a shape of a milliard cells": (
        voxel(1000, 1000, 1000, "#"),
        ["shape 0", "1000 x 1000 x 1000", "1000000000"],
    ),
    "a shape with too few cells": (voxel(2, 2, 1, "###"), ["shape 0", "2 x 2 x 1", "4", "3"]),
    "a shape with too many cells": (voxel(2, 2, 1, "#####"), ["shape 0", "2 x 2 x 1", "4", "5"]),
    "a shape with a stranger in it": (voxel(2, 1, 1, "#?"), ["shape 0", "'?'"]),
    "a shape with a coloured hole": (voxel(2, 1, 1, "#_5"), ["shape 0", "empty cell"]),
    "a shape in colour 64": (voxel(1, 1, 1, "#64"), ["shape 0", "colour 64"]),
    "a shape in a colour of many digits": (
        voxel(1, 1, 1, "#" + "1" * 5000),
        ["shape 0", "colour 1"],
    ),
    "a size that is no number": (voxel("NaN", 1, 1, "#"), ["shape 0", "x='NaN'", "whole number"]),
    "a size that is infinite": (voxel(1, "inf", 1, "#"), ["shape 0", "y='inf'", "whole number"]),
    "a size that is a fraction": (voxel(1, 1, "1.5", "#"), ["shape 0", "z='1.5'", "whole number"]),
    "a negative size": (voxel(-1, 1, 1, "#"), ["shape 0", "-1 x 1 x 1"]),
    "two negative sizes": (voxel(-1, -1, 1, "#"), ["shape 0", "-1 x -1 x 1"]),
    "a size of nothing": (voxel(0, 1, 1, ""), ["shape 0", "0 x 1 x 1"]),
    "no size": (xml('<shapes><voxel y="1" z="1" type="0">#</voxel></shapes>'), ["shape 0", "'x'"]),
    "a size of 400 digits": (voxel("1" + "0" * 400, 1, 1, "#"), ["shape 0", "x='1000"]),
    "a count of 400 digits": (
        problem(second=f'id="1" count="1{"0" * 400}"'),
        ["problem 1", "count='1000"],
    ),
    "a count of a milliard milliards": (
        problem(second='id="1" count="999999999999"'),
        ["problem 1", "999999999999"],
    ),
    "a count that the assembly does not have": (
        problem(second='id="1" count="999999999999"', solution=ASSEMBLY),
        ["problem 1"],
    ),
    "a negative count": (problem(second='id="1" count="-1"'), ["problem 1", "'dot'", "-1"]),
    "more at least than at most": (
        problem(second='id="1" min="3" max="2"'),
        ["problem 1", "'dot'", "3..2"],
    ),
    "a shape that is not there": (problem(first='id="3"'), ["problem 1", "shape 3", "are 3"]),
    "a shape before the first": (problem(first='id="-1"'), ["problem 1", "shape -1", "are 3"]),
    "a result that is not there": (problem(result="3"), ["problem 1", "<result>", "shape 3"]),
    "a piece without a shape": (problem(first=""), ["problem 1", "'id'"]),
    "a negative number of assemblies": (
        problem().replace(b'state="2"', b'state="2" assemblies="-5"'),
        ["problem 1", "assemblies"],
    ),
    "a weight of fifteen digits": (
        voxel(1, 1, '1" weight="999999999999999', "#"),
        ["shape 0", "weight"],
    ),
    # solutions
    "no assembly": (solution("<separation/>"), ["problem 1", "solution 1", "<assembly>"]),
    "an assembly that ends early": (
        solution("<assembly>0 0 0 0 1 1</assembly>"),
        ["problem 1", "solution 1", "piece 1"],
    ),
    "an assembly without the dot": (
        solution("<assembly>0 0 0 0</assembly>"),
        ["problem 1", "solution 1", "1 entries", "2 pieces"],
    ),
    "an assembly of three": (
        solution("<assembly>0 0 0 0 1 1 0 0 x</assembly>"),
        ["problem 1", "solution 1", "2 pieces"],
    ),
    "an assembly by no turn": (
        solution("<assembly>0 0 0 0 1 1 0 24</assembly>"),
        ["problem 1", "solution 1", "transformation 24", "has 24"],
    ),
    "an assembly by a negative turn": (
        solution("<assembly>0 0 0 0 1 1 0 -1</assembly>"),
        ["problem 1", "solution 1", "transformation -1"],
    ),
    "an assembly far away": (
        solution("<assembly>0 0 0 0 1 1 9999999 0</assembly>"),
        ["problem 1", "solution 1", "'9999999'"],
    ),
    "an assembly of words": (
        solution("<assembly>0 0 0 0 1 one 0 0</assembly>"),
        ["problem 1", "solution 1", "'one'"],
    ),
    "a separation before its assembly": (
        solution(separation("0 1", START, END) + ASSEMBLY),
        ["problem 1", "solution 1", "<assembly>"],
    ),
    "a separation without an assembly": (
        solution(separation("0 1", START, END)),
        ["problem 1", "solution 1", "<assembly>"],
    ),
    "a separation that begins elsewhere": (
        solution(ASSEMBLY + separation("0 1", "0 2, 0 1, 0 0", END)),
        ["problem 1", "solution 1", "separation", "assembly"],
    ),
    "a separation of a piece that is not there": (
        solution(ASSEMBLY + separation("0 2", START, END)),
        ["problem 1", "solution 1", "separation", "[0, 2]"],
    ),
    "a separation of one piece twice": (
        solution(ASSEMBLY + separation("0 0", START, END)),
        ["problem 1", "solution 1", "separation", "[0, 0]"],
    ),
    "a separation of too few": (
        solution(ASSEMBLY + separation("0", "0,0,0", "0,0,30000")),
        ["problem 1", "solution 1", "separation", "[0]"],
    ),
    "a separation without a move": (
        solution(ASSEMBLY + separation("0 1", START)),
        ["problem 1", "solution 1", "separation", "1 states"],
    ),
    "a separation with a number missing": (
        solution(ASSEMBLY + separation("0 1", START, "0 30001, 0, 0 0")),
        ["problem 1", "solution 1", "separation", "<dy>"],
    ),
    "a separation that separates nothing": (
        solution(ASSEMBLY + separation("0 1", START, "0 2, 0 1, 0 0")),
        ["problem 1", "solution 1", "separation", "last move"],
    ),
    "a move in two ways": (
        solution(ASSEMBLY + separation("0 1", START, "0 30001, 5 1, 0 0")),
        ["problem 1", "solution 1", "separation", "same way"],
    ),
    "a part of no kind": (
        solution(ASSEMBLY + separation("0 1", START, END, parts="<separation/>")),
        ["problem 1", "solution 1", "separation", "type"],
    ),
    "a part of other pieces": (
        solution(
            ASSEMBLY
            + separation(
                "0 1", START, END, parts=separation("1", "0,0,0", "0,0,30000", kind="left")
            )
        ),
        ["problem 1", "solution 1", "separation", "[1]", "[0]"],
    ),
    "levels that are no tree": (
        solution(ASSEMBLY + "<separationInfo>2 0</separationInfo>"),
        ["problem 1", "solution 1", "separationInfo", "tree"],
    ),
    "levels of no moves": (
        solution(ASSEMBLY + "<separationInfo>1 0 0</separationInfo>"),
        ["problem 1", "solution 1", "separationInfo"],
    ),
    "levels and more": (
        solution(ASSEMBLY + "<separationInfo>2 0 0 5</separationInfo>"),
        ["problem 1", "solution 1", "separationInfo"],
    ),
    "levels of nothing": (
        solution(ASSEMBLY + "<separationInfo>0</separationInfo>"),
        ["problem 1", "solution 1", "separationInfo"],
    ),
    "separations of 5000 levels": (
        solution(ASSEMBLY + deep_separations(5000)),
        ["nested too deeply"],
    ),
    "levels 5000 deep": (
        solution(ASSEMBLY + f"<separationInfo>{'2 ' * 5000 + '0 ' * 5001}</separationInfo>"),
        ["nested too deeply"],
    ),
    # JSON
    "NaN in JSON": (
        b'{"kumitate": 1, "problems": [{"answers": {"seconds": NaN}}]}',
        ["malformed", "line 1, column 54"],
    ),
    "infinity in JSON": (
        b'{"kumitate": 1, "problems": [{"answers": {"seconds": Infinity}}]}',
        ["malformed", "line 1, column 54"],
    ),
    "a number beyond all floats": (
        b'{"kumitate": 1, "problems": [{"answers": {"seconds": 1e400}}]}',
        ["seconds", "range"],
    ),
    "a weight of 400 digits": (
        b'{"kumitate": 1, "shapes": [{"weight": 1' + b"0" * 400 + b"}]}",
        ["weight"],
    ),
    "a version of 400 digits": (b'{"kumitate": 1' + b"0" * 400 + b"}", ["version"]),
    "a version of 5000 digits": (b'{"kumitate": 1' + b"0" * 5000 + b"}", []),
    "a group of 5000 digits": (
        kumitate_json(
            shapes=SHAPES, problems=[{"pieces": [{"shape": 0, "groups": {"9" * 5000: 1}}]}]
        ),
        ["problem 1", "group"],
    ),
    "a count of 400 digits in JSON": (
        b'{"kumitate": 1, "problems": [{"pieces": [{"shape": 0, "count": 1' + b"0" * 400 + b"}]}]}",
        ["count"],
    ),
    "100000 brackets": (b"[" * 100_000, ["JSON"]),
    "100000 brackets in a puzzle": (b'{"kumitate": 1, "shapes": ' + b"[" * 100_000, ["nested"]),
    "100000 brackets in a field": (b'{"kumitate": 1, "x": ' + b"[" * 100_000, ["nested"]),
    "100000 braces": (b'{"a": ' * 100_000, ["nested"]),
    **{
        f"a disassembly of {levels} levels in JSON": (
            deep_json("disassembly", '"moves": [[[0], [1, 0, 0], null]]', levels),
            ["nested too deeply"],
        )
        for levels in (500, 900, 20_000)
    },
    "levels 20000 deep in JSON": (deep_json("levels", '"moves": 1', 20_000), ["nested"]),
    "a shape whose name is too long": (
        kumitate_json(shapes=[{"name": "n" * 100_000, "drawing": ["?"]}]),
        ["shape 0 'nnn", "'?'"],
    ),
    "a field whose name is too long": (kumitate_json(**{"n" * 100_000: 1}), ["field"]),
    "a field that paints the terminal": (
        b'{"kumitate": 1, "\\u001b[31m\\u0007\\n": 1}',
        ["unknown field"],
    ),
    "a grid that paints the terminal": (kumitate_json(grid="\x1b[31m\n"), [r"'\x1b[31m\n'"]),
    "a ball without a centre": (
        kumitate_json(
            grid=grid_table(tiles=[[]], gram=[[2, 1, 1], [1, 2, 1], [1, 1, 2]], diameter2=2)
        ),
        ["grid 'mine'", "tile 0"],
    ),
    "a grid without tiles": (kumitate_json(grid=grid_table(tiles=[])), ["grid 'mine'"]),
    "a grid that is flat": (
        kumitate_json(grid=grid_table(tiles=[[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]])),
        ["grid 'mine'"],
    ),
    "a grid without a mirror": (
        kumitate_json(grid=grid_table(mirror=[[0, 0, 0]] * 3)),
        ["grid 'mine'"],
    ),
    "a grid on no page": (kumitate_json(grid=grid_table(page=[[0, 0, 0]] * 3)), ["grid 'mine'"]),
}


@pytest.fixture
def make(tmp_path: Path) -> Callable[[bytes | Iterable[bytes]], Path]:
    """Write a file, at once or in chunks."""

    def write(data: bytes | Iterable[bytes]) -> Path:
        path = tmp_path / "bad.xmpuzzle"
        with path.open("wb") as file:
            for chunk in [data] if isinstance(data, bytes) else data:
                file.write(chunk)
        return path

    return write


Make = Callable[[bytes | Iterable[bytes]], Path]


def missing(words: Iterable[str], message: str) -> list[str]:
    return [word for word in words if word not in message]


def names(name: str, message: str) -> bool:
    """Whether a message begins with the path of a file of this name."""
    return Path(message.partition(": ")[0]).name == name


def faults(run: Run, words: Iterable[str], name: str) -> str:
    """Everything that is wrong with the way a file was refused."""
    found = []
    lines = run.stderr.splitlines()
    if run.status != 2:
        found.append(f"exit status {run.status}")
    if "Traceback" in run.stderr:
        found.append(f"a traceback: {lines[-1]}")
    elif len(lines) != 1:
        found.append(f"{len(lines)} lines on stderr")
    elif not names(name, run.stderr.removeprefix("kumitate: ")):
        found.append(f"the file is not named: {run.stderr[:LONGEST_LINE]}")
    elif len(lines[0].partition(f"{name}: ")[2]) > LONGEST_LINE:
        found.append(f"a line of {len(lines[0])} characters")
    if not run.stderr.rstrip("\n").isprintable() and "Traceback" not in run.stderr:
        found.append("control characters")
    if gone := missing(words, run.stderr):
        found.append(f"{gone} not said in: {run.stderr[:LONGEST_LINE]}")
    if run.stdout:
        found.append(f"something on stdout: {run.stdout[:LONGEST_LINE]}")
    if run.seconds > MOST_SECONDS:
        found.append(f"{run.seconds:.1f} seconds")
    if run.memory > MOST_MEMORY:
        found.append(f"{run.memory // 1_000_000} MB")
    return "; ".join(found)


@pytest.mark.parametrize(("data", "words"), WRONG.values(), ids=WRONG.keys())
def test_a_slip_is_told_by_the_reader(make: Make, data: bytes, words: list[str]) -> None:
    path = make(data)
    with pytest.raises(PuzzleError) as refused:
        kumitate.read(path)
    message = str(refused.value)
    assert names("bad.xmpuzzle", message)
    assert missing(words, message) == []


@needs_fork
@pytest.mark.parametrize(("data", "words"), WRONG.values(), ids=WRONG.keys())
def test_a_slip_is_one_line_on_the_command_line(make: Make, data: bytes, words: list[str]) -> None:
    path = make(data)
    run = run_kumitate(path.parent, "show", path)
    if run.seconds > MOST_SECONDS:  # a busy machine may slow one, not two
        run = run_kumitate(path.parent, "show", path)
    assert faults(run, words, path.name) == ""


# ---- bombs ----

LARGEST = 15_900_000  # bytes; kumitate takes no more than 16 MB


def packed(chunk: bytes, times: int) -> Iterable[bytes]:
    packer = zlib.compressobj(1, wbits=31)
    for _ in range(times):
        yield packer.compress(chunk)
    yield packer.flush()


def filled(before: bytes, chunk: bytes, after: bytes, size: int = LARGEST) -> Iterable[bytes]:
    """Something repeated many times, between a beginning and an end."""
    yield before
    thousands, rest = divmod((size - len(before) - len(after)) // len(chunk), 1000)
    for _ in range(thousands):
        yield 1000 * chunk
    yield rest * chunk + after


# Their version is one that kumitate does not read, so all of them must be rejected eventually.
OPEN, CLOSE = b'<puzzle version="9">', b"</puzzle>"
ATTRIBUTES = " ".join(f'{letter}=""' for letter in "abcdefghijklmnopqrst").encode()


def in_solution(before: str, chunk: str, after: str) -> Iterable[bytes]:
    head, tail = solution(f"{before}@{after}").split(b"@")
    return filled(head, chunk.encode(), tail)


BOMBS: dict[str, tuple[Callable[[], bytes | Iterable[bytes]], list[str]]] = {
    "gzip of 300 MB of nothing": (lambda: packed(bytes(1_000_000), 300), ["16 MB"]),
    "gzip of 300 MB of elements": (lambda: packed(b"<a/>" * 250_000, 300), ["16 MB"]),
    "a file of 17 MB": (lambda: filled(OPEN, b" ", CLOSE, 17_000_000), ["16 MB"]),
    "64 MB of elements": (lambda: filled(OPEN, b"<a/>", CLOSE, 64_000_000), ["16 MB"]),
    "16 MB of elements": (lambda: filled(OPEN, b"<a/>", CLOSE), []),
    "16 MB of elements within elements": (lambda: filled(OPEN, b"<a>", CLOSE), []),
    "8 MB of elements": (lambda: filled(OPEN, b"<a/>", CLOSE, 7_900_000), []),
    "16 MB of attributes": (lambda: filled(OPEN, b"<a %b/>" % ATTRIBUTES, CLOSE), []),
    "16 MB of text": (lambda: filled(OPEN + b"<comment>", b"a", b"</comment>" + CLOSE), []),
    "16 MB of text and a smile": (
        lambda: filled(OPEN + b"<comment>", b"a", "\U0001f600</comment>".encode() + CLOSE),
        [],
    ),
    "16 MB of bytes that mean nothing": (
        lambda: filled(OPEN + b"<comment>", b"\x81", b"</comment>" + CLOSE),
        [],
    ),
    "1 MB of punycode": (
        lambda: filled(
            b'<?xml version="1.0" encoding="punycode"?>' + OPEN + b"a" * 500_000 + b"-",
            b"b",
            CLOSE,
            1_000_000,
        ),
        [],
    ),
    "16 MB of a shape": (
        lambda: filled(
            b'<puzzle version="2"><shapes><voxel x="1000" y="1000" z="63" type="0">',
            b"#",
            b"</voxel></shapes></puzzle>",
        ),
        ["shape 0", "100,000"],
    ),
    "16 MB of digits": (
        lambda: filled(
            b'<puzzle version="2"><shapes><voxel x="1" y="1" z="1" type="0">#',
            b"1",
            b"</voxel></shapes></puzzle>",
        ),
        ["shape 0"],
    ),
    "16 MB of an assembly": (
        lambda: in_solution("<assembly>", "10 ", "</assembly>"),
        ["problem 1", "solution 1"],
    ),
    "16 MB of levels": (
        lambda: in_solution(f"{ASSEMBLY}<separationInfo>", "10 ", "</separationInfo>"),
        [],
    ),
    "16 MB of numbers of pieces": (
        lambda: in_solution(f"{ASSEMBLY}<separation><pieces>", "10 ", "</pieces></separation>"),
        ["problem 1", "solution 1", "separation"],
    ),
    "16 MB of a state": (
        lambda: in_solution(
            f"{ASSEMBLY}<separation><pieces>0 1</pieces><state><dx>",
            "10 ",
            "</dx></state></separation>",
        ),
        ["problem 1", "solution 1", "separation"],
    ),
    "16 MB of problems in JSON": (
        lambda: filled(b'{"kumitate": 1, "x": 0, "problems": [{}', b",{}", b"]}"),
        [],
    ),
    "16 MB of problems before the slip": (
        lambda: filled(b'{"kumitate": 1, "problems": [{}', b",{}", b'], "x": 0}'),
        [],
    ),
    "16 MB of rows in JSON": (
        lambda: filled(b'{"kumitate": 1, "shapes": [{"drawing": [""', b',""', b'], "x": 0}]}'),
        [],
    ),
    "16 MB of cells in JSON": (
        lambda: filled(
            b'{"kumitate": 1, "shapes": [{"cells": {"#": [[0,0,0,0]', b",[0,0,0,0]", b"]}}]}"
        ),
        [],
    ),
    "16 MB of a route": (lambda: turning(["1/2", "1/3", "1/7"], 600_000), ["objects and lists"]),
    "many routes of the longest numbers": (
        lambda: turning([f"{10**23 - 1}/{10**23 - 7}"] * 2 + ["1/7"], 29_000, turns=3),
        ["too large: routes of more than 30,000 poses"],
    ),
    "a route of the longest numbers": (
        lambda: turning([f"{10**23 - 1}/{10**23 - 7}"] * 2 + ["1/7"], 29_000),
        ["problem 1", "solution 1", "the last move"],
    ),
    "16 MB of numbers in JSON": (
        lambda: filled(b'{"kumitate": 1, "x": [0', b",0", b"]}"),
        ["unknown field"],
    ),
    "a drawing of ten million cells": (
        lambda: filled(b'{"kumitate": 1, "shapes": [{"drawing": ["', b"#", b'"]}]}', 10_000_000),
        ["100,000 cells"],
    ),
    "a drawing of ten million dots": (
        lambda: filled(b'{"kumitate": 1, "shapes": [{"drawing": ["', b".", b'"]}]}', 10_000_000),
        ["4,000,000 characters"],
    ),
    "20000 pieces by name": (
        lambda: kumitate_json(
            shapes=[{"name": f"s{n}"} for n in range(20_000)],
            problems=[{"pieces": [{"shape": f"s{n}"} for n in range(20_001)]}],
        ),
        ["problem 1", "'s20000'"],
    ),
    "an assembly of 20000 pieces": (
        lambda: problem(second='id="1" count="20000"').replace(
            b"</problem>",
            b"<solutions><solution><assembly>x %b</assembly><separation/></solution>"
            b"</solutions></problem>" % b" ".join(b"%d 0 0 0" % n for n in range(20_000)),
        ),
        ["problem 1", "solution 1", "separation"],
    ),
    "an assembly of a piece of 90000 cells": (
        lambda: (
            problem(solution="<assembly>0 0 0 0</assembly>")
            .replace(b'x="2" y="2" z="1" name="L"', b'x="100" y="100" z="9" name="L"')
            .replace(b"###_", b"#" * 90_000)
        ),
        ["problem 1", "solution 1", "more than 10000 cells"],
    ),
    "a tile a million long": (
        lambda: kumitate_json(
            grid=grid_table(
                tiles=[[[x + 999_999 * y, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]]
            )
        ),
        ["grid 'mine'"],
    ),
    "a tile of 2000 corners": (
        lambda: kumitate_json(
            grid=grid_table(tiles=[[[n, n**2 % 999, n**3 % 999] for n in range(2000)]])
        ),
        ["grid 'mine'"],
    ),
    "a grid of 3000 tiles": (
        lambda: kumitate_json(
            grid=grid_table(tiles=[[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]] * 3000)
        ),
        ["grid 'mine'"],
    ),
    "a page a million wide": (
        lambda: kumitate_json(
            grid=grid_table(page=[[10**6, 0, 0], [0, 10**6, 0], [0, 0, 10**6]], spots=[[5, 5, 5]]),
            shapes=[{"cells": {"#": [[0, 0, 0, 0]]}}],
        ),
        ["grid 'mine'"],
    ),
}


@needs_fork
@pytest.mark.parametrize(("data", "words"), BOMBS.values(), ids=BOMBS.keys())
def test_a_bomb_is_refused_in_no_time(
    make: Make,
    data: Callable[[], bytes | Iterable[bytes]],
    words: list[str],
) -> None:
    path = make(data())
    run = run_kumitate(path.parent, "show", path)
    path.unlink()
    assert faults(run, words, path.name) == ""


@needs_fork
@pytest.mark.parametrize("far", [200, 1_000_000])
def test_a_shape_with_cells_a_world_apart_can_be_shown(make: Make, far: int) -> None:
    cells = [[-far, -far, -far, 0], [far, far, far, 0]]
    path = make(kumitate_json(shapes=[{"name": "apart", "cells": {"#": cells}}]))
    run = run_kumitate(path.parent, "show", path)
    assert (run.status, run.stderr) == (0, "")
    assert run.seconds < MOST_SECONDS
    assert run.memory < MOST_MEMORY


def test_shapes_that_differ_by_colour_alone_are_read_in_no_time() -> None:
    """Their hashes must differ."""
    colours = "abcdefghijklmnopq"
    rows = [f"{a}{b}{c}" for a in colours for b in colours for c in colours]
    data = kumitate_json(shapes=[{"drawing": [row]} for row in rows])
    start = time.process_time()
    assert len(kumitate.files.decode(data).puzzle.shapes) == 4913
    assert time.process_time() - start < MOST_SECONDS


@needs_fork
@pytest.mark.parametrize("depth", [50, 300, 400, 900])
def test_a_deep_solution_is_shown_or_refused(make: Make, depth: int) -> None:
    path = make(deep_json("levels", '"moves": 2', depth))
    run = run_kumitate(path.parent, "show", path, "--solution", "1")
    assert run.status == 0 or (run.status == 2 and "nested too deeply" in run.stderr)
    assert "Traceback" not in run.stderr


# ---- not a regular file ----


@needs_fork
def test_a_directory_is_no_puzzle(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(PuzzleError, match=r"folder: is a directory$"):
        kumitate.read(folder)
    run = run_kumitate(tmp_path, "show", folder)
    assert faults(run, ["is a directory"], "folder") == ""


@needs_fork
def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(PuzzleError, match=r"gone\.xmpuzzle: no such file"):
        kumitate.read(tmp_path / "gone.xmpuzzle")
    path = tmp_path / "gone.xmpuzzle"
    run = run_kumitate(tmp_path, "show", path)
    assert faults(run, ["no such file"], path.name) == ""


@needs_fork
def test_a_file_that_may_not_be_read_is_told(make: Make) -> None:
    path = make(problem())
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user may read everything")
    with pytest.raises(PuzzleError, match=r"bad\.xmpuzzle: permission denied$"):
        kumitate.read(path)
    run = run_kumitate(path.parent, "show", path)
    assert faults(run, ["permission denied"], path.name) == ""


@needs_fork
def test_a_device_without_end_is_no_puzzle(tmp_path: Path) -> None:
    path = tmp_path / "endless"
    path.symlink_to("/dev/zero")
    run = run_kumitate(tmp_path, "show", path)
    assert faults(run, [], "endless") == ""


@needs_fork
def test_a_good_file_is_shown(make: Make) -> None:
    """The measurement itself can find that nothing is wrong, and that something is."""
    separated = solution(ASSEMBLY + separation("0 1", START, END))
    path = make(separated)
    run = run_kumitate(path.parent, "show", path)
    assert (run.status, run.stderr) == (0, "")
    assert "L, dot fill square" in run.stdout
    assert faults(run, [], path.name) != ""
    assert 0 < run.seconds < MOST_SECONDS
    assert 1_000_000 < run.memory < MOST_MEMORY
