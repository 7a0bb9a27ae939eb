"""House files: what is refused, and where."""

from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from openfelt.catalog import CatalogError, load_catalog, load_house
from openfelt.catalog.houses import read_house
from openfelt.rules.house import House
from tests.kit.cases import case
from tests.kit.own_houses import REMOVED, own_house

BUILT_IN = ["california", "draw", "online", "stadium", "washington"]


def read_text(folder: Path, text: str) -> House:
    file = folder / "own.toml"
    file.write_text(text, encoding="utf-8")
    return read_house(file, load_catalog().paytables)


LIMITS = {"min_cents": 100, "max_cents": 1000, "multiple_of_cents": 100}
SINCE = {"since": date(2009, 1, 1), "source": "law"}
BAND = {"ante_up_to_cents": 20000, "player_cents": 100, "banker_cents": 100}

UNREADABLE = "is empty or contains unprintable characters"

BROKEN = [
    # house, changed key, its value: where, problem
    # Keys and types.
    case("online", "tabel", {}, "", "unknown field `tabel`"),
    case("online", "table.seat", 1, "table", "unknown field `seat`"),
    case("online", "wagers.trips.minimum", 1, "wagers.trips", "unknown field `minimum`"),
    case("online", "name", REMOVED, "", "missing required field `name`"),
    case("online", "table.seats", REMOVED, "table", "missing required field `seats`"),
    case("online", "table.seats", "one", "table.seats", "Expected `int`, got `str`"),
    case("online", "table.seats", 1.0, "table.seats", "Expected `int`, got `float`"),
    case("online", "table.seats", True, "table.seats", "Expected `int`, got `bool`"),
    case("online", "table.player_cards_face_up", 1, "table.player_cards_face_up", "`bool`"),
    case("online", "wagers.trips.min_cents", "1", "wagers.trips.min_cents", "got `str`"),
    case("online", "wagers.trips.min_cents", 1.5, "wagers.trips.min_cents", "got `float`"),
    case("online", "claimed_returns.game", 99, "claimed_returns.game", "Expected `str`"),
    case("online", "wagers", [], "wagers", "Expected `object`, got `array`"),
    case("online", "notices", "one", "notices", "Expected `array`"),
    case("online", "notices", [1], "notices[0]", "Expected `str`"),
    # Names.
    case("online", "id", "Online", "id", "is not a name such as 'my-house'"),
    case("online", "id", "../online", "id", "is not a name"),
    case("online", "id", "a" * 65, "id", "is not a name"),
    case("online", "id", "on line", "id", "is not a name"),
    case("online", "game", "blackjack", "game", "not one of ultimate_holdem, ultimate_draw"),
    case("online", "document", "X", "document", "'X' is not one of W, O, C, S, D"),
    case("online", "document", "R", "document", "'R' is not one of W, O, C, S, D"),
    case("online", "table.deck", "two", "table.deck", "not one of shared, per_terminal"),
    case("online", "table.turns", "random", "table.turns", "not one of together, in_order"),
    case("online", "table.dealer", "robot", "table.dealer", "not one of live, virtual, either"),
    case("online", "table.settlement_order", "any", "table.settlement_order", "not one of"),
    case("california", "bank.cover", "all", "bank.cover", "not one of action, payouts"),
    case("california", "bank.kind", "nobody", "bank.kind", "not one of house, player_dealer"),
    # Texts that no reader can make sense of, wherever they stand.
    case("online", "id", "", "id", UNREADABLE),
    case("online", "id", "online\n", "id", UNREADABLE),
    case("online", "name", "", "name", UNREADABLE),
    case("online", "name", "   ", "name", UNREADABLE),
    case("online", "name", "One\nTwo", "name", UNREADABLE),
    case("online", "name", "Red \u001b[31m", "name", UNREADABLE),
    case("online", "name", "Left \u202e thgiR", "name", UNREADABLE),
    case("online", "source", "", "source", UNREADABLE),
    case("online", "document", "", "document", UNREADABLE),
    case("online", "notices", ["Fine.", ""], "notices[1]", UNREADABLE),
    case("online", "notices", ["\u009b31m"], "notices[0]", UNREADABLE),
    case("online", "table.procedures", ["handheld", ""], "table.procedures[1]", UNREADABLE),
    case("online", "claimed_returns.game", "\t", "claimed_returns.game", UNREADABLE),
    case("online", "wagers.trips.paytable", "", "wagers.trips.paytable", UNREADABLE),
    case("washington", "limits.1.source", "", "limits[1].source", UNREADABLE),
    case("washington", "limits.1.source", "\u0000", "limits[1].source", UNREADABLE),
    # Numbers.
    case("online", "version", 0, "version", "0 is less than 1"),
    case("online", "version", -1, "version", "-1 is less than 1"),
    case("online", "table.seats", 0, "table.seats", "0 is less than 1"),
    case("online", "table.seats", -6, "table.seats", "-6 is less than 1"),
    case("online", "table.seats", 10**13, "table.seats", "more than any table takes"),
    case("online", "table.seats", 10**30, "table.seats", "more than any table takes"),
    case("online", "table.hands_per_seat", 0, "table.hands_per_seat", "less than 1"),
    case("online", "rounding_unit_cents", 0, "rounding_unit_cents", "less than 1"),
    case("online", "table.chips_cents", [100, 0], "table.chips_cents", "less than 1"),
    case("online", "unfinished_days", 0, "unfinished_days", "less than 1"),
    case("stadium", "clock.wager_seconds", 0, "clock.wager_seconds", "less than 1"),
    case("stadium", "clock.decision_seconds", -1, "clock.decision_seconds", "less than 1"),
    # The dealer.
    case("online", "dealer_qualifies", {"hand": "pear"}, "dealer_qualifies.hand", "'pear' is not"),
    case("online", "dealer_qualifies", {"hand": "pair", "at_least": "1"},
         "dealer_qualifies.at_least", "not a rank such as '10' or 'J'"),
    case("online", "dealer_qualifies", {"hand": "straight", "at_least": "9"},
         "dealer_qualifies.at_least", "only a pair has a lowest rank"),
    # Wagers and their limits.
    case("online", "wagers.ante", REMOVED, "wagers.ante", "is missing"),
    case("draw", "wagers.ante", REMOVED, "wagers.ante", "is missing"),
    case("online", "wagers.blind", REMOVED, "wagers.blind", "is missing"),
    case("online", "wagers.trips.min_cents", REMOVED, "wagers.trips", "needs min_cents"),
    case("online", "wagers.trips.min_cents", 0, "wagers.trips.min_cents", "0 is less than 1"),
    case("online", "wagers.trips.min_cents", -100, "wagers.trips.min_cents", "less than 1"),
    case("online", "wagers.trips.max_cents", 99, "wagers.trips.max_cents", "99 is less than 100"),
    case("online", "wagers.trips.max_cents", 10**15, "wagers.trips.max_cents", "more than any"),
    case("online", "wagers.trips.multiple_of_cents", 0, "wagers.trips.multiple_of_cents", "than 1"),
    case("online", "wagers.trips.multiple_of_cents", 300, "wagers.trips.multiple_of_cents",
         "must be multiples of it"),
    case("online", "wagers.trips.max_cents", 50_050, "wagers.trips.multiple_of_cents",
         "must be multiples of it"),
    case("online", "wagers.play", LIMITS, "wagers.play", "ultimate_holdem has no such wager"),
    case("online", "wagers.bonus", LIMITS, "wagers.bonus", "ultimate_holdem has no such wager"),
    case("draw", "wagers.trips", LIMITS, "wagers.trips", "ultimate_draw has no such wager"),
    case("draw", "wagers.blind", {"paytable": "UTH-01"}, "wagers.blind", "has no such wager"),
    case("online", "wagers.tips", LIMITS, "wagers.tips", "'tips' is not one of ante, play"),
    case("online", "wagers.blind.min_cents", 0, "wagers.blind", "limits from the Ante"),
    case("online", "wagers.blind.max_cents", 100, "wagers.blind", "limits from the Ante"),
    case("online", "wagers.blind.requires", ["trips"], "wagers.blind", "limits from the Ante"),
    case("online", "wagers.trips.requires", ["trips"], "wagers.trips.requires", "not another"),
    case("online", "wagers.trips.requires", ["bad_beat"], "wagers.trips.requires", "not another"),
    case("online", "wagers.trips.requires", ["play"], "wagers.trips.requires", "not another"),
    case("online", "wagers.trips.requires", ["luck"], "wagers.trips.requires", "'luck' is not"),
    case("stadium", "dealer_wagers.max_cents", 1, "dealer_wagers.max_cents", "less than 100"),
    case("stadium", "dealer_wagers.multiple_of_cents", 30, "dealer_wagers.multiple_of_cents",
         "must be multiples of it"),
    # Paytables.
    case("online", "wagers.trips.paytable", "UTH-9", "wagers.trips.paytable",
         "no trips paytable is called 'UTH-9'; there are UTH-01, UTH-02, UTH-03, UTH-04, UTH-05"),
    case("online", "wagers.trips.paytable", "BBB-01", "wagers.trips.paytable", "'BBB-01'"),
    case("online", "wagers.trips.paytable", " ", "wagers.trips.paytable", "is empty"),
    case("online", "wagers.trips.paytable", REMOVED, "wagers.trips.paytable", "but the Ante has"),
    case("online", "wagers.ante.paytable", "UTH-01", "wagers.ante.paytable", "but the Ante has"),
    case("draw", "ante_bonus.paytable", "UDP-01", "ante_bonus.paytable", "there are UDP-ANTE"),
    case("online", "ante_bonus", {"paytable": "UDP-ANTE"}, "ante_bonus", "has no Ante Bonus"),
    # The Play wager.
    case("online", "play", REMOVED, "play", "is required in Ultimate Texas Hold'em"),
    case("draw", "play", {"before_flop": [4], "on_flop": [2], "on_river": [1]}, "play",
         "is required in Ultimate Texas Hold'em"),
    case("online", "play.before_flop", [4, 3], "play.before_flop", "lists rising multiples"),
    case("online", "play.before_flop", [3, 3], "play.before_flop", "lists rising multiples"),
    case("online", "play.on_flop", [0], "play.on_flop", "lists rising multiples"),
    case("online", "play.on_flop", [-2], "play.on_flop", "lists rising multiples"),
    case("online", "play.on_flop", [101], "play.on_flop", "lists rising multiples"),
    case("online", "play.on_river", [], "play.on_river", "or every hand must fold"),
    # Procedures and decks.
    case("online", "table.procedure", "thrown", "table.procedure", "'thrown' is not one of"),
    case("online", "table.procedure", "draw", "table.procedure", "is not dealt by draw"),
    case("draw", "table.procedures", ["draw", "shoe"], "table.procedures", "not dealt by shoe"),
    # The bank.
    case("california", "bank.rounds_in_a_row_max", 0, "bank.rounds_in_a_row_max", "less than 1"),
    case("california", "bank.collection", [BAND, BAND], "bank.collection", "from the smallest"),
    case("california", "bank.collection.0.player_cents", -1, "bank.collection[0].player_cents",
         "-1 is less than 0"),
    # Dated limits.
    case("washington", "limits", [SINCE, SINCE], "limits[1].since", "two limits since 2009-01-01"),
    case("washington", "limits.0.since", "yesterday", "limits[0].since", "Invalid"),
    case("washington", "limits.0.since", 2009, "limits[0].since", "Expected `date`, got `int`"),
    case("washington", "limits.0.since", datetime(2009, 1, 1), "limits[0].since", "`datetime`"),  # noqa: DTZ001
    case("washington", "limits.1.single_wager_max_cents", 0, "limits[1].single_wager_max_cents",
         "0 is less than 1"),
    case("washington", "limits.1.wagers_per_hand_max", -6, "limits[1].wagers_per_hand_max",
         "-6 is less than 1"),
    case("washington", "limits.0.optional_wager_max_cents", 0, "limits[0].optional_wager_max_cents",
         "0 is less than 1"),
    case("washington", "limits.0.optional_wager_max_cents", 5.0,
         "limits[0].optional_wager_max_cents", "Expected `int | null`, got `float`"),
    case("washington", "limits.0.source", REMOVED, "limits[0]", "missing required field `source`"),
    # The progressive.
    case("washington", "progressive", REMOVED, "progressive", "must be given together"),
    case("washington", "wagers.progressive", REMOVED, "progressive", "must be given together"),
    case("washington", "progressive.contribution", "0.75", "progressive.contribution",
         "not a percentage such as '10%'"),
    case("washington", "progressive.contribution", "101%", "progressive.contribution", "at most"),
    case("washington", "progressive.contribution", "-5%", "progressive.contribution", "percentage"),
    case("washington", "progressive.seed_cents", -1, "progressive.seed_cents", "-1 is less than 0"),
    case("washington", "progressive.several_winners", "first", "progressive.several_winners",
         "not one of split, in_order"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "key", "value", "where", "problem"), BROKEN)
def test_a_broken_house_is_refused_with_its_place(
    base: str, key: str, value: Any, where: str, problem: str
) -> None:
    with pytest.raises(CatalogError) as refused:
        own_house(base, {key: value})
    assert refused.value.file.name == "own.toml"
    assert refused.value.where == where
    assert problem in refused.value.problem
    assert str(refused.value).endswith(f"{refused.value.problem}")


# Files that are no files of rules.

NOT_RULES = [
    ("id = ", "end of document", "Invalid value"),
    ('id = "x"\nseats = = 6\n', "line 2, column 9", "Invalid value"),
    ('id = "x"\nid = "y"\n', "line 2", "Cannot overwrite a value"),
    ('id = "x', "end of document", "Unterminated string"),
    ("[table\n", "line 1", "Expected"),
    ("just words\n", "line 1", "Expected '='"),
    ("a = " + "[" * 20_000, "", "is not a file of rules"),
    ("a = " + "1" * 5_000, "", "is not a file of rules"),
    ("", "", "missing required field"),
    ("a = 1\n", "", "unknown field `a`"),
    ("\x00", "line 1, column 1", ""),
    # Keys that no reader can make sense of.
    ('"a\\u001b[31m" = 1\n', "", r"has an unprintable key: 'a\x1b[31m'"),
    ('"" = 1\n', "", "has an unprintable key: ''"),
    ('[wagers]\n"\\n" = 1\n', "wagers", r"has an unprintable key: '\n'"),
]


@pytest.mark.parametrize(("text", "where", "problem"), NOT_RULES, ids=range(len(NOT_RULES)))
def test_a_file_that_is_not_toml_is_refused_with_its_line(
    tmp_path: Path, text: str, where: str, problem: str
) -> None:
    with pytest.raises(CatalogError) as refused:
        read_text(tmp_path, text)
    assert where in refused.value.where
    assert problem in refused.value.problem


def test_a_file_that_is_not_utf_8_is_refused_with_its_byte(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_bytes(b'id = "caf\xe9"')
    with pytest.raises(CatalogError) as refused:
        read_house(file, {})
    assert (refused.value.where, refused.value.problem) == ("byte 9", "is not UTF-8 text")


def test_a_file_that_is_not_there_or_no_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CatalogError, match="No such file"):
        read_house(tmp_path / "none.toml", {})
    with pytest.raises(CatalogError, match="directory"):
        read_house(tmp_path, {})


# Irregularities --------------------------------------------------------------------------

EXPOSED = {
    "irregularity": "card_exposed",
    "about": ["hand"],
    "moments": ["dealing", "decided"],
    "effect": "void_hand",
}


@pytest.mark.clause("R.37")
def test_a_house_may_have_rulings_of_its_own() -> None:
    house = own_house("washington", {"irregularities": [EXPOSED]})
    (rule,) = house.irregularities
    assert (rule.irregularity, rule.effect, rule.supervisor) == ("card_exposed", "void_hand", True)
    assert (rule.about, rule.moments, rule.clause) == (("hand",), ("dealing", "decided"), "R.37")
    # A house without any has the fingerprint that it had before there were irregularities.
    assert load_house("washington").irregularities == ()


@pytest.mark.clause("R.37")
@pytest.mark.parametrize(
    ("changes", "key"),
    [
        ({"irregularity": "cat_on_table"}, "irregularities[0].irregularity"),
        ({"moments": ["tomorrow"]}, "irregularities[0].moments"),
        ({"supervisor": False}, "irregularities[0].supervisor"),
        ({"about": ["dealer"]}, "irregularities[0].about"),
        ({"effect": "replace_card"}, "irregularities[0].about"),
    ],
)
def test_a_ruling_that_makes_no_sense_is_refused(changes: dict[str, object], key: str) -> None:
    with pytest.raises(CatalogError) as refused:
        own_house("washington", {"irregularities": [{**EXPOSED, **changes}]})
    assert key in str(refused.value)
