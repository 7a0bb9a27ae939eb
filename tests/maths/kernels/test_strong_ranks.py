"""Full houses and fours of a kind by ranks: the kernel against its plain version."""

import numpy as np
import pytest

from openfelt.maths.draw import spread_counts
from openfelt.maths.draw.rank_counts import Keep, full_ranks
from openfelt.maths.draw.spread_counts import count_strong_ranks
from openfelt.maths.kernels import strong_ranks
from tests.kit.maths.games import small_deck

FULL = full_ranks([card.number for card in small_deck("23JKA", 4)])


@pytest.mark.parametrize("keep", [Keep((0, 0, 12)), Keep((1, 1, 11, 11))])
def test_a_kernel_counts_what_its_plain_version_counts(
    keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = count_strong_ranks(FULL, keep)
    for name in ("strong_outcomes", "row_starts", "sum_strong", "avoid_thrown"):
        monkeypatch.setattr(strong_ranks, name, getattr(strong_ranks, name).py_func)
    monkeypatch.setattr(spread_counts, "count_strong", strong_ranks.count_strong.py_func)
    plain = count_strong_ranks(FULL, keep)
    assert np.array_equal(plain.plain, compiled.plain)
    assert np.array_equal(plain.by_pattern, compiled.by_pattern)
    assert compiled.plain.any()
