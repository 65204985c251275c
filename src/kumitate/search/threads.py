"""How many threads this machine has room for, and starting them: all, or an error says how many."""

import os
from collections.abc import Sequence
from threading import Thread

from kumitate.model.errors import PuzzleError

# Bytes of address space for a thread's stack, and as much again: a thread that has its stack but no
# memory to say that it runs would be waited for without end.
ROOM = 16 << 20


def cores() -> int:
    """How many threads can work at the same time: the CPU cores that this process may use.

    >>> cores() >= 1
    True
    """
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def start_all(threads: Sequence[Thread]) -> None:
    """Start all threads; if one fails to start, the caller must end those that are running.

    >>> from threading import Event
    >>> running = Event()
    >>> start_all([Thread(target=running.set)])
    >>> running.wait(60)
    True
    """
    from mmap import mmap

    for started, thread in enumerate(threads):
        try:
            mmap(-1, ROOM).close()
            thread.start()
        except (RuntimeError, OSError) as error:  # the system has no room for another
            raise PuzzleError(
                f"only {started:,} of {len(threads):,} threads could be started ({error}); "
                "use fewer threads"
            ) from None
