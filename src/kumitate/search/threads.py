"""Starting Python threads, all of them or with an error that says how many there can be."""

from collections.abc import Sequence
from threading import Thread

from kumitate.model.errors import PuzzleError


def start_all(threads: Sequence[Thread]) -> None:
    """Start them; if one cannot be started, those before it are running and the caller's to end.

    >>> from threading import Event
    >>> running = Event()
    >>> start_all([Thread(target=running.set)])
    >>> running.wait(60)
    True
    """
    for started, thread in enumerate(threads):
        try:
            thread.start()
        except RuntimeError as error:  # the system has no room for another
            raise PuzzleError(
                f"only {started:,} of {len(threads):,} threads could be started ({error}); "
                "use fewer threads"
            ) from None
