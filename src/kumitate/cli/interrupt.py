"""Ctrl-C that leaves nothing half done: it is noted at once, and acts where a search looks for it.

So every assembly that was counted has also been printed. A second Ctrl-C acts at once.
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
        self.pressed = self.at_once = False

    def __call__(self) -> None:
        if self.pressed:
            raise KeyboardInterrupt

    def note(self, *_: object) -> None:
        again, self.pressed = self.pressed, True
        if again or self.at_once:
            raise KeyboardInterrupt

    @contextmanager
    def now(self) -> Iterator[None]:
        """While something runs that looks for nothing, Ctrl-C acts at once."""
        self()
        self.at_once = True
        try:
            yield
        finally:
            self.at_once = False


@contextmanager
def gently() -> Iterator[Interrupt]:
    """For as long as this lasts, Ctrl-C acts where it is looked for."""
    interrupt = Interrupt()
    before = signal.getsignal(signal.SIGINT)
    if before is signal.default_int_handler:  # not if somebody wants it to be ignored
        signal.signal(signal.SIGINT, interrupt.note)
    try:
        yield interrupt
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def never_lost() -> Iterator[None]:
    """For as long as this lasts, Ctrl-C is pressed again if Python has dropped it.

    Python drops what is raised where nobody could catch it: in a finalizer, in a callback of the
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
