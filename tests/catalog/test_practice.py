"""A house of a player's own: other paytables and hands, with its departures named."""

import pytest

from openfelt.catalog import CatalogError, load_catalog
from openfelt.catalog.departures import broken_limits
from openfelt.catalog.practice import REASON, choosable, offers_practice, practice_house
from openfelt.rules.fingerprints import fingerprint
from openfelt.rules.house import DealerMode, House
from openfelt.rules.wagers import WagerKind

CATALOG = load_catalog()
PRACTISED = [name for name, house in CATALOG.houses.items() if offers_practice(house)]


@pytest.mark.parametrize("name", PRACTISED)
@pytest.mark.parametrize("hands", [None, 1, 2, 3])
def test_every_house_that_banks_can_be_played_with_up_to_three_hands(
    name: str, hands: int | None
) -> None:
    usual = CATALOG.houses[name]
    own = practice_house(usual, hands=hands)
    assert own.hands_per_seat == (hands or usual.hands_per_seat)
    assert own.dealer_mode is not DealerMode.LIVE
    assert own.remote_play
    assert own.fingerprint == fingerprint(own)
    assert (own == usual) is (own.fingerprint == usual.fingerprint)
    # Whatever limit of its document it breaks is named, with the reason.
    assert {departure.clause for departure in own.departures} == set(broken_limits(own))
    assert {departure.reason for departure in own.departures} <= {REASON}


@pytest.mark.parametrize("name", PRACTISED)
def test_every_published_paytable_of_a_wager_can_be_chosen(name: str) -> None:
    usual = CATALOG.houses[name]
    assert WagerKind.PROGRESSIVE not in choosable(usual)
    for kind in choosable(usual):
        tables = [table for (wager, _), table in CATALOG.paytables.items() if wager == kind]
        assert len(tables) > 1
        for table in tables:
            own = practice_house(usual, paytables={kind: table})
            assert tables_of(own) == {**tables_of(usual), kind: table.name}
            # A return that the document claims for another paytable is claimed no more.
            same = table == paytable(usual, kind)
            assert same or kind.value not in own.claimed_returns
            assert same or kind is not WagerKind.BLIND or "game" not in own.claimed_returns


def paytable(house: House, kind: WagerKind) -> object:
    rule = house.wager(kind)
    return None if rule is None else rule.paytable


def tables_of(house: House) -> dict[WagerKind, str]:
    return {rule.kind: rule.paytable.name for rule in house.wagers if rule.paytable}


def test_a_stadium_from_home_names_that_it_departs_from_its_document() -> None:
    own = practice_house(CATALOG.houses["stadium"])
    assert [departure.clause for departure in own.departures] == ["S.letter.no_internet"]


def test_the_same_choice_is_the_same_rule_set() -> None:
    usual = CATALOG.houses["online"]
    table = CATALOG.paytables["trips", "UTH-03"]
    again = practice_house(usual, paytables={WagerKind.TRIPS: table}, hands=1)
    assert again == practice_house(usual)


def test_what_cannot_be_chosen_is_refused() -> None:
    online, washington = CATALOG.houses["online"], CATALOG.houses["washington"]
    with pytest.raises(CatalogError, match="only a house that banks"):
        practice_house(CATALOG.houses["california"])
    for hands in (0, 4):
        with pytest.raises(CatalogError, match="from 1 to 3 hands"):
            practice_house(online, hands=hands)
    trips = CATALOG.paytables["trips", "UTH-01"]
    with pytest.raises(CatalogError, match="is a paytable of trips"):
        practice_house(online, paytables={WagerKind.BLIND: trips})
    with pytest.raises(CatalogError, match="cannot be chosen"):
        practice_house(online, paytables={WagerKind.BONUS: trips})
    meter = CATALOG.paytables["progressive", "PRG-01"]
    with pytest.raises(CatalogError, match="cannot be chosen"):
        practice_house(washington, paytables={WagerKind.PROGRESSIVE: meter})
