"""Dealing plans, step by step, as a dealer would read them."""

import contextlib
import random
from collections import Counter
from collections.abc import Sequence

import pytest

from openfelt.cards import FULL_DECK, Card, parse_cards
from openfelt.rules import (
    CorrectCard,
    DealCard,
    DecidedBy,
    House,
    MakeDecision,
    Phase,
    Refusal,
    Spot,
    TurnCards,
    clock_decision,
    replay,
    view,
)
from openfelt.rules.dealing import (
    Deal,
    Decide,
    Lies,
    Place,
    ReturnAntes,
    Turn,
    dealing_plan,
    hands_max,
)
from openfelt.rules.house import Procedure
from tests.kit.cases import case
from tests.kit.felt import Felt
from tests.kit.own_houses import OWN_DECKS, Changes, own_house

TWO = (Spot(1, 1), Spot(3, 1))


def written(house: House | str, procedure: Procedure, spots: Sequence[Spot] = TWO) -> list[str]:
    """The plan in words; cards that go to one place one after another share a line."""
    lines: list[str] = []
    rules = own_house(house) if isinstance(house, str) else house
    for step in dealing_plan(rules, procedure, spots):
        match step:
            case Deal(place=place, face_up=face_up):
                whose = str(place.spot) if place.spot else str(place.lies)
                start = f"{whose} {'up' if face_up else 'down'}:"
                if lines and lines[-1].startswith(start):
                    lines[-1] += f" {place.position}"
                else:
                    lines.append(f"{start} {place.position}")
            case Turn(lies=lies, up_to=up_to, spot=spot):
                whose = f"{lies} {spot}" if spot else str(lies)
                lines.append(f"turn {whose} up to {up_to}")
            case ReturnAntes():
                lines.append("return antes")
            case Decide(street=street):
                lines.append(f"decide {street.words}")
    return lines


HANDHELD = [
    "1.1 down: 1 2",
    "3.1 down: 1 2",
    "dealer down: 1 2",
    "decide before the flop",
    "common up: 1 2 3",
    "decide on the flop",
    "common up: 4 5",
    "decide on the river",
    "turn dealer up to 2",
    "return antes",
    "turn hand 3.1 up to 2",
    "turn hand 1.1 up to 2",
]
COMMUNITY_FIRST = [
    "common down: 1 2 3 4 5",
    "1.1 down: 1 2",
    "3.1 down: 1 2",
    "dealer down: 1 2",
    "decide before the flop",
    "turn common up to 3",
    "decide on the flop",
    "turn common up to 5",
    "decide on the river",
    "turn dealer up to 2",
    "return antes",
    "turn hand 3.1 up to 2",
    "turn hand 1.1 up to 2",
]
SHOE = [
    "1.1 down: 1",
    "3.1 down: 1",
    "dealer down: 1",
    "1.1 down: 2",
    "3.1 down: 2",
    "dealer down: 2",
    "common down: 1 2 3 4 5",
    "decide before the flop",
    "turn common up to 3",
    "decide on the flop",
    "turn common up to 5",
    "decide on the river",
    "turn dealer up to 2",
    "turn hand 1.1 up to 2",
    "turn hand 3.1 up to 2",
]
DRAW = [
    "1.1 down: 1 2 3 4 5",
    "3.1 down: 1 2 3 4 5",
    "dealer down: 1 2 3 4 5",
    "common down: 1 2 3 4 5",
    "decide at the draw",
    "turn dealer up to 5",
    "turn common up to 5",
    "turn hand up to 5",
]
DRAW_FROM_FIVE = ["common down: 5 4 3 2 1" if line.startswith("common") else line for line in DRAW]
STADIUM = [
    "common down: 1 2 3 4 5",
    "dealer down: 1 2",
    "1.1 up: 1 2",
    "3.1 up: 1 2",
    "decide before the flop",
    "turn common up to 3",
    "decide on the flop",
    "turn common up to 5",
    "decide on the river",
    "turn dealer up to 2",
    "turn hand up to 2",
]

PLANS = [
    case(
        "washington",
        Procedure.HANDHELD,
        HANDHELD,
        proves="W.1 W.3 W.4 W.5 W.6 W.7 W.8 W.9 W.overview.two_cards",
    ),
    case(
        "washington",
        Procedure.COMMUNITY_FIRST,
        COMMUNITY_FIRST,
        proves="W.ace.3 W.ace.4 W.ace.6 W.ace.7 W.ace.8 W.ace.9 W.ace.10 W.ace.11",
    ),
    case(
        "california",
        Procedure.SHOE,
        SHOE,
        proves="C.dealing.1.2 C.dealing.2 C.dealing.3 C.dealing.3.1 C.dealing.3.2 C.dealing.3c "
        "C.2 C.4 C.standards.two_cards",
    ),
    case("draw", Procedure.DRAW, DRAW, proves="D.3 D.4 D.4a D.5 D.6 R.34"),
    case(
        "stadium",
        Procedure.TERMINALS,
        STADIUM,
        proves="S.4 S.6 S.7 S.8 S.9 S.10 S.11 S.overview.two_cards R.11",
    ),
    # The names that rules of before S.4 had a procedure of its own give the same order.
    case("stadium", Procedure.HANDHELD, STADIUM, proves="R.11"),
    case("stadium", Procedure.COMMUNITY_FIRST, STADIUM, proves="R.11"),
    case("draw", Procedure.DRAW_FROM_FIVE, DRAW_FROM_FIVE, proves="D.4b R.34"),
]


@pytest.mark.parametrize(("house_id", "procedure", "plan"), PLANS)
def test_a_plan_deals_turns_and_pauses_in_order(
    house_id: str, procedure: Procedure, plan: list[str]
) -> None:
    assert written(house_id, procedure) == plan


# A deck for each terminal: the dealer's and the common cards first, whatever the procedure.
PER_TERMINAL = [
    case("washington", OWN_DECKS, Procedure.TERMINALS, COMMUNITY_FIRST),
    case("draw", {"table.deck": "per_terminal"}, Procedure.DRAW, DRAW),
    case("draw", {"table.deck": "per_terminal"}, Procedure.DRAW_FROM_FIVE, DRAW_FROM_FIVE),
]


@pytest.mark.clause("R.11")
@pytest.mark.parametrize(("house_id", "changes", "procedure", "plan"), PER_TERMINAL)
def test_with_a_deck_per_terminal_the_hands_come_after_dealer_and_common_cards(
    house_id: str, changes: Changes, procedure: Procedure, plan: list[str]
) -> None:
    found = written(own_house(house_id, changes), procedure)
    hands = ("1.1", "3.1")
    assert found[2:4] == [line for line in plan if line.startswith(hands)]
    assert {line.split()[0] for line in found[:2]} == {"dealer", "common"}
    assert sorted(found) == sorted(plan)
    assert [line for line in found if ":" not in line] == [line for line in plan if ":" not in line]


@pytest.mark.clause("R.11")
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("base", "hands"), [("stadium", 3), ("stadium", 22), ("washington", 3), ("draw", 8)]
)
def test_a_live_deal_to_many_terminals_never_gets_stuck(base: str, hands: int, seed: int) -> None:
    """Whatever legal cards are scanned, there is always another, until the round is ready."""
    own_decks = {"table.deck": "per_terminal"} if base == "draw" else OWN_DECKS
    changes = own_decks | {"table.seats": 30, "table.hands_per_seat": hands}
    house = own_house(base, changes)
    for procedure in house.procedures:
        rng = random.Random(seed)
        felt = Felt(house, procedure=procedure)
        for seat in range(1, 31):
            for hand in range(1, hands + 1):
                felt.bet(f"{seat}.{hand}", "ante 10")
        felt.close()
        while felt.state.phase is Phase.PLAYING:
            if isinstance(felt.state.current_step, Deal):
                scan_any(felt, rng)
            elif isinstance(felt.state.current_step, Turn):
                felt.do(TurnCards())
            else:
                for spot in sorted(felt.state.pending):
                    felt.do(MakeDecision(spot, clock_decision(felt.state, spot), DecidedBy.CLOCK))
        felt.confirm()
        if hands == 3:
            dealt = Counter(card for hand in felt.state.hands.values() for card in hand.cards)
            assert max(dealt.values()) > 1


def scan_any(felt: Felt, rng: random.Random) -> None:
    """Deal the first card, of a deck in any order, that the referee takes."""
    for card in rng.sample(FULL_DECK, 52):
        with contextlib.suppress(Refusal):
            felt.do(DealCard(card))
            return
    raise AssertionError(f"no card fits {felt.state.current_step}")


@pytest.mark.parametrize(
    ("procedure", "numbered", "made"),
    [
        case(Procedure.DRAW, "2c 7d 9h Jc 4s", "Pair of aces", proves="D.4a D.7 R.34"),
        case(Procedure.DRAW_FROM_FIVE, "4s Jc 9h 7d 2c", "Two pair, aces and fours",
             proves="D.4b D.7 R.34"),
    ],
)  # fmt: skip
def test_the_way_of_spreading_decides_which_card_is_number_one(
    procedure: Procedure, numbered: str, made: str
) -> None:
    felt = Felt("draw", procedure=procedure).bet("1.1", "ante 10").close()
    felt.deal("Ah As 4c 5d 9d").deal("Kc Kd 8s 6h 3c").deal("2c 7d")
    # A wrong scan is corrected on the spot where the card lies, even before all five are out.
    place = Place(Lies.COMMON, None, 1 if procedure is Procedure.DRAW else 5)
    felt.do(CorrectCard(place, Card.parse("2d"))).do(CorrectCard(place, Card.parse("2c")))
    felt.deal("9h Jc 4s").choose("1.1", "hold Ah As 4c 5d")
    while felt.state.phase is Phase.PLAYING:
        felt.do(TurnCards())
    assert felt.state.common == parse_cards(numbered)
    assert view(felt.state, seat=1).hands[0].made == made
    assert replay(felt.state.house, felt.events) == felt.state


@pytest.mark.clause("O.overview.two_cards", "O.3")
def test_an_online_player_sees_their_own_cards_and_not_the_dealers() -> None:
    assert written("online", Procedure.HANDHELD, [Spot(1, 1)])[:2] == [
        "1.1 up: 1 2",
        "dealer down: 1 2",
    ]


@pytest.mark.parametrize(
    ("house_id", "hands"),
    [
        case("washington", 22, proves="R.11"),
        case("stadium", 22, proves="R.11"),
        case("draw", 8, proves="R.28"),
    ],
)
def test_how_many_hands_one_deck_serves(house_id: str, hands: int) -> None:
    house = own_house(house_id)
    assert hands_max(house) == hands
    full = [Spot(seat, 1) for seat in range(1, hands + 1)]
    deals = [s for s in dealing_plan(house, house.procedure, full) if isinstance(s, Deal)]
    each = 5 if house_id == "draw" else 2
    assert len(deals) <= 52 < len(deals) + each


@pytest.mark.parametrize(
    ("place", "words"),
    [
        (Place(Lies.HAND, Spot(2, 1), 1), "hand 2.1 card 1"),
        (Place(Lies.DEALER, None, 2), "dealer card 2"),
        (Place(Lies.COMMON, None, 5), "common card 5"),
    ],
)
def test_a_place_in_words(place: Place, words: str) -> None:
    assert str(place) == words
