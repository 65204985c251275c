"""One number for the searches: nodes over the library's problems that take no more than seconds."""

import kumiki


def main() -> None:
    total = 0
    for name, puzzle in kumiki.library.items():
        for problem in puzzle.problems:
            [answer] = kumiki.answers(f"{name}/{problem.name}")
            if answer.assemblies is None:
                continue
            nodes = kumiki.count(problem).nodes
            total += nodes
            print(f"{name + '/' + problem.name:32} {nodes:12,}")
    print(f"{'Nodes':32} {total:12,}")


if __name__ == "__main__":
    main()
