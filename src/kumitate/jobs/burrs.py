"""All six-piece burrs on a cluster: the caller sends out tasks, a few at once, and writes the run.

Answers are used in the order of the tasks, whichever arrives first, so a run may go from threads to
a cluster and back. If a worker dies, Dask sends its tasks to another one.
"""

import pickle
from collections.abc import Sequence
from concurrent.futures import CancelledError
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from kumitate.burr6.counts import BurrProgress
from kumitate.burr6.enumeration import Answer, Question, SixPieceBurrs
from kumitate.burr6.saved import BurrRun, run_into
from kumitate.decoding import from_msgpack
from kumitate.jobs.cluster import PARCELS, Call, connect
from kumitate.model.burr_sticks import burr_stick
from kumitate.model.errors import PuzzleError
from kumitate.model.numbers import MOST_THREADS

if TYPE_CHECKING:
    from distributed import Client, Future


def run_on(
    cluster: "str | Client", path: Path, run: BurrRun, progress: BurrProgress | None = None
) -> BurrRun:
    """Go on with a run as `run_into` does, on the workers of a cluster."""
    numbers = [int(stick.name) for stick in run.burrs.sticks]
    hint = f"everything counted is kept; to continue: kumitate burr6 --resume {path}"
    with connect(cluster) as client:

        def send(tasks: Sequence[int]) -> _Sent:
            parcel = Parcel(numbers, run.burrs.length, run.question, list(tasks))
            call = pickle.dumps(Call(answer, msgspec.msgpack.encode(parcel)))
            return _Sent(client.submit(pickle.loads, call, pure=False), hint)

        most = PARCELS * max(1, sum(client.nthreads().values()))
        return run_into(path, run, min(most, MOST_THREADS), progress, send)


class Parcel(msgspec.Struct, frozen=True):
    """Some tasks, and everything that a worker needs for them."""

    sticks: list[int]
    length: int
    question: Question
    tasks: list[int]


def answer(data: bytes) -> Answer:
    """What comes of a parcel, on a worker."""
    parcel = from_msgpack(data, Parcel)
    return _burrs((*parcel.sticks,), parcel.length).answer(parcel.question, parcel.tasks)


@lru_cache(maxsize=2)
def _burrs(numbers: tuple[int, ...], length: int) -> SixPieceBurrs:
    return SixPieceBurrs([burr_stick(number, length) for number in numbers], length=length)


class _Sent:
    """An answer that a worker will send."""

    def __init__(self, future: "Future", hint: str) -> None:
        self.future, self.hint = future, hint

    def result(self) -> Answer:
        try:
            answer: Answer = self.future.result()
        except CancelledError:
            raise PuzzleError(f"the scheduler is gone; {self.hint}") from None
        except Exception as error:
            fault = f"{type(error).__name__}: {error}".splitlines()[0]
            raise PuzzleError(f"a worker failed: {fault}; {self.hint}") from None
        return answer
