"""Members of staff in a browser: an account of any role, opened and signed in without a form."""

import itertools

from openfelt.client import Casino
from tests.kit.browser.accounts import sign_in_without_form
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.server.open_house import SUPERVISOR

PASSWORD = "seven green felt tables"
_NUMBERS = itertools.count(1)


def sign_in_as(role: str, guest: Guest, house: BrowserHouse, scripts: ScriptLoop) -> str:
    """Open an account of a role and sign it in, in the guest's browser; gives its name."""
    name = f"{role}-{next(_NUMBERS)}"

    async def open_account() -> None:
        async with Casino(house.address) as supervisor:
            await supervisor.sign_in(**SUPERVISOR)
            form = {"name": name, "password": PASSWORD, "role": role, "temporary": False}
            await supervisor.post("/api/v1/accounts", form)

    scripts.do(open_account())
    sign_in_without_form(guest, name, PASSWORD)
    return name
