"""kumiki export: what other programs draw and print."""

from pathlib import Path

import click

from kumiki.cli.arguments import open_puzzle, puzzle_argument
from kumiki.cli.solve import pick
from kumiki.model.errors import PuzzleError


@click.command()
@puzzle_argument
@click.argument("output")
@click.option(
    "--states",
    type=click.Choice(["graphml"]),
    required=True,
    help="The states that an assembly can be moved to, as a graph.",
)
@click.option("--problem", type=click.IntRange(1), default=1, metavar="N", help="Of problem N.")
@click.option("--assembly", type=click.IntRange(1), default=1, metavar="N", help="Of assembly N.")
@click.option("--max-states", type=click.IntRange(1), metavar="N", help="At most so many.")
@click.option("--force", is_flag=True, help="Replace OUTPUT if it exists.")
def export(
    puzzle: str,
    output: str,
    states: str,
    problem: int,
    assembly: int,
    max_states: int | None,
    force: bool,
) -> None:
    """Write the states of an assembly as a graph.

    Every state that is reached before anything separates is a node, every move an edge, e.g. kumiki
    export burr.xmpuzzle burr.graphml --states graphml
    """
    from itertools import islice

    from kumiki.search.assemble import assemble
    from kumiki.search.states import MOST_STATES, explore

    [asked] = pick(open_puzzle(puzzle).puzzle, problem)
    if Path(output).exists() and not force:
        raise PuzzleError(f"{output}: exists already; --force replaces it")
    found = next(islice(assemble(asked), assembly - 1, None), None)
    if found is None:
        raise PuzzleError(f"--assembly {assembly}: there are not so many")
    graph = explore(found, max_states=max_states or MOST_STATES)
    try:
        Path(output).write_text(graph.to_graphml(), encoding="utf-8")
    except OSError as error:
        raise PuzzleError(f"{output}: {error.strerror}") from None
    counts = {
        "state": len(graph.states),
        "move": len(graph.edges),
        "exit": len(graph.exits),
        "dead end": len(graph.dead_ends),
    }
    click.echo(", ".join(f"{n:,} {word}{'s' * (n != 1)}" for word, n in counts.items()))
