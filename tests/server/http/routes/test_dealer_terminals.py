"""Signing on at the dealer's terminal of a table, by badge and PIN."""

from pathlib import Path

import httpx
import pytest

from openfelt.runtime.audit.database import audit
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from openfelt.server.credentials.pin_rules import FAILURES_MAX
from openfelt.server.http.dependencies import SESSION_COOKIE
from openfelt.table.events import DealerChanged, Handover
from tests.kit.server.dealers_terminals import (
    OWN_PIN,
    PIN,
    approval,
    badge,
    dealers_terminal,
    dealt,
    live_table,
    sign_on,
)
from tests.kit.server.open_house import PASSWORD, OpenHouse, open_house


@pytest.fixture
async def floor(house: OpenHouse) -> OpenHouse:
    """A house with a live table, and a dealer with a badge."""
    await live_table(house, "live-1")
    await badge(house, "dora", "4711")
    return house


async def test_one_step_signs_in_and_signs_on_and_another_ends_both(floor: OpenHouse) -> None:
    terminal = await dealers_terminal(floor, "live-1")
    assert (await terminal.get("/api/v1/me")).json()["terminal_of"] == "live-1"
    me = await sign_on(terminal, "4711")
    assert me.status_code == 200, me.text
    assert (me.json()["name"], me.json()["table"]) == ("dora", "live-1")
    assert (await floor.state("live-1")).dealer == "dora"
    assert (await terminal.get("/api/v1/me")).json()["table"] == "live-1"
    assert (await sign_on(terminal, "4711")).status_code == 200
    assert (await terminal.post("/api/v1/sign-out")).status_code == 200
    assert (await terminal.get("/api/v1/me")).json()["name"] is None
    assert (await floor.state("live-1")).dealer is None


async def test_a_pin_of_a_supervisor_is_changed_at_its_first_use(house: OpenHouse) -> None:
    await live_table(house, "live-1")
    terminal, eve = await dealers_terminal(house, "live-1"), await house.supervisor()
    account = {"name": "dora", "password": PASSWORD, "role": "dealer", "temporary": False}
    await eve.post("/api/v1/accounts", json=account)
    for weak in ("1234", "111111", "123456", "004711", "121212"):
        form = {"badge": "4711", "pin": weak}
        refused = await eve.post("/api/v1/accounts/dora/badge", json=form)
        assert refused.json()["code"] == "weak_pin", weak
    form = {"badge": "4711", "pin": PIN}
    assert (await eve.post("/api/v1/accounts/dora/badge", json=form)).status_code == 200
    assert (await sign_on(terminal, "4711", PIN)).json()["code"] == "pin_step"
    assert (await house.state("live-1")).dealer is None
    for bad in (PIN, "654321"):
        again = await terminal.post("/api/v1/dealer/sign-on", json=form | {"new_pin": bad})
        assert again.json()["code"] == "weak_pin"
    done = await terminal.post("/api/v1/dealer/sign-on", json=form | {"new_pin": OWN_PIN})
    assert done.status_code == 200
    assert (await sign_on(terminal, "4711", PIN)).json()["code"] == "wrong_pin"
    assert (await sign_on(terminal, "4711")).status_code == 200


async def test_wrong_pins_lock_until_a_supervisor_unlocks(floor: OpenHouse) -> None:
    terminal, eve = await dealers_terminal(floor, "live-1"), await floor.supervisor()
    for _ in range(FAILURES_MAX - 1):
        assert (await sign_on(terminal, "4711", "000001")).json()["code"] == "wrong_pin"
    assert (await sign_on(terminal, "4711")).status_code == 200
    for _ in range(FAILURES_MAX):
        assert (await sign_on(terminal, "4711", "000001")).json()["code"] == "wrong_pin"
    assert (await sign_on(terminal, "4711")).json()["code"] == "pin_locked"
    assert (await eve.post("/api/v1/accounts/dora/unlock")).status_code == 200
    assert (await sign_on(terminal, "4711")).status_code == 200


async def test_a_badge_is_given_once_and_taken_away(floor: OpenHouse) -> None:
    terminal, eve = await dealers_terminal(floor, "live-1"), await floor.supervisor()
    await eve.post("/api/v1/accounts", json={"name": "dan", "password": PASSWORD, "role": "dealer"})
    taken = await eve.post("/api/v1/accounts/dan/badge", json={"badge": "4711", "pin": PIN})
    assert taken.json()["code"] == "badge_taken"
    assert (await sign_on(terminal, "4711")).status_code == 200
    assert (await eve.request("DELETE", "/api/v1/accounts/dora/badge")).status_code == 200
    # The session that the PIN has opened ends with it.
    assert (await terminal.get("/api/v1/me")).json()["name"] is None
    assert (await eve.request("DELETE", "/api/v1/accounts/dora/badge")).status_code == 404
    assert (await sign_on(terminal, "4711")).json()["code"] == "wrong_pin"
    given = await eve.post("/api/v1/accounts/dan/badge", json={"badge": "4711", "pin": PIN})
    assert given.status_code == 200
    await eve.post("/api/v1/accounts", json={"name": "ann", "password": PASSWORD, "role": "player"})
    player = await eve.post("/api/v1/accounts/ann/badge", json={"badge": "1", "pin": PIN})
    assert player.status_code == 403


async def test_a_virtual_table_has_no_dealers_terminal(house: OpenHouse) -> None:
    eve = await house.supervisor()
    for table, code in (("stadium-1", "cards_are_virtual"), ("none-such", "not_found")):
        form = {"label": "Dealer", "table": table}
        assert (await eve.post("/api/v1/terminals", json=form)).json()["code"] == code


async def test_the_record_of_pins_and_badges_passes_the_audit(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await live_table(house, "live-1")
        await badge(house, "dora", "4711")
        terminal = await dealers_terminal(house, "live-1")
        await sign_on(terminal, "4711", "000001")
        await sign_on(terminal, "4711")
        store = house.services.store
        bodies = [event.open_body for event in store.record("account/dora", after=0)]
        assert not any(pin in body for body in bodies for pin in (PIN, OWN_PIN))
        report = audit(store, others=ACCOUNT_AUDITS)
        assert not report.findings


# Handovers -----------------------------------------------------------------------------------


@pytest.fixture
async def shift(floor: OpenHouse) -> httpx.AsyncClient:
    """The terminal of a table at which Dora is signed on, and Dan stands beside her."""
    await badge(floor, "dan", "4712")
    terminal = await dealers_terminal(floor, "live-1")
    assert (await sign_on(terminal, "4711")).status_code == 200
    return terminal


async def handover(terminal: httpx.AsyncClient, number: str = "4712") -> httpx.Response:
    form = {"badge": number, "pin": OWN_PIN}
    return await terminal.post("/api/v1/dealer/handover", json=form)


async def changes(house: OpenHouse, table: str) -> list[DealerChanged]:
    store, codec = house.services.store, house.services.floor.worker_services.codec
    events = [codec.decode(event) for event in store.record(f"table/{table}", after=0)]
    return [event for event in events if isinstance(event, DealerChanged)]


async def test_a_handover_in_a_round_is_confirmed_and_recorded(
    floor: OpenHouse, shift: httpx.AsyncClient
) -> None:
    await dealt(floor, "live-1", dealer="dora", cards="As Ah Kc")
    begun = (await handover(shift)).json()
    assert begun["outgoing"] != begun["incoming"]
    assert (await floor.state("live-1")).dealer == "dora"
    form = {"approval": begun["approval"]}
    me = await shift.post("/api/v1/dealer/handover/confirm", json=form)
    assert (me.status_code, me.json()["name"], me.json()["table"]) == (200, "dan", "live-1")
    assert (await shift.get("/api/v1/me")).json()["name"] == "dan"
    assert (await floor.state("live-1")).dealer == "dan"
    last = (await changes(floor, "live-1"))[-1]
    assert last == DealerChanged("dan", handover=Handover("dora", 1, "playing", 3))
    again = await shift.post("/api/v1/dealer/handover/confirm", json=form)
    assert again.status_code == 409
    assert not audit(floor.services.store, others=ACCOUNT_AUDITS).findings


async def test_only_the_tables_dealer_hands_over_and_only_to_another_dealer(
    floor: OpenHouse, shift: httpx.AsyncClient
) -> None:
    await badge(floor, "sue", "9000", role="supervisor")
    assert (await handover(shift, "4711")).status_code == 403
    assert (await handover(shift, "9000")).status_code == 403
    assert (await handover(shift, "1")).json()["code"] == "wrong_pin"
    begun = (await handover(shift)).json()
    await shift.post("/api/v1/sign-out")
    assert (await handover(shift)).status_code == 401
    form = {"approval": begun["approval"]}
    assert (await shift.post("/api/v1/dealer/handover/confirm", json=form)).status_code == 401
    assert (await floor.state("live-1")).dealer is None


async def test_a_supervisor_hands_over_where_the_dealer_is_gone(
    floor: OpenHouse, shift: httpx.AsyncClient
) -> None:
    gone = dict(shift.cookies)[SESSION_COOKIE]
    shift.cookies.delete(SESSION_COOKIE)
    assert (await sign_on(shift, "4712")).json()["code"] == "needs_supervisor"
    approved = await approval(shift, "change_dealer", "live-1")
    assert approved.status_code == 200, approved.text
    form = {"badge": "4712", "pin": OWN_PIN, "approval": approved.json()["approval"]}
    me = await shift.post("/api/v1/dealer/sign-on", json=form)
    assert me.status_code == 200, me.text
    assert (await floor.state("live-1")).dealer == "dan"
    last = (await changes(floor, "live-1"))[-1]
    assert last == DealerChanged("dan", handover=Handover("dora"))
    shift.cookies.delete(SESSION_COOKIE)
    shift.cookies.set(SESSION_COOKIE, gone, domain="127.0.0.1")
    assert (await shift.get("/api/v1/me")).json()["name"] is None
    assert not audit(floor.services.store, others=ACCOUNT_AUDITS).findings


# Approvals -----------------------------------------------------------------------------------


async def test_a_supervisor_approves_by_password_or_by_badge(
    floor: OpenHouse, shift: httpx.AsyncClient
) -> None:
    await badge(floor, "sue", "9000", role="supervisor")
    by_pin = await approval(shift, "void_round", "live-1", badge="9000", pin=OWN_PIN)
    assert (by_pin.status_code, by_pin.json()["by"]) == (200, "sue")
    by_name = await approval(shift, "void_round", "live-1")
    assert (by_name.status_code, by_name.json()["by"]) == (200, "supervisor")
    for who, status in (
        ({"badge": "4712", "pin": OWN_PIN}, 403),
        ({"name": "dan", "password": PASSWORD}, 403),
        ({"name": "supervisor", "password": "wrong"}, 401),
        ({"badge": "9000", "pin": "100000"}, 401),
        ({"name": "supervisor"}, 422),
        ({"badge": "9000", "pin": OWN_PIN, "name": "supervisor", "password": PASSWORD}, 422),
    ):
        assert (await approval(shift, "void_round", "live-1", **who)).status_code == status, who
    stranger = await floor.client()
    assert (await approval(stranger, "void_round", "live-1")).status_code == 401
    # No session of the supervisor's was opened.
    assert (await shift.get("/api/v1/me")).json()["name"] == "dora"
