"""Reads a BurrTools file: writes one first, reads it back, and says what was lost on the way."""

import tempfile
from pathlib import Path

import kumiki

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "diabolical.xmpuzzle"
    lost = kumiki.write(kumiki.Document(kumiki.library["diabolical-cube"]), path)
    print(f"wrote {path.name}, {path.stat().st_size} bytes")
    for warning in lost:
        print("  warning:", warning)

    document = kumiki.read(path)
    print("\nread it back:\n")
    print(document.puzzle)
    print("\nthe problems are the same:", end=" ")
    print(document.puzzle.problems == kumiki.library["diabolical-cube"].problems)
    print("warnings:", len(document.warnings))
