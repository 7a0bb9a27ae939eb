"""The results of recent rounds, beside a count that goes through all lines in order."""

from collections import Counter
from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from openfelt.catalog import load_house
from openfelt.rules import begin, open_round
from openfelt.rules.lines import Line, PaidBy, Result, Settlement
from openfelt.rules.wagers import Beneficiary, Spot
from openfelt.table.results import result_of

HOUSE = load_house("stadium")
STATE = begin(HOUSE, open_round(HOUSE, number=7, day=date(2026, 1, 1)))


@st.composite
def lines(draw: st.DrawFn) -> Line:
    """A settled wager; the same circle may appear for the player and for the dealer."""
    return Line(
        spot=Spot(draw(st.integers(1, 12)), draw(st.integers(1, 2))),
        wager=draw(st.sampled_from(["ante", "blind", "play", "trips"])),
        beneficiary=draw(st.sampled_from(Beneficiary)),
        stake_cents=100,
        outcome="ante.win",
        result=draw(st.sampled_from(Result)),
        returned_cents=0,
        payout_cents=0,
        paid_by=PaidBy.BANK,
        clause="W.1",
        because="A sentence.",
    )


@given(st.lists(lines(), max_size=40))
def test_hands_are_counted_once_and_in_the_order_of_their_spots(settled: list[Line]) -> None:
    found = result_of(STATE, Settlement(lines=tuple(settled)))
    for counted, result in ((found.wins, Result.WIN), (found.stand_offs, Result.PUSH)):
        ended = sorted({(line.spot, line.wager) for line in settled if line.result is result})
        plain = Counter(wager for _, wager in ended)
        # The order is stored in snapshots.
        assert list(counted.items()) == list(plain.items())
