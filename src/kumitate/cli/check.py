"""kumitate check: what is wrong or noteworthy about a puzzle, and whether turns open it sooner."""

from typing import Any

import click

from kumitate.cli.arguments import (
    force_option,
    json_option,
    open_puzzle,
    output_option,
    page_output,
    problem_option,
    puzzle_argument,
)
from kumitate.cli.found import SHOWN
from kumitate.cli.solve import option
from kumitate.model.errors import PuzzleError


@click.command()
@puzzle_argument
@problem_option
@click.option(
    "--shortcuts", is_flag=True, help="Also find assemblies that turns open sooner than slides."
)
@click.option(
    "--tolerance",
    metavar="TOLERANCE",
    help="How far faces are set back, as a part of a cell, or as a length: 0.1mm. Default: 0.",
)
@click.option("--unit", type=float, metavar="MM", help="Size of a cell, for a tolerance in mm.")
@option("fine")
@option("max_states")
@option("max_moves")
@output_option(f"Write FILE.html, a web page that plays the first {SHOWN} shortcuts.")
@force_option
@json_option
@click.pass_context
def check(
    context: click.Context, /, puzzle: str, problem: str | None, as_json: bool, **given: Any
) -> None:
    """Report what is wrong or noteworthy about a puzzle, e.g. kumitate check soma

    The exit status is 1 if something is wrong.

    With --shortcuts every assembly is taken apart twice, by slides alone and with quarter turns:
    kumitate check FILE --shortcuts --tolerance 0.1mm --unit 11
    """
    import json

    from kumitate.search.check import check as findings

    for name, value in given.items():
        if value not in (None, False) and not given["shortcuts"]:
            raise PuzzleError(f"--{name.replace('_', '-')} needs --shortcuts")
    page = None if given["output"] is None else page_output(given["output"], given["force"])
    search = None
    if given["shortcuts"]:
        from kumitate.cli.shortcuts import Shortcuts

        search = Shortcuts(given, as_json)
    document = open_puzzle(puzzle, problem)
    found = findings(document.puzzle)
    faults = sum(finding.fault for finding in found)
    if not as_json:
        for finding in found:
            kind = click.style("fault", fg="red") if finding.fault else "note "
            click.echo(f"{kind} {finding.text}")
    rows = [{"fault": finding.fault, "text": finding.text} for finding in found]
    for text in search.notes(document) if search and not faults else ():
        rows.append({"fault": False, "text": text})
        if not as_json:
            click.echo(f"note  {text}")
    if as_json:
        more = {"shortcuts": search.rows, "complete": search.status == 0} if search else {}
        click.echo(json.dumps({"faults": faults, "findings": rows, **more}))
    else:
        click.echo(f"faults: {faults}, notes: {len(rows) - faults}")
    if search and page is not None:
        search.write(document.puzzle, page)
    context.exit(1 if faults else search.status if search else 0)
