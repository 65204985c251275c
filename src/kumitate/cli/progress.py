"""A line of progress on stderr, once a search has taken a second, if that is a terminal.

The line is rich's, so it is right at any width; a terminal that cannot move its cursor gets none.
rich is imported only then, since most commands are done sooner.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from distributed import Client
    from rich.live import Live

PATIENCE = 1.0  # seconds before there is a line,
PACE = 0.2  # and from one text to the next


class Line:
    """The line, which a call with a text made of the seconds so far shows or renews."""

    def __init__(self, quiet: bool) -> None:
        self.shows = not quiet and sys.stderr.isatty()
        self.start = self.shown = time.monotonic()
        self.live: Live | None = None

    def __call__(self, text: Callable[[float], str]) -> None:
        now = time.monotonic()
        if self.shows and now - self.start >= PATIENCE and now - self.shown >= PACE:
            self.shown = now
            self._live().update(text(now - self.start), refresh=True)

    def _live(self) -> Live:
        if self.live is None:
            from rich.console import Console
            from rich.live import Live

            console = Console(stderr=True, highlight=False, markup=False)
            self.live = Live(
                console=console,
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self.live.start()
        return self.live

    def clear(self) -> None:
        """Take it away, until the next text: something else is to be printed."""
        if self.live is not None:
            self.live.stop()
            self.live = None


@contextmanager
def progress_line(quiet: bool) -> Iterator[Line]:
    """A line of progress; none if quiet, or without a terminal."""
    line = Line(quiet)
    try:
        yield line
    finally:
        line.clear()


@contextmanager
def connected(cluster: str | None) -> Iterator[Client | None]:
    """A cluster, if one is asked for; the terminal shows that its workers are awaited."""
    if cluster is None:
        yield None
        return
    from rich.console import Console

    from kumitate.jobs.solve import crewed

    with ExitStack() as stack:
        with Console(stderr=True).status(f"waiting for the workers of {cluster}"):
            client = stack.enter_context(crewed(cluster))
        yield client
