"""Everything that users import: the front door, and the rooms behind it."""

from types import ModuleType
from typing import Any

import kumitate
from kumitate import burr6, designer, grids, referee, search, store, workshop
from kumitate import library as shelf
from kumitate.jobs import design as design_jobs

ROOMS: list[ModuleType] = [kumitate, burr6, designer, grids, referee, search, workshop]
ELSEWHERE: dict[ModuleType, list[str]] = {
    design_jobs: ["search_into", "resume_search", "design_into", "resume_design"],
    store: ["Collection", "Sampling", "Summary", "open_collection"],
}
NAMES: dict[str, Any] = {
    **{name: getattr(room, name) for room in ROOMS for name in room.__all__},
    "KnownAnswer": type(shelf.answers("soma")[0]),
    **{name: getattr(room, name) for room, names in ELSEWHERE.items() for name in names},
}
