"""What one viewer sees of a table."""

from openfelt.rules.house import DealerMode
from openfelt.table.commands import LeaveSeat
from openfelt.table.view import SeatView, table_view
from tests.kit.own_houses import own_house
from tests.kit.tables import SECONDS, Pit

VIRTUAL = own_house("washington", {"table.dealer": "either"})


def two_players() -> Pit:
    pit = Pit(VIRTUAL, mode=DealerMode.VIRTUAL, clock=SECONDS)
    pit.sit("ann", 1, 500).sit("bob", 2, 300)
    return pit.bet("ann", "1.1", "ante 10").bet("bob", "2.1", "ante 20").time_ends()


def test_a_player_sees_their_own_seat_and_which_others_are_taken() -> None:
    seen = table_view(two_players().table, player="ann")
    assert seen.seats == (
        SeatView(seat=1, own=True, player="ann", credit_cents=48000),
        SeatView(seat=2, own=False, player=None, credit_cents=None),
    )


def test_a_spectator_sees_no_credit() -> None:
    seen = table_view(two_players().table, player=None)
    assert {(seat.player, seat.credit_cents) for seat in seen.seats} == {(None, None)}


def test_a_player_sees_only_their_own_cards() -> None:
    pit = two_players()
    seen = table_view(pit.table, player="ann").round
    assert seen is not None
    cards = {str(hand.spot): hand.cards for hand in seen.hands}
    assert cards["1.1"] == pit.round.hands[seen.hands[0].spot].cards
    assert cards["2.1"] == (None, None)


def test_a_stadium_shows_own_hands_only() -> None:
    pit = Pit("stadium", mode=DealerMode.VIRTUAL).sit("ann", 1, 500).sit("bob", 2, 500)
    pit.bet("ann", "1.1", "ante 10").bet("ann", "1.2", "ante 10").bet("bob", "2.1", "ante 10")
    pit.time_ends()
    seen = table_view(pit.table, player="ann", own_hands_only=True).round
    spectator = table_view(pit.table, player=None, own_hands_only=True).round
    assert seen is not None
    assert spectator is not None
    assert [str(hand.spot) for hand in seen.hands] == ["1.1", "1.2"]
    assert spectator.hands == ()


def test_the_bank_is_offered_between_rounds() -> None:
    pit = Pit("california").sit("ann", 1, 500).sit("bob", 2, 500)
    assert table_view(pit.table, player="ann").bank_offered_to == 1
    assert table_view(two_players().table, player="ann").bank_offered_to is None


def test_the_next_player_at_a_seat_sees_their_own_cards_but_not_those_of_the_last_round() -> None:
    pit = two_players()
    while pit.table.playing is not None:
        pit.time_ends()
    pit.do(LeaveSeat(1), "ann").sit("cat", 1, 500)
    assert hands_seen(pit, "cat") == {"1.1": False, "2.1": False}
    pit.bet("cat", "1.1", "ante 10").bet("bob", "2.1", "ante 20").time_ends()
    assert hands_seen(pit, "cat") == {"1.1": True, "2.1": False}
    assert pit.table.vacated == frozenset()


def hands_seen(pit: Pit, player: str) -> dict[str, bool]:
    """The hands of the round, and whether a player sees them as their own."""
    seen = table_view(pit.table, player=player).round
    assert seen is not None
    return {str(hand.spot): hand.own for hand in seen.hands}
