"""Fingerprints: what they cover, and houses with changed rules."""

import re
from dataclasses import dataclass, field, fields, replace
from datetime import date
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pytest

from openfelt.catalog import load_catalog, load_house
from openfelt.catalog.houses import read_house
from openfelt.rules.fingerprints import _plain, fingerprint, house_with
from openfelt.rules.house import ADDED_LATER, DealerMode, House
from tests.kit.own_houses import REMOVED, house_document, own_house, toml_text

BUILT_IN = ["california", "draw", "online", "stadium", "washington"]

CHANGED_RULES: list[tuple[str, str, Any]] = [
    ("online", "name", "Another"),
    ("online", "version", 2),
    ("online", "rounding_unit_cents", 5),
    ("online", "wagers.ante.max_cents", 60_000),
    ("online", "wagers.trips.paytable", "UTH-01"),
    ("online", "wagers.trips.requires", []),
    ("online", "play.before_flop", [4]),
    ("online", "play.reserve_play", False),
    ("online", "dealer_qualifies", {"hand": "pair", "at_least": "3"}),
    ("online", "notices", []),
    ("online", "unfinished_days", REMOVED),
    ("stadium", "clock.wager_seconds", 26),
    ("stadium", "dealer_wagers", REMOVED),
    ("california", "bank.cover", "payouts"),
    ("california", "bank.folds_first", False),
    ("california", "table.folds_face_down", False),
    ("california", "bank.collection.0.player_cents", 101),
    ("washington", "limits.1.since", date(2023, 8, 20)),
    ("washington", "limits.0.optional_wager_max_cents", 600),
    ("washington", "limits.1.optional_wager_max_cents", 500),
    ("washington", "limits.1.payout_aggregates", {"trips": 500_000}),
    ("washington", "progressive.contribution", "26%"),
    ("washington", "progressive.several_winners", "in_order"),
    ("washington", "table.refund_antes_first", False),
    ("washington", "table.procedures", ["handheld"]),
    ("draw", "ante_bonus", REMOVED),
]


@pytest.mark.parametrize(("base", "key", "value"), CHANGED_RULES)
def test_the_fingerprint_changes_with_any_rule(base: str, key: str, value: Any) -> None:
    house = own_house(base)
    changed = own_house(base, {key: value})
    assert re.fullmatch("[0-9a-f]{64}", changed.fingerprint)
    assert changed.fingerprint != house.fingerprint


@pytest.mark.parametrize("house_id", BUILT_IN)
def test_the_fingerprint_does_not_change_with_the_layout(tmp_path: Path, house_id: str) -> None:
    house = own_house(house_id)
    plain = toml_text(house_document(house_id))
    reversed_keys = toml_text(dict(reversed(house_document(house_id).items())))
    turned_wagers = house_document(house_id)
    turned_wagers["wagers"] = dict(reversed(turned_wagers["wagers"].items()))
    file = tmp_path / "own.toml"
    for text in (plain, reversed_keys, f"# A comment.\n\n\n{plain}", toml_text(turned_wagers)):
        file.write_text(text, encoding="utf-8")
        assert read_house(file, load_catalog().paytables) == house


def test_the_houses_that_come_with_openfelt_have_fingerprints_of_their_own() -> None:
    prints = {own_house(house_id).fingerprint for house_id in BUILT_IN}
    assert len(prints) == len(BUILT_IN)


def test_a_changed_paytable_changes_the_fingerprint() -> None:
    table = """
version = 1
source = "The tests."
[[paytable]]
name = "OWN"
wager = "trips"
clause = "R.15"
rows = [{ hand = "royal flush", pays = "50 to 1" }]
"""
    changes = {"wagers.trips.paytable": "OWN"}

    def printed(text: str) -> str:
        return own_house("online", changes, paytables=text).fingerprint

    texts = [
        table,
        table.replace("50 to 1", "51 to 1"),
        table.replace("version = 1", "version = 2"),
        table.replace("The tests.", "Other tests."),
    ]
    assert len({printed(text) for text in texts}) == len(texts)
    assert printed(table) == printed(f"# A comment.{table}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LaterHouse(House):
    """A house of some later Openfelt, with one rule more."""

    jokers: int = field(default=0, metadata=ADDED_LATER)


def test_a_rule_that_is_added_later_leaves_the_fingerprints_of_old_rules_alone() -> None:
    house = load_house("stadium")
    values = {one.name: getattr(house, one.name) for one in fields(house)}
    assert fingerprint(LaterHouse(**values)) == house.fingerprint
    assert fingerprint(LaterHouse(**values, jokers=2)) != house.fingerprint


def test_any_text_gives_the_fingerprint_that_earlier_versions_gave_it() -> None:
    """They wrote the rules with msgspec, and databases have kept those fingerprints."""
    text = "".join(map(chr, (*range(0xD800), 0xE000, 0xFFFF, 0x1F0A1)))
    house = house_with(load_house("washington"), name=text, notices=(text[::-1],))
    written = msgspec.json.encode(_plain(replace(house, fingerprint="")), order="deterministic")
    assert house.fingerprint == sha256(written).hexdigest()


@pytest.mark.parametrize("house_id", BUILT_IN)
def test_a_house_with_changed_rules_has_the_fingerprint_of_a_file_that_says_so(
    house_id: str,
) -> None:
    house = load_house(house_id)
    changed = house_with(house, seats=2, dealer_mode=DealerMode.EITHER)
    assert (changed.seats, changed.dealer_mode) == (2, DealerMode.EITHER)
    assert changed == own_house(house_id, {"table.seats": 2, "table.dealer": "either"})
    assert changed.fingerprint == fingerprint(changed) != house.fingerprint
    assert house_with(changed, seats=house.seats, dealer_mode=house.dealer_mode) == house
