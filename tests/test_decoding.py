"""Types that several threads meet at the same time for the first time."""

import re
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1] / "src"

MEET = """
import sys, threading
from msgspec import defstruct
from kumitate.decoding import from_json

sys.setswitchinterval(1e-6)
for _ in range(200):
    kind = int  # types in types: studying one of them leads to the next
    for depth in range(8):
        kind = defstruct("Kind", [("first", int, 0), ("next", kind | None, None)])
    start = threading.Barrier(8)

    def meet():
        start.wait()
        assert from_json(b'{"next": {"next": {"first": 5}}}', kind).next.next.first == 5

    threads = [threading.Thread(target=meet) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_threads_may_meet_a_type_together() -> None:
    assert subprocess.run([sys.executable, "-c", MEET]).returncode == 0


def test_nobody_decodes_in_another_way() -> None:
    other = re.compile(
        r"^(?! *(?:>>>|\.\.\.)).*msgspec\.(?:json\.|msgpack\.|)(?:decode|Decoder|convert)\(", re.M
    )
    for file in SOURCE.rglob("*.py"):
        assert file.name == "decoding.py" or not other.findall(file.read_text()), file
