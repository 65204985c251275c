"""The page and the server use the same words: messages.ts is what write_messages.py writes."""

import importlib.util
from pathlib import Path

WEB = Path(__file__).resolve().parents[2] / "web"


def test_the_pages_messages_are_those_of_the_server() -> None:
    """To write them anew: python web/write_messages.py"""
    spec = importlib.util.spec_from_file_location("write_messages", WEB / "write_messages.py")
    assert spec
    assert spec.loader
    writer = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(writer)
    saved = (WEB / "src" / "messages.ts").read_text("utf-8")
    assert saved == writer.typescript()
    assert "export interface PuzzleData {" in saved
