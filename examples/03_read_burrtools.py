"""Writes a BurrTools file, reads it back, and reports what was lost on the way."""

import tempfile
from pathlib import Path

import kumitate

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "diabolical.xmpuzzle"
    lost = kumitate.write(kumitate.Document(kumitate.library["diabolical-cube"]), path)
    print(f"wrote {path.name}, {path.stat().st_size} bytes")
    for warning in lost:
        print("  warning:", warning)

    document = kumitate.read(path)
    print("\nread it back:\n")
    print(document.puzzle)
    print("\nthe problems are the same:", end=" ")
    print(document.puzzle.problems == kumitate.library["diabolical-cube"].problems)
    print("warnings:", len(document.warnings))
