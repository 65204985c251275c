"""CPU seconds to read each puzzle and to find its placements, with a yardstick for the machine."""

import time

import kumiki


def cpu(work: object, rounds: int = 3) -> float:
    """The median CPU seconds of a call."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()  # type: ignore[operator]
        times.append(time.process_time() - start)
    return sorted(times)[rounds // 2]


def yardstick() -> int:
    """A fixed amount of plain Python work, to compare machines by."""
    total = 0
    for number in range(3_000_000):
        total = (total * 31 + number) & 0xFFFF
    return total


def main() -> None:
    print(f"yardstick {cpu(yardstick):.3f} s\n")
    print(f"{'puzzle':32} {'placements':>10} {'seconds':>8}")
    for name, puzzle in kumiki.library.items():
        for problem in puzzle.problems:
            found = sum(map(len, kumiki.placements(problem)))
            seconds = cpu(lambda problem=problem: kumiki.placements(problem))
            print(f"{name + '/' + problem.name:32} {found:10} {seconds:8.3f}")


if __name__ == "__main__":
    main()
