"""kumitate library: the built-in puzzles and what is known of them."""

import click


@click.command()
@click.argument("words", nargs=-1)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON list of the problems.")
@click.pass_context
def library(context: click.Context, words: tuple[str, ...], as_json: bool) -> None:
    """List the built-in puzzles, or those that match all WORDS, e.g. kumitate library spheres"""
    import json
    from dataclasses import asdict

    from kumitate.library import library as puzzles

    heads = ("name", "title", "grid", "pieces", "known")
    rows = [heads]
    records: list[dict[str, object]] = []
    for name, puzzle in puzzles.items():
        for problem in puzzle.problems:
            path = name if len(puzzle.problems) == 1 else f"{name}/{problem.name}"
            low, high = (
                sum(b) for b in zip(*((p.min, p.max) for p in problem.pieces), strict=True)
            )
            count = str(low) if low == high else f"{low}..{high}"
            [answer] = puzzles.answers(f"{name}/{problem.name}")
            row = (path, puzzle.title, puzzle.grid.name, count, str(answer))
            text = " ".join((*row, puzzle.designer, puzzle.comment)).lower()
            if all(word.lower() in text for word in words):
                rows.append(row)
                about = {"designer": puzzle.designer, "comment": puzzle.comment}
                records.append(dict(zip(heads, row, strict=True)) | about | asdict(answer))
    if as_json:
        click.echo(json.dumps(records))
        context.exit(0 if records else 1)
    if len(rows) == 1:
        click.echo(f"no puzzle of the library matches {' '.join(words)}", err=True)
        context.exit(1)
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for number, row in enumerate(rows):
        line = "  ".join(
            cell.ljust(width) for cell, width in zip(row, widths, strict=True)
        ).rstrip()
        click.echo(line if number else click.style(line, bold=True))
