"""The climbs of a design on a cluster: an executor, as a design has for its threads.

A design has its crew call methods of its way to find candidates (designer/engine.py). A worker
makes the same way from the question, calls the method, and sends back the result, so the same
puzzles are found as on threads. If a worker dies, Dask gives its climb to another one. Only what
has come back counts.
"""

import pickle
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from functools import lru_cache, partial
from importlib.metadata import version
from threading import local
from typing import TYPE_CHECKING, Any

from kumitate.designer.design import brief_for, way_for
from kumitate.designer.engine import Way
from kumitate.jobs.cluster import Call, abandonment, fault_of, gone, require_version

if TYPE_CHECKING:
    from distributed import Client
    from distributed import Future as Distant

_now = local()  # in each thread of a worker, whether its climb is abandoned


class Climbers(Executor):
    """The workers of a cluster; `question` has the arguments of `brief_for`."""

    def __init__(self, client: "Client", seed: int, question: dict[str, Any]) -> None:
        self.client = client
        self.address: str = client.scheduler.address
        self.question = pickle.dumps(question), seed
        self.away: dict[Distant, Future[Any]] = {}

    def submit(self, method: Callable[..., Any], /, *arguments: Any, **_: Any) -> Future[Any]:
        call = Call(climb, *self.question, version("kumitate"), method.__name__, arguments)
        here: Future[Any] = Future()
        try:
            there = self.client.submit(pickle.loads, pickle.dumps(call), pure=False)
        except Exception:  # the client is closed
            raise gone(self.address) from None
        self.away[there] = here
        there.add_done_callback(partial(self._take, here))
        return here

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        left = dict(self.away)
        for here in left.values():
            here.cancel()
        with suppress(Exception):  # the scheduler may be gone
            self.client.cancel(list(left))

    def _take(self, here: Future[Any], there: "Distant") -> None:
        """A result, in one of Dask's threads."""
        self.away.pop(there, None)
        if not here.set_running_or_notify_cancel():
            return
        try:
            here.set_result(there.result())
        except BaseException as error:
            failed = there.status == "error"  # otherwise the result does not get here
            fault = fault_of(self.client, error, "a climb") if failed else gone(self.address)
            here.set_exception(fault)


def climb(question: bytes, seed: int, wanted: str, method: str, arguments: tuple[Any, ...]) -> Any:
    """Do a part of a design, on a worker."""
    require_version(wanted)
    _now.abandoned = abandonment()
    return getattr(_way(question, seed), method)(*arguments)


@lru_cache(maxsize=2)
def _way(question: bytes, seed: int) -> Way:
    brief = brief_for(**pickle.loads(question))
    return way_for(brief, seed=seed, stop=lambda: _now.abandoned())
