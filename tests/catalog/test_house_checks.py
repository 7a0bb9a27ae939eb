"""Houses whose parts are fine one by one and do not fit each other."""

from datetime import date
from typing import Any

import pytest

from openfelt.catalog import CatalogError
from openfelt.catalog.clauses import outcomes_of
from openfelt.rules import begin, open_round
from openfelt.rules.house import House
from tests.kit.cases import case
from tests.kit.felt import Felt
from tests.kit.own_houses import Changes, own_house

BUILT_IN = ["california", "draw", "online", "stadium", "washington"]
LAW = {"since": date(2009, 1, 1), "source": "law"}
BAND = {"ante_up_to_cents": 20000, "player_cents": 100, "banker_cents": 100}
NO_ROOM = "leaves no room for the smallest Ante"
FIXED = "is a fixed amount: min_cents and max_cents are equal"
UNIT = "must be a multiple of the rounding unit, "
AGGREGATES = "limits[0].payout_aggregates."
NOT_PAID = "is not a wager of this house that the bank pays by a paytable"
PAIRS_OF_LOW_ODDS: dict[str, Any] = {"wagers.ultimate_pairs.paytable": "UPB-1"}


def limited(**limits: int | dict[str, int]) -> dict[str, Any]:
    """A change to one table of limits, which holds today."""
    return {"limits": [LAW | limits]}


def steps(cents: int, *kinds: str) -> Changes:
    """Wagers of one step each, as far as the others have none of their own."""
    keys = ("min_cents", "max_cents", "multiple_of_cents")
    return {f"wagers.{kind}.{key}": cents for kind in kinds for key in keys}


UNFIT = [
    # house, changes: where, problem
    # Procedures, chips and decks.
    case("online", {"table.procedures": []}, "table.procedures", "must contain handheld"),
    case("online", {"table.procedure": "shoe"}, "table.procedures", "must contain shoe"),
    case("online", {"table.chips_cents": []}, "table.chips_cents", "needs at least one chip"),
    case("online", {"table.seats": 23}, "table.seats",
         "one shared deck serves 22 hands, not 23", proves="R.11"),
    case("draw", {"table.seats": 9}, "table.seats",
         "one shared deck serves 8 hands, not 9", proves="R.28"),
    case("washington", {"table.hands_per_seat": 4}, "table.seats",
         "one shared deck serves 22 hands, not 24", proves="R.11"),
    case("online", {"table.hands_per_seat": 23}, "table.hands_per_seat",
         "one deck serves 22 hands"),
    case("stadium", {"table.hands_per_seat": 23}, "table.hands_per_seat",
         "one deck serves 22 hands", proves="R.11"),
    # Folded hands that stay face down.
    case("draw", {"table.folds_face_down": True}, "table.folds_face_down",
         "Ultimate Draw Poker has no fold", proves="C.6"),
    case("stadium", {"table.folds_face_down": True, "table.player_cards_face_up": True},
         "table.folds_face_down", "the players' cards are dealt face up", proves="C.6"),
    # Clauses.
    case("online", {"document": "D"}, "document",
         "document D has no clause for ante.tie in ultimate_holdem dealt by handheld"),
    case("draw", {"document": "O"}, "document",
         "document O has no clause for bonus.win in ultimate_draw dealt by draw"),
    # A deck per terminal has a procedure of its own.
    case("stadium", {"table.procedures": ["terminals", "handheld"]}, "table.procedures",
         "a deck per terminal is dealt by terminals, and only such decks are (S.4)", proves="S.4"),
    case("washington", {"table.procedures": ["handheld", "terminals"]}, "table.procedures",
         "a deck per terminal is dealt by terminals, and only such decks are (S.4)", proves="S.4"),
    # The bank.
    case("online", {"table.settlement_order": "from_bankers_left"}, "table.settlement_order",
         "must be from_bankers_left if the players bank, and only then", proves="R.14"),
    case("california", {"table.settlement_order": "right_to_left"}, "table.settlement_order",
         "must be from_bankers_left if the players bank, and only then", proves="R.14"),
    case("california", {"table.seats": 1}, "table.seats",
         "a player-banked table has at least two seats", proves="R.19"),
    case("california", {"bank.collection": [BAND | {"ante_up_to_cents": 100}]}, "bank.collection",
         "the last band must reach the largest Ante", proves="R.20"),
    case("california", {"bank.collection": [BAND | {"ante_up_to_cents": 19_999}]},
         "bank.collection", "the last band must reach the largest Ante", proves="R.20"),
    # Steps that even money would have to be rounded for.
    case("online", {"rounding_unit_cents": 1000}, "wagers.ante.multiple_of_cents", f"{UNIT}1000",
         proves="R.15"),
    case("online", {"rounding_unit_cents": 3}, "wagers.ante.multiple_of_cents", f"{UNIT}3",
         proves="R.15"),
    case("online", {"rounding_unit_cents": 5, "wagers.ante.multiple_of_cents": 1},
         "wagers.ante.multiple_of_cents", f"{UNIT}5", proves="R.15"),
    case("online", {"rounding_unit_cents": 5, "wagers.trips.multiple_of_cents": 4},
         "wagers.trips.multiple_of_cents", f"{UNIT}5", proves="R.15"),
    case("stadium", {"rounding_unit_cents": 5, "dealer_wagers.multiple_of_cents": 4},
         "dealer_wagers.multiple_of_cents", f"{UNIT}5", proves="R.15"),
    # Limits that leave no room: Play wagers of up to four times the Ante.
    case("washington", limited(single_wager_max_cents=1999), "limits[0]", NO_ROOM,
         proves="W.intro.2"),
    case("draw", limited(single_wager_max_cents=499), "limits[0]", NO_ROOM),
    case("washington", {"limits.1.single_wager_max_cents": 1}, "limits[1]", NO_ROOM),
    case("washington", limited(table_aggregate_max_cents=999),
         "limits[0].table_aggregate_max_cents", NO_ROOM, proves="W.additional.3"),
    case("draw", limited(table_aggregate_max_cents=499),
         "limits[0].table_aggregate_max_cents", NO_ROOM),
    case("washington", limited(wagers_per_hand_max=2), "limits[0].wagers_per_hand_max",
         "the game needs 3 wagers"),
    case("washington", {"limits.1.wagers_per_hand_max": 1}, "limits[1].wagers_per_hand_max",
         "the game needs 3 wagers"),
    # Payout aggregates.
    case("washington", limited(payout_aggregates={"trips": 499_999}), AGGREGATES + "trips",
         "must be at least $5,000.00: 50 times the largest wager", proves="W.additional.3 R.36"),
    case("washington", limited(payout_aggregates={"blind": 499_999}), AGGREGATES + "blind",
         "must be at least $5,000.00: 50 times the largest wager", proves="R.36"),
    case("washington", limited(single_wager_max_cents=4000, payout_aggregates={"blind": 49_999}),
         AGGREGATES + "blind", "must be at least $500.00: 50 times the largest wager",
         proves="R.36"),
    case("washington", limited(payout_aggregates={"ante": 10**9}), AGGREGATES + "ante", NOT_PAID,
         proves="R.36"),
    case("washington", limited(payout_aggregates={"progressive": 10**9}),
         AGGREGATES + "progressive", NOT_PAID, proves="R.36"),
    case("washington", limited(payout_aggregates={"play_the_board": 10**9}),
         AGGREGATES + "play_the_board", NOT_PAID, proves="R.36"),
    case("washington", limited(payout_aggregates={"ultimate_pairs": 10**9}) | PAIRS_OF_LOW_ODDS,
         AGGREGATES + "ultimate_pairs", "the table pays less than 50 to 1, so it is not limited",
         proves="R.36"),
    case("california", limited(payout_aggregates={"trips": 10**9}), AGGREGATES + "trips",
         "the cover of a player/dealer limits payouts already", proves="R.18 R.36"),
    case("stadium", limited(payout_aggregates={"trips": 500_050}) | {"rounding_unit_cents": 100},
         AGGREGATES + "trips", f"{UNIT}100", proves="R.15 R.36"),
    # The progressive.
    case("washington", {"wagers.progressive.max_cents": 500}, "wagers.progressive", FIXED,
         proves="R.21"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "changes", "where", "problem"), UNFIT)
def test_a_house_whose_parts_do_not_fit_is_refused(
    base: str, changes: Changes, where: str, problem: str
) -> None:
    with pytest.raises(CatalogError) as refused:
        own_house(base, changes)
    assert refused.value.file.name == "own.toml"
    assert (refused.value.where, refused.value.problem) == (where, problem)


FIT = [
    # house, changes, the smallest wagers: the very values that are just enough
    case("online", {"table.chips_cents": [100]}, "ante 1"),
    case("online", {"table.seats": 22}, "ante 1"),
    case("draw", {"table.seats": 8}, "ante 5"),
    case("stadium", {"table.hands_per_seat": 22}, "ante 10"),
    case("online", {"rounding_unit_cents": 100}, "ante 1"),
    case("stadium", {"rounding_unit_cents": 100}, "ante 10, tip ante 1"),
    case("washington", limited(single_wager_max_cents=2000), "ante 5"),
    case("draw", limited(single_wager_max_cents=500), "ante 5"),
    case("washington", limited(table_aggregate_max_cents=1000), "ante 5"),
    case("draw", limited(table_aggregate_max_cents=500), "ante 5"),
    case("washington", limited(payout_aggregates={"trips": 500_000}), "ante 5, trips 100"),
    case(
        "washington",
        limited(single_wager_max_cents=4000, payout_aggregates={"blind": 50_000}),
        "ante 10",
    ),
    case("washington", limited(wagers_per_hand_max=3), "ante 5"),
    case("draw", limited(wagers_per_hand_max=1), "ante 5"),
    case("washington", limited(optional_wager_max_cents=1), "ante 5"),
    case("washington", steps(300, "progressive"), "ante 5, progressive 3"),
]


@pytest.mark.parametrize(("base", "changes", "smallest"), FIT)
def test_what_is_just_enough_can_be_played(base: str, changes: Changes, smallest: str) -> None:
    assert Felt(own_house(base, changes)).bet("1.1", smallest).close().state.plan


@pytest.mark.clause("R.19")
def test_two_seats_are_enough_for_a_banker_and_a_player() -> None:
    assert own_house("california", {"table.seats": 2}).seats == 2


# What a progressive reads: hold'em has a flop and a board, draw the five cards that are dealt.

OWN_TABLE = """
version = 1
source = "The tests."
[[paytable]]
name = "OWN"
wager = "progressive"
clause = "R.21"
reads = "READS"
rows = [{ hand = "royal flush", share = "100%" }]
"""


def reading(base: str, reads: str) -> House:
    wager: dict[str, Any] = {"min_cents": 100, "max_cents": 100, "multiple_of_cents": 100}
    changes = {
        "wagers.progressive": wager | {"paytable": "OWN"},
        "progressive": {"contribution": "50%", "seed_cents": 0},
    }
    return own_house(base, changes, paytables=OWN_TABLE.replace("READS", reads))


@pytest.mark.clause("R.21")
@pytest.mark.parametrize(
    ("base", "reads", "dealt"),
    [
        ("online", "hole_and_flop", True),
        ("online", "final_seven", True),
        ("online", "dealt_five", False),
        ("draw", "hole_and_flop", False),
        ("draw", "final_seven", False),
        ("draw", "dealt_five", True),
    ],
)
def test_the_progressive_reads_only_what_the_game_deals(base: str, reads: str, dealt: bool) -> None:
    if dealt:
        assert reading(base, reads).progressive_table().reads == reads
        return
    with pytest.raises(CatalogError) as refused:
        reading(base, reads)
    game = {"online": "ultimate_holdem", "draw": "ultimate_draw"}[base]
    assert refused.value.where == "wagers.progressive.paytable"
    assert refused.value.problem == f"reads {reads}, which {game} does not deal"


@pytest.mark.parametrize("house_id", BUILT_IN)
def test_every_outcome_of_a_house_has_a_clause(house_id: str) -> None:
    house = own_house(house_id)
    for procedure in house.procedures:
        for outcome in outcomes_of(house):
            assert {outcome, f"{procedure}:{outcome}"} & house.clauses.keys()


def test_washington_may_deal_from_a_shoe() -> None:
    house = own_house("washington", {"table.procedure": "shoe", "table.procedures": ["shoe"]})
    opened = open_round(house, number=1, day=date(2026, 1, 1))
    assert begin(house, opened).clause("ante.win") == "W.11a"
