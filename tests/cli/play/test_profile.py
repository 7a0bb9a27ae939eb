"""The saved profile: parse, print and parse again."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openfelt.catalog import load_house
from openfelt.cli.play.profile import (
    DamagedProfileError,
    GameResult,
    NewerProfileError,
    Profile,
    TableRecord,
    decode,
    encode,
    load_meter,
    save_meter,
)
from openfelt.rules.progressive import Meter

amounts = st.integers(min_value=0, max_value=10**14)
results = st.builds(
    GameResult,
    number=amounts,
    staked_cents=amounts,
    returned_cents=amounts,
    words=st.text(),
    wins=st.dictionaries(st.sampled_from(["ante", "play"]), amounts),
    stand_offs=st.just({}),
)
tables = st.builds(
    TableRecord,
    rounds=amounts,
    stacks_cents=st.dictionaries(st.integers(1, 8), amounts),
    tips_cents=amounts,
    games=st.lists(results, max_size=3),
)


NO_NUMBER = b"""{"tables": {"x": {"meter": {"amount": "1/0", "reserve": "0", "seeded": "0",
"contributed": "0", "awarded": "0", "envied": "0"}}}}"""


@given(st.builds(Profile, credit_cents=amounts, tables=st.dictionaries(st.text(), tables)))
def test_what_is_written_is_read_back(profile: Profile) -> None:
    assert decode(encode(profile)) == profile


@given(st.binary())
def test_other_bytes_are_damaged(text: bytes) -> None:
    with pytest.raises((DamagedProfileError, NewerProfileError)):
        decode(text)


@pytest.mark.parametrize(
    "text",
    [
        b'{"version": 0}',
        b'{"version": "1"}',
        b'{"unknown": 1}',
        b'{"tables": {"x": {"stacks_cents": {"1": -1}}}}',
        NO_NUMBER,
    ],
)
def test_what_makes_no_sense_is_damaged(text: bytes) -> None:
    with pytest.raises(DamagedProfileError):
        decode(text)


def test_a_meter_keeps_its_fractions() -> None:
    rule = load_house("washington").progressive
    assert rule is not None
    meter = Meter.fresh(rule).contribute(rule, 1)
    assert meter.amount.denominator > 1
    assert load_meter(save_meter(meter)) == meter
    assert isinstance(load_meter(save_meter(meter)).amount, Fraction)
