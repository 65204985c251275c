"""A run on disk: the question, the state of the search, and everything found so far.

A run is one SQLite file; docs/long-solves.md has its tables. A checkpoint writes the state of the
search and what it has found in one transaction. Whatever happens to the process, the file is at a
checkpoint, and resuming from it loses nothing and repeats nothing. Other processes may read while
one writes; if a second writer begins, the first one notices and stops. A collection of puzzles that
a search or a design has found (collection.py) is another such file.
"""

from kumitate.store.collection import (
    ENDLESS,
    Collection,
    DesignQuestion,
    Entry,
    Report,
    Sampling,
    SearchQuestion,
    create_collection,
    entry_of,
    is_collection,
    open_collection,
    unpack_score,
)
from kumitate.store.database import is_broken, remove
from kumitate.store.recorder import Recorder, create, fraction_done
from kumitate.store.recover import Recovered, recover
from kumitate.store.run import Run, is_run, open_run, puzzle_of, text_of
from kumitate.store.schema import (
    Batch,
    FoundAssembly,
    Keep,
    Order,
    State,
    Summary,
    Task,
    width_for,
)

__all__ = [
    "ENDLESS",
    "Batch",
    "Collection",
    "DesignQuestion",
    "Entry",
    "FoundAssembly",
    "Keep",
    "Order",
    "Recorder",
    "Recovered",
    "Report",
    "Run",
    "Sampling",
    "SearchQuestion",
    "State",
    "Summary",
    "Task",
    "create",
    "create_collection",
    "entry_of",
    "fraction_done",
    "is_broken",
    "is_collection",
    "is_run",
    "open_collection",
    "open_run",
    "puzzle_of",
    "recover",
    "remove",
    "text_of",
    "unpack_score",
    "width_for",
]
