"""The administrator of the database wants to deal: another person's badge, another PIN, a card
reader of one's own, wrong PINs that were never entered. The server acts on none of it, and its
tables go on."""

from pathlib import Path
from types import ModuleType

import httpx
import pytest

from openfelt.table.commands import OpenBets, Person, Role
from tests.forgeries import (
    appended_reader,
    badge_of_another,
    exchanged_pin,
    forgotten_pin_failures,
    removed_badges,
)
from tests.kit.audit.forger import Forger
from tests.kit.server.dealers_terminals import (
    OWN_PIN,
    badge,
    dealers_terminal,
    live_table,
    sign_on,
)
from tests.kit.server.open_house import OpenHouse, open_house
from tests.kit.storage.store_places import Place

DORA, DAN = "4711", "4712"
DANS_PIN = "615273"


async def pit(house: OpenHouse) -> None:
    """A live table with its reader, and two dealers with badges and PINs of their own."""
    await live_table(house, "live-1")
    for name, number in (("dora", DORA), ("dan", DAN)):
        await badge(house, name, number)
    await house.services.pins.check(DAN, OWN_PIN, device="kit", new_pin=DANS_PIN)
    house.services.readers.issue("live-1", "shoe 1", by="supervisor")


async def terminal(house: OpenHouse) -> httpx.AsyncClient:
    """The dealer's terminal of the live table."""
    return await dealers_terminal(house, "live-1")


@pytest.mark.parametrize("forgery", [badge_of_another, removed_badges, forgotten_pin_failures])
async def test_a_forged_badge_or_account_signs_nobody_on(
    place: Place, tmp_path: Path, forgery: ModuleType
) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        await pit(house)
    forgery.forge(Forger(place.run))
    async with open_house(tmp_path, database=str(place.address)) as house:
        browser = await terminal(house)
        answer = await sign_on(browser, DORA)
        assert answer.status_code in (401, 503), answer.text
        assert (await house.state("live-1")).dealer is None
        # The floor and its virtual tables are not affected.
        house.services.floor.cashier.deposit("bob", 10_000, id="first of bob")
        await house.sit("draw-1", "bob", 1, cents=5_000)


async def test_a_dealer_does_not_sign_on_as_a_colleague_by_an_exchanged_pin(
    place: Place, tmp_path: Path
) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        await pit(house)
        exchanged_pin.forge(Forger(place.run))
        browser = await terminal(house)
        assert (await sign_on(browser, DORA, DANS_PIN)).status_code == 503
        assert (await house.state("live-1")).dealer is None


async def test_a_reader_that_was_not_issued_sends_no_card(place: Place, tmp_path: Path) -> None:
    async with open_house(tmp_path, database=str(place.address)) as house:
        await pit(house)
        browser = await terminal(house)
        assert (await sign_on(browser, DORA)).status_code == 200
        await house.do("live-1", OpenBets(), Person(Role.DEALER, "dora"))
        appended_reader.forge(Forger(place.run))
        house.clock.pass_ms(2000)
        bearer = {"Authorization": f"Bearer {appended_reader.TOKEN}"}
        scan = {"id": "scan 1", "card": "As"}
        client = await house.client()
        answer = await client.post("/api/v1/tables/live-1/cards", json=scan, headers=bearer)
        assert answer.status_code in (401, 403, 503), answer.text
        assert (await house.state("live-1")).dealer == "dora"
