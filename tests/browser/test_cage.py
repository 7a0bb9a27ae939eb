"""The cashier's window in the browser: from the opening count to the closing count, by keyboard.

A player collects a voucher at one terminal and another uses it, the cashier takes cash and pays it,
a supervisor approves a large payout, and at the end the book says what every screen has shown.
"""

import itertools
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from openfelt.client import Casino
from openfelt.ledger import Account, AccountKind, Book, trial_balance
from openfelt.server.settings import CageSettings
from openfelt.storage.sqlite import SqliteStore
from tests.browser.conftest import Entrance
from tests.independent.accountant import MINUS
from tests.independent.record import check_record
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.accounts import sign_in_without_form
from tests.kit.browser.floor import SITE, BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.languages import messages
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.server.open_house import PASSWORD, SUPERVISOR, settings_in
from tests.kit.server.real_server import served

WORDS = messages("en")
_NAMES = itertools.count(1)


@pytest.fixture(scope="module")
def cage_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """A house with vouchers, where payouts above $600 need a supervisor."""
    folder = tmp_path_factory.mktemp("cage")
    cage = CageSettings(vouchers=True, payout_limit_cents=60_000)
    with served(settings_in(folder, port=0, cage=cage, site=SITE)) as address:
        yield BrowserHouse(address, folder / "felt.db")


class Staff:
    """A member of staff at a page of the cage."""

    def __init__(
        self, entrance: Entrance, house: BrowserHouse, scripts: ScriptLoop, role: str
    ) -> None:
        self.name = f"{role}-{next(_NAMES)}"
        account = {"name": self.name, "password": PASSWORD}

        async def open_account() -> None:
            async with Casino(house.address) as supervisor:
                await supervisor.sign_in(**SUPERVISOR)
                form = account | {"role": role, "temporary": False}
                await supervisor.post("/api/v1/accounts", form)

        scripts.do(open_account())
        self.guest = entrance.outside(house)
        sign_in_without_form(self.guest, **account)
        self.page: Page = self.guest.page
        self.page.goto(f"{house.address}/#/cage")
        expect(self.page.get_by_role("heading", name=WORDS["cage.title"])).to_be_visible()

    def press(self, words: str) -> None:
        """Press a button by its words."""
        self.page.get_by_role("button", name=words, exact=True).click()

    def count(self, **pieces: int) -> None:
        """Type a count by denomination, such as ``d100=5`` for five hundreds, by keyboard."""
        for denomination, number in pieces.items():
            label = f"${denomination[1:]}"
            self.page.get_by_label(re.compile(rf"^{re.escape(label)}\b")).fill(str(number))

    def done(self, words: str) -> None:
        """Wait until the page says that something is done."""
        expect(self.page.get_by_role("status").filter(has_text=words).first).to_be_visible()

    def opened(self, **pieces: int) -> "Staff":
        """Open the drawer with a float."""
        self.page.get_by_label(WORDS["cage.window"]).fill(f"window-of-{self.name}")
        self.count(**pieces)
        self.press(WORDS["cage.open"])
        expect(self.page.get_by_role("group", name=WORDS["cage.tasks"])).to_be_visible()
        return self

    def must_hold(self, amount: str) -> None:
        """Wait until the drawer must hold an amount."""
        row = self.page.get_by_role("row", name=WORDS["cage.must_hold"])
        expect(row.get_by_role("cell")).to_have_text(amount)


def voucher_of(guest: Guest, cents: int) -> str:
    """The code of a voucher against the guest's wallet."""
    answer = guest.context.request.post(
        f"{guest.house.address}/api/v1/vouchers",
        headers={"Origin": guest.house.address},
        data={"id": f"voucher {next(_NAMES)}", "cents": cents},
    )
    assert answer.ok
    return str(answer.json()["code"])


def player_of(guest: Guest) -> str:
    """The name of a guest at tables."""
    return str(guest.context.request.get(f"{guest.house.address}/api/v1/me").json()["player"])


def test_a_shift_at_the_window_by_keyboard(
    cage_house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, pictures: Pictures
) -> None:
    ann = entrance(cage_house)
    small, large = voucher_of(ann, 12_500), voucher_of(ann, 65_000)
    cal = Staff(entrance, cage_house, scripts, "cashier")
    cal.page.set_viewport_size({"width": 1366, "height": 768})
    check_axe(cal.guest, "the opening count")
    cal.opened(d100=10, d20=25, d1=50)
    check_axe(cal.guest, "the window")
    # A scanner types the code without its dashes, and Enter; a second Enter pays.
    cal.page.keyboard.type(small.replace("-", "").lower())
    cal.page.keyboard.press("Enter")
    expect(cal.page.get_by_role("button", name="Pay $125.00")).to_be_focused()
    pictures.keep(cal.page, "cage-voucher")
    cal.page.keyboard.press("Enter")
    cal.done("Pay $125.00 for the voucher.")
    cal.must_hold("$1,425.00")
    # The same voucher again is not paid.
    cal.page.keyboard.type(small)
    cal.page.keyboard.press("Enter")
    expect(cal.page.get_by_text("Do not pay.")).to_be_visible()
    cal.page.keyboard.press("Enter")
    cash_in_and_out(cal, player_of(ann))
    cal.page.keyboard.press("Alt+1")
    cal.page.keyboard.type(large)
    cal.page.keyboard.press("Enter")
    expect(cal.page.get_by_role("button", name=WORDS["cage.ask_supervisor"])).to_be_focused()
    cal.page.keyboard.press("Enter")
    cal.done(WORDS["cage.did.requested"])
    sue = Staff(entrance, cage_house, scripts, "supervisor")
    check_axe(sue.guest, "the overview")
    sue.press(WORDS["cage.approve"])
    sue.done(WORDS["cage.did.approved"])
    cal.press("Pay $650.00")
    cal.must_hold("$949.50")
    cal.page.keyboard.press("Alt+4")
    cal.page.keyboard.type("40")
    cal.page.keyboard.press("Enter")
    expect(cal.page.get_by_role("img", name=WORDS["slip.qr"])).to_be_visible()
    check_axe(cal.guest, "the slip")
    pictures.keep(cal.page, "cage-window")
    cal.must_hold("$989.50")
    list_transfers(cal, "Must hold", "$989.50", transfers=6)
    close_with_a_difference(cal, pictures)
    last = cal.page.get_by_role("region", name=WORDS["cage.last_drawer"].split(":")[0])
    expect(last.get_by_text("A ten is missing.")).to_be_visible()
    expect(last).to_contain_text("$10.00 short")
    list_transfers(cal, "Vouchers paid", f"{MINUS}$775.00", transfers=2)
    check_books(cage_house, cal)


def cash_in_and_out(cal: Staff, player: str) -> None:
    """Take $250 for a player with $225, and pay $75.50 out again."""
    cal.page.keyboard.press("Alt+2")
    cal.page.keyboard.type(player)
    cal.page.keyboard.press("Enter")
    cal.done("$225.00 in the wallet")
    cal.page.keyboard.type("250")
    cal.page.keyboard.press("Enter")
    cal.done("$250.00 taken")
    cal.page.keyboard.press("Alt+3")
    cal.page.keyboard.type(player)
    cal.page.keyboard.press("Enter")
    cal.done("$475.00 in the wallet")
    cal.page.keyboard.type("75.50")
    cal.page.keyboard.press("Enter")
    cal.must_hold("$1,599.50")


def close_with_a_difference(cal: Staff, pictures: Pictures) -> None:
    """Count ten dollars too few, be told, and give the reason."""
    cal.press(WORDS["cage.close"])
    dialog = cal.page.get_by_role("dialog")
    cal.count(d100=9, d50=1, d20=1, d5=1, d2=2)
    dialog.get_by_label("25¢").fill("2")
    dialog.get_by_role("button", name=WORDS["cage.close"]).click()
    expect(dialog.get_by_text("$10.00 short")).to_be_visible()
    expect(dialog.get_by_role("button", name=WORDS["cage.close"])).to_be_disabled()
    check_axe(cal.guest, "the closing count")
    pictures.keep(cal.page, "cage-closing")
    dialog.get_by_label(WORDS["cage.reason"]).fill("A ten is missing.")
    dialog.get_by_role("button", name=WORDS["cage.close"]).click()
    cal.done("difference: $10.00 short")


def list_transfers(cal: Staff, figure: str, amount: str, *, transfers: int) -> None:
    """Open the transfers behind an amount of the cashier's drawer, which agree, and come back."""
    row = cal.page.get_by_role("row", name=figure)
    row.get_by_role("link", name=amount, exact=True).click()
    expect(cal.page.get_by_text(WORDS["transfers.agrees"])).to_be_visible()
    lines = cal.page.get_by_role("region", name=WORDS["transfers.title"]).get_by_role("row")
    expect(lines).to_have_count(1 + transfers)
    check_axe(cal.guest, "the transfers of a drawer")
    cal.page.get_by_role("link", name=WORDS["cage.back"]).click()
    expect(row).to_be_visible()


def check_books(house: BrowserHouse, cal: Staff) -> None:
    """What the ledger says is what the screens have shown, to the cent."""
    check_record(house.database)
    store = SqliteStore(house.database)
    try:
        assert trial_balance(Book(store.balances())).balanced
        assert store.balance(Account(AccountKind.DRAWER, f"window-of-{cal.name}")) == 0
        assert store.balance(Account(AccountKind.HOUSE, "cage")) == -1_000
        assert sum(store.balances("voucher:").values()) == 4_000
    finally:
        store.close()


def test_a_voucher_collected_at_one_terminal_is_the_buy_in_at_another(
    cage_house: BrowserHouse, entrance: Entrance
) -> None:
    ann, bob = entrance(cage_house), entrance(cage_house)
    ann.own_table("online")
    ann.sit("$100")
    ann.button(WORDS["credit.collect"]).first.click()
    dialog = ann.page.get_by_role("dialog")
    check_axe(ann, "wallet or voucher")
    dialog.get_by_role("button", name=WORDS["collect.voucher"]).click()
    code = dialog.get_by_text(re.compile(r"^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$")).inner_text()
    check_axe(ann, "the voucher")
    assert ann.wallet_cents() == 90_000
    bob.own_table("online")
    bob.sit("$100")
    bob.button(WORDS["credit.open"]).click()
    panel = bob.page.get_by_role("dialog")
    panel.get_by_label(WORDS["credit.voucher"]).fill(code.lower())
    panel.get_by_role("button", name=WORDS["credit.use_voucher"]).click()
    bob.until(lambda: bob.wire.cents("credit") == 20_000)
    assert bob.wallet_cents() == 90_000


def test_a_press_whose_answer_is_lost_is_repeated_and_pays_once(
    cage_house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop
) -> None:
    ann = entrance(cage_house)
    code = voucher_of(ann, 20_000)
    cal = Staff(entrance, cage_house, scripts, "cashier").opened(d100=5)
    cal.guest.line_may_break = True
    lost: list[int] = []

    def lose(route: Route) -> None:
        """Let the server pay, and lose its answer."""
        lost.append(route.fetch().status)
        route.abort()

    cal.page.route("**/voucher-in", lose, times=1)
    cal.page.keyboard.type(code)
    cal.page.keyboard.press("Enter")
    pay = cal.page.get_by_role("button", name="Pay $200.00")
    expect(pay).to_be_focused()
    cal.page.keyboard.press("Enter")
    expect(cal.page.get_by_role("alert").filter(has_text=WORDS["cage.unanswered"])).to_be_visible()
    assert lost == [200]
    pay.click()
    cal.done("Pay $200.00 for the voucher.")
    cal.must_hold("$300.00")


def test_a_guest_without_a_seat_turns_a_voucher_into_money_and_back(
    cage_house: BrowserHouse, entrance: Entrance
) -> None:
    ann = entrance(cage_house)
    code = voucher_of(ann, 30_000)
    ann.button(WORDS["vouchers.title"]).click()
    dialog = ann.page.get_by_role("dialog")
    check_axe(ann, "vouchers in the lobby")
    dialog.get_by_role("textbox").fill(code)
    ann.page.keyboard.press("Enter")
    expect(dialog.get_by_text("The voucher added $300.00.")).to_be_visible()
    with ann.refused("/vouchers/redeem", 409):
        dialog.get_by_role("textbox").fill(code)
        ann.page.keyboard.press("Enter")
        expect(dialog.get_by_role("alert")).to_contain_text("This voucher was used on")
    dialog.get_by_role("button", name="Wallet as a voucher, $1,000.00").click()
    expect(dialog.get_by_role("img", name=WORDS["slip.qr"])).to_be_visible()
    assert ann.wallet_cents() == 0
    pages = re.findall(rb"/Type\s*/Page\b", ann.page.pdf(prefer_css_page_size=True))
    assert len(pages) == 1


@pytest.mark.variant
@pytest.mark.parametrize("size", [(1366, 768), (768, 1024), (390, 664)])
def test_nothing_of_the_window_is_cut_in_spanish(
    cage_house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop, size: tuple[int, int]
) -> None:
    cal = Staff(entrance, cage_house, scripts, "cashier").opened(d100=5)
    cal.page.set_viewport_size({"width": size[0], "height": size[1]})
    cal.press(WORDS["panel.settings"])
    cal.page.get_by_label("Language").select_option("es")
    cal.page.keyboard.press("Escape")
    expect(cal.page.get_by_role("dialog")).to_have_count(0)
    expect(cal.page.get_by_role("button", name=messages("es")["cage.close"])).to_be_visible()
    wide = cal.page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    cut = cal.page.evaluate(
        "[...document.querySelectorAll('button')]"
        ".filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.textContent)"
    )
    assert cut == []
    check_axe(cal.guest, f"the window in Spanish at {size}")
