"""Dealing plans, step by step, as a dealer would read them."""

from collections.abc import Sequence

import pytest

from openfelt.rules.dealing import Deal, Decide, Lies, Place, Turn, dealing_plan, hands_max
from openfelt.rules.house import Procedure
from openfelt.rules.wagers import Spot
from tests.cases import case
from tests.own_houses import own_house

TWO = (Spot(1, 1), Spot(3, 1))


def written(house_id: str, procedure: Procedure, spots: Sequence[Spot] = TWO) -> list[str]:
    """The plan in words; cards that go to one place one after another share a line."""
    lines: list[str] = []
    for step in dealing_plan(own_house(house_id), procedure, spots):
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
STADIUM = [line.replace("1.1 down", "1.1 up").replace("3.1 down", "3.1 up") for line in HANDHELD]

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
        proves="S.4 S.6 S.7 S.8 S.9 S.10 S.11 S.overview.two_cards",
    ),
]


@pytest.mark.parametrize(("house_id", "procedure", "plan"), PLANS)
def test_a_plan_deals_turns_and_pauses_in_order(
    house_id: str, procedure: Procedure, plan: list[str]
) -> None:
    assert written(house_id, procedure) == plan


@pytest.mark.clause("D.4a", "D.4b")
def test_the_draw_cards_are_numbered_in_the_order_in_which_they_leave_the_shuffler() -> None:
    plan = dealing_plan(own_house("draw"), Procedure.DRAW, TWO)
    common = [s.place.position for s in plan if isinstance(s, Deal) and s.place.lies is Lies.COMMON]
    assert common == [1, 2, 3, 4, 5]


@pytest.mark.clause("O.overview.two_cards", "O.3")
def test_the_online_player_sees_the_own_cards_and_not_the_dealers() -> None:
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
