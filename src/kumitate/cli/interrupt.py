"""Ctrl-C that leaves nothing half done: it is noted, and takes effect where a search checks for it.

So every assembly that was counted has also been printed. A second Ctrl-C takes effect immediately.
"""

import signal
import sys
from _thread import interrupt_main
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

SOON = 0.01  # seconds


class Interrupt:
    """Raises KeyboardInterrupt when it is called, if Ctrl-C was pressed."""

    def __init__(self) -> None:
        self.pressed = self.immediate = False

    def __call__(self) -> None:
        if self.pressed:
            raise KeyboardInterrupt

    def note(self, *_: object) -> None:
        again, self.pressed = self.pressed, True
        if again or self.immediate:
            raise KeyboardInterrupt

    @contextmanager
    def now(self) -> Iterator[None]:
        """Let Ctrl-C take effect immediately while code runs that does not check for it."""
        self()
        self.immediate = True
        try:
            yield
        finally:
            self.immediate = False


@contextmanager
def gently() -> Iterator[Interrupt]:
    """Let Ctrl-C take effect only where the code checks for it."""
    interrupt = Interrupt()
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # unless it is being ignored
        signal.signal(signal.SIGINT, interrupt.note)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def never_lost() -> Iterator[None]:
    """Repeat a Ctrl-C that Python has dropped.

    Python drops an exception where nothing could catch it: in a finalizer, in a callback of the
    garbage collector, or in that of a weak reference, of which every import has one.
    """
    before = sys.unraisablehook

    def notice(dropped: "sys.UnraisableHookArgs") -> None:
        if issubclass(dropped.exc_type, KeyboardInterrupt):
            Timer(SOON, interrupt_main).start()  # a thread, since here it would be dropped again
        else:
            before(dropped)

    sys.unraisablehook = notice
    try:
        yield
    finally:
        sys.unraisablehook = before
