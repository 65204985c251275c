"""Every option of a solve is declared once: library, command line, runs and studio agree."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any, get_type_hints

import click
import msgspec
import pytest

import kumitate
from kumitate.cli.solve import count as count_command
from kumitate.cli.solve import solve as solve_command
from kumitate.model import options
from kumitate.model.options import ApartOptions, CountOptions, RunOptions, SolveOptions, take
from kumitate.store.schema import options_of
from kumitate.studio import messages

KEYWORDS: dict[type, Any] = {
    CountOptions: options.CountKeywords,
    ApartOptions: options.ApartKeywords,
    SolveOptions: options.SolveKeywords,
    RunOptions: options.RunKeywords,
}
ONLY_PRINTED = {
    *("all", "moves", "shortest", "certify", "turns_count", "unit"),
    *("as_json", "jsonl", "pin", "problem"),
}
ABOUT_FILES = {"limit", "threads", "output", "force", "resume", "cluster", "puzzle"}


def declared(kind: type[CountOptions] | type[ApartOptions]) -> dict[str, Any]:
    return {one.name: default(one) for one in fields(kind)}


def default(option: "Field[Any]") -> Any:
    assert option.default is not MISSING, f"{option.name} has no default"
    return option.default


@pytest.mark.parametrize("kind", KEYWORDS, ids=lambda kind: kind.__name__)
def test_the_keywords_are_the_options(kind: type[CountOptions]) -> None:
    hints = get_type_hints(kind)
    assert get_type_hints(KEYWORDS[kind]) == {name: hints[name] for name in declared(kind)}


@pytest.mark.parametrize(
    ("function", "kind"),
    [
        (kumitate.assemble, CountOptions),
        (kumitate.count, CountOptions),
        (kumitate.disassemble, ApartOptions),
        (kumitate.examine, ApartOptions),
        (kumitate.examine_all, SolveOptions),
        (kumitate.solve, SolveOptions),
        (kumitate.solve_into, RunOptions),
    ],
)
def test_the_library_takes_them_as_keywords(
    function: Callable[..., Any], kind: type[CountOptions]
) -> None:
    parameters = inspect.signature(function).parameters
    [rest] = [one for one in parameters.values() if one.kind is one.VAR_KEYWORD]
    assert rest.annotation.__args__ == (KEYWORDS[kind],)
    assert not parameters.keys() & declared(kind).keys()


def flags(command: click.Command) -> dict[str, click.Parameter]:
    return {str(one.name): one for one in command.params}


def test_the_command_line_has_each_with_its_default_and_help() -> None:
    shown = flags(solve_command)
    assert shown.keys() - ONLY_PRINTED - ABOUT_FILES == declared(RunOptions).keys()
    for one in fields(RunOptions):
        option = shown[one.name]
        assert isinstance(option, click.Option)
        assert option.opts == [f"--{one.name.replace('_', '-')}"]
        assert option.help == one.metadata["help"]
        assert option.is_flag == (one.default is False)
    assert take(RunOptions, solve_command.make_context("solve", ["soma"]).params) == RunOptions()
    some = ["soma", "--mirrors", "--disassemble", "--max-states", "9", "--keep", "none"]
    assert take(RunOptions, solve_command.make_context("solve", some).params) == RunOptions(
        mirrors=True, disassemble=True, max_states=9, keep="none"
    )
    counted = flags(count_command).keys() - ONLY_PRINTED - ABOUT_FILES
    assert counted == declared(CountOptions).keys()


def test_a_run_keeps_each_and_refuses_others() -> None:
    assert options_of("{}") == RunOptions() == options.DEFAULTS
    changed = RunOptions(mirrors=True, disassemble=True, max_moves=7, keep="best:3")
    assert options_of(msgspec.json.encode(changed).decode()) == changed
    with pytest.raises(msgspec.ValidationError, match="unknown options: miracles"):
        options_of('{"miracles": true}')
    with pytest.raises(msgspec.ValidationError, match="max_states 0"):
        options_of('{"max_states": 0}')


def test_the_studio_has_them_all_beside_the_limit_and_the_threads() -> None:
    assert declared(messages.SolveOptions) == {
        **declared(RunOptions),
        "limit": None,
        "threads": 1,
    }


def test_a_wrong_limit_is_refused_wherever_it_is_given() -> None:
    for wrong in ({"max_states": 0}, {"max_moves": -1}, {"max_moves": 1.5}):
        with pytest.raises(kumitate.PuzzleError, match=next(iter(wrong))):
            SolveOptions(**wrong)
