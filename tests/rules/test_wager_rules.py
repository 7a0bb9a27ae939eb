"""Which wagers a spot may carry."""

from dataclasses import replace
from datetime import date

import pytest

from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules import Beneficiary, Refusal, RefusalCode, SetWagers, Spot, Wager, WagerKind
from openfelt.rules.house import DatedLimits
from openfelt.rules.wager_rules import ante_max_cents, check_aggregate, complete_wagers
from tests.kit.cases import case
from tests.kit.felt import TODAY, Felt, wagers_of
from tests.kit.own_houses import own_house

CODE = RefusalCode


def completed(house_id: str, text: str, day: date = TODAY) -> str:
    """The wagers as they are placed, in the words in which they were made."""
    house = own_house(house_id)
    placed = complete_wagers(house, house.limits_on(day), wagers_of(text))
    return ", ".join(
        f"{'tip ' if wager.beneficiary is Beneficiary.DEALER else ''}"
        f"{wager.kind} {wager.cents // 100}"
        for wager in placed
    )


TAKEN = [
    case("washington", "ante 10", "ante 10, blind 10", proves="W.2 W.ace.2"),
    case("washington", "ante 10, blind 10", "ante 10, blind 10", proves="W.2"),
    case("washington", "trips 5, ante 10", "ante 10, blind 10, trips 5", proves="W.2 W.ace.2"),
    case("washington", "ante 5, trips 0", "ante 5, blind 5", proves="W.overview.trips_optional"),
    case("washington", "", ""),
    case("washington", "ante 0", ""),
    case(
        "washington",
        "ante 5, trips 1, bad_beat 1",
        "ante 5, blind 5, trips 1, bad_beat 1",
        proves="W.bad_beat.2 R.6",
    ),
    case(
        "washington",
        "ante 5, ultimate_pairs 9",
        "ante 5, blind 5, ultimate_pairs 9",
        proves="W.pairs.1",
    ),
    case("washington", "ante 5, progressive 1", "ante 5, blind 5, progressive 1", proves="R.21"),
    case("online", "ante 1", "ante 1, blind 1", proves="O.2 O.overview.ante_blind"),
    case("online", "ante 1, trips 500", "ante 1, blind 1, trips 500", proves="O.11"),
    case("california", "ante 5", "ante 5, blind 5", proves="C.betting.3 C.betting.3.1"),
    case("california", "ante 5, trips 5", "ante 5, blind 5, trips 5", proves="C.betting.3.2"),
    case("stadium", "ante 10, bad_beat 1", "ante 10, blind 10, bad_beat 1", proves="R.6 S.2"),
    case(
        "stadium",
        "ante 10, play_the_board 1, ultimate_pairs 1, trips 1",
        "ante 10, blind 10, trips 1, ultimate_pairs 1, play_the_board 1",
        proves="S.letter.optional_wagers S.overview.optional_wagers S.2",
    ),
    case(
        "stadium",
        "ante 10, tip ante 5",
        "ante 10, blind 10, tip ante 5, tip blind 5",
        proves="S.5 S.5.ante R.12",
    ),
    case("stadium", "tip trips 5", "tip trips 5", proves="S.5.bonus R.12"),
    case(
        "stadium",
        "tip bad_beat 5, tip ultimate_pairs 5",
        "tip bad_beat 5, tip ultimate_pairs 5",
        proves="S.5.bonus",
    ),
    case("draw", "ante 5", "ante 5", proves="D.2"),
    case("draw", "bonus 1", "bonus 1", proves="D.2 R.29"),
    case("draw", "bonus 1, ante 5", "ante 5, bonus 1", proves="D.2 D.1"),
]


@pytest.mark.parametrize(("house_id", "wagers", "placed"), TAKEN)
def test_wagers_are_taken_and_completed(house_id: str, wagers: str, placed: str) -> None:
    assert completed(house_id, wagers) == placed


REFUSED = [
    # What the house offers.
    case("washington", "play 10", CODE.NOT_OFFERED, "Play is not offered here."),
    case("washington", "bonus 10", CODE.NOT_OFFERED, "Bonus is not offered here."),
    case("washington", "ante 10, play_the_board 5", CODE.NOT_OFFERED, "Play the Board"),
    case("washington", "ante 10, tip ante 5", CODE.NOT_OFFERED, "Ante for the dealer is not"),
    case("online", "ante 10, bad_beat 5", CODE.NOT_OFFERED, "Bad Beat"),
    case("draw", "ante 10, blind 10", CODE.NOT_OFFERED, "Blind"),
    case("stadium", "ante 10, progressive 1", CODE.NOT_OFFERED, "Progressive"),
    # One wager of each kind.
    case("washington", "ante 10, ante 10", CODE.WAGER_TWICE, "Ante is listed twice."),
    case("stadium", "ante 10, tip trips 1, tip trips 1", CODE.WAGER_TWICE, "Trips for the dealer"),
    # Ante and Blind are equal.
    case("washington", "ante 10, blind 5", CODE.BLIND_DIFFERS, "$10.00 and $5.00", proves="W.2"),
    case("washington", "blind 10", CODE.BLIND_DIFFERS, "$0.00 and $10.00", proves="W.2"),
    case("online", "ante 10, blind 20", CODE.BLIND_DIFFERS, "must be equal", proves="O.2"),
    case("stadium", "ante 10, blind 20", CODE.BLIND_DIFFERS, "must be equal", proves="S.2"),
    case("california", "blind 10", CODE.BLIND_DIFFERS, "must be equal",
         proves="C.betting.3.required"),
    case("stadium", "ante 10, tip ante 5, tip blind 4", CODE.BLIND_DIFFERS, "$5.00 and $4.00"),
    # Limits and steps.
    case("washington", "ante 4", CODE.BELOW_MINIMUM, "at least $5.00."),
    case("washington", "ante 0.01", CODE.BELOW_MINIMUM, "at least"),
    case("washington", "ante 101", CODE.ABOVE_MAXIMUM, "Ante is at most $100.00."),
    case("washington", "ante 5.50", CODE.NOT_A_MULTIPLE, "steps of $1.00"),
    case("washington", "ante 10, progressive 2", CODE.ABOVE_MAXIMUM, "most $1.00", proves="R.21"),
    case("washington", "ante 10, progressive 0.50", CODE.BELOW_MINIMUM, "at least", proves="R.21"),
    case("california", "ante 201", CODE.ABOVE_MAXIMUM, "at most $200.00.", proves="C.betting.1"),
    case("california", "ante 4", CODE.BELOW_MINIMUM, "at least $5.00.", proves="C.betting.1"),
    case("stadium", "ante 9", CODE.BELOW_MINIMUM, "at least $10.00."),
    case("stadium", "ante 101", CODE.ABOVE_MAXIMUM, "at most $100.00."),
    case("stadium", "ante 10, tip ante 0.50", CODE.BELOW_MINIMUM, "for the dealer is at least"),
    case("stadium", "ante 10, tip ante 101", CODE.ABOVE_MAXIMUM, "for the dealer is at most"),
    case("stadium", "ante 10, tip ante 1.50", CODE.NOT_A_MULTIPLE, "for the dealer is made in"),
    # What needs what.
    case("washington", "trips 5", CODE.NEEDS_WAGER, "Trips needs a wager on Ante",
         proves="W.2 W.ace.2"),
    case("online", "trips 5", CODE.NEEDS_WAGER, "Trips needs a wager on Ante", proves="O.2"),
    case("stadium", "trips 5", CODE.NEEDS_WAGER, "Trips needs a wager on Ante", proves="S.2"),
    case("washington", "ante 10, bad_beat 5", CODE.NEEDS_WAGER, "Bad Beat needs a wager on Trips",
         proves="W.bad_beat.2 R.6"),
    case("washington", "bad_beat 5", CODE.NEEDS_WAGER, "Bad Beat needs a wager on Ante",
         proves="W.bad_beat.2"),
    case("washington", "ultimate_pairs 5", CODE.NEEDS_WAGER, "Ultimate Pairs needs"),
    case("washington", "progressive 1", CODE.NEEDS_WAGER, "Progressive needs"),
    case("california", "trips 5", CODE.NEEDS_WAGER, "Ante", proves="C.betting.3.required"),
    case("stadium", "tip ante 5", CODE.NEEDS_WAGER, "Ante for the dealer needs a wager on Ante",
         proves="S.5.ante R.12"),
    case("stadium", "bad_beat 5, tip ante 5", CODE.NEEDS_WAGER, "Bad Beat needs", proves="S.2"),
    case("stadium", "ante 10, tip progressive 1", CODE.NOT_OFFERED, "Progressive for the dealer"),
    # How many wagers a hand may carry: Ante, Blind, Play and three more.
    case(
        "washington",
        "ante 10, trips 5, bad_beat 5, ultimate_pairs 5, progressive 1",
        CODE.TOO_MANY_WAGERS,
        "A hand may have at most 6 wagers, including Play wagers.",
        proves="W.intro.2",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("house_id", "wagers", "code", "sentence"), REFUSED)
def test_wagers_are_refused(house_id: str, wagers: str, code: RefusalCode, sentence: str) -> None:
    with pytest.raises(Refusal) as refused:
        completed(house_id, wagers)
    assert refused.value.code is code
    assert sentence in refused.value.sentence


@pytest.mark.parametrize("cents", [AMOUNT_MAX_CENTS + 1, 10**30])
def test_an_amount_beyond_any_table_is_refused(cents: int) -> None:
    with pytest.raises(Refusal, match="more than any table takes") as refused:
        complete_wagers(own_house("washington"), None, [Wager(WagerKind.ANTE, cents)])
    assert refused.value.code is CODE.ABOVE_MAXIMUM


# The law's limits, by the day of the round: $300 from 2009, $400 from 19 August 2023.
# A Play wager may be four times the Ante, so the Ante is bound to a quarter.
DATED = [
    (date(2009, 1, 1), 7_500, False),
    (date(2023, 8, 18), 7_500, False),
    (date(2023, 8, 19), 10_000, True),
    (date(2030, 1, 1), 10_000, True),
]


@pytest.mark.clause("W.intro.2")
@pytest.mark.parametrize(("day", "most_cents", "hundred_is_fine"), DATED)
def test_the_laws_limit_binds_the_ante_by_the_largest_play_wager(
    day: date, most_cents: int, hundred_is_fine: bool
) -> None:
    house = own_house("washington")
    assert ante_max_cents(house, house.limits_on(day)) == most_cents
    assert completed("washington", "ante 75", day) == "ante 75, blind 75"
    if hundred_is_fine:
        assert completed("washington", "ante 100", day) == "ante 100, blind 100"
    else:
        with pytest.raises(Refusal, match=r"Ante is at most \$75\.00\.") as refused:
            completed("washington", "ante 76", day)
        assert refused.value.code is CODE.ABOVE_MAXIMUM


def test_the_laws_limit_binds_other_wagers_whole() -> None:
    house = own_house("washington", {"wagers.trips.max_cents": 100_000})
    limits = house.limits_on(date(2023, 8, 19))
    wagers = wagers_of("ante 10, trips 400")
    assert complete_wagers(house, limits, wagers)[2] == Wager(WagerKind.TRIPS, 40_000)
    with pytest.raises(Refusal, match=r"Trips is at most \$400\.00"):
        complete_wagers(house, limits, wagers_of("ante 10, trips 401"))


# Optional wagers: $5 each from 2009, and as large as any other wager from 19 August 2023.
OPTIONAL = [
    # wagers, day: the refusal
    case("ante 75, trips 5, bad_beat 5, ultimate_pairs 5", date(2009, 1, 1), None),
    case("ante 75, trips 5, progressive 1", date(2023, 8, 18), None),
    case("ante 10, trips 6", date(2009, 1, 1), "Trips is at most $5.00."),
    case("ante 10, trips 6", date(2023, 8, 18), "Trips is at most $5.00."),
    case("ante 10, trips 5, bad_beat 6", date(2023, 8, 18), "Bad Beat is at most $5.00."),
    case("ante 10, ultimate_pairs 6", date(2023, 8, 18), "Ultimate Pairs is at most $5.00."),
    case("ante 10, trips 100, bad_beat 100", date(2023, 8, 19), None),
    case("ante 10, trips 101", date(2023, 8, 19), "Trips is at most $100.00."),
]


@pytest.mark.clause("W.intro.2")
@pytest.mark.parametrize(("wagers", "day", "sentence"), OPTIONAL)
def test_the_law_bounded_every_wager_but_ante_and_blind(
    wagers: str, day: date, sentence: str | None
) -> None:
    if sentence is None:
        assert completed("washington", wagers, day).count(",") == wagers.count(",") + 1
        return
    with pytest.raises(Refusal) as refused:
        completed("washington", wagers, day)
    assert (refused.value.code, refused.value.sentence) == (CODE.ABOVE_MAXIMUM, sentence)


@pytest.mark.parametrize(
    ("limits", "most"),
    [
        ({"optional_wager_max_cents": 500}, 500),
        ({"optional_wager_max_cents": 5000, "single_wager_max_cents": 4000}, 4000),
        ({"optional_wager_max_cents": 300, "single_wager_max_cents": 4000}, 300),
        ({"single_wager_max_cents": 4000}, 4000),
        ({}, 10_000),
    ],
)
def test_the_smallest_limit_on_an_optional_wager_holds(limits: dict[str, int], most: int) -> None:
    law = {"since": date(2000, 1, 1), "source": "law"}
    house = own_house("stadium", {"limits": [law | limits]})
    ante = Wager(WagerKind.ANTE, 1000)
    for beneficiary in Beneficiary:
        trips = Wager(WagerKind.TRIPS, most, beneficiary)
        assert trips in complete_wagers(house, house.limits_on(TODAY), [ante, trips])
        with pytest.raises(Refusal) as refused:
            complete_wagers(house, house.limits_on(TODAY), [ante, replace(trips, cents=most + 100)])
        assert refused.value.code is CODE.ABOVE_MAXIMUM


# How many wagers a hand may carry: a Play wager counts for each Ante, and in draw there is none.
COUNTS = [
    # house, most, wagers: taken
    case("stadium", 3, "ante 10", True),
    case("stadium", 3, "ante 10, trips 1", False),
    case("stadium", 6, "ante 10, tip ante 5", True),
    case("stadium", 5, "ante 10, tip ante 5", False, proves="R.12"),
    case("stadium", 6, "ante 10, tip ante 5, trips 1", False, proves="R.12"),
    case("stadium", 1, "tip trips 5", True),
    case("draw", 1, "ante 10", True),
    case("draw", 1, "bonus 5", True),
    case("draw", 1, "ante 10, bonus 5", False),
    case("draw", 2, "ante 10, bonus 5", True),
]


@pytest.mark.parametrize(("house_id", "most", "wagers", "taken"), COUNTS)
def test_a_hand_carries_so_many_wagers(house_id: str, most: int, wagers: str, taken: bool) -> None:
    limits = DatedLimits(
        since=date(2000, 1, 1),
        single_wager_max_cents=None,
        optional_wager_max_cents=None,
        wagers_per_hand_max=most,
        table_aggregate_max_cents=None,
        source="law",
    )
    if taken:
        assert complete_wagers(own_house(house_id), limits, wagers_of(wagers))
        return
    with pytest.raises(Refusal) as refused:
        complete_wagers(own_house(house_id), limits, wagers_of(wagers))
    assert refused.value.code is CODE.TOO_MANY_WAGERS
    sentence = f"A hand may have at most {most} wagers, including Play wagers."
    assert refused.value.sentence == sentence


@pytest.mark.clause("W.additional.3")
def test_the_table_aggregate_counts_every_wager_of_the_round() -> None:
    house = own_house("washington", {"limits.1.table_aggregate_max_cents": 5000})
    limits = house.limits_on(TODAY)
    check_aggregate(limits, wagers_of("ante 25, blind 25"))
    with pytest.raises(Refusal, match=r"at most \$50\.00 together") as refused:
        check_aggregate(limits, wagers_of("ante 25, blind 25, trips 0.01"))
    assert refused.value.code is CODE.AGGREGATE_REACHED
    check_aggregate(None, wagers_of("ante 1000000"))


def test_the_largest_ante_without_limits_of_the_law() -> None:
    assert ante_max_cents(own_house("stadium"), None) == 10_000
    assert ante_max_cents(own_house("draw"), None) == 20_000


# Credit: the wagers of a seat, and a Play wager on each of its hands.

CREDITS = [
    # wagers that lie there, new wagers, credit, refusal: the Blind and a 1x Play count.
    case("", "ante 10", 3000, None, proves="R.9"),
    case("", "ante 10", 2999, "only $9.99 would be left", proves="R.9"),
    case("", "ante 10", 1999, "That is $0.01 more than your credit."),
    case("", "ante 10, trips 5", 3500, None),
    case("", "ante 10, trips 5", 3499, "Keep $10.00 for the Play wager"),
    case("ante 10", "ante 20", 4000, None),
    case("ante 10", "ante 20", 3999, "Keep $20.00"),
    case("ante 20", "ante 10", 0, None),
    case("ante 20", "", 0, None),
]


@pytest.mark.parametrize(("lie", "new", "credit_cents", "sentence"), CREDITS)
def test_the_credit_covers_the_wagers_and_a_play_wager(
    lie: str, new: str, credit_cents: int, sentence: str | None
) -> None:
    felt = Felt("washington").bet("1.1", lie)
    action = SetWagers(Spot(1, 1), wagers_of(new))
    if sentence is None:
        felt.do(action, credit_cents=credit_cents)
    else:
        assert sentence in felt.refuses(action, CODE.CREDIT_SHORT, credit_cents=credit_cents)


@pytest.mark.clause("R.9")
def test_three_hands_reserve_three_play_wagers() -> None:
    felt = Felt("stadium").bet("1.1", "ante 10").bet("1.2", "ante 10, tip ante 10")
    third = SetWagers(Spot(1, 3), wagers_of("ante 10"))
    felt.refuses(third, CODE.CREDIT_SHORT, credit_cents=2000 + 4000 - 1)
    felt.do(third, credit_cents=2000 + 4000)


@pytest.mark.clause("R.9")
def test_a_wager_without_an_ante_does_not_eat_the_reserve_of_another_hand() -> None:
    felt = Felt("stadium").bet("1.1", "ante 10", credit_cents=3000)
    tip = SetWagers(Spot(1, 2), wagers_of("tip trips 10"))
    felt.refuses(tip, CODE.CREDIT_SHORT, credit_cents=1000)
    felt.do(tip, credit_cents=2000)


def test_other_seats_reserve_for_themselves() -> None:
    felt = Felt("washington").bet("1.1", "ante 10")
    felt.bet("2.1", "ante 10", credit_cents=3000)


@pytest.mark.clause("R.9")
def test_a_house_may_take_an_ante_without_a_reserve() -> None:
    house = own_house("washington", {"play.reserve_play": False})
    felt = Felt(house).bet("1.1", "ante 10", credit_cents=2000)
    felt.refuses(SetWagers(Spot(1, 1), wagers_of("ante 20")), CODE.CREDIT_SHORT, credit_cents=1000)
