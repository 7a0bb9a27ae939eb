"""The laboratory's houses as the program has them: files of the catalog with some keys changed."""

from datetime import date
from functools import cache
from typing import Any

from openfelt.rules.house import House as ProductHouse
from tests.kit.own_houses import own_house
from tests.laboratory.referee_paytables import TABLES
from tests.laboratory.referee_sheet import House, load_houses

HOUSES = load_houses()
VIRTUAL = ("online", "stadium", "draw-virtual")
"""Where the program deals; a house that begins so is dealt virtually unless it says ``live``."""
WAGERS = ("blind", "trips", "bad_beat", "ultimate_pairs", "play_the_board", "bonus")


def is_virtual(name: str) -> bool:
    """Whether the program deals the cards of a house."""
    return name.startswith(VIRTUAL) and not name.endswith("live")


@cache
def product_house(name: str) -> ProductHouse:
    """The program's house for one of the laboratory's."""
    house = HOUSES[name]
    if not house.like:
        return own_house(name)
    changes, paytables = _changes(name, house), ""
    if house.progressive:
        paytables = _progressive_table(house)
        changes["wagers.progressive.paytable"] = f"PRG-{house.progressive_reads}"
    return own_house(house.like, changes, paytables=paytables)


def _changes(name: str, house: House) -> dict[str, Any]:
    changes: dict[str, Any] = {
        "id": name,
        "rounding_unit_cents": house.rounding_unit_cents,
        "wagers.ante.multiple_of_cents": house.step_cents,
    }
    for wager in WAGERS:
        if table := getattr(house, wager):
            changes[f"wagers.{wager}.paytable"] = table
    if house.cover:
        changes["bank.cover"] = house.cover
        changes["bank.folds_first"] = house.folds_first
    if house.progressive:
        changes["progressive.several_winners"] = house.several_winners
        changes["table.procedure"] = "community_first"
    for wager, cents in house.largest_cents.items():
        changes[f"wagers.{wager}.max_cents"] = cents
    if house.payout_aggregates:
        aggregates = {"payout_aggregates": dict(house.payout_aggregates)}
        limits = {"since": date(2000, 1, 1), "source": "The laboratory."}
        changes["limits"] = [limits | aggregates]
    if name == "draw-virtual":
        changes["table.dealer"] = "virtual"
    return changes


def _progressive_table(house: House) -> str:
    """The laboratory's PRG table read from other cards, as a file of the catalog."""
    envy = TABLES["envy"][house.progressive]
    rows = []
    for hand, award in TABLES["progressive"][house.progressive].items():
        pays = f'share = "{award}"' if award.endswith("%") else f"for_one = {award}"
        also = f", envy = {envy[hand]}" if hand in envy else ""
        rows.append(f'{{ hand = "{hand}", {pays}{also} }}')
    return "\n".join(
        [
            "version = 1",
            'source = "The laboratory."',
            "[[paytable]]",
            f'name = "PRG-{house.progressive_reads}"',
            'wager = "progressive"',
            'clause = "R.21"',
            f'reads = "{house.progressive_reads}"',
            f"rows = [{', '.join(rows)}]",
        ]
    )
