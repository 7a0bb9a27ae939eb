"""Conditions for the beginnings of names."""

from hypothesis import given
from hypothesis import strategies as st

from openfelt.storage.sql.statements import beginning_with

text = st.text(alphabet="ab%_\ud7ff\ue000\U0010ffff", max_size=5)


@given(text, text)
def test_the_bounds_hold_exactly_the_names_with_the_prefix(prefix: str, name: str) -> None:
    _, values = beginning_with("name", prefix)
    within = values[0] <= name and (len(values) == 1 or name < values[1])
    assert within == name.startswith(prefix)
