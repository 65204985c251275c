"""The searches visit as many nodes as when their numbers were committed (bench/nodes.txt).

A change that is not meant to change a search keeps them; one that is meant to says so in its
commit, and writes them anew: python -m bench.nodes --write
"""

import os

import pytest
from bench import nodes

from kumitate import count

FEW = 1_000_000  # nodes; what takes more is left to `make soak`


@pytest.mark.parametrize("name", nodes.committed())
def test_a_search_visits_as_many_nodes_as_before(name: str) -> None:
    expected = nodes.committed()[name]
    if expected > FEW and "KUMITATE_SOAK" not in os.environ:
        pytest.skip("takes seconds: make soak")
    assert count(dict(nodes.problems())[name]).nodes == expected


def test_every_problem_that_is_counted_is_there() -> None:
    assert nodes.committed().keys() == {name for name, _ in nodes.problems()}
