"""The line on stderr that says how far a search is, once it has taken a second."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

WIDE = 78
Show = Callable[[Callable[[float], str]], None]


@contextmanager
def live_line(quiet: bool) -> Iterator[Show]:
    """What shows a text, made of the seconds so far; nothing if quiet, or if nobody watches."""
    shows = not quiet and sys.stderr.isatty()
    start = shown = time.monotonic()

    def show(text: Callable[[float], str]) -> None:
        nonlocal shown
        now = time.monotonic()
        if shows and now - start >= 1 and now - shown >= 0.2:
            shown = now
            click.echo(f"\r{text(now - start):<{WIDE}}", err=True, nl=False)

    try:
        yield show
    finally:
        if shown > start:
            click.echo(f"\r{'':<{WIDE}}\r", err=True, nl=False)
