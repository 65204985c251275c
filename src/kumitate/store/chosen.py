"""Runs without a search: solutions that someone chose from another run, or that a file has kept.

Such a run is read, filtered and counted like any other; its state is "chosen", and there is nothing
to resume. It counts only what it holds.
"""

import json
import time
from collections.abc import Iterable, Sequence
from itertools import groupby
from pathlib import Path

import msgspec

from kumitate.model.options import RunOptions
from kumitate.model.puzzle import Puzzle
from kumitate.model.solution import Solution
from kumitate.store import database, schema
from kumitate.store.plain_index import packed_assemblies, solution_rows
from kumitate.store.recorder import CHUNK
from kumitate.store.recover import AnswerRow, Written, answer_rows, count_answers
from kumitate.store.run import Run, text_of
from kumitate.store.schema import GIVEN_UP, pack_tree, width_for


def choose(path: Path, run: Run, numbers: Sequence[int]) -> None:
    """Copy the solutions with these numbers to a new run, in this order.

    >>> import kumitate, tempfile
    >>> from kumitate.store import open_run
    >>> folder = Path(tempfile.mkdtemp())
    >>> done = kumitate.solve_into(folder / "soma.kumitate", kumitate.library["soma"])
    >>> with open_run(folder / "soma.kumitate") as run:
    ...     choose(folder / "two.kumitate", run, [7, 3])
    ...     seventh = run.page(7, 1)[0].assembly
    >>> with open_run(folder / "two.kumitate") as two:
    ...     len(two), two.summary().state, two.page(1, 1)[0].assembly == seventh
    (2, 'chosen', True)
    """
    text, number, options, *rest = run.only_row("run")
    options = json.dumps(json.loads(options) | {"keep": "all"})
    with run.snapshot():
        if run.options.disassemble:
            answers: Iterable[AnswerRow] = list(solution_rows(run, numbers))
        else:
            answers = _chunks(names for _, names in packed_assemblies(run, numbers))
            answers = [(*row[:2], row[2] // run.width, row[3]) for row in answers]
    _create(path, (text, number, options, *rest), answers)


def keep(puzzle: Puzzle, number: int, solutions: Sequence[Solution]) -> Written:
    """The rows of a run of these solutions to problem `number` of a puzzle, counted from 1.

    A piece is a kind of its own here, so every placement stays with its piece, as the file has it.
    """
    placements = sorted({p for solution in solutions for p in solution.assembly.placements})
    names = {placement: name for name, placement in enumerate(placements)}
    width = width_for(len(names))
    apart = any(solution.levels for solution in solutions)
    question = (
        text_of(puzzle).decode(),
        number,
        json.dumps(msgspec.to_builtins(RunOptions(disassemble=apart))),
        database.kumitate_version(),
        "",
        msgspec.msgpack.encode(
            (
                [(piece, turn, *shift) for piece, turn, shift in placements],
                [[piece] for piece in range(len(puzzle.problems[number - 1].pieces))],
            )
        ),
        width,
        0.0,
    )
    packed = [
        b"".join(names[p].to_bytes(width, "little") for p in solution.assembly.placements)
        for solution in solutions
    ]
    answers: list[AnswerRow] = []
    if apart:
        for n, (solution, row) in enumerate(zip(solutions, packed, strict=True), 1):
            tree = solution.disassembly
            rank = (tree.levels.moves, tree.levels.total) if tree else GIVEN_UP
            found = (solution.assembly_number, solution.solution_number)
            answers.append((n, *found, row, *rank, 0, pack_tree(tree) if tree else None))
    else:
        answers = [(*row[:2], row[2] // width, row[3]) for row in _chunks(packed)]
    return _written(question, answers)


def write_kept(path: Path, rows: Written) -> None:
    """Write the rows that `keep` returned to a file."""
    database.create(path, schema.RUN, rows)


def _create(path: Path, question: Sequence[object], answers: Iterable[AnswerRow]) -> None:
    database.create(path, schema.RUN, _written(question, list(answers)))


def _written(question: Sequence[object], answers: Sequence[AnswerRow]) -> Written:
    apart = schema.options_of(str(question[2])).disassemble
    at, tally, answers = count_answers(answers, apart)
    at.state, at.lost, at.fraction, at.saved = "chosen", 0, 1.0, time.time()
    return answer_rows(question, at, [], answers, apart, tally)


def _chunks(names: Iterable[bytes]) -> Iterable[tuple[int, int, int, bytes]]:
    """Packed assemblies as rows of the file, with their sizes: neighbours of a size share one."""
    first = 1
    for size, some in groupby(names, key=len):
        all_of_them = list(some)
        for start in range(0, len(all_of_them), CHUNK):
            part = all_of_them[start : start + CHUNK]
            yield first, len(part), size, b"".join(part)
            first += len(part)
