"""Staff in the browser: the first password, the second factor, its codes, and the account panel."""

import re
from collections.abc import Iterator
from pathlib import Path

import pyotp
import pytest
from playwright.sync_api import Locator, expect

from tests.browser.conftest import Entrance
from tests.kit.browser.accounts import PASSWORD, write
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import Screen
from tests.kit.browser.staff import StaffScreen
from tests.kit.server.real_server import free_port, server_process

SHOWN = re.compile(r"password  (\S+)")


@pytest.fixture
def staffed(tmp_path: Path) -> Iterator[tuple[BrowserHouse, str]]:
    """A new server whose staff need a second factor, and its supervisor's first password."""
    with server_process(tmp_path, free_port(), "--second-factor", password=None) as server:
        (password,) = SHOWN.findall((tmp_path / "server.log").read_text())
        yield BrowserHouse(server.address, tmp_path / "felt.db"), password


class Staff(StaffScreen):
    """A member of staff whose second factor is a code."""

    def problem(self) -> Locator:
        """What the form complains of."""
        return self.page.get_by_role("alert").filter(has_text=re.compile(r"\w"))

    def sign_in(self, password: str) -> None:
        """Fill the form of the entrance in and send it."""
        write(self.guest, "supervisor", password, self.language)
        self.press("welcome.sign_in")

    def set_up(self) -> list[str]:
        """Set the second factor up; gives the recovery codes."""
        self.press("factor.begin")
        expect(self.page.get_by_role("img", name=self.texts["factor.picture"])).to_be_visible()
        self.look("the secret")
        secret = self.page.locator(".key code").inner_text().replace(" ", "")
        self.field("factor.confirm_words").fill("12")
        with self.guest.refused("/api/v1/second-factor/confirm", 401):
            self.press("factor.confirm")
        expect(self.problem()).to_contain_text(self.texts["refused.wrong_code"])
        self.field("factor.confirm_words").fill(pyotp.TOTP(secret).now())
        self.press("factor.confirm")
        expect(self.heading("factor.codes")).to_be_visible()
        self.look("the recovery codes")
        return self.page.locator(".codes code").all_inner_texts()


@pytest.mark.parametrize(
    ("screen", "language"),
    [(Screen.TERMINAL, "en"), pytest.param(Screen.PHONE, "es", marks=pytest.mark.variant)],
    ids=["en", "es"],
)
def test_the_first_day_of_a_supervisor(
    staffed: tuple[BrowserHouse, str], entrance: Entrance, screen: Screen, language: str
) -> None:
    house, first = staffed
    eve = Staff(entrance.visitor(house, screen), language)
    eve.sign_in(first)
    expect(eve.heading("step.password")).to_be_focused()
    eve.look("the first password")
    eve.field("account.password_present").fill(first)
    eve.field("account.password_next").fill("too short")
    eve.press("account.password")
    expect(eve.field("account.password_next")).to_be_focused()
    eve.field("account.password_next").fill("password1234")
    with eve.guest.refused("/api/v1/password", 422):
        eve.press("account.password")
    expect(eve.problem()).to_contain_text(eve.texts["refused.easy_password"])
    eve.field("account.password_next").fill(PASSWORD)
    eve.press("account.password")
    expect(eve.heading("step.second_factor")).to_be_focused()
    eve.look("the second factor")
    # Nothing else can be reached before that, by an address either.
    eve.page.goto("/tables/stadium-1")
    expect(eve.heading("step.second_factor")).to_be_visible()
    codes = eve.set_up()
    assert len(codes) == 10
    eve.press("factor.kept")
    expect(eve.page.locator("h1")).not_to_have_text(eve.texts["step.second_factor"])
    eve.page.goto("/")
    expect(eve.heading("floor.title")).to_be_attached()
    # The next sign-in ends this session, of which the floor's page would complain.
    eve.page.goto("about:blank")

    other = Staff(entrance.visitor(house, screen), language)
    with other.guest.refused("/api/v1/sign-in", 401):
        other.sign_in(PASSWORD)
    expect(other.field("welcome.code")).to_be_focused()
    other.look("the code")
    other.field("welcome.code").fill("123")
    with other.guest.refused("/api/v1/sign-in", 401):
        other.press("welcome.sign_in")
    expect(other.problem()).to_contain_text(other.texts["refused.wrong_code"])
    expect(other.field("welcome.code")).to_be_focused()
    other.field("welcome.code").fill(codes[0])
    other.press("welcome.sign_in")
    expect(other.heading("floor.title")).to_be_attached()
    other.page.goto("/#/")
    expect(other.heading("lobby.title")).to_be_visible()
    in_the_panel(other, codes[1])


def in_the_panel(staff: Staff, code: str) -> None:
    """The account panel says how many codes are left, and removes the second factor."""
    account = re.compile(f"^{staff.texts['account.title']}")
    staff.guest.press(staff.page.get_by_role("button", name=account))
    panel = staff.page.get_by_role("dialog", name=account)
    staff.guest.press(panel.get_by_text(staff.texts["factor.title"], exact=True))
    expect(panel).to_contain_text(staff.texts["factor.left"].format(count=9))
    staff.look("the account panel")
    panel.get_by_label(staff.texts["factor.password"], exact=True).fill(PASSWORD)
    # The form of a new password, which is closed, has a field for a code too.
    visible = panel.locator("input:visible")
    panel.get_by_label(staff.texts["welcome.code"], exact=True).and_(visible).fill(code)
    staff.press("factor.remove")
    # Staff of this house need one, so another has to be set up at once.
    expect(staff.heading("step.second_factor")).to_be_visible()
