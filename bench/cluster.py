"""The overhead of a cluster: the same runs on threads and on as many Dask workers.

CPU seconds of all processes, from when the workers have joined to the last checkpoint; the minimum
of several tries, since other load on the machine only adds to it. `each` is the time a parcel took
on its worker, `busy` the part of the time in which the workers' threads had a parcel, `caller` the
CPU milliseconds per parcel of the caller, whose process includes the scheduler.
"""

import sys
import tempfile
import time
from operator import attrgetter
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from distributed import Client

import kumitate
from kumitate.jobs.cluster import connect

WORKERS = 2
TIMES = 3
RUNS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("bedlam", {}),
    ("kanoodle", {"disassemble": True}),
    ("iq-puzzler-pro/5x11", {"rotations": True}),
    ("bedlam", {"rotations": True}),
)


class Cost(NamedTuple):
    """The cost of one run, on threads and on a cluster."""

    threads: float
    cluster: float
    parcels: int
    each: float
    busy: float
    caller: float


def main() -> None:
    wanted = sys.argv[1:]
    columns = ("threads", "cluster", "more %", "parcels", "each s", "busy %", "caller ms")
    print(f"{f'{WORKERS} workers of 1 thread':32}", *(f"{name:>9}" for name in columns))
    with tempfile.TemporaryDirectory() as folder, connect(f"local:{WORKERS}") as client:
        client.get_task_stream()  # from now on
        for name, options in RUNS:
            label = " ".join([name, *(f"--{option}" for option in options)])
            if wanted and label not in wanted:
                continue
            costs = [
                cost(Path(folder) / "run.kumitate", client, name, options) for _ in range(TIMES)
            ]
            threads, best = min(one.threads for one in costs), min(costs, key=attrgetter("cluster"))
            more = 100 * (best.cluster / threads - 1)
            print(
                f"{label:32} {threads:9.2f} {best.cluster:9.2f} {more:9.1f} {best.parcels:9}"
                f" {best.each:9.2f} {best.busy:9.1f} {best.caller:9.1f}",
                flush=True,
            )


def cost(path: Path, client: Client, name: str, options: dict[str, Any]) -> Cost:
    puzzle = kumitate.library[name]
    before = time.process_time()
    wanted = kumitate.solve_into(path, puzzle, threads=WORKERS, **options)
    threads = time.process_time() - before
    here, there, start = time.process_time(), cpu_of_workers(client), time.time()
    found = kumitate.solve_into(path, puzzle, cluster=client, **options)
    spent = time.time() - start
    here, there = time.process_time() - here, cpu_of_workers(client) - there
    assert (found.assemblies, found.levels) == (wanted.assemblies, wanted.levels)
    took = parcels(client, start)
    busy = 100 * sum(took) / spent / WORKERS
    return Cost(threads, here + there, len(took), mean(took), busy, 1000 * here / len(took))


def cpu_of_workers(client: Client) -> float:
    workers: dict[str, float] = client.run(time.process_time)
    return sum(workers.values())


def parcels(client: Client, start: float) -> list[float]:
    """The seconds that each parcel took on its worker."""
    stream = client.get_task_stream(start=start)
    spans = [span for task in stream for span in task["startstops"] if span["action"] == "compute"]
    return [span["stop"] - span["start"] for span in spans]


if __name__ == "__main__":
    main()
