"""Kill a solve again and again, and check its file after each kill."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from array import array
from pathlib import Path

from tests.search.unpacked import unpacked

import kumitate
from kumitate.search.assemble import PreparedProblem
from kumitate.store import width_for

PADDING = b"\xff"  # fills a row up

LIFE = """
import sys, kumitate, pathlib
path, name, threads, apart = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "apart"
print("alive", flush=True)
rest = dict(threads=threads, checkpoint=0.05)  # seconds, so that a short solve has many
try:
    if pathlib.Path(path).exists():
        kumitate.resume(path, **rest)
    else:
        kumitate.solve_into(path, kumitate.library[name], disassemble=apart, **rest)
except kumitate.PuzzleError as error:
    sys.exit(str(error))
"""


def start(
    path: Path, name: str, threads: int, apart: bool, **more: object
) -> subprocess.Popen[str]:
    """Start a process that begins or resumes the solve."""
    return alive(LIFE, [str(path), name, str(threads), "apart" if apart else "whole"], **more)


def alive(script: str, words: list[str], **more: object) -> subprocess.Popen[str]:
    """Start a process that runs a script; return once the script has reported that it is alive."""
    process: subprocess.Popen[str] = subprocess.Popen(
        [sys.executable, "-c", script, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,  # type: ignore[call-overload]
    )
    assert process.stdout
    assert process.stdout.readline() == "alive\n"
    return process


def live(path: Path, name: str, threads: int, apart: bool, seconds: float) -> bool:
    """Let a process run for some time, then kill it; return whether it had finished."""
    with start(path, name, threads, apart) as process:
        try:
            assert process.wait(seconds) == 0, process.stderr and process.stderr.read()
            return True
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
            return False


def faults(path: Path) -> list[str]:
    """Contradictions in a file, which must not exist whenever its process died."""
    connection = sqlite3.connect(path)
    try:
        found = [row[0] for row in connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
        [(kept, assemblies, apart, other)] = connection.execute(
            "SELECT kept, assemblies, solutions, rigid + stuck + given_up FROM checkpoint"
        )
        [(counted,)] = connection.execute(
            "SELECT found + (SELECT coalesce(sum(known), 0) FROM task) FROM checkpoint"
        )
        [(numbers, last)] = connection.execute(
            "SELECT count(*), coalesce(max(number), 0) FROM solution"
        )
        [(rows, end)] = connection.execute(
            "SELECT coalesce(sum(amount), 0), coalesce(max(first + amount - 1), 0) FROM assembly"
        )
        if assemblies != counted:
            found.append(f"{assemblies} assemblies, but tasks have {counted}")
        if numbers != last or rows != end or kept != numbers + rows:
            found.append(f"kept {kept}: {numbers} up to {last}, {rows} up to {end}")
        if (apart or other) and assemblies != apart + other:
            found.append(f"{assemblies} assemblies, {apart} apart, {other} not")
    finally:
        connection.close()
    return found


def contents(path: Path) -> list[bytes]:
    """The names of all kept assemblies, sorted; duplicates are listed twice."""
    connection = sqlite3.connect(path)
    try:
        [(width,)] = connection.execute("SELECT width FROM run")
        rows = [bytes(names) for (names,) in connection.execute("SELECT names FROM solution")]
        for amount, length, names in connection.execute(
            "SELECT amount, length, names FROM assembly"
        ):
            size = length * width
            rows += [names[at * size : (at + 1) * size] for at in range(amount)]
    finally:
        connection.close()
    return sorted(row.rstrip(PADDING) for row in rows)


def expected(name: str, apart: bool) -> list[bytes]:
    """The same from an undisturbed search in memory."""
    [problem] = kumitate.library[name].problems
    prepared = PreparedProblem(problem)
    prepared.prepare()
    found = (names for packed in prepared.found(1, True, None) for names in unpacked(packed))
    if apart:
        found = (some for some in found if kumitate.disassemble(prepared.table.assembly(some)))
    kind = {1: "B", 2: "H"}[width_for(len(prepared.table.rows))]
    return sorted(array(kind, some).tobytes().rstrip(PADDING) for some in found)


def random_seconds(chance: random.Random) -> float:
    return chance.choice([0.0, 0.02, 0.1, 0.2, 0.4]) * (0.5 + chance.random())


def wait_for(path: Path, seconds: float = 60) -> None:
    """Wait until a file exists."""
    end = time.monotonic() + seconds
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.005)
