"""Every page of the web terminal, opened as every caller: the page opens, or says whose it is.

What is expected comes from the server's own table, which docs/reference/permissions.md prints.
"""

from typing import Final

import pytest
from playwright.sync_api import expect

from openfelt.table.role_permissions import PAGES, CallerKind
from tests.browser.conftest import Entrance
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.languages import messages
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.browser.staff import sign_in_as

ADDRESSES: Final = {
    "lobby": "#/",
    "table": "#/table/stadium-1",
    "deal": "#/deal/demo-1",
    "floor": "#/floor",
    "audit": "#/audit",
    "practice": "#/practice/demo-1",
    "cage": "#/cage",
    "verify": "#/verify",
}
"""An address of each page."""


def test_every_page_is_tried() -> None:
    assert ADDRESSES.keys() == PAGES.keys()


@pytest.mark.parametrize("kind", list(CallerKind))
def test_a_page_opens_for_those_who_may_open_it_and_for_no_others(
    house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, kind: CallerKind
) -> None:
    guest = entrance.outside(house)
    come_as(kind, guest, house, scripts)
    for name, page in PAGES.items():
        # Another query makes the browser load the page; another fragment alone would not.
        guest.page.goto(f"{house.address}/?{name}{ADDRESSES[name]}")
        expect(guest.page.locator("main").first).to_be_visible()
        assert opens(guest, kind) == (kind in page.callers), (kind, name)


def opens(guest: Guest, kind: CallerKind) -> bool:
    """Whether the page shows what it is for, and neither the entrance nor the refusal."""
    texts = messages("en")
    if kind is CallerKind.ANONYMOUS:
        return guest.page.get_by_label(texts["welcome.password"], exact=True).count() == 0
    return guest.page.get_by_role("heading", name=texts["page.other_title"]).count() == 0


def come_as(kind: CallerKind, guest: Guest, house: BrowserHouse, scripts: ScriptLoop) -> None:
    """Sign a new account of this kind in, in the guest's browser."""
    if kind is CallerKind.ANONYMOUS:
        return
    if kind is CallerKind.GUEST:
        headers = {"Origin": house.address}
        assert guest.context.request.post(f"{house.address}/api/v1/guest", headers=headers).ok
        return
    sign_in_as(kind.value, guest, house, scripts)
