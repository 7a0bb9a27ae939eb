"""The categories of a hold by ranks: the kernel against its plain version."""

import numpy as np
import pytest

from openfelt.maths.draw import category_counts
from openfelt.maths.draw.category_counts import count_category_ranks
from openfelt.maths.draw.rank_counts import Keep, full_ranks, thrown_with
from openfelt.maths.kernels import category_ranks
from tests.kit.maths.games import small_deck

FULL = full_ranks([card.number for card in small_deck("23JKA", 4)])


@pytest.mark.parametrize("keep", [Keep((0, 0, 12)), Keep((1, 1, 11, 11))])
def test_a_kernel_counts_what_its_plain_version_counts(
    keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    thrown = thrown_with(FULL, keep)
    compiled = count_category_ranks(FULL, keep, thrown)
    for name in (
        *("column_of", "category_outcomes", "row_starts", "sum_categories"),
        *("column_work", "add_columns"),
    ):
        monkeypatch.setattr(category_ranks, name, getattr(category_ranks, name).py_func)
    monkeypatch.setattr(
        category_counts, "count_categories", category_ranks.count_categories.py_func
    )
    plain = count_category_ranks(FULL, keep, thrown)
    assert np.array_equal(plain.plain, compiled.plain)
    assert np.array_equal(plain.by_pattern, compiled.by_pattern)
    assert compiled.plain.any()
