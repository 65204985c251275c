"""A run on disk: a question, where the search for its answers stands, and what was found so far.

One SQLite file; docs/long-solves.md has its tables. Where the search stands and what it has found
until there are written in one transaction, a checkpoint: whatever happens to the process, the file
holds one of them, and going on from it loses nothing and gives nothing twice. Others may read while
one process writes; if a second one begins to write, the first notices and stops. A collection of
puzzles that a search has found (collection.py) is another such file.
"""

from kumitate.store.collection import (
    ENDLESS,
    Collection,
    Entry,
    Report,
    Sampling,
    SearchQuestion,
    create_collection,
    entry_of,
    is_collection,
    open_collection,
)
from kumitate.store.database import is_broken, remove
from kumitate.store.recorder import Recorder, create, fraction_done
from kumitate.store.recover import Recovered, recover
from kumitate.store.run import Run, is_run, open_run, puzzle_of, text_of
from kumitate.store.schema import (
    Batch,
    FoundAssembly,
    Keep,
    Options,
    Order,
    PackedRows,
    State,
    Summary,
    Task,
    unpack,
    width_for,
)

__all__ = [
    "ENDLESS",
    "Batch",
    "Collection",
    "Entry",
    "FoundAssembly",
    "Keep",
    "Options",
    "Order",
    "PackedRows",
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
    "unpack",
    "width_for",
]
