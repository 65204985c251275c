"""All six-piece burrs: counting them, visiting some, and an estimate for visiting all of them.

CPU seconds of one thread, next to the numbers in the literature. "A second" counts assemblies that
are visited and taken apart: up to their first separation, unless another way is named.
"""

import sys
import time

from bench.__main__ import cpu, yardstick
from kumitate.burr6 import SixPieceBurrs, burr_sticks, solid_burrs
from kumitate.workshop import notchable


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
        row("solid burrs that come apart, with mirrors", solid.solutions[1], makes)
        row("sticks in these", len(solid.sticks), uses)

    for what, options in (
        ("first separation", {}),
        ("to the end", {"complete": True}),
        ("levels by axis", {"level_by": "axis"}),
        ("levels by unit", {"level_by": "unit"}),
        ("levels by piece", {"level_by": "piece"}),
    ):
        counts = everything.run(everything.tasks[2000::4000], **options)
        rate = counts.assemblies / counts.seconds
        print(f"{what:48} {counts.assemblies:14,} {counts.seconds:8.2f} {rate:14,.0f} a second")

    some = everything.sample(tasks)
    print(
        f"\n{tasks} random tasks: {some.counts.assemblies:,} assemblies, {some.rate:,.0f} a second"
    )
    for what, estimate, known in (
        ("assemblies", some.assemblies, 35_657_131_235),
        ("of them come apart, at least partly", some.apart, 5_951_254_866),
    ):
        print(f"{what:48} {estimate.value:14,.0f} ± {estimate.error:,.0f} {known:16,}")
    print(f"{'core-hours for all of them':48} {some.hours.value:14.2f} ± {some.hours.error:.2f}")


if __name__ == "__main__":
    main()
