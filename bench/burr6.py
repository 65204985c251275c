"""All six-piece burrs: what is counted, what is visited, and what visiting all of them would take.

CPU seconds of one thread, beside the numbers of the literature. `a second` is assemblies visited
and taken apart up to their first separation.
"""

import sys
import time

from bench.__main__ import cpu, yardstick
from kumitate import SixPieceBurrs, burr_sticks, notchable, solid_burrs


def main() -> None:
    tasks = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    print(f"yardstick {cpu(yardstick, 3):.3f} s\n")
    print(f"{'six-piece burrs':48} {'found':>14} {'CPU s':>8} {'Cutler':>16}")
    start = time.process_time()

    def row(what: str, found: int, known: int) -> None:
        nonlocal start
        seconds = time.process_time() - start
        print(f"{what:48} {found:14,} {seconds:8.2f} {known:16,}", flush=True)
        start = time.process_time()

    everything = SixPieceBurrs()
    row("sticks", len(everything.sticks), 837)
    row("assemblies, counted", everything.count(), 35_657_131_235)
    sawn = SixPieceBurrs(filter(notchable, burr_sticks()))
    row("notchable sticks", len(sawn.sticks), 59)
    row("their assemblies, counted", sawn.count(), 13_354_991)
    row("their assemblies, visited", sawn.run().assemblies, 13_354_991)
    for burrs, makes, uses in ((sawn, 314, 25), (everything, 119_979, 369)):
        solid = solid_burrs(burrs.sticks)
        row("solid ones that come apart, mirrors apart", solid.solutions[1], makes)
        row("sticks in these", len(solid.sticks), uses)

    told = everything.sample(tasks)
    print(
        f"\n{tasks} random tasks: {told.counts.assemblies:,} assemblies, {told.rate:,.0f} a second"
    )
    for what, estimate, known in (
        ("assemblies", told.assemblies, 35_657_131_235),
        ("of them come apart, at least partly", told.apart, 5_951_254_866),
    ):
        print(f"{what:48} {estimate.value:14,.0f} ± {estimate.error:,.0f} {known:16,}")
    print(f"{'core-hours for all of them':48} {told.hours.value:14.2f} ± {told.hours.error:.2f}")


if __name__ == "__main__":
    main()
