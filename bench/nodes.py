"""One number for the searches: nodes over the library's problems that take no more than seconds."""

import kumitate


def main() -> None:
    total = 0
    for name, puzzle in kumitate.library.items():
        for problem in puzzle.problems:
            [answer] = kumitate.answers(f"{name}/{problem.name}")
            if answer.assemblies is None:
                continue
            nodes = kumitate.count(problem).nodes
            total += nodes
            print(f"{name + '/' + problem.name:32} {nodes:12,}")
    print(f"{'Nodes':32} {total:12,}")


if __name__ == "__main__":
    main()
