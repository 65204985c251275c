"""What a proof of rigidity rests on; the proofs themselves are in test_disassemble.py."""

import random

import numpy as np
import pytest

from kumitate.search.rigid import _rank


@pytest.mark.parametrize("rank", range(5))
def test_the_rank_is_that_of_real_numbers(rank: int) -> None:
    """Too high a rank would prove rigid what moves."""
    chance = random.Random(rank)

    def matrix(rows: int, columns: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        some = [[chance.randint(-3, 3) for _ in range(columns)] for _ in range(rows)]
        return np.array(some, dtype=np.int64).reshape(rows, columns)

    for _ in range(20):
        rows = matrix(7, rank) @ matrix(rank, 6)
        assert _rank(rows) == np.linalg.matrix_rank(rows)
