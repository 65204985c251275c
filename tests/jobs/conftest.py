"""A cluster that several tests may share."""

from collections.abc import Iterator

import pytest
from tests.jobs.clusters import Machine


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A scheduler with two workers, each a process of its own."""
    with Machine(tmp_path_factory.mktemp("machine")) as machine:
        machine.scheduler()
        machine.worker()
        machine.worker()
        yield machine
