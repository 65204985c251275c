"""kumitate check: what is wrong or noteworthy about a puzzle."""

import click

from kumitate.cli.arguments import json_option, open_puzzle, problem_option, puzzle_argument


@click.command()
@puzzle_argument
@problem_option
@json_option
@click.pass_context
def check(context: click.Context, puzzle: str, problem: str | None, as_json: bool) -> None:
    """Report what is wrong or noteworthy about a puzzle, e.g. kumitate check soma

    The exit status is 1 if something is wrong.
    """
    import json

    from kumitate.search.check import check as findings

    found = findings(open_puzzle(puzzle, problem).puzzle)
    faults = sum(finding.fault for finding in found)
    if as_json:
        rows = [{"fault": finding.fault, "text": finding.text} for finding in found]
        click.echo(json.dumps({"faults": faults, "findings": rows}))
    else:
        for finding in found:
            kind = click.style("fault", fg="red") if finding.fault else "note "
            click.echo(f"{kind} {finding.text}")
        click.echo(f"faults: {faults}, notes: {len(found) - faults}")
    context.exit(1 if faults else 0)
