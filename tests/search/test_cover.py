"""Exact cover of any items: against slow twins, and answers that are known."""

import pickle
import signal
import sys
from collections.abc import Callable, Hashable, Iterator
from contextlib import suppress
from itertools import islice, repeat
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.search.plain_cover import algorithm_x, all_covers

import kumitate
from kumitate import PuzzleError, _core, cover
from kumitate.search import Progress

LETTERS = "abcdefgh"


# ---- slow twins ----


@settings(deadline=None)
@given(st.lists(st.sets(st.integers(0, 9), min_size=1, max_size=4), max_size=40))
def test_algorithm_x_finds_the_same(options: list[set[int]]) -> None:
    items = frozenset[Hashable](item for option in options for item in option)
    found = list(cover(options))
    expected = list(algorithm_x({n: frozenset(o) for n, o in enumerate(options)}, items))
    assert sorted(map(sorted, expected)) == sorted(found)
    assert cover(options).count() == len(expected)


@st.composite
def coloured_options(draw: st.DrawFn) -> tuple[list[dict[str, int | None]], dict[str, Any]]:
    """Options of a few items that are covered once, at most once, in colours, or several times."""
    kinds = {item: draw(st.sampled_from(["once", "most", "colour", "times"])) for item in LETTERS}
    options = []
    for items in draw(st.lists(st.sets(st.sampled_from(LETTERS), min_size=1), max_size=10)):
        colour = st.one_of(st.none(), st.integers(1, 5))
        options.append({i: draw(colour) if kinds[i] == "colour" else None for i in sorted(items)})
    bounds = st.tuples(st.integers(0, 3), st.integers(0, 3)).map(lambda b: (min(b), max(b)))
    return options, {
        "primary": [item for item, kind in kinds.items() if kind == "once"],
        "secondary": [item for item, kind in kinds.items() if kind in ("most", "colour")],
        "times": {item: draw(bounds) for item, kind in kinds.items() if kind == "times"},
    }


def bounds_of(asked: dict[str, Any]) -> dict[Hashable, tuple[int, int]]:
    return {
        **dict.fromkeys(asked["primary"], (1, 1)),
        **dict.fromkeys(asked["secondary"], (0, 1)),
        **asked["times"],
    }


@settings(deadline=None, max_examples=300)
@given(coloured_options())
def test_every_set_of_options_is_found_once(
    problem: tuple[list[dict[str, int | None]], dict[str, Any]],
) -> None:
    options, asked = problem
    found = list(cover(options, **asked))
    assert len(found) == len(set(map(tuple, found))) == cover(options, **asked).count()
    assert {frozenset(chosen) for chosen in found} == all_covers(options, bounds_of(asked))
    assert found == list(cover(options, **asked).search())


@pytest.mark.parametrize("many", [1, 2, 50, 2000, 3000])
def test_answers_that_are_known_at_once_come_in_the_order_of_a_search(many: int) -> None:
    """How many of them are kept is a matter of their length; here they are two options long."""
    problem = cover([*[["a", "b"]] * many, ["c"]])
    assert list(problem) == list(problem.search()) == [[n, many] for n in range(many)]


@settings(deadline=None, max_examples=60)
@given(coloured_options(), st.integers(0, 3), st.integers(1, 3), st.integers(1, 3))
def test_a_search_goes_on_where_it_was_saved(
    problem: tuple[list[dict[str, int | None]], dict[str, Any]],
    some: int,
    before: int,
    after: int,
) -> None:
    options, asked = problem
    whole = list(cover(options, **asked))
    search = cover(options, **asked).search(threads=before)
    first = list(islice(search, some))
    state = search.save()
    rest = list(cover(options, **asked).search(threads=after, state=state))
    assert first + rest == whole
    assert first + list(search) == whole


# ---- known answers ----


def queens(n: int) -> tuple[list[list[str]], set[str]]:
    """Options and secondary items."""
    squares = [(row, column) for row in range(n) for column in range(n)]
    options = [[f"r{r}", f"c{c}", f"a{r + c}", f"b{r - c}"] for r, c in squares]
    return options, {item for option in options for item in option[2:]}


@pytest.mark.parametrize(("n", "known"), [(1, 1), (2, 0), (3, 0), (8, 92), (12, 14_200)])
def test_queens(n: int, known: int) -> None:
    """OEIS A000170."""
    options, diagonals = queens(n)
    assert cover(options, secondary=diagonals).count() == known


@pytest.mark.parametrize(("n", "few", "known"), [(5, 3, 16), (6, 4, 120), (7, 4, 8), (8, 5, 728)])
def test_few_queens_attack_all_squares_but_not_each_other(n: int, few: int, known: int) -> None:
    """OEIS A002568."""
    board = [(row, column) for row in range(n) for column in range(n)]
    options = [
        ["queen", f"r{r}", f"c{c}", f"a{r + c}", f"b{r - c}"]
        + [(x, y) for x, y in board if x == r or y == c or abs(x - r) == abs(y - c)]
        for r, c in board
    ]
    lines = {item for option in options for item in option[1:5]}
    times: dict[Any, Any] = {"queen": few, **dict.fromkeys(board, (1, few))}
    assert cover(options, secondary=lines, times=times).count() == known


def sudoku(clues: str) -> dict[tuple[int, int, int], list[tuple[Any, ...]]]:
    return {
        (r, c, d): [
            ("at", r, c),
            ("r", r, d),
            ("c", c, d),
            ("b", r // 3, c // 3, d),
        ]
        for r in range(9)
        for c in range(9)
        for d in range(1, 10)
        if clues[9 * r + c] in f".{d}"
    }


def test_a_sudoku_has_one_solution() -> None:
    """The first of https://norvig.com/sudoku.html, with the solution printed there."""
    clues = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
    [chosen] = cover(sudoku(clues))
    assert "".join(str(digit) for _, _, digit in sorted(chosen)) == (
        "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
    )


def test_a_sudoku_of_two_clues_fewer_has_several_solutions() -> None:
    clues = "......8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1........"
    assert cover(sudoku(clues)).count(limit=2) == 2


def dominoes(wide: int, deep: int) -> list[list[tuple[int, int]]]:
    board = [(x, y) for x in range(wide) for y in range(deep)]
    return [
        [(x, y), there] for x, y in board for there in ((x + 1, y), (x, y + 1)) if there in board
    ]


@pytest.mark.parametrize(
    ("wide", "deep", "known"),
    [(2, 12, 233), (4, 5, 95), (8, 8, 12_988_816), (16, 8, 540_061_286_536_921)],
)
def test_dominoes(wide: int, deep: int, known: int) -> None:
    """Kasteleyn's formula, Physica 27 (1961); OEIS A099390."""
    assert cover(dominoes(wide, deep)).count() == known


def test_pentominoes_fill_6x10_in_four_times_2339_ways() -> None:
    from bench.peers import rows_of

    problem = kumitate.library["pentominoes"].problem("6x10")
    assert cover(rows_of(problem)).count() == 4 * 2339


def test_a_colour_may_be_used_often() -> None:
    """The example of the package xcover, and of Knuth, TAOCP 7.2.2.1 (49)."""
    options: list[dict[str, str | None]] = [
        {"p": None, "q": None, "x": None, "y": "A"},
        {"p": None, "r": None, "x": "A", "y": None},
        {"p": None, "x": "B"},
        {"q": None, "x": "A"},
        {"r": None, "y": "B"},
    ]
    assert list(cover(options, primary="pqr", secondary="xy")) == [[1, 3]]


def test_crossing_words_share_a_letter() -> None:
    """Each word across or down in a square of three; every way must spell, and use each word."""
    words = ["cat", "cow", "tow"]
    options = {
        (word, place, down): {word: None}
        | {((n, place) if down else (place, n)): letter for n, letter in enumerate(word)}
        for word in words
        for place in range(3)
        for down in (False, True)
    }
    cells = [(row, column) for row in range(3) for column in range(3)]
    found = list(cover(options, primary=words, secondary=cells))
    for chosen in found:
        letters: dict[tuple[int, int], str] = {}
        for word, place, down in chosen:
            for n, letter in enumerate(word):
                assert letters.setdefault((n, place) if down else (place, n), letter) == letter
    assert len(found) == len(
        all_covers(
            list(options.values()),
            {**dict.fromkeys(words, (1, 1)), **dict.fromkeys(cells, (0, 1))},
        )
    )
    assert found


# ---- large ones ----


def test_beyond_512_items_there_are_as_many() -> None:
    options, diagonals = queens(8)
    more = [[f"x{n}"] for n in range(600)]
    assert cover([*options, *more], secondary=diagonals).count() == 92


def test_colours_beyond_512_cells_agree_too() -> None:
    wide = [{"p": None} | {f"s{n}": colour for n in range(300)} for colour in range(4)]
    tall = [{"q": None} | {f"s{n}": colour for n in range(300)} for colour in range(4)]
    secondary = [f"s{n}" for n in range(300)]
    assert list(cover([*wide, *tall], secondary=secondary)) == [[n, n + 4] for n in range(4)]


@pytest.mark.parametrize("threads", [2, 4])
def test_threads_find_the_same_in_the_same_order(threads: int) -> None:
    options, diagonals = queens(9)
    problem = cover(options, secondary=diagonals)
    assert list(problem.search(threads=threads)) == list(problem)
    assert problem.count(threads=threads) == 352


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupted_search_loses_nothing(threads: int) -> None:
    options, diagonals = queens(9)
    whole = list(cover(options, secondary=diagonals))
    calls = iter(range(1_000_000))

    def interrupt(_: Progress) -> None:
        if next(calls) % 3 == 1:
            raise KeyboardInterrupt

    problem = cover(options, secondary=diagonals)
    search = problem.search(threads=threads, progress=interrupt)
    found = []
    for _ in range(1000):
        try:
            found += [next(search)]
        except KeyboardInterrupt:
            search = problem.search(threads=threads, progress=interrupt, state=search.save())
        except StopIteration:
            break
    assert found == whole


def test_an_answer_that_did_not_arrive_is_read_again() -> None:
    """Ctrl-C may come after the core has handed something over, and before it is noted."""
    problem = cover([["a"], ["a"], ["a"]])
    run = problem._core.run(1, True, True)
    packed, _ = run.read(1000)
    assert packed[1] > 0
    lost = sum(len(rows) // 8 for _, rows in run.pause(0))
    assert lost == packed[1]


class Interrupted:
    """Threads of a search; Ctrl-C comes just after something was read from them."""

    def __init__(self, run: _core.ParallelSearch) -> None:
        self.run = run

    def read(self, milliseconds: int) -> None:
        self.run.read(milliseconds)
        raise KeyboardInterrupt

    def pause(self, arrived: int) -> list[tuple[bytes, bytes]]:
        self.run.pause(arrived)  # and again, as after another Ctrl-C
        return self.run.pause(arrived)


@pytest.mark.parametrize("save", [True, False])
def test_threads_that_are_interrupted_while_they_are_read_lose_nothing(save: bool) -> None:
    options, diagonals = queens(12)
    problem = cover(options, secondary=diagonals)
    search = problem.search(threads=2)
    found = [next(search)]
    search._run = Interrupted(problem._core.run(2, True, True, search._run.pause(1)))  # type: ignore[assignment,union-attr]
    search._batch = search._batch._replace(reads=0)
    with pytest.raises(KeyboardInterrupt):
        found.extend(search)
    rest = problem.search(state=search.save()) if save else search
    assert found + list(rest) == list(problem)


def test_progress_reaches_the_end() -> None:
    options, diagonals = queens(10)
    seen: list[Progress] = []
    cover(options, secondary=diagonals).count(progress=seen.append)
    assert seen == sorted(seen, key=lambda now: now.nodes)
    assert seen[-1].assemblies == 724


def test_a_state_is_of_one_problem() -> None:
    state = cover([["a"], ["a"]]).search().save()
    with pytest.raises(PuzzleError, match="other options"):
        cover([["a"], ["b"]]).search(state=state)
    for damaged in (state[:-1], state[:60] + b"x" + state[61:], state + b"x"):
        with pytest.raises(PuzzleError, match="damaged"):
            cover([["a"], ["a"]]).search(state=damaged)
    for nonsense in (b"", b"kumitate", "text", None):
        if nonsense is not None:
            with pytest.raises(PuzzleError, match=r"what save\(\) returned"):
                cover([["a"], ["a"]]).search(state=nonsense)  # type: ignore[arg-type]


def test_an_ended_search_can_be_saved() -> None:
    problem = cover([["a"], ["a"]])
    for threads in (1, 2):
        search = problem.search(threads=threads)
        assert list(search) == [[0], [1]]
        assert list(problem.search(state=search.save())) == []
        assert list(search) == []


def test_a_closed_search_is_over() -> None:
    options, diagonals = queens(9)
    for threads in (1, 2):
        search = cover(options, secondary=diagonals).search(threads=threads)
        next(search)
        search.close()
        assert list(search) == []


# ---- little or nothing ----


def test_nothing_to_cover_is_covered_by_nothing() -> None:
    assert list(cover([])) == [[]]
    assert cover({}).count() == 1
    assert list(cover([], primary=["a"])) == []


def test_without_items_that_must_be_covered_every_choice_that_fits_counts() -> None:
    assert sorted(cover([["a"], ["b"], ["a", "b"]], secondary="ab")) == [[], [0], [0, 1], [1], [2]]


def test_an_item_that_nobody_covers_cannot_be_covered() -> None:
    assert cover([["a"]], primary=["a", "b"]).count() == 0
    assert list(cover([["a"]], times={"b": 2})) == []
    assert list(cover([["a"]], times={"b": (0, 2)})) == [[0]]
    assert list(cover([["a"]], secondary=["b"])) == [[0]]


def test_equal_options_are_different_options() -> None:
    assert list(cover([["a"], ["a"], ["a"]])) == [[0], [1], [2]]
    assert cover([["a"]] * 3, times={"a": (0, 3)}).count() == 8


@pytest.mark.parametrize("many", [2**31, 2**63, 10**30])
def test_a_huge_multiplicity_is_as_good_as_none(many: int) -> None:
    assert cover([["a"]] * 4, times={"a": (0, many)}).count() == 16
    assert cover([["a"]] * 4, times={"a": (many, many)}).count() == 0
    assert cover([["a"]] * 4, times={"a": (4, many)}).count() == 1


def test_an_item_that_must_not_be_covered_rules_options_out() -> None:
    assert list(cover([["a", "x"], ["a"]], times={"x": 0})) == [[1]]


def test_an_option_can_be_anything_that_has_items() -> None:
    import numpy as np

    assert list(cover(iter([(1, 2), {3}, frozenset([3])]))) == [[0, 1], [0, 2]]
    assert list(cover({"ab": "ab", "c": "c"})) == [["ab", "c"]]
    matrix = np.array([[1, 0], [0, 1], [1, 1]])
    assert sorted(cover([np.flatnonzero(row) for row in matrix])) == [[0, 1], [2]]


BAD: list[tuple[Callable[[], object], str]] = [
    (lambda: cover([["a"], []]), "option 1 is empty"),
    (lambda: cover({"x": []}), "option 'x' is empty"),
    (lambda: cover([["a", "b", "a"]]), "option 0 has item 'a' twice"),
    (lambda: cover([["a"], ["b"]], primary=["a"]), "option 1 has item 'b', which is neither"),
    (lambda: cover([{"b": None}], primary=["a"]), "option 0 has item 'b', which is neither"),
    (lambda: cover([[["a"]]]), r"option 0 is \[\[.a.\]\]: an option is"),  # type: ignore[list-item]
    (lambda: cover([5]), "option 0 is 5: an option is a collection"),  # type: ignore[list-item]
    (lambda: cover(5), "options 5: it must be a collection"),  # type: ignore[call-overload]
    (lambda: cover(None), "options None: it must be a collection"),  # type: ignore[call-overload]
    (lambda: cover([["a"]], primary=[1], secondary=[[]]), "secondary .*unhashable"),  # type: ignore[list-item]
    (lambda: cover([["a"]], secondary=5), "secondary 5"),  # type: ignore[call-overload]
    (lambda: cover([["a"]], primary=[["a"]]), "primary .*unhashable"),  # type: ignore[list-item]
    (lambda: cover([["a"]], primary="a", secondary="a"), "item 'a' is secondary and also"),
    (lambda: cover([["a"]], times={"a": 2}, secondary="a"), "item 'a' is secondary and also"),
    (lambda: cover([["a"]], times={"a": -1}), "times of item 'a': -1; it must be a whole number"),
    (lambda: cover([["a"]], times={"a": 1.5}), "times of item 'a': 1.5"),  # type: ignore[dict-item]
    (lambda: cover([["a"]], times={"a": True}), "times of item 'a': True"),
    (lambda: cover([["a"]], times={"a": (2, 1)}), r"the range 2\.\.1 is empty"),
    (lambda: cover([["a"]], times={"a": (1, 2, 3)}), "times of item"),  # type: ignore[dict-item]
    (lambda: cover([["a"]], times=[5]), "times"),  # type: ignore[call-overload]
    (lambda: cover([{"a": "red"}]), "only secondary items have colours"),
    (lambda: cover([{"a": []}], secondary="a"), "unhashable"),
    (lambda: cover([["a"]]).count(threads=0), "threads 0"),
    (lambda: cover([["a"]]).search(threads=2**63), "threads"),
    (lambda: cover([["a"]]).count(limit=0), "limit 0"),
]


@pytest.mark.parametrize(("call", "message"), BAD, ids=[message for _, message in BAD])
def test_a_slip_is_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(PuzzleError, match=message):
        call()


class Item:
    """An item that does something when it is hashed, and raises when it is compared."""

    def __init__(self, act: Callable[[], object]) -> None:
        self.act = act

    def __hash__(self) -> int:
        self.act()
        return 1

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("compared")


def fail(error: Exception) -> Callable[[], object]:
    def act() -> None:
        raise error

    return act


def test_what_an_item_raises_is_not_hidden() -> None:
    with pytest.raises(RuntimeError, match="mine"):
        cover([[Item(fail(RuntimeError("mine")))]])
    with pytest.raises(RuntimeError, match="compared"):
        cover([[Item(int), Item(int)]])
    with pytest.raises(PuzzleError, match=r"option 0 is \[.*an option is .* \(no hash\)"):
        cover([[Item(fail(TypeError("no hash")))]])


def test_a_list_that_an_item_empties_is_read_as_it_was() -> None:
    option: list[Hashable] = ["a", "b", "c"]
    option[1] = Item(option.clear)
    assert list(cover([option, ["d"]])) == [[0, 1]]
    options: list[list[Hashable]] = [["a"], [], ["never read"]]
    options[1] = [Item(options.clear)]
    assert list(cover(options)) == [[0, 1]]
    named: dict[Hashable, list[Hashable]] = {"x": ["a"], "y": []}
    named["y"] = [Item(named.clear)]
    assert list(cover(named)) == [["x", "y"]]


class Shaky:
    """An item whose hash and equality are a matter of luck."""

    luck = Random(5)

    def __hash__(self) -> int:
        return self.luck.randrange(2)

    def __eq__(self, other: object) -> bool:
        return self.luck.random() < 0.3


def test_items_that_are_never_the_same_do_no_harm() -> None:
    for _ in range(300):
        items = [Shaky() for _ in range(4)]
        with suppress(PuzzleError, KeyError):
            problem = cover(
                [Shaky.luck.sample(items, 2) for _ in range(6)],
                times={items[0]: (1, 2)},
                secondary=items[1:2],
            )
            assert problem.count() == len(list(problem))


def test_options_without_end_can_be_interrupted() -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            cover(repeat(["a"]))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_nothing_is_held_longer_than_it_is_needed() -> None:
    item = Item(int)
    before = sys.getrefcount(item)
    for _ in range(20):
        assert list(cover({item: [item, "a"]}, times={item: (0, 2)}))
        assert list(cover([{item: "red"}], secondary=[item]))
        with pytest.raises(PuzzleError, match="twice"):
            cover([[item, item]])
        with pytest.raises(PuzzleError, match="unhashable"):
            cover([[item, []]])  # type: ignore[list-item]
        with pytest.raises(PuzzleError, match="neither"):
            cover([["a", item]], primary=["a"])
    assert sys.getrefcount(item) == before


def test_names_without_an_option_are_left_out() -> None:
    class Short(dict[str, list[str]]):
        def values(self) -> Any:
            return [["a"]]

    assert repr(cover(Short(x=[], y=[]))) == "<ExactCover: 1 option, 1 item>"


def test_an_error_in_an_options_own_iterator_is_not_hidden() -> None:
    def options() -> Iterator[list[str]]:
        yield ["a"]
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        cover(options())


def test_forty_thousand_options_are_no_problem() -> None:
    found = cover([[n // 2, "x"] if n == 0 else [n // 2] for n in range(40_000)])
    assert next(iter(found))[:2] == [0, 2]


def test_every_answer_is_checked() -> None:
    problem = cover([["a", "b"], ["a"], ["b"], ["c"]], secondary=["c"])
    fault = problem._core.fault
    assert fault([0]) == fault([1, 2, 3]) == ""
    assert fault([1]) == "item 1 is covered 0 times"
    assert fault([0, 1]) == "item 0 is covered 2 times"
    assert fault([0, 0]) == "an option is chosen twice"
    assert fault([4]) == "there is no option 4"


def test_names_of_options_may_be_anything_hashable() -> None:
    assert list(cover({("a", 1): "x", None: "y"})) == [[("a", 1), None]]
    assert pickle.loads(pickle.dumps(list(cover({1.5: "x"})))) == [[1.5]]


def test_every_instruction_set_finds_them_in_one_order() -> None:
    options, diagonals = queens(8)
    best, found = _core.instruction_set(), list(cover(options, secondary=diagonals))
    try:
        for name in _core.instruction_sets():
            _core.use_instruction_set(name)
            assert list(cover(options, secondary=diagonals)) == found
    finally:
        _core.use_instruction_set(best)
