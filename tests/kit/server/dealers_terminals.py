"""A dealer's terminal for tests: a live table, an enrolled device, and dealers with badges."""

import httpx

from openfelt.cards import parse_cards
from openfelt.rules import CloseBets, DealCard
from openfelt.table.commands import OpenBets, Person, Role
from tests.kit.server.open_house import PASSWORD, SUPERVISOR, OpenHouse

PIN = "730184"
"""As the supervisor sets it."""
OWN_PIN = "520937"
"""As the dealer changes it."""


async def live_table(house: OpenHouse, table: str, game: str = "washington") -> None:
    """Put a live table on the floor."""
    supervisor = await house.supervisor()
    asked = {"table": table, "house": game, "dealer_mode": "live"}
    assert (await supervisor.post("/api/v1/tables", json=asked)).status_code == 200


async def dealers_terminal(house: OpenHouse, table: str) -> httpx.AsyncClient:
    """A browser that a supervisor has enrolled as the dealer's terminal, and left signed out."""
    browser = await house.supervisor()
    form = {"label": f"Dealer of {table}", "table": table}
    answer = await browser.post("/api/v1/terminals", json=form)
    assert answer.status_code == 200, answer.text
    await browser.post("/api/v1/sign-out")
    return browser


async def badge(house: OpenHouse, name: str, number: str, *, role: str = "dealer") -> None:
    """Open an account for a member of staff, with a badge and a PIN of their own."""
    supervisor = await house.supervisor()
    account = {"name": name, "password": PASSWORD, "role": role, "temporary": False}
    await supervisor.post("/api/v1/accounts", json=account)
    form = {"badge": number, "pin": PIN}
    answer = await supervisor.post(f"/api/v1/accounts/{name}/badge", json=form)
    assert answer.status_code == 200, answer.text
    await house.services.pins.check(number, PIN, device="kit", new_pin=OWN_PIN)


async def sign_on(browser: httpx.AsyncClient, number: str, pin: str = OWN_PIN) -> httpx.Response:
    """Sign on by badge and PIN."""
    return await browser.post("/api/v1/dealer/sign-on", json={"badge": number, "pin": pin})


async def dealt(house: OpenHouse, table: str, *, dealer: str, cards: str = "As Ah") -> None:
    """Let ann bet, and the table's dealer deal these cards of a Washington round."""
    person = Person(Role.DEALER, dealer)
    await house.do(table, OpenBets(), person)
    if not (await house.state(table)).seats:
        house.services.floor.cashier.deposit("ann", 100_000, id=f"for {table}")
        await house.sit(table, "ann", 1)
    await house.bet(table, 1)
    await house.do(table, CloseBets(), person)
    for card in parse_cards(cards):
        await house.do(table, DealCard(card), person)


async def approval(browser: httpx.AsyncClient, act: str, table: str, **who: str) -> httpx.Response:
    """Ask for a supervisor's approval, by default with name and password."""
    form = {"act": act, "table": table} | (who or SUPERVISOR)
    return await browser.post("/api/v1/dealer/approvals", json=form)
