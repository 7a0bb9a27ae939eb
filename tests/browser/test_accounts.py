"""Accounts in the browser: guests, opening one, signing in and out, and a session that ends."""

import re
import secrets
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Request, Route, expect

from tests.browser.conftest import Entrance
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.accounts import PASSWORD, sign_in, write
from tests.kit.browser.floor import BrowserHouse
from tests.kit.browser.guests import SCREENS, Guest, Screen
from tests.kit.browser.keyboard import FOCUSED_NAME, press, tab_to
from tests.kit.browser.languages import check_spanish, check_texts, messages
from tests.kit.browser.layout import layout_faults
from tests.kit.browser.screens import check_screen
from tests.kit.cases import with_variants
from tests.kit.server.open_house import SUPERVISOR
from tests.kit.server.real_server import free_port, server_process

LANGUAGES = pytest.mark.parametrize("language", with_variants(["en", "es"]))


def new_name() -> str:
    """A name that no account has."""
    return f"ann-{secrets.token_hex(4)}"


def look(guest: Guest, where: str) -> None:
    """No violation, no text that is missing, and on a phone nothing too wide or too small."""
    # The page is empty until its script has run.
    expect(guest.page.get_by_role("main")).to_be_visible()
    check_axe(guest, where)
    check_texts(guest)
    if guest.phone:
        assert layout_faults(guest) == set(), where


def open_account(guest: Guest, name: str) -> None:
    """Open an account at the entrance."""
    guest.press(guest.button("I don't have an account"))
    write(guest, name, PASSWORD)
    guest.press(guest.button("Create an account"))
    guest.in_lobby()


def account_panel(guest: Guest) -> Locator:
    """The panel of the guest's own account, opened from the lobby."""
    guest.press(guest.page.get_by_role("button", name="Your account"))
    panel = guest.page.get_by_role("dialog", name="Your account")
    expect(panel).to_be_visible()
    return panel


def sign_out(guest: Guest) -> None:
    """Sign out from the lobby, on either screen."""
    guest.press(account_panel(guest).get_by_role("button", name="Sign out"))
    expect(guest.button("Sign in")).to_be_visible()


def name_shown(guest: Guest) -> Locator:
    """The button of the lobby that says who one is."""
    return guest.page.get_by_role("button", name="Your account")


def field(guest: Guest, label: str) -> Locator:
    """A field of the form."""
    return guest.page.get_by_label(label, exact=True)


def problem(guest: Guest) -> Locator:
    """What the form complains of."""
    return guest.page.get_by_role("alert").filter(has_text=re.compile(r"\w"))


# The first visit --------------------------------------------------------------------------


@SCREENS
def test_the_first_visit_leaves_nothing_on_the_console(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest = entrance.visitor(house, screen)
    expect(guest.button("Play now")).to_be_visible()
    guest.page.reload(wait_until="networkidle")
    expect(guest.button("Play now")).to_be_visible()
    assert guest.complaints == []


def test_what_a_page_writes_to_its_console_is_noticed(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance.visitor(house)
    guest.page.evaluate("console.error('one'); console.warn('two')")
    guest.page.evaluate("setTimeout(() => { throw new Error('three'); })")
    guest.page.evaluate("fetch('/api/v1/nothing')")
    guest.until(lambda: len(guest.complaints) == 4)
    with guest.refused("/api/v1/nothing", 404):
        guest.page.evaluate("fetch('/api/v1/nothing')")
    assert len(guest.complaints) == 4
    guest.complaints.clear()


@SCREENS
def test_a_guest_plays_after_one_press(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest = entrance.visitor(house, screen)
    look(guest, "the entrance")
    guest.press(guest.button("Play now"))
    guest.in_lobby()
    expect(name_shown(guest)).to_have_accessible_name("Your account: Guest")
    expect(guest.page.get_by_text("$1,000.00")).to_be_visible()
    guest.page.reload()
    guest.in_lobby()


@pytest.mark.variant
def test_a_house_without_play_money_offers_no_guests(entrance: Entrance, tmp_path: Path) -> None:
    with server_process(tmp_path, free_port(), "--no-play-money") as server:
        guest = entrance.visitor(BrowserHouse(server.address, tmp_path / "felt.db"))
        expect(guest.button("Sign in")).to_be_visible()
        expect(guest.button("Play now")).to_have_count(0)
        open_account(guest, "ann")
        expect(guest.page.get_by_text("$0.00")).to_be_visible()
        expect(guest.button("More play money")).to_have_count(0)
        guest.page.goto("about:blank")


@pytest.mark.variant
def test_a_house_that_cannot_be_reached_is_asked_again(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance.visitor(house)
    guest.line_may_break = True
    guest.page.route("**/api/v1/me", lambda route: route.abort())
    guest.page.reload()
    expect(problem(guest)).to_have_text("The server cannot be reached right now.")
    guest.page.unroute("**/api/v1/me")
    expect(problem(guest)).to_have_count(0)


# Opening an account, signing in and out -------------------------------------------------------


@SCREENS
def test_an_account_is_opened_left_and_found_again(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest, name = entrance.visitor(house, screen), new_name()
    guest.press(guest.button("I don't have an account"))
    look(guest, "opening an account")
    write(guest, f" {name.capitalize()} ", PASSWORD)
    expect(field(guest, "Password")).to_have_attribute("type", "password")
    guest.press(guest.button("Show the password"))
    expect(field(guest, "Password")).to_have_attribute("type", "text")
    guest.press(guest.button("Create an account"))
    guest.in_lobby()
    expect(name_shown(guest)).to_have_accessible_name(f"Your account: {name}")
    panel = account_panel(guest)
    look(guest, "the guest's account")
    guest.press(panel.get_by_role("button", name="Sign out"))
    expect(guest.page.get_by_role("heading", name="Casino table poker")).to_be_visible()
    with guest.refused("/api/v1/sign-in", 401):
        sign_in(guest, name, "not the password")
    expect(problem(guest)).to_have_text("Name or password is wrong.")
    expect(field(guest, "Password")).to_be_focused()
    expect(field(guest, "Password")).to_have_attribute("aria-invalid", "true")
    look(guest, "a wrong password")
    sign_in(guest, name.upper())
    guest.in_lobby()
    assert guest.wallet_cents() == 100_000
    sign_out(guest)
    assert guest.context.request.get("/api/v1/me").json()["name"] is None


@pytest.mark.variant
def test_an_account_by_the_keyboard_alone(house: BrowserHouse, entrance: Entrance) -> None:
    guest, name = entrance.visitor(house), new_name()
    tab_to(guest, "I don't have an account")
    press(guest, "Enter")
    expect(guest.button("I already have an account")).to_be_focused()
    for _ in range(4):
        press(guest, "Shift+Tab")
    expect(field(guest, "Name")).to_be_focused()
    guest.page.keyboard.type(name)
    press(guest, "Tab")
    guest.page.keyboard.type(PASSWORD)
    press(guest, "Enter")
    guest.in_lobby()
    # The tables come a moment later, and move what is below them.
    expect(guest.page.get_by_text("Sit down").first).to_be_visible()
    tab_to(guest, f"Your account: {name}")
    press(guest, "Enter")
    panel = guest.page.get_by_role("dialog", name="Your account")
    expect(panel).to_be_visible()
    press(guest, "Escape")
    expect(panel).to_have_count(0)
    assert guest.page.evaluate(FOCUSED_NAME) == f"Your account: {name}"
    tab_to(guest, "Sign out")
    press(guest, "Enter")
    expect(guest.button("Sign in")).to_be_visible()
    expect(field(guest, "Name")).to_be_visible()
    for _ in range(20):
        press(guest, "Tab")
        if guest.page.evaluate("document.activeElement.name") == "name":
            break
    guest.page.keyboard.type(name)
    press(guest, "Tab")
    guest.page.keyboard.type(PASSWORD)
    press(guest, "Enter")
    guest.in_lobby()


@pytest.mark.variant
def test_what_is_wrong_with_a_new_account_is_said_where_it_is(
    house: BrowserHouse, entrance: Entrance
) -> None:
    owner, guest, name = entrance.visitor(house), entrance.visitor(house), new_name()
    open_account(owner, name)
    asked: list[str] = []
    guest.page.on("request", lambda request: asked.append(request.url))
    guest.press(guest.button("I don't have an account"))
    for given, password, words, place in (
        ("", PASSWORD, "Enter a name.", "Name"),
        (new_name(), "", "Enter a password.", "Password"),
        (new_name(), "short", "The password must have at least 8 characters.", "Password"),
    ):
        write(guest, given, password)
        guest.press(guest.button("Create an account"))
        expect(problem(guest)).to_have_text(words)
        expect(field(guest, place)).to_be_focused()
    assert not [url for url in asked if url.endswith("/api/v1/sign-up")]
    for given, password, status, words, place in (
        (name, PASSWORD, 409, "This name is taken.", "Name"),
        ("no blanks", PASSWORD, 422, "A name must have 1 to 32 lower-case letters", "Name"),
        (new_name(), "openfelt", 422, "That password is too easy to guess.", "Password"),
    ):
        write(guest, given, password)
        with guest.refused("/api/v1/sign-up", status):
            guest.press(guest.button("Create an account"))
        expect(problem(guest)).to_contain_text(words)
        expect(field(guest, place)).to_be_focused()
        expect(field(guest, place)).to_have_attribute("aria-invalid", "true")
    guest.press(guest.button("I already have an account"))
    expect(problem(guest)).to_have_count(0)


@pytest.mark.variant
@LANGUAGES
def test_after_wrong_passwords_one_is_told_how_long_to_wait(
    house: BrowserHouse, entrance: Entrance, language: str
) -> None:
    texts = messages(language)
    guest, name = entrance.visitor(house), new_name()
    open_account(guest, name)
    sign_out(guest)
    guest.press(guest.button({"en": "English", "es": "Español"}[language]))
    button = guest.button(texts["welcome.sign_in"])
    for number in range(3):
        write(guest, name, f"wrong password {number}", language)
        with guest.refused("/api/v1/sign-in", 401):
            guest.press(button)
        expect(problem(guest)).to_have_text(texts["refused.wrong_password"])
    write(guest, name, PASSWORD, language)
    with guest.refused("/api/v1/sign-in", 429):
        guest.press(button)
    ones = f"{texts['time.minutes.one']}|{texts['time.seconds.one']}"
    many = texts["time.seconds"].replace("{count}", r"\d+")
    start, end = map(re.escape, texts["welcome.slow_down"].split("{time}"))
    expect(problem(guest)).to_have_text(re.compile(f"^{start}({ones}|{many}){end}$"))
    look(guest, "slowed down")
    with guest.context.browser.new_context(base_url=house.address) as staff:  # type: ignore[union-attr]
        headers = {"Origin": house.address}
        staff.request.post("/api/v1/sign-in", data=SUPERVISOR, headers=headers)
        unlocked = staff.request.post(f"/api/v1/accounts/{name}/unlock", headers=headers)
        assert unlocked.ok
    guest.press(button)
    expect(guest.page.get_by_role("heading", name=texts["lobby.title"])).to_be_visible()


@pytest.mark.variant
def test_an_account_in_spanish(house: BrowserHouse, entrance: Entrance) -> None:
    texts, name = messages("es"), new_name()
    guest = entrance.visitor(house)
    guest.press(guest.button("Español"))
    check_spanish(guest)
    guest.press(guest.button(texts["welcome.no_account"]))
    write(guest, name, "corta", "es")
    guest.press(guest.button(texts["welcome.sign_up"]))
    expect(problem(guest)).to_have_text(texts["welcome.password_short"].format(count=8))
    check_spanish(guest)
    write(guest, name, PASSWORD, "es")
    guest.press(guest.button(texts["welcome.sign_up"]))
    guest.press(guest.page.get_by_role("button", name=texts["account.title"]))
    panel = guest.page.get_by_role("dialog", name=texts["account.title"])
    expect(panel).to_contain_text(texts["account.signed_in_as"].format(name=name))
    guest.press(panel.locator("summary").first)
    look(guest, "the guest's account in Spanish")
    guest.page.goto("/#/table/draw-1")
    guest.until(lambda: guest.wire.public)
    guest.context.clear_cookies()
    guest.page.reload()
    notice = guest.page.get_by_role("region", name=texts["ended.title"])
    expect(notice).to_contain_text(texts["ended.account"])
    expect(notice).to_contain_text(texts["ended.table"])
    check_spanish(guest)
    write(guest, name, "no es la contraseña", "es")
    with guest.refused("/api/v1/sign-in", 401):
        guest.press(guest.button(texts["welcome.sign_in"]))
    expect(problem(guest)).to_have_text(texts["refused.wrong_password"])
    check_spanish(guest)


@pytest.mark.variant
def test_a_password_is_changed(house: BrowserHouse, entrance: Entrance) -> None:
    guest, name = entrance.visitor(house), new_name()
    open_account(guest, name)
    panel = account_panel(guest)
    guest.press(panel.locator("summary").first)
    look(guest, "changing the password")
    change = panel.get_by_role("button", name="Change password")
    panel.get_by_label("Current password").fill("not it at all")
    panel.get_by_label("New password").fill("another one entirely")
    with guest.refused("/api/v1/password", 401):
        guest.press(change)
    expect(panel.get_by_role("alert")).to_have_text("The current password is wrong.")
    panel.get_by_label("Current password").fill(PASSWORD)
    guest.press(change)
    expect(panel.get_by_role("alert")).to_have_text("Your password has been changed.")
    guest.press(panel.get_by_role("button", name="Sign out"))
    with guest.refused("/api/v1/sign-in", 401):
        sign_in(guest, name)
    sign_in(guest, name, "another one entirely")
    guest.in_lobby()


# A guest who stays ------------------------------------------------------------------------


@pytest.mark.variant
@SCREENS
def test_a_guest_keeps_money_seat_and_history_with_an_account(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest, name = entrance(house, screen), new_name()
    table = guest.own_table("online")
    guest.sit("$500")
    guest.place(1, "Ante", "$5")
    guest.settled_bets()
    guest.deal()
    guest.play_out()
    net = guest.wire.cents("net")
    tab = entrance.beside(guest)
    panel = account_panel(tab)
    expect(panel).to_contain_text("you lose your money and your rounds for good")
    look(tab, "the account of a guest")
    write(tab, name, PASSWORD)
    sockets = guest.wire.sockets
    tab.press(panel.get_by_role("button", name="Create an account"))
    expect(
        panel.get_by_text("Your account is ready. Your money, seats and rounds are in it.")
    ).to_be_visible()
    expect(panel).to_contain_text(f"Signed in as {name}")
    # The page at the table takes the new session up, and goes on as if nothing had happened.
    guest.until(lambda: guest.wire.sockets > sockets and guest.wire.private.get("seat") == 1)
    assert guest.wire.cents("credit") == 50_000 + net
    check_screen(guest)
    elsewhere = entrance.visitor(house, screen)
    sign_in(elsewhere, name)
    elsewhere.in_lobby()
    assert elsewhere.wallet_cents() == 50_000
    elsewhere.go(table)
    assert elsewhere.wire.cents("credit") == 50_000 + net
    rounds = elsewhere.open_panel("History")
    expect(rounds.get_by_role("row").filter(has_text="#1")).to_be_visible()
    # A guest who signs in elsewhere is signed out here.
    expect(guest.page.get_by_role("heading", name="You are signed out")).to_be_visible()


@pytest.mark.variant
def test_signing_in_at_one_page_brings_the_other_one_back(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest, name = entrance.visitor(house), new_name()
    open_account(guest, name)
    guest.go("draw-1")
    tab = entrance.beside(guest)
    sign_out(tab)
    expect(guest.page.get_by_role("heading", name="You are signed out")).to_be_visible()
    sign_in(tab, name)
    tab.in_lobby()
    expect(guest.page.get_by_role("main", name="The table")).to_be_visible()


@pytest.mark.variant
def test_a_guest_is_warned_before_everything_is_lost(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance(house)
    guest.press(guest.button("Sign out"))
    panel = guest.page.get_by_role("dialog", name="Your account")
    expect(panel).to_contain_text("you lose your money and your rounds for good")
    guest.close_panel()
    guest.in_lobby()
    guest.press(guest.button("Sign out"))
    guest.press(panel.get_by_role("button", name="Sign out anyway"))
    expect(guest.button("Play now")).to_be_visible()
    expect(guest.page.get_by_role("heading", name="You are signed out")).to_have_count(0)


# A session that ends --------------------------------------------------------------------------


def sign_out_in_another_tab(entrance: Entrance, guest: Guest) -> None:
    """Sign out, as a player does who has forgotten the page at the table."""
    sign_out(entrance.beside(guest))


@pytest.mark.variant
@SCREENS
def test_a_session_that_ended_at_the_table_is_said_and_taken_up_again(
    house: BrowserHouse, entrance: Entrance, screen: Screen
) -> None:
    guest, name = entrance.visitor(house, screen), new_name()
    open_account(guest, name)
    guest.own_table("online")
    guest.sit("$500")
    guest.place(1, "Ante", "$5")
    guest.settled_bets()
    guest.deal()
    before = guest.wire.hands
    sign_out_in_another_tab(entrance, guest)
    notice = guest.page.get_by_role("region", name="You are signed out")
    expect(notice).to_contain_text("Your money is safe.")
    expect(notice).to_contain_text("Sign in to return to your table")
    expect(notice).to_be_focused()
    assert guest.cards_in(guest.page.locator("body")) == []
    look(guest, "signed out at the table")
    sign_in(guest, name)
    expect(guest.page.get_by_role("main", name="The table")).to_be_visible()
    guest.until(lambda: guest.wire.hands == before)
    check_screen(guest)
    guest.play_out()
    check_screen(guest)


@pytest.mark.variant
def test_signed_out_at_the_table_by_the_keyboard_alone(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest, name = entrance.visitor(house), new_name()
    open_account(guest, name)
    guest.go("draw-1")
    sign_out_in_another_tab(entrance, guest)
    expect(guest.page.get_by_role("region", name="You are signed out")).to_be_focused()
    press(guest, "Tab")
    expect(field(guest, "Name")).to_be_focused()
    guest.page.keyboard.type(name)
    press(guest, "Tab")
    guest.page.keyboard.type(PASSWORD)
    press(guest, "Enter")
    expect(guest.page.get_by_role("main", name="The table")).to_be_visible()
    guest.until(lambda: "take_seat" in guest.wire.private["may"])


@LANGUAGES
def test_a_guest_whose_visit_has_ended_is_told_that_it_cannot_be_taken_up(
    house: BrowserHouse, entrance: Entrance, language: str
) -> None:
    texts = messages(language)
    guest = entrance.visitor(house)
    guest.press(guest.button({"en": "English", "es": "Español"}[language]))
    guest.press(guest.button(texts["welcome.guest"]))
    expect(guest.page.get_by_role("heading", name=texts["lobby.title"])).to_be_visible()
    guest.press(guest.button(texts["lobby.own.online"]))
    guest.until(lambda: guest.wire.public)
    guest.context.clear_cookies()
    guest.page.reload()
    notice = guest.page.get_by_role("region", name=texts["ended.title"])
    expect(notice).to_contain_text(texts["ended.guest"])
    look(guest, "a guest's end")
    guest.press(guest.button(texts["welcome.guest"]))
    expect(guest.page.get_by_role("heading", name=texts["lobby.title"])).to_be_visible()


@pytest.mark.variant
def test_the_lobby_notices_that_its_session_has_ended(
    house: BrowserHouse, entrance: Entrance
) -> None:
    guest = entrance.visitor(house)
    open_account(guest, new_name())
    sign_out_in_another_tab(entrance, guest)
    expect(guest.page.get_by_role("heading", name="You are signed out")).to_be_visible()
    guest.page.reload()
    expect(guest.button("Play now")).to_be_visible()


@pytest.mark.variant
def test_a_late_answer_signs_nobody_in_again(house: BrowserHouse, entrance: Entrance) -> None:
    guest = entrance.visitor(house)
    open_account(guest, new_name())
    held: list[Callable[[], None]] = []

    def hold(route: Route, request: Request) -> None:
        answer = route.fetch()
        held.append(lambda: route.fulfill(response=answer))

    guest.page.route("**/api/v1/me", hold)
    guest.until(lambda: held)
    guest.press(guest.button("Sign out"))
    expect(guest.button("Sign in")).to_be_visible()
    for answer in held:
        answer()
    guest.page.wait_for_load_state("networkidle")
    expect(guest.button("Sign in")).to_be_visible()
    expect(guest.page.get_by_role("heading", name="You are signed out")).to_have_count(0)
