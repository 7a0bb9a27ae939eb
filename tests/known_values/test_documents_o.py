"""The online document, where a whole round is more than its clause needs."""

import pytest

from openfelt.cards import FULL_DECK, evaluate, parse_cards
from openfelt.catalog import load_house
from openfelt.rules import (
    Banker,
    Phase,
    RefusalCode,
    SetWagers,
    Spot,
    Wager,
    WagerKind,
    view,
)
from openfelt.rules.lines import PaidBy
from openfelt.table import cards_for_round
from tests.kit.felt import Felt
from tests.kit.own_houses import own_house

CARDS = {"1.1": "As Ks", "dealer": "4c 4d", "common": "Qs Js Ts 2h 3h"}


@pytest.mark.clause("O.1", "S.overview.single_deck", "C.deck")
@pytest.mark.parametrize("house", ["online", "stadium", "california"])
def test_every_round_is_cut_from_one_full_deck_shuffled_anew(house: str) -> None:
    limits: list[int] = []

    def draw_below(limit: int) -> int:
        limits.append(limit)
        return 0

    banker = Banker(7, 10000) if house == "california" else None
    for _ in range(2):
        limits.clear()
        felt = Felt(house, banker=banker).bet("1.1", "ante 10").close()
        cards = cards_for_round(felt.state, draw_below)
        assert limits[:51] == list(range(52, 1, -1))
        assert len(cards) == len(set(cards)) == 9
        assert set(cards) <= set(FULL_DECK)


@pytest.mark.clause("O.overview.against_dealer")
@pytest.mark.parametrize("other", [Spot(2, 1), Spot(1, 2)])
def test_one_player_sits_against_the_dealer(other: Spot) -> None:
    felt = Felt("online").bet("1.1", "ante 10")
    ante = SetWagers(other, (Wager(WagerKind.ANTE, 1000),))
    felt.refuses(ante, RefusalCode.NO_SUCH_SPOT)
    felt.close().run(CARDS, {"1.1": "4x"}).confirm()
    assert {line.paid_by for line in felt.settlement.lines} == {PaidBy.BANK}
    assert "beats the dealer's" in felt.line("1.1", "play").because


@pytest.mark.clause("O.3")
def test_a_player_sees_their_own_cards_and_not_the_dealers() -> None:
    felt = Felt("online").bet("1.1", "ante 10").close().run(CARDS)
    shown = view(felt.state, seat=1)
    assert shown.hands[0].cards == parse_cards("As Ks")
    assert shown.dealer == (None, None)


@pytest.mark.clause("O.6a")
def test_a_fold_ends_the_hand_with_the_dealers_cards_unseen() -> None:
    felt = Felt("online").bet("1.1", "ante 10").close().run(CARDS, {"1.1": "check, check, fold"})
    assert felt.state.phase is Phase.READY
    assert view(felt.state, seat=1).dealer == (None, None)
    assert felt.confirm().settlement.dealer_hand is None


@pytest.mark.clause("O.unfinished")
def test_a_game_unfinished_after_thirty_days_can_be_given_back_whole_at_any_moment() -> None:
    assert load_house("online").unfinished_days == 30
    felt = Felt("online").bet("1.1", "ante 10, trips 5").close()
    moments = [felt.state, *(felt.deal(card).state for card in ("As", "Ks", "4c", "4d"))]
    for decision in ("check", "2x"):
        moments.append(felt.choose("1.1", decision).state)
        moments.append(felt.run(CARDS).state)
    for state in moments:
        felt.state = state
        staked_cents = sum(wager.cents for hand in state.hands.values() for wager in hand.wagers)
        lines = felt.void("unfinished for 30 days").settlement.lines
        assert sum(line.returned_cents for line in lines) == staked_cents
        assert {line.payout_cents for line in lines} == {0}


@pytest.mark.clause("O.ranking.side_bets", "O.11", "O.9c")
@pytest.mark.parametrize(("table", "trips", "blind"), [("UTH-03", 40, 30), ("UTH-01", 45, 30)])
def test_the_tables_that_the_game_shows_decide_what_it_pays(
    table: str, trips: int, blind: int
) -> None:
    house = own_house("online", {"wagers.trips.paytable": table, "wagers.blind.paytable": table})
    felt = Felt(house).bet("1.1", "ante 10, trips 5").close()
    cards = {"1.1": "Kc 4d", "dealer": "Ac 9h", "common": "Kd 4s 4h Ts 8c"}
    felt.run(cards, {"1.1": "4x"}).confirm()
    assert felt.line("1.1", "trips").payout_cents == trips * 100
    assert felt.line("1.1", "blind").payout_cents == blind * 100
    assert house.hand_table(WagerKind.TRIPS).name == table


@pytest.mark.clause("O.ranking.order", "O.ranking.highest", "O.ranking.ace")
def test_hands_rank_as_the_document_lists_them() -> None:
    listed = [
        "As Ks Qs Js Ts",
        "9h 8h 7h 6h 5h",
        "9c 9d 9h 9s 2d",
        "9c 9d 9h 4s 4d",
        "Kh Jh 8h 4h 2h",
        "As Kd Qs Js Ts",
        "5c 4d 3h 2s Ac",
        "9c 9d 9h 4s 2d",
        "9c 9d 4h 4s 2d",
        "9c 9d 7h 4s 2d",
        "Ac Kd 9h 4s 2d",
        "7c 5d 4h 3s 2d",
    ]
    hands = [evaluate(parse_cards(text)) for text in listed]
    assert hands == sorted(hands, reverse=True)
    assert len(set(hands)) == len(hands)


@pytest.mark.clause("O.overview.early_bets", "O.4b", "O.5b", "O.6b")
@pytest.mark.parametrize(
    ("decisions", "play_cents"),
    [
        ("check, check, fold", 0),
        ("check, check, 1x", 1000),
        ("check, 2x", 2000),
        ("3x", 3000),
        ("4x", 4000),
    ],
)
def test_the_sooner_a_player_commits_the_more_is_at_risk(decisions: str, play_cents: int) -> None:
    felt = Felt("online").bet("1.1", "ante 10").close().run(CARDS, {"1.1": decisions})
    (hand,) = felt.state.hands.values()
    assert hand.stake_cents(WagerKind.PLAY) == play_cents
