"""What each viewer sees at each moment."""

import pytest

from openfelt.rules import RoundView, Spot, apply, view
from openfelt.rules.dealing import Place
from openfelt.rules.round import Phase, card_at
from openfelt.rules.round_events import Banker, CardCorrected
from openfelt.rules.view import HandView, ShownCards
from tests.kit.cases import case
from tests.kit.felt import Felt
from tests.kit.own_houses import own_house

CARDS = {"1.1": "As Ah", "2.1": "Ks Kh", "dealer": "2c 7d", "common": "9c Td Jh 3s 4s"}


def shown(cards: ShownCards) -> str:
    """Cards as the viewer sees them, a question mark for a card that lies face down."""
    return " ".join("?" if card is None else str(card) for card in cards)


def hand_of(seen: RoundView, spot: str) -> HandView:
    return next(hand for hand in seen.hands if str(hand.spot) == spot)


def table_of(felt: Felt, seat: int | None) -> str:
    """Everything on the table in one line: hands, dealer, board."""
    seen = view(felt.state, seat=seat)
    hands = [shown(hand.cards) for hand in seen.hands]
    return " | ".join([*hands, shown(seen.dealer), shown(seen.common)])


def playing(house: str, decisions: dict[str, str]) -> Felt:
    felt = Felt(house).bet("1.1", "ante 10").bet("2.1", "ante 10").close()
    return felt.run(CARDS, decisions)


CHECKED = {"1.1": "check", "2.1": "check"}
TWICE = {"1.1": "check, check", "2.1": "check, check"}
ONE_FOLDS = {"1.1": "check, check, fold", "2.1": "check, check, 1x"}
BOTH_FOLD = {"1.1": "check, check, fold", "2.1": "check, check, fold"}

TABLES = [
    case("washington", {}, 1, "As Ah | ? ? | ? ? | ", proves="W.3"),
    case("washington", {}, 2, "? ? | Ks Kh | ? ? | ", proves="W.3"),
    case("washington", {}, None, "? ? | ? ? | ? ? | ", proves="W.3"),
    case("washington", {}, 6, "? ? | ? ? | ? ? | "),
    case("washington", CHECKED, 1, "As Ah | ? ? | ? ? | 9c Td Jh", proves="W.5"),
    case("washington", TWICE, None, "? ? | ? ? | ? ? | 9c Td Jh 3s 4s", proves="W.7"),
    case("washington", ONE_FOLDS, None, "? ? | Ks Kh | 2c 7d | 9c Td Jh 3s 4s", proves="W.9"),
    case("washington", ONE_FOLDS, 1, "As Ah | Ks Kh | 2c 7d | 9c Td Jh 3s 4s"),
    case("washington", BOTH_FOLD, 2, "? ? | Ks Kh | ? ? | 9c Td Jh 3s 4s"),
    case("stadium", {}, None, "As Ah | Ks Kh | ? ? | ? ? ? ? ?", proves="S.4 R.11"),
    case("stadium", {}, 1, "As Ah | Ks Kh | ? ? | ? ? ? ? ?", proves="S.4 R.11"),
    case("stadium", CHECKED, None, "As Ah | Ks Kh | ? ? | 9c Td Jh ? ?", proves="S.7"),
    case("stadium", TWICE, None, "As Ah | Ks Kh | ? ? | 9c Td Jh 3s 4s", proves="S.9"),
    case("stadium", BOTH_FOLD, None, "As Ah | Ks Kh | ? ? | 9c Td Jh 3s 4s"),
]


@pytest.mark.parametrize(("house", "decisions", "seat", "table"), TABLES)
def test_a_viewer_sees_own_cards_and_what_lies_face_up(
    house: str, decisions: dict[str, str], seat: int | None, table: str
) -> None:
    assert table_of(playing(house, decisions), seat) == table


@pytest.mark.clause("W.ace.3", "W.ace.7", "C.dealing.2", "C.6")
@pytest.mark.parametrize(
    ("decisions", "board", "made", "board_made"),
    [
        ({}, "? ? ? ? ?", None, None),
        (CHECKED, "9c Td Jh ? ?", "Pair of aces", None),
        (TWICE, "9c Td Jh 3s 4s", "Pair of aces", "Jack high"),
    ],
)
def test_a_board_that_lies_face_down_is_seen_street_by_street(
    decisions: dict[str, str], board: str, made: str | None, board_made: str | None
) -> None:
    house = own_house("washington", {"table.procedure": "community_first"})
    felt = Felt(house).bet("1.1", "ante 10").bet("2.1", "ante 10").close().run(CARDS, decisions)
    for seat in (1, 2, None):
        seen = view(felt.state, seat=seat)
        assert (shown(seen.common), seen.common_made) == (board, board_made)
        assert hand_of(seen, "1.1").made == (made if seat == 1 else None)


def test_only_the_viewers_hand_has_choices() -> None:
    felt = playing("washington", {})
    seen = view(felt.state, seat=1, credit_cents=3000)
    own, others = hand_of(seen, "1.1"), hand_of(seen, "2.1")
    assert [str(one.decision) for one in own.choices.options] == ["check", "bet 3x"]
    assert not others.choices
    assert (own.own, others.own) == (True, False)
    assert (own.due, others.due) == (True, True)
    assert not any(hand.choices for hand in view(felt.state, seat=None).hands)


def test_wagers_and_decisions_are_for_all_to_see() -> None:
    felt = playing("washington", {"1.1": "4x"})
    hand = hand_of(view(felt.state, seat=2), "1.1")
    assert [str(one.decision) for one in hand.decisions] == ["bet 4x"]
    assert [(wager.kind.value, wager.cents) for wager in hand.wagers] == [
        ("ante", 1000),
        ("play", 4000),
        ("blind", 1000),
    ]
    assert not hand.due


MADE = [
    case({}, 1, None, None, None),
    case(CHECKED, 1, "Pair of aces", None, None),
    case(CHECKED, 2, None, "Pair of kings", None),
    case(TWICE, None, None, None, None),
    case(ONE_FOLDS, None, None, "Pair of kings", "Jack high"),
    case(BOTH_FOLD, 1, "Pair of aces", None, None),
]


@pytest.mark.parametrize(("decisions", "seat", "first", "second", "dealer"), MADE)
def test_a_hand_is_announced_only_to_who_sees_its_cards(
    decisions: dict[str, str],
    seat: int | None,
    first: str | None,
    second: str | None,
    dealer: str | None,
) -> None:
    seen = view(playing("washington", decisions).state, seat=seat)
    assert [hand.made for hand in seen.hands] == [first, second]
    assert seen.dealer_made == dealer


def test_the_board_is_announced_when_it_is_complete() -> None:
    assert view(playing("washington", CHECKED).state, seat=1).common_made is None
    assert view(playing("washington", TWICE).state, seat=1).common_made == "Jack high"


# Ultimate Draw ----------------------------------------------------------------------

DRAW_CARDS = {
    "1.1": "As Ah 4c 6d 9s",
    "2.1": "Ks Kh 3c 5d 7s",
    "dealer": "Jc Jd 2h 8s Tc",
    "common": "2c 3d 4h 5s 6c",
}


def drawing(decisions: dict[str, str]) -> Felt:
    felt = Felt("draw").bet("1.1", "ante 10").bet("2.1", "ante 10").close()
    return felt.run(DRAW_CARDS, decisions)


@pytest.mark.clause("D.4", "D.5a")
def test_a_viewer_sees_neither_what_another_player_holds_nor_the_draw_cards() -> None:
    felt = drawing({"1.1": "hold As Ah"})
    others = view(felt.state, seat=2)
    assert table_of(felt, 2) == "? ? ? ? ? | Ks Kh 3c 5d 7s | ? ? ? ? ? | ? ? ? ? ?"
    assert hand_of(others, "1.1").decisions == ()
    assert hand_of(others, "1.1").held_count == 2
    assert hand_of(others, "2.1").choices.may_hold
    own = hand_of(view(felt.state, seat=1), "1.1")
    assert [str(one.decision) for one in own.decisions] == ["hold As Ah"]
    assert own.made == "Pair of aces"


@pytest.mark.clause("D.6", "D.7")
def test_after_the_holds_everything_is_shown() -> None:
    felt = drawing({"1.1": "hold As Ah", "2.1": "hold"})
    seen = view(felt.state, seat=None)
    assert table_of(felt, None) == " | ".join(DRAW_CARDS.values())
    assert [str(hand.decisions[0].decision) for hand in seen.hands] == [
        "hold As Ah",
        "hold nothing",
    ]
    assert [hand.made for hand in seen.hands] == ["Pair of aces", "Straight, six high"]
    assert seen.dealer_held
    assert shown(seen.dealer_held) == "Jc Jd"
    assert seen.dealer_made == "Pair of jacks"
    assert seen.common_made is None


def test_a_view_tells_number_house_day_phase_and_void() -> None:
    felt = playing("washington", {}).void("a card was exposed")
    seen = view(felt.state, seat=1)
    assert (seen.number, seen.house, seen.day) == (1, "washington", felt.state.opened.day)
    assert (seen.phase, seen.street, seen.void_reason) == ("voided", None, "a card was exposed")
    assert seen.settlement == felt.settlement
    assert not any(hand.due or hand.choices for hand in seen.hands)
    assert Spot(1, 1) == seen.hands[0].spot


@pytest.mark.clause("R.31")
@pytest.mark.parametrize(
    ("house", "places"),
    [
        ("washington", ("hand 1.1 card 1", "common card 2")),
        ("washington", ("dealer card 1", "common card 2")),
        ("washington", ("common card 1", "common card 5")),
        ("california", ("hand 1.1 card 2", "dealer card 2")),
        ("draw", ("hand 1.1 card 1", "common card 1")),
        ("draw", ("dealer card 1", "common card 1")),
    ],
)
def test_a_record_that_ends_between_the_corrections_of_a_swap_is_shown(
    house: str, places: tuple[str, str]
) -> None:
    """The same card then lies at both places, and the hands that it makes have no name."""
    draws, banked = house == "draw", house == "california"
    felt = Felt(house, banker=Banker(4, 100_000) if banked else None).bet("1.1", "ante 10").close()
    cards = {"1.1": "As Ah 4c 8d Jc", "dealer": "Kc Kd 2h 5s 9c", "common": "Ac 7d 9h Js 3c"}
    if not draws:
        cards = {lies: text if lies == "common" else text[:5] for lies, text in cards.items()}
    felt.run(cards, {"1.1": "hold As Ah" if draws else "check, check, 1x"})
    assert felt.state.phase is Phase.READY
    place, other = map(Place.parse, places)
    before = view(felt.state, seat=1)
    card, other_card = card_at(felt.state, place), card_at(felt.state, other)
    assert card is not None
    assert other_card is not None
    between = apply(felt.state, CardCorrected(place, other_card))
    for seat in (1, None):
        assert len(view(between, seat=seat).hands) == 1
    after = view(apply(between, CardCorrected(other, card)), seat=1)
    assert before.dealer_made is not None
    assert None not in (after.hands[0].made, after.dealer_made, after.dealer_qualified)
