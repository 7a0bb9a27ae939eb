"""Rows of a table of cases, each with the clauses that it proves."""

import pytest
from _pytest.mark import ParameterSet


def case(*values: object, proves: str = "", name: str | None = None) -> ParameterSet:
    """One row for ``parametrize``; ``proves`` lists clauses with spaces between them."""
    marks = [pytest.mark.clause(*proves.split())] if proves else []
    return pytest.param(*values, marks=marks, id=name)
