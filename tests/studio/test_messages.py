"""The page and Python use the same words and numbers: write_messages.py wrote them."""

import runpy
from pathlib import Path

WEB = Path(__file__).resolve().parents[2] / "web"


def test_the_pages_messages_are_those_of_the_server() -> None:
    """To update them: make messages"""
    writer = runpy.run_path(str(WEB / "write_messages.py"))
    written = writer["written"]()
    assert {path.name for path in written} == {"messages.ts", "timing.ts", "grids.json"}
    for path, text in written.items():
        assert path.read_text("utf-8") == text
    assert "export interface PuzzleData {" in writer["typescript"]()
    assert "export const CUT = 1.2;" in writer["timing"]()
