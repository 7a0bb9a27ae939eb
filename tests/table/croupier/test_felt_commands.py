"""Chips that are not the wagers, before the first card: counted, named, put right (R.40)."""

import pytest

from openfelt.cards import Card
from openfelt.rules import CloseBets, DealCard, RefusalCode, Spot, VoidRound
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.table.commands import CountFelt, OpenBets, ReopenBets
from openfelt.table.croupier.permits import Permits
from openfelt.table.incidents import FeltCounted, FeltMatch, FeltMatched, SpotCount, how_matched
from tests.kit.tables import DEALER, FLOOR, SECONDS, Pit, replayed

ONE, TWO, FOUR = Spot(1, 1), Spot(2, 1), Spot(4, 1)


def betting(clock: ClockRule | None = None) -> Pit:
    """Ann has $25 on the felt, and Bob $40."""
    pit = Pit("washington", clock=clock).sit("ann", 1, 500).sit("bob", 2, 500)
    pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10, trips 5")
    return pit.bet("bob", "2.1", "ante 20")


def by_spot(ann: int, bob: int, *others: tuple[Spot, int]) -> CountFelt:
    return CountFelt(spots=((ONE, ann), (TWO, bob), *others))


@pytest.mark.clause("R.40")
def test_a_count_names_the_spots_that_differ() -> None:
    pit = betting().do(by_spot(2_000, 4_000, (FOUR, 500)), DEALER)
    assert pit.events[-1] == FeltCounted(
        1, 6_500, 6_500, (SpotCount(ONE, 2_000, 2_500), SpotCount(FOUR, 500, 0))
    )
    # The sum is right, and the chips lie on the wrong spots: that is a difference too.
    assert pit.table.incidents.felt_differs is not None
    pit.do(by_spot(2_500, 4_000), DEALER)
    assert FeltMatched(1, FeltMatch.CHIPS) in pit.events
    assert pit.table.incidents.felt is None
    assert replayed(pit.opened, pit.events) == pit.table


def test_a_count_that_matches_is_noted_and_leaves_nothing_to_do() -> None:
    pit = betting().do(CountFelt(6_500), DEALER)
    assert pit.events[-1] == FeltCounted(1, 6_500, 6_500)
    assert pit.table.incidents.felt_differs is None
    pit.do(CloseBets(6_500), "dan")
    assert pit.names[-1] == "BetsClosed"


@pytest.mark.clause("R.40")
def test_no_card_is_dealt_while_the_chips_differ() -> None:
    """The clock may close the bets meanwhile; nothing is lost by that."""
    pit = betting(clock=SECONDS).do(CountFelt(6_000), DEALER)
    pit.refuses(CloseBets(), DEALER, RefusalCode.FELT_DIFFERS)
    pit.time_ends()
    assert pit.names[-1] == "BetsClosed"
    ace = DealCard(Card.parse("As"))
    sentence = pit.refuses(ace, DEALER, RefusalCode.FELT_DIFFERS)
    assert "$60.00" in sentence
    assert "$65.00" in sentence
    pit.do(CountFelt(6_500), DEALER).do(ace, DEALER)


@pytest.mark.clause("R.40")
@pytest.mark.parametrize(
    ("wagers", "how"), [("ante 10", FeltMatch.WAGERS), (None, FeltMatch.CHIPS)]
)
def test_closing_the_bets_tells_how_a_difference_was_put_right(
    wagers: str | None, how: FeltMatch
) -> None:
    """Ann has laid down $20 and not $25: she changes the wager, or lays down the rest."""
    pit = betting().do(by_spot(2_000, 4_000), DEALER)
    if wagers is not None:
        pit.bet("ann", "1.1", wagers)
    total = 6_000 if wagers is not None else 6_500
    pit.refuses(CloseBets(1), DEALER, RefusalCode.FELT_DIFFERS)
    pit.do(CloseBets(total), "dan")
    assert pit.events[-2] == FeltMatched(1, how)
    assert pit.names[-1] == "BetsClosed"


def test_a_supervisor_reopens_the_bets_for_a_difference() -> None:
    pit = betting().close().do(by_spot(2_500, 2_000), DEALER)
    pit.do(ReopenBets(), FLOOR).bet("bob", "2.1", "ante 10").do(CloseBets(4_500), "dan")
    assert pit.events[-2] == FeltMatched(1, FeltMatch.WAGERS)


def test_a_difference_ends_with_its_round() -> None:
    pit = betting().do(CountFelt(6_000), DEALER).do(VoidRound("misdeal"), FLOOR)
    pit.do(OpenBets(), "dan")
    assert pit.table.incidents.felt is None


@pytest.mark.parametrize(
    ("now", "how"),
    [
        ({ONE: 2_500, TWO: 4_000}, FeltMatch.CHIPS),
        ({ONE: 2_000, TWO: 3_000}, FeltMatch.WAGERS),
        ({ONE: 2_000, TWO: 4_000}, FeltMatch.BOTH),
    ],
)
def test_how_two_spots_were_put_right(now: dict[Spot, int], how: FeltMatch) -> None:
    before = FeltCounted(
        1, 5_000, 6_500, (SpotCount(ONE, 2_000, 2_500), SpotCount(TWO, 3_000, 4_000))
    )
    assert how_matched(before, now) is how


@pytest.mark.parametrize(
    ("cents", "how"),
    [(6_500, FeltMatch.CHIPS), (6_000, FeltMatch.WAGERS), (7_000, FeltMatch.BOTH)],
)
def test_how_a_sum_was_put_right(cents: int, how: FeltMatch) -> None:
    assert how_matched(FeltCounted(1, 6_000, 6_500), {ONE: cents}) is how


def test_a_stadium_has_no_chips_to_count() -> None:
    pit = Pit("stadium", mode=DealerMode.LIVE).sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10")
    assert "count_felt" not in Permits(pit.table, pit.outside).of(DEALER)
