"""Exact cover, slowly: two programs that a reader can check.

`algorithm_x` is Knuth's, for items that are covered once. `all_covers` tries every set of options
against the definition, for everything else.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from typing import Any

Item = Hashable
Coloured = Mapping[Any, Hashable]  # an option: its items, each in a colour or None


def algorithm_x(
    options: Mapping[int, frozenset[Item]], items: frozenset[Item]
) -> Iterator[frozenset[int]]:
    """Cover the item with the fewest options in every way, and what is left again."""
    if not items:
        yield frozenset()
        return
    hardest = min(items, key=lambda item: sum(item in mine for mine in options.values()))
    for chosen, mine in options.items():
        if hardest in mine:
            left = {name: its for name, its in options.items() if not its & mine}
            for others in algorithm_x(left, items - mine):
                yield others | {chosen}


def all_covers(
    options: Sequence[Coloured], bounds: Mapping[Item, tuple[int, int]]
) -> set[frozenset[int]]:
    """Every set of options that covers each item as often as it may be."""
    numbers = range(len(options))
    sets = chain.from_iterable(combinations(numbers, n) for n in range(len(options) + 1))
    return {frozenset(s) for s in sets if is_cover([options[n] for n in s], bounds)}


def is_cover(chosen: Sequence[Coloured], bounds: Mapping[Item, tuple[int, int]]) -> bool:
    return all(
        low <= times([option[item] for option in chosen if item in option]) <= high
        for item, (low, high) in bounds.items()
    )


def times(colours: Sequence[Hashable]) -> int:
    """How often an item is covered: once in all by options that agree in its colour."""
    agree = len(set(colours)) == 1 and None not in colours
    return 1 if agree else len(colours)
