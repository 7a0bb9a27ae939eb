"""Rows of a table of cases, each with the clauses that it proves, and variants of a case."""

from collections.abc import Iterable

import pytest
from _pytest.mark import ParameterSet


def case(*values: object, proves: str = "", name: str | None = None) -> ParameterSet:
    """One row for ``parametrize``; ``proves`` lists clauses with spaces between them."""
    marks = [pytest.mark.clause(*proves.split())] if proves else []
    return pytest.param(*values, marks=marks, id=name)


def with_variants(values: Iterable[object], *, plain: int = 1) -> list[ParameterSet]:
    """Values for ``parametrize``: `make test` takes the first ones, `make variants` the others."""
    return [
        pytest.param(value, marks=[pytest.mark.variant] if place >= plain else [])
        for place, value in enumerate(values)
    ]
