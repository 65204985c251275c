"""The searches, from problems to solutions, and the values that they return.

>>> from kumitate import count, library
>>> from kumitate.search import Count
>>> isinstance(count(library["soma"].problem()), Count)
True
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kumitate.model.argument import Argument as Argument
    from kumitate.model.argument import Certificate as Certificate
    from kumitate.search.assemble import Count as Count
    from kumitate.search.assemble import Hint as Hint
    from kumitate.search.assemble import Progress as Progress
    from kumitate.search.check import Finding as Finding
    from kumitate.search.cover import CoverSearch as CoverSearch
    from kumitate.search.cover import ExactCover as ExactCover
    from kumitate.search.one.first import Conflict as Conflict
    from kumitate.search.one.first import FirstProgress as FirstProgress
    from kumitate.search.one.first import FirstResult as FirstResult
    from kumitate.search.one.pack import Packing as Packing
    from kumitate.search.one.pack import PackProgress as PackProgress
    from kumitate.search.rigid import Force as Force
    from kumitate.search.shortcuts import Shortcut as Shortcut
    from kumitate.search.states import StateGraph as StateGraph
else:
    from kumitate.startup import late

    __getattr__, __all__ = late(
        __name__,
        {
            "kumitate.model.argument": "Argument Certificate",
            "kumitate.search.assemble": "Count Hint Progress",
            "kumitate.search.check": "Finding",
            "kumitate.search.cover": "CoverSearch ExactCover",
            "kumitate.search.one.first": "Conflict FirstProgress FirstResult",
            "kumitate.search.one.pack": "PackProgress Packing",
            "kumitate.search.rigid": "Force",
            "kumitate.search.shortcuts": "Shortcut",
            "kumitate.search.states": "StateGraph",
        },
    )
