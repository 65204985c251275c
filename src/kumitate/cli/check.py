"""kumitate check: what is wrong or noteworthy about a puzzle."""

import click

from kumitate.cli.arguments import open_puzzle, puzzle_argument


@click.command()
@puzzle_argument
@click.pass_context
def check(context: click.Context, puzzle: str) -> None:
    """Say what is wrong or noteworthy about a puzzle; exit status 1 if something is wrong."""
    from kumitate.search.check import check as findings

    found = findings(open_puzzle(puzzle).puzzle)
    for finding in found:
        click.echo(f"{click.style('fault', fg='red') if finding.fault else 'note '} {finding.text}")
    faults = sum(finding.fault for finding in found)
    click.echo(f"faults: {faults}, notes: {len(found) - faults}")
    context.exit(1 if faults else 0)
