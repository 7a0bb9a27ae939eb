"""Dealing plans, step by step, as a dealer would read them."""

import contextlib
import random
from collections import Counter
from collections.abc import Sequence

import pytest

from openfelt.cards import FULL_DECK
from openfelt.rules import (
    DealCard,
    DecidedBy,
    House,
    MakeDecision,
    Phase,
    Refusal,
    Spot,
    TurnCards,
    clock_decision,
)
from openfelt.rules.dealing import Deal, Decide, Lies, Place, Turn, dealing_plan, hands_max
from openfelt.rules.house import Procedure
from tests.kit.cases import case
from tests.kit.felt import Felt
from tests.kit.own_houses import own_house

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
            case Turn(lies=lies, up_to=up_to):
                lines.append(f"turn {lies} up to {up_to}")
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
    "turn hand up to 2",
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
    "turn hand up to 2",
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
    "turn hand up to 2",
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
    case("draw", Procedure.DRAW, DRAW, proves="D.3 D.4 D.5 D.6"),
    case(
        "stadium",
        Procedure.HANDHELD,
        STADIUM,
        proves="S.4 S.6 S.7 S.8 S.9 S.10 S.11 S.overview.two_cards R.11",
    ),
    case("stadium", Procedure.COMMUNITY_FIRST, STADIUM, proves="R.11"),
]


@pytest.mark.parametrize(("house_id", "procedure", "plan"), PLANS)
def test_a_plan_deals_turns_and_pauses_in_order(
    house_id: str, procedure: Procedure, plan: list[str]
) -> None:
    assert written(house_id, procedure) == plan


# A deck for each terminal: the dealer's and the common cards first, whatever the procedure.
OWN_DECKS = [
    case("washington", Procedure.HANDHELD, COMMUNITY_FIRST),
    case("washington", Procedure.COMMUNITY_FIRST, COMMUNITY_FIRST),
    case("draw", Procedure.DRAW, DRAW),
]


@pytest.mark.clause("R.11")
@pytest.mark.parametrize(("house_id", "procedure", "plan"), OWN_DECKS)
def test_with_a_deck_per_terminal_the_hands_come_after_dealer_and_common_cards(
    house_id: str, procedure: Procedure, plan: list[str]
) -> None:
    found = written(own_house(house_id, {"table.deck": "per_terminal"}), procedure)
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
    changes = {"table.deck": "per_terminal", "table.seats": 30, "table.hands_per_seat": hands}
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


@pytest.mark.clause("D.4a", "D.4b")
def test_the_draw_cards_are_numbered_in_the_order_in_which_they_leave_the_shuffler() -> None:
    plan = dealing_plan(own_house("draw"), Procedure.DRAW, TWO)
    common = [s.place.position for s in plan if isinstance(s, Deal) and s.place.lies is Lies.COMMON]
    assert common == [1, 2, 3, 4, 5]


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
