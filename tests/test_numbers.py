"""Every number that the library takes is checked: a wrong one is a PuzzleError that names it.

The parameters are found by introspection, so a new one that is not tried here fails a test.
"""

import inspect
import re
from collections.abc import Callable, Iterable
from functools import cache
from itertools import islice
from math import inf, nan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Unpack, get_args, get_origin, get_type_hints

import pytest
from tools.public_names import NAMES

import kumitate
from kumitate import (
    CUBES,
    Assembly,
    LimitReached,
    Piece,
    Placement,
    PrintOptions,
    Problem,
    Shape,
    burr6,
    designer,
    grids,
    store,
)
from kumitate.burr6.enumeration import Question
from kumitate.designer import Cuts
from kumitate.jobs.design import design_into, resume_design, resume_search, search_into
from kumitate.model.wish import Wish

WRONG: list[Any] = ["3", nan, 1j]  # never a number
ODD: list[Any] = [0, -1, 1.5, None, True, inf, -inf, 2**31, 2**63, -(2**63), 2**64, 10**400]

# Values that searches and files give: nobody is asked to fill in their numbers.
GIVEN = {
    "Answers", "Burr", "BurrSample", "BurrCounts", "Certificate", "Conflict", "Count",
    "Disassembly", "Discovery", "Examination", "Force", "FirstProgress", "FirstResult", "Grid",
    "Hint", "Levels", "Move", "PackProgress", "Packing", "Placement", "Progress", "Rotation",
    "Sampling", "Shortcut", "SolidBurrs", "Solution", "StateGraph", "Summary", "Turn", "Draft",
    "Family", "Finding", "KnownAnswer", "Design", "Changed", "BurrOutcome",
}  # fmt: skip
# Methods that look something up by an index, as a list does; and those of the one who writes.
INDEXED = {
    "Assembly.colour", "Assembly.label", "Assembly.letter", "Problem.colour", "Problem.label",
    "Problem.may_lie_on",
    "Puzzle.colour", "Puzzle.label", "Run.assembly_rows", "Run.solution_rows",
    "Shape.neighbours", "Shape.restricted", "Shape.mapped", "Shape.from_tokens",
    "Collection.begin", "Collection.commit", "Collection.commit_designs", "SixPieceBurrs.assembly",
    "SixPieceBurrs.ending", "SixPieceBurrs.outcome", "SixPieceBurrs.numbers",
}  # fmt: skip

BAR = Shape.from_text(CUBES, "##", name="bar")
GOAL = Shape.from_text(CUBES, "##/##", name="goal")
TWO = Problem(GOAL, [Piece(BAR, 2)])
PUZZLE = kumitate.Puzzle.of(TWO)
PAIR = Assembly.from_text(CUBES, "AB")
CUTS = Cuts(Shape.from_text(CUBES, "####/####"), 2)
ITEMS = [["a"], ["a", "b"], ["b"]]
SVG = "a.svg"
CLIMB: dict[str, object] = {"seed": 1, "steps": 9}
BRIEF: dict[str, Any] = {"seconds": 0.01, "evaluations": 10}


@cache
def _burrs() -> burr6.SixPieceBurrs:
    return burr6.SixPieceBurrs([burr6.burr_stick(1), burr6.burr_stick(1024)])


def _tasks(name: str, number: object) -> dict[str, Any]:
    return {"tasks": [number]} if name == "tasks" else {"tasks": [0], name: number}


def _as(name: str, number: object, /, **also: object) -> dict[str, Any]:
    """The arguments of a call, with the number tried as one of them."""
    return {**also, name: number}


def _some(found: Iterable[object]) -> list[object]:
    return list(islice(found, 2))


@cache
def _kept(make: Callable[[str], object]) -> bytes:
    with TemporaryDirectory() as folder:
        make(f"{folder}/a.kumitate")
        return Path(folder, "a.kumitate").read_bytes()


def _solved(path: str) -> None:
    kumitate.solve_into(path, PUZZLE)


def _searched(path: str) -> None:
    search_into(path, CUTS, samples=3)


def _run(path: Path) -> Path:
    _new(path).write_bytes(_kept(_solved))
    return _new(path)


def _collection(path: Path) -> Path:
    _new(path).write_bytes(_kept(_searched))
    return _new(path)


def _designed(path: str) -> None:
    design_into(path, "3x3x3", Wish(), **BRIEF)


def _design(path: Path) -> Path:
    _new(path).write_bytes(_kept(_designed))
    return _new(path)


def _keyword(function: Callable[..., Any], *given: Any, **also: Any) -> Callable[..., Any]:
    """Calls the function with the number tried as the parameter that is tried."""
    return lambda name, number, path: function(*given, **also, **{name: number})


def _lazy(function: Callable[..., Any], *given: Any, **also: Any) -> Callable[..., Any]:
    return lambda name, number, path: _some(function(*given, **also | {name: number}))


def _in(place: Callable[[Path], Path], call: Callable[..., Any]) -> Callable[..., Any]:
    return lambda name, number, path: call(place(path), **{name: number})


def _page(open_: Callable[[Path], Any], method: str) -> Callable[..., Any]:
    def call(path: Path, **number: Any) -> object:
        with open_(path) as opened:
            return getattr(opened, method)(**number)

    return call


def _new(path: Path) -> Path:
    return path / "new.kumitate"


def _homes(n: Any) -> list[set[Any]]:
    return [{(n, 0, 0, 0)}, {(0, 0, 0, 0)}]


def _cells(n: Any) -> dict[str, Any]:
    cell = (0, 0, 0, 0)
    return {"cells": {(n, 0, 0, 0)}, "optional": {(0, n, 0, 0)}, "colours": {cell: n}, "weight": n}


HOW: dict[str, Callable[[str, Any, Path], object]] = {
    "assemble": _lazy(kumitate.assemble, TWO),
    "assembly_shapes": lambda name, n, path: _some(
        designer.assembly_shapes([PAIR], cells=None if n is None else (n, n))
    ),
    "burr_stick": lambda name, n, path: burr6.burr_stick(**_as(name, n, number=1)),
    "climb": lambda name, n, path: _some(
        designer.climb(PAIR, **_as(name, _homes(n) if name == "homes" else n, **CLIMB))
    ),
    "count": _keyword(kumitate.count, TWO),
    "cover": lambda name, n, path: kumitate.cover(ITEMS, times={"a": n}),
    "design": lambda name, n, path: _some(kumitate.design("3x3x3", **BRIEF | {name: n})),
    "design_into": lambda name, n, path: design_into(
        _new(path), "3x3x3", Wish(), **BRIEF | {name: n}
    ),
    "disassemble": _keyword(kumitate.disassemble, PAIR),
    "examine_all": _lazy(kumitate.examine_all, TWO, disassemble=True),
    "examine": _keyword(kumitate.examine, PAIR),
    "explore": _keyword(kumitate.explore, PAIR),
    "export": lambda name, n, path: kumitate.export(PUZZLE, path / SVG, force=True, **{name: n}),
    "find_shortcuts": _lazy(kumitate.find_shortcuts, TWO),
    "first": _keyword(kumitate.first, TWO, engine="cover"),
    "pack": _keyword(kumitate.pack, TWO),
    "polyforms": _keyword(designer.polyforms, CUBES),
    "recast": _keyword(grids.recast, Shape(CUBES, set()), CUBES),
    "resume": _in(_run, kumitate.resume),
    "resume_design": lambda name, n, path: resume_design(_design(path), **BRIEF | {name: n}),
    "resume_search": _in(_collection, resume_search),
    "rigidity": lambda name, n, path: kumitate.rigidity(
        PAIR, **{name: {"part": [n], "places": [(n, n, n), (0, 0, 0)], "parts": n}[name]}
    ),
    "search_into": lambda name, n, path: search_into(
        _new(path), CUTS, **{"samples": 2, name: n} | ({} if name != "samples" else {"limit": 1})
    ),
    "search_puzzles": _lazy(designer.search_puzzles, CUTS),
    "shortest": _keyword(kumitate.shortest, PAIR),
    "solve": _lazy(kumitate.solve, TWO, disassemble=True),
    "solve_into": lambda name, n, path: kumitate.solve_into(
        _new(path), PUZZLE, disassemble=True, **{name: n}
    ),
    "why": _keyword(kumitate.why, TWO),
    "Collection.page": _in(_collection, _page(store.open_collection, "page")),
    "Collection.found": _in(_collection, _page(store.open_collection, "found")),
    "Collection.sampled": _in(_collection, _page(store.open_collection, "sampled")),
    "Collection.document": _in(_collection, _page(store.open_collection, "document")),
    "CoverSearch": _lazy(kumitate.cover(ITEMS).search),
    "Cuts": lambda name, n, path: Cuts(CUTS.goal, **_as(name, n, pieces=2)),
    "ExactCover": lambda name, n, path: kumitate.cover(ITEMS, times={"a": n}),
    "ExactCover.count": _keyword(kumitate.cover(ITEMS).count),
    "ExactCover.search": _lazy(kumitate.cover(ITEMS).search),
    "PrintOptions": lambda name, n, path: kumitate.solid(BAR, PrintOptions(**_as(name, n))),
    "Piece": lambda name, n, path: Piece(BAR, **_as(name, {n: 1} if name == "groups" else n)),
    "Problem": lambda name, n, path: Problem(
        GOAL, [Piece(BAR)], **_as(name, [(n, n)] if name == "allowed" else n)
    ),
    "Puzzle.number_of": _keyword(PUZZLE.number_of),
    "Puzzle.only": _keyword(PUZZLE.only),
    "Puzzle.problem": _keyword(PUZZLE.problem),
    "Run.page": _in(_run, _page(kumitate.open_run, "page")),
    "Run.document": _in(_run, _page(kumitate.open_run, "document")),
    "Shape": lambda name, n, path: Shape(CUBES, **_as(name, _cells(n)[name], cells=BAR.cells)),
    "Shape.from_text": lambda name, n, path: Shape.from_text(
        CUBES, "##", **_as(name, (0, n, 0) if name == "at" else n)
    ),
    "Shape.shifted": lambda name, n, path: BAR.shifted((n, 0, 0)),
    "SixPieceBurrs": lambda name, n, path: burr6.SixPieceBurrs(length=n),
    "SixPieceBurrs.run": lambda name, n, path: _burrs().run(**_tasks(name, n)),
    "SixPieceBurrs.census": lambda name, n, path: _burrs().census([[n] * 6]),
    "SixPieceBurrs.slices": lambda name, n, path: _some(
        _burrs().slices(question=Question(), **_tasks(name, n))
    ),
    "SixPieceBurrs.answer": lambda name, n, path: _burrs().answer(Question(), [n]),
    "SixPieceBurrs.apart": lambda name, n, path: _some(
        _burrs().apart(**_as(name, [n] if name == "tasks" else n, tasks=[0]))
    ),
    "SixPieceBurrs.turning": lambda name, n, path: _some(_burrs().turning([n])),
    "SixPieceBurrs.sample": lambda name, n, path: _burrs().sample(**_as(name, n, tasks=2)),
}
LONG = 2**31  # legal, but nobody waits for it
ENDLESS = {
    f"{name}.{parameter}"
    for name, parameter in (
        ("SixPieceBurrs.sample", "tasks"),
        ("polyforms", "n"),
        ("resume_search", "samples"),
        ("resume_search", "limit"),
        ("search_into", "samples"),
    )
}


def _functions() -> Iterable[tuple[str, Callable[..., Any]]]:
    for name, what in NAMES.items():
        if inspect.isclass(what) and not issubclass(what, Exception):
            yield name, what
            for method, function in vars(what).items():
                function = getattr(function, "__func__", function)
                if inspect.isfunction(function) and not method.startswith("_"):
                    yield f"{name}.{method}", function
        elif inspect.isfunction(what):
            yield name, what


def _numbers() -> Iterable[tuple[str, str, bool]]:
    """Each parameter that takes numbers, and whether it may be None."""
    for name, function in _functions():
        for parameter, kind in _parameters(function):
            words = kind.__name__ if isinstance(kind, type) and not _generic(kind) else str(kind)
            plain = re.sub(r"Callable\[.*", "", words)
            if re.search(r"\b(int|float)\b", plain):
                yield name, parameter, "None" in plain


def _parameters(function: Callable[..., Any]) -> Iterable[tuple[str, Any]]:
    """Names and types; options that are taken as keywords are parameters, too."""
    for parameter in inspect.signature(function).parameters.values():
        if get_origin(parameter.annotation) is Unpack:
            [keywords] = get_args(parameter.annotation)
            yield from get_type_hints(keywords).items()
        else:
            yield parameter.name, parameter.annotation


def _generic(kind: object) -> bool:
    return bool(getattr(kind, "__args__", ()))


TRIED = [
    (name, parameter, optional)
    for name, parameter, optional in _numbers()
    if name.split(".")[0] not in GIVEN and name not in INDEXED
]


def test_they_are_found() -> None:
    assert ("assemble", "threads", False) in TRIED
    assert ("Run.page", "first", False) in TRIED
    assert ("solve_into", "limit", True) in TRIED
    assert ("solve_into", "max_states", True) in TRIED
    assert {name for name, *_ in TRIED} == HOW.keys()


@pytest.mark.parametrize(
    ("name", "parameter", "optional"), TRIED, ids=[".".join(case[:2]) for case in TRIED]
)
def test_a_number_works_or_is_refused(
    name: str, parameter: str, optional: bool, tmp_path: Path
) -> None:
    if name == "why":
        pytest.importorskip("pysat")
    for at, number in enumerate(ODD + WRONG):
        if number == LONG and f"{name}.{parameter}" in ENDLESS:
            continue
        here = tmp_path / str(at)
        here.mkdir()
        try:
            HOW[name](parameter, number, here)
        except kumitate.PuzzleError:
            continue
        except LimitReached:
            pass
        assert number not in WRONG
        assert number is not None or optional


def test_a_placement_of_odd_numbers_is_refused() -> None:
    for number in [n for n in ODD + WRONG if n not in (0, 2**31)]:
        for placement in (
            Placement(number, 0, (0, 0, 0)),
            Placement(0, number, (0, 0, 0)),
            Placement(0, 0, (0, number, 0)),
        ):
            if -1 in placement[2]:
                continue
            with pytest.raises(kumitate.PuzzleError):
                list(kumitate.assemble(Problem(GOAL, [Piece(BAR, 2)], pinned=[placement])))
