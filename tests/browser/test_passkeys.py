"""Passkeys in the browser: Chromium's own virtual authenticator makes them and signs with them."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Locator, expect

from tests.browser.conftest import Entrance
from tests.kit.browser.accounts import PASSWORD, write
from tests.kit.browser.floor import BrowserHouse, require_site
from tests.kit.browser.guests import Guest, Screen
from tests.kit.browser.staff import StaffScreen
from tests.kit.server.real_server import free_port, server_process


@pytest.fixture(scope="module")
def staffed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """A server whose staff need a second factor, at localhost: passkeys need a name."""
    require_site()
    folder = tmp_path_factory.mktemp("passkeys")
    with server_process(folder, free_port(), "--second-factor") as server:
        yield BrowserHouse(server.address.replace("127.0.0.1", "localhost"), folder / "felt.db")


class Device:
    """A device that keeps passkeys, plugged into one browser."""

    def __init__(self, guest: Guest, credentials: list[dict[str, Any]] | None = None) -> None:
        self._cdp: CDPSession = guest.context.new_cdp_session(guest.page)
        self._cdp.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        added = self._cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        self._id = {"authenticatorId": added["authenticatorId"]}
        for credential in credentials or []:
            self._cdp.send("WebAuthn.addCredential", self._id | {"credential": credential})

    @property
    def credentials(self) -> list[dict[str, Any]]:
        """What it keeps, its secret keys among them."""
        kept: list[dict[str, Any]] = self._cdp.send("WebAuthn.getCredentials", self._id)[
            "credentials"
        ]
        return kept

    def verify_owner(self, verified: bool) -> None:
        """Whether the finger on it is its owner's from now on."""
        self._cdp.send("WebAuthn.setUserVerified", self._id | {"isUserVerified": verified})


class Owner(StaffScreen):
    """The owner of an account whose second factor is a passkey."""

    def send_password(self, name: str) -> None:
        """Fill the form of the entrance in and send it; a passkey is asked for."""
        write(self.guest, name, PASSWORD, self.language)
        with self.guest.refused("/api/v1/sign-in", 401):
            self.press("welcome.sign_in")
        expect(self.button("passkey.use")).to_be_focused()

    def name_and_add(self, name: str) -> None:
        """Add a passkey under a name."""
        self.field("passkey.name").fill(name)
        self.press("passkey.add")

    def panel(self) -> Locator:
        """Open the account panel at its second factor."""
        account = re.compile(f"^{self.texts['account.title']}")
        self.guest.press(self.page.get_by_role("button", name=account))
        panel = self.page.get_by_role("dialog", name=account)
        self.guest.press(panel.get_by_text(self.texts["factor.title"], exact=True))
        return panel

    def expect_lobby(self) -> None:
        """The owner has come in."""
        titles = re.compile(f"{self.texts['floor.title']}|{self.texts['lobby.title']}")
        expect(self.page.get_by_role("heading", name=titles).first).to_be_attached()
        # The floor's page would complain of the next sign-in, which ends this session.
        self.page.goto("/#/")
        expect(self.page.get_by_role("heading", name=self.texts["lobby.title"])).to_be_visible()


def test_staff_set_a_passkey_up_sign_in_with_it_and_remove_it(
    staffed: BrowserHouse, entrance: Entrance
) -> None:
    eve = Owner(entrance.visitor(staffed), "en")
    phone = Device(eve.guest)
    write(eve.guest, "supervisor", PASSWORD)
    eve.press("welcome.sign_in")
    expect(eve.page.get_by_role("heading", name=eve.texts["step.second_factor"])).to_be_focused()
    eve.look("the first steps")
    eve.name_and_add("Eve's phone")
    eve.expect_lobby()
    assert len(phone.credentials) == 1

    # Another browser without the device is not let in, and with the device it is.
    other = Owner(entrance.visitor(staffed), "en")
    Device(other.guest)
    other.send_password("supervisor")
    other.look("the passkey")
    other.press("passkey.use")
    expect(other.page.get_by_role("alert").filter(has_text=re.compile(r"\w"))).to_contain_text(
        other.texts["passkey.cancelled"]
    )
    third = Owner(entrance.visitor(staffed), "en")
    Device(third.guest, phone.credentials)
    third.send_password("supervisor")
    third.press("passkey.use")
    third.expect_lobby()
    remove_only(third)


def remove_only(owner: Owner) -> None:
    """Remove the only passkey, with the password and the passkey itself."""
    panel = owner.panel()
    expect(panel).to_contain_text("Eve's phone")
    owner.look("the account panel")
    owner.press("passkey.remove_named", name="Eve's phone")
    panel.get_by_label(owner.texts["factor.password"], exact=True).fill(PASSWORD)
    owner.look("removing a passkey")
    owner.press("passkey.with", action=owner.texts["passkey.remove_now"])
    # Staff of this house need a second factor, so another has to be set up at once.
    heading = owner.page.get_by_role("heading", name=owner.texts["step.second_factor"])
    expect(heading).to_be_visible()


@pytest.mark.variant
def test_a_player_signs_in_with_a_passkey_on_a_phone_in_spanish(
    staffed: BrowserHouse, entrance: Entrance
) -> None:
    ana = Owner(entrance.visitor(staffed, Screen.PHONE), "es")
    phone = Device(ana.guest)
    ana.press("welcome.no_account")
    write(ana.guest, "ana", PASSWORD, "es")
    ana.press("welcome.sign_up")
    ana.expect_lobby()
    panel = ana.panel()
    ana.look("the account panel")
    ana.name_and_add("Teléfono")
    expect(panel).to_contain_text(ana.texts["passkey.only_one"])
    ana.press("welcome.sign_out")

    ana.send_password("ana")
    ana.look("the passkey")
    # A finger that is not the owner's does not count, and the page offers another attempt.
    phone.verify_owner(False)
    ana.press("passkey.use")
    expect(ana.page.get_by_role("alert").filter(has_text=re.compile(r"\w"))).to_contain_text(
        ana.texts["passkey.cancelled"]
    )
    phone.verify_owner(True)
    with ana.guest.refused("/api/v1/sign-in", 401):
        ana.press("passkey.use")
    ana.expect_lobby()
