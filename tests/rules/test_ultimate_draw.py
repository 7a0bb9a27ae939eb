"""Ultimate Draw Poker: holds, the house way, the draw, and every settlement."""

import random
from collections import Counter
from typing import Any

import pytest

from openfelt.cards import FULL_DECK, Card, Category, evaluate, format_cards, parse_cards
from openfelt.rules import (
    Bet,
    Check,
    DecidedBy,
    Fold,
    Hold,
    MakeDecision,
    RefusalCode,
    Spot,
    clock_decision,
)
from openfelt.rules.ultimate_draw import final_cards, house_way
from tests.kit.cases import case
from tests.kit.felt import Felt, played
from tests.kit.own_houses import own_house

CODE = RefusalCode

# The house way -----------------------------------------------------------------

WAYS = [
    case("Ks Kd 9s 5s 2s", "Ks Kd", proves="D.6a R.26"),
    case("2s 2d Ks Qs Js", "2s 2d", proves="D.6a R.26"),
    case("2s 9d 2d 5s 9h", "2s 9d 2d 9h", proves="D.6a R.26"),
    case("7s 9d 7d 5s 7h", "7s 7d 7h", proves="D.6a R.26"),
    case("9s 9d 9c 9h 2s", "9s 9d 9c 9h 2s", proves="D.6a R.26"),
    case("9s 9d 9c 2h 2s", "9s 9d 9c 2h 2s", proves="D.6a"),
    case("As 2d 3c 4h 5s", "As 2d 3c 4h 5s", proves="D.6a"),
    case("As Kd Qc Jh Ts", "As Kd Qc Jh Ts", proves="D.6a"),
    case("2s 9s 4s Ks 7s", "2s 9s 4s Ks 7s", proves="D.6a"),
    case("As Ks Qs Js Ts", "As Ks Qs Js Ts", proves="D.6a"),
    # A pair goes before four to a flush and before four in sequence.
    case("9s 9d 8s 7s 2s", "9s 9d", proves="D.6 D.6a"),
    case("9s 9d 8c 7h 6s", "9s 9d", proves="D.6 D.6a"),
    # Four to a flush goes before four in sequence and before high cards.
    case("2s 9s 4s Ks 7d", "2s 9s 4s Ks", proves="D.6b R.26"),
    case("2s Ad 4s Ks 7s", "2s 4s Ks 7s", proves="D.6b"),
    case("9s 8s 7s 6d 2s", "9s 8s 7s 2s", proves="D.6 D.6b"),
    case("9s 8s 7s 6s 5d", "9s 8s 7s 6s 5d", proves="D.6a"),
    # Four in sequence; the ace stands at either end, and an ace may be the odd card.
    case("9s 8d 7c 6h 2s", "9s 8d 7c 6h", proves="D.6c R.26"),
    case("2s 8d 3c 4h 5s", "2s 3c 4h 5s", proves="D.6c"),
    case("As 2d 3c 4h 9s", "As 2d 3c 4h", proves="D.6c R.26"),
    case("As Kd Qc Jh 9s", "As Kd Qc Jh", proves="D.6c R.26"),
    case("As Kd Qc Jh 2s", "As Kd Qc Jh", proves="D.6c R.26"),
    case("Ts Kd Qc Jh 2s", "Ts Kd Qc Jh", proves="D.6c"),
    case("As 9d 8c 7h 6s", "9d 8c 7h 6s", proves="D.6 D.6c"),
    # Five cards hold one run of four at most: two would be a straight.
    case("5s 4d 3c 2h 7s", "5s 4d 3c 2h", proves="D.6c"),
    # Four of five ranks with a gap are no sequence.
    case("9s 8d 7c 5h 2s", "", proves="D.6e"),
    case("As 3d 4c 5h 9s", "As", proves="D.6d"),
    case("As Kd Qc Th 9s", "As Kd Qc", proves="D.6d"),
    # Jacks and higher, otherwise nothing.
    case("As Kd 9c 5h 2s", "As Kd", proves="D.6d R.26"),
    case("Js 9d 7c 5h 2s", "Js", proves="D.6d R.26"),
    case("Ts 9d 7c 5h 2s", "", proves="D.6e R.26"),
    case("As Qd Jc 5h 2s", "As Qd Jc", proves="D.6d"),
]


@pytest.mark.parametrize(("cards", "held"), WAYS)
def test_the_dealer_holds_by_the_house_way(cards: str, held: str) -> None:
    assert format_cards(house_way(parse_cards(cards))) == held


RUNS = [set("A234"), *(set("23456789TJQKA"[low : low + 4]) for low in range(10))]


def slow_house_way(cards: tuple[Card, ...]) -> set[Card]:
    """The same rules told another way: by letters, counts and sets."""
    letters = Counter(str(card)[0] for card in cards)
    if evaluate(cards).category in (
        Category.STRAIGHT,
        Category.FLUSH,
        Category.FULL_HOUSE,
        Category.FOUR_OF_A_KIND,
        Category.STRAIGHT_FLUSH,
        Category.ROYAL_FLUSH,
    ):
        return set(cards)
    if len(letters) < 5:
        return {card for card in cards if letters[str(card)[0]] >= 2}
    suit, most = Counter(str(card)[1] for card in cards).most_common(1)[0]
    if most == 4:
        return {card for card in cards if str(card)[1] == suit}
    for run in reversed(RUNS):
        if run <= set(letters):
            return {card for card in cards if str(card)[0] in run}
    return {card for card in cards if str(card)[0] in "JQKA"}


@pytest.mark.clause("R.26", "D.6")
@pytest.mark.parametrize("seed", range(4))
def test_the_house_way_on_many_random_hands(seed: int) -> None:
    rng = random.Random(seed)
    sizes: Counter[int] = Counter()
    for _ in range(12_500):
        cards = tuple(rng.sample(FULL_DECK, 5))
        held = house_way(cards)
        assert set(held) == slow_house_way(cards), cards
        assert held == tuple(card for card in cards if card in held)
        sizes[len(held)] += 1
    assert set(sizes) == {0, 1, 2, 3, 4, 5}


# The draw ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("held", "final"),
    [
        case("", "2c 3c 4c 5c 6c", proves="D.7 R.27"),
        case("As", "As 2c 3c 4c 5c", proves="D.7 R.27"),
        case("As Ks Qs", "As Ks Qs 2c 3c", proves="D.7 R.27"),
        case("As Ks Qs Js", "As Ks Qs Js 2c", proves="D.7"),
        case("As Ks Qs Js Ts", "As Ks Qs Js Ts", proves="D.7"),
    ],
)
def test_a_hand_that_replaces_k_cards_takes_draw_cards_1_to_k(held: str, final: str) -> None:
    assert format_cards(final_cards(parse_cards(held), parse_cards("2c 3c 4c 5c 6c"))) == final


# Holds -----------------------------------------------------------------------

FIVE = "As Kd 9c 5h 2s"
ANOTHERS = "Ac Kc Qc Jc 9d"


def drawing() -> Felt:
    felt = Felt("draw").bet("1.1", "ante 10").bet("2.1", "bonus 5").close()
    return felt.deal(FIVE).deal(ANOTHERS).deal("3c 4c 6d 7d 8h").deal("Th Jh Qh Kh Ah")


HOLDS = [
    case("As As", "the same card twice"),
    case("Ac", "another's card"),
    case("Th", "a draw card"),
    case("As Kd 9c 5h 2s Ac", "six cards"),
    case("As Kd 9c 5h 2s 2s", "six cards, one twice"),
    case("3c", "the dealer's card"),
]


@pytest.mark.parametrize(("cards", "what"), HOLDS)
def test_only_own_cards_are_held_each_once(cards: str, what: str) -> None:
    felt = drawing()
    words = felt.refuses(MakeDecision(Spot(1, 1), Hold(parse_cards(cards))), CODE.NOT_YOUR_CARDS)
    assert words == "Hold only cards of your own hand, each of them once."


@pytest.mark.clause("D.5", "D.5a", "D.5b")
@pytest.mark.parametrize(
    ("cards", "held"),
    [("", ""), ("2s As", "As 2s"), ("2s 5h 9c Kd As", FIVE)],
)
def test_any_number_of_own_cards_may_be_held(cards: str, held: str) -> None:
    felt = drawing().choose("1.1", f"hold {cards}")
    assert felt.state.hands[Spot(1, 1)].held == parse_cards(held)


@pytest.mark.clause("R.27")
def test_a_hold_is_final() -> None:
    felt = drawing().choose("1.1", "hold As")
    felt.refuses(MakeDecision(Spot(1, 1), Hold(())), CODE.ALREADY_DECIDED)


@pytest.mark.parametrize("decision", [Check(), Bet(4), Fold()])
def test_in_ultimate_draw_there_are_only_holds(decision: Any) -> None:
    words = drawing().refuses(MakeDecision(Spot(1, 1), decision), CODE.NO_SUCH_CHOICE)
    assert words == "Choose the cards to hold, from none to all five."


@pytest.mark.clause("R.27")
@pytest.mark.parametrize("decision", [Hold(()), Hold(parse_cards(FIVE)), Fold()])
def test_the_clock_holds_by_the_house_way_and_no_other(decision: Any) -> None:
    felt = drawing()
    clock = DecidedBy.CLOCK
    words = felt.refuses(MakeDecision(Spot(1, 1), decision, clock), CODE.NO_SUCH_CHOICE)
    house_way = clock_decision(felt.state, Spot(1, 1))
    assert words == f"When the time runs out, the hand can only {house_way}."
    felt.do(MakeDecision(Spot(1, 1), house_way, clock))
    assert felt.state.hands[Spot(1, 1)].decisions[0].by is clock


# Settlement ------------------------------------------------------------------------

# The dealer holds the nines, or the king, and draws by the same rule as the players.
PAIR_OF_NINES = "9d 9h 2d 5c 7h"
KING_HIGH = "Kd 4h 2d 5c 7h"
BLANK_DRAW = "3c 6h 8d Tc Qh"

SETTLED = [
    # player, hold, dealer, draw cards: ante, ante bonus, bonus
    case(("Ts Td 4s 6c Jc", "Ts Td", PAIR_OF_NINES, BLANK_DRAW),
         ("win 1000 D.11", None, "lose 0 D.13"), proves="D.11 D.13 D.9"),
    case(("8d 8h 4s 6c Jc", "8d 8h", PAIR_OF_NINES, "3c 6h 2s Tc Qh"),
         ("lose 0 D.11", None, "lose 0 D.13"), proves="D.11"),
    case(("9s 9c 4s Jc 2c", "9s 9c", PAIR_OF_NINES, BLANK_DRAW),
         ("push 0 R.25", None, "lose 0 D.13"), proves="R.25"),
    case(("2s 3h 4s 6c 8c", "", KING_HIGH, "9c Jh 3s Tc 5s"),
         ("win 500 D.10", None, "lose 0 D.13"), proves="D.10 R.25"),
    case(("As Ah 4s 6d 8c", "As Ah", KING_HIGH, "9c Jh 8s Tc 3s"),
         ("win 500 D.10", None, "lose 0 D.13"), proves="D.10 R.25"),
    # The dealer qualifies by the draw alone.
    case(("As Ah 4s 6d 8c", "As Ah", KING_HIGH, "9c 9s 8s Tc 3s"),
         ("win 1000 D.11", None, "win 500 D.13"), proves="D.8"),
    # The Ante Bonus: a flush or better, however the Ante ends.
    case(("2s 4s 6s 8s Ts", "2s 4s 6s 8s Ts", PAIR_OF_NINES, BLANK_DRAW),
         ("win 1000 D.11", "win 1000 D.12", "win 3500 D.13"), proves="D.12 D.13"),
    case(("2s 4s 6s 8s Ts", "2s 4s 6s 8s Ts", KING_HIGH, "9c Jh 8d Tc Qh"),
         ("win 500 D.10", "win 1000 D.12", "win 3500 D.13"), proves="D.12 R.25 D.10"),
    case(("2s 4s 6s 8s Ts", "2s 4s 6s 8s Ts", "9c 9d 9h Kc Kd", BLANK_DRAW),
         ("lose 0 D.11", "win 1000 D.12", "win 3500 D.13"), proves="D.12 R.25"),
    case(("As Ks Qs Js Ts", "As Ks Qs Js Ts", PAIR_OF_NINES, BLANK_DRAW),
         ("win 1000 D.11", "win 50000 D.12", "win 250000 D.13"), proves="D.12 D.13"),
    case(("5s 6s 7s 8s 9s", "5s 6s 7s 8s 9s", "Kd 4h 2d 5c 7h", "Kc 6h 8d Tc Qh"),
         ("win 1000 D.11", "win 25000 D.12", "win 75000 D.13"), proves="D.12"),
    case(("5s 5d 5h 5c 9s", "5s 5d 5h 5c 9s", "Kd 4h 2d 3c 7h", "Kc 6h 8s Tc Qh"),
         ("win 1000 D.11", "win 6000 D.12", "win 12500 D.13"), proves="D.12"),
    case(("5s 5d 5h 2c 2s", "5s 5d 5h 2c 2s", "Kd 4h 2d 3c 7h", "Kc 6h 8s Tc Qh"),
         ("win 1000 D.11", "win 2000 D.12", "win 4500 D.13"), proves="D.12"),
    case(("5s 6d 7h 8c 9s", "5s 6d 7h 8c 9s", "Kd 4h 2d 3c 7c", "Kc 6h 8s Tc Qh"),
         ("win 1000 D.11", None, "win 3000 D.13"), proves="D.12 D.13"),
    case(("5s 5d 7h 7c 9s", "5s 5d 7h 7c", "Kd 4h 2d 3c Jc", "Kc 6h 8s Tc Qh"),
         ("win 1000 D.11", None, "win 500 D.13"), proves="D.13"),
]  # fmt: skip


@pytest.mark.parametrize(("deal", "settled"), SETTLED)
def test_ante_ante_bonus_and_bonus(
    deal: tuple[str, str, str, str], settled: tuple[str, str | None, str]
) -> None:
    player, hold, dealer, draw = deal
    felt = played(
        "draw",
        bets={"1.1": "ante 10, bonus 5"},
        cards={"1.1": player, "dealer": dealer, "common": draw},
        decisions={"1.1": f"hold {hold}"},
    )
    found = {
        line.wager: f"{line.result} {line.payout_cents} {line.clause}"
        for line in felt.settlement.lines
    }
    expected = dict(zip(("ante", "ante_bonus", "bonus"), settled, strict=True))
    assert found == {wager: said for wager, said in expected.items() if said}


@pytest.mark.clause("R.29", "D.2", "D.1")
def test_a_bonus_alone_does_not_care_about_the_dealer() -> None:
    felt = played(
        "draw",
        bets={"1.1": "bonus 5"},
        cards={"1.1": "5s 5d 7h 7c 9s", "dealer": "Ac Ad Ah As Kd", "common": BLANK_DRAW},
        decisions={"1.1": "hold 5s 5d 7h 7c"},
    )
    assert [line.wager for line in felt.settlement.lines] == ["bonus"]
    assert felt.line("1.1", "bonus").net_cents == 500


@pytest.mark.clause("R.15", "D.10")
@pytest.mark.parametrize(
    ("unit_cents", "ante", "half_cents"), [(1, "5.01", 250), (50, "5.50", 250), (100, "5", 200)]
)
def test_half_an_ante_is_rounded_down(unit_cents: int, ante: str, half_cents: int) -> None:
    house = own_house(
        "draw", {"rounding_unit_cents": unit_cents, "wagers.ante.multiple_of_cents": unit_cents}
    )
    felt = played(
        house,
        bets={"1.1": f"ante {ante}"},
        cards={"1.1": "2s 3h 4s 6c 8c", "dealer": KING_HIGH, "common": "9c Jh 3s Tc 5s"},
        decisions={"1.1": "hold"},
    )
    assert felt.line("1.1", "ante").payout_cents == half_cents


@pytest.mark.clause("D.4", "D.7")
def test_all_hands_draw_from_the_same_cards() -> None:
    felt = played(
        "draw",
        bets={"1.1": "bonus 5", "2.1": "bonus 5"},
        cards={
            "1.1": "Ks 2h 4s 6d 8c",
            "2.1": "Kh 2s 4d 6c 8d",
            "dealer": PAIR_OF_NINES,
            "common": "Kc Kd 3c 3h 5s",
        },
        decisions={"1.1": "hold Ks", "2.1": "hold Kh"},
    )
    words = "Full house, kings over threes pays 9 to 1."
    assert felt.line("1.1", "bonus").because == felt.line("2.1", "bonus").because == words
