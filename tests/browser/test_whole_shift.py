"""A whole shift in the browser: supervisor, cashier, dealer, auditor and two players.

Opening count, buy-ins, a fill, rounds, a jackpot, a void, a dispute, a voucher used at another
terminal, a credit, cash, the closing count; at the end an accountant's reconciliation of the day
from the ledger equals what every screen has shown, to the cent.
"""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from openfelt.client import Casino
from openfelt.server.settings import CageSettings
from openfelt.server.tables.starter_floor import LINK
from tests.browser.conftest import Entrance
from tests.browser.test_cage import Staff
from tests.independent.accountant import MINUS, DayAccounts, dollars, reconcile
from tests.independent.record import check_record
from tests.kit.browser.accessibility import check_axe
from tests.kit.browser.dealer_screens import Dealer
from tests.kit.browser.dealers import LiveTable
from tests.kit.browser.floor import SITE, BrowserHouse
from tests.kit.browser.guests import Guest
from tests.kit.browser.languages import messages
from tests.kit.browser.pictures import Pictures
from tests.kit.browser.script_loop import ScriptLoop
from tests.kit.server.open_house import SUPERVISOR, settings_in
from tests.kit.server.real_server import served

WORDS = messages("en")
PIT = "pit-1"
WINDOW = re.compile("window-of-")


@pytest.fixture(scope="module")
def shift_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserHouse]:
    """A house with vouchers, of which nothing was played yet."""
    folder = tmp_path_factory.mktemp("shift")
    with served(
        settings_in(folder, port=0, cage=CageSettings(vouchers=True), site=SITE)
    ) as address:
        yield BrowserHouse(address, folder / "felt.db")


class Crew:
    """Everyone who works or plays in the shift."""

    def __init__(self, house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop) -> None:
        self.house = house
        scripts.do(self._open_pit())
        self.live = LiveTable(scripts, house, "washington", table=PIT).__enter__()
        self.cal = Staff(entrance, house, scripts, "cashier")
        self.sue = Staff(entrance, house, scripts, "supervisor")
        self.ada = Staff(entrance, house, scripts, "auditor")
        self.dora = Dealer(entrance.outside(house), self.live)
        self.ann, self.bob = entrance(house), entrance(house)
        self.sue.page.goto(f"{house.address}/#/floor/table/{PIT}")

    async def _open_pit(self) -> None:
        async with Casino(self.house.address) as supervisor:
            await supervisor.sign_in(**SUPERVISOR)
            table = {"table": PIT, "house": "washington", "dealer_mode": "live", "link": LINK}
            await supervisor.post("/api/v1/tables", table)

    # The tray --------------------------------------------------------------------------

    def tray(self, page: Page) -> Locator:
        """The tray on a page of the dealer or of the supervisor."""
        return page.get_by_role("group", name=WORDS["tray.of"].format(table=PIT))

    def open_tray(self) -> Locator:
        """The tray at the dealer's terminal."""
        if not self.tray(self.dora.page).is_visible():
            self.dora.press(WORDS["tray.title"])
        return self.tray(self.dora.page)

    def close_tray(self) -> None:
        """Back to the felt."""
        self.dora.page.get_by_role("dialog").get_by_role("button", name="Close", exact=True).click()

    def count(self, part: Locator, **pieces: int) -> None:
        """Type a count of chips by denomination, such as ``d100=20``."""
        for denomination, number in pieces.items():
            label = re.compile(rf"^\${denomination[1:]}(?![\d,.])")
            part.get_by_label(label).fill(str(number))

    def does(self, part: Locator, words: str) -> None:
        """Press a button of the tray."""
        part.get_by_role("button", name=words, exact=True).click()

    def says(self, part: Locator, words: str) -> None:
        """Wait until the tray says that something is done."""
        expect(part.get_by_role("status").filter(has_text=words)).to_be_visible()


@pytest.fixture
def crew(shift_house: BrowserHouse, entrance: Entrance, scripts: ScriptLoop) -> Iterator[Crew]:
    """The crew of the shift."""
    crew = Crew(shift_house, entrance, scripts)
    yield crew
    crew.live.__exit__(None, None, None)


def test_a_whole_shift_is_reconciled_to_the_cent(crew: Crew, pictures: Pictures) -> None:
    crew.cal.opened(d100=20)
    opening_count(crew)
    buy_ins(crew)
    a_fill(crew, pictures)
    a_round_with_a_jackpot(crew)
    a_void_round(crew)
    a_dispute(crew)
    a_voucher_at_another_terminal(crew)
    a_credit(crew)
    closing_count(crew, pictures)
    closing_drawer(crew)
    reconciled(crew, pictures)


# The shift -------------------------------------------------------------------------------


def opening_count(crew: Crew) -> None:
    """The dealer counts $3,000 in chips, and the supervisor signs."""
    crew.dora.press("Sign on")
    tray = crew.open_tray()
    crew.does(tray, WORDS["tray.count_opening"])
    crew.count(tray, d100=25, d5=100)
    check_axe(crew.dora.guest, "the count of a tray")
    crew.does(tray, WORDS["tray.sign_first"])
    crew.says(tray, WORDS["tray.did.counted"])
    expect(tray.get_by_role("button", name=re.compile("^Sign "))).to_have_count(0)
    floor = crew.tray(crew.sue.page)
    crew.does(floor, "Sign $3,000.00")
    crew.says(floor, WORDS["tray.did.opening"])
    crew.close_tray()


def buy_ins(crew: Crew) -> None:
    """Ann pays $300 in at the window; both players buy in at the table."""
    cal, player = crew.cal, public_name(crew.ann)
    cal.page.keyboard.press("Alt+2")
    cal.page.keyboard.type(player)
    cal.page.keyboard.press("Enter")
    cal.done("$1,000.00 in the wallet")
    cal.page.keyboard.type("300")
    cal.page.keyboard.press("Enter")
    cal.must_hold("$2,300.00")
    for guest, seat in ((crew.ann, 1), (crew.bob, 2)):
        guest.go(PIT)
        guest.sit("$500", seat=seat)


def public_name(guest: Guest) -> str:
    """The name of a guest at tables."""
    return str(guest.context.request.get(f"{guest.house.address}/api/v1/me").json()["player"])


def a_fill(crew: Crew, pictures: Pictures) -> None:
    """The supervisor requests $200, the cashier makes the slip, the dealer receives the chips."""
    floor = crew.tray(crew.sue.page)
    crew.does(floor, WORDS["tray.ask_fill"])
    crew.count(floor, d25=8)
    floor.locator("form").get_by_role("button", name=WORDS["tray.ask_fill"]).click()
    crew.says(floor, WORDS["tray.did.requested"])
    crew.cal.press("Make the slip and give $200.00")
    crew.cal.press("Show slip 1")
    slip = crew.cal.page.get_by_role("dialog")
    expect(slip.get_by_text("Fill slip 1")).to_be_visible()
    pictures.keep(crew.cal.page, "cage-slip")
    slip.get_by_role("button", name="Close").click()
    tray = crew.open_tray()
    crew.does(tray, "Counted: receive $200.00")
    crew.says(tray, WORDS["tray.did.received"])
    crew.close_tray()


def a_round_with_a_jackpot(crew: Crew) -> None:
    """Ann has a straight flush with the flop, and a tenth of the meter; Bob folds at the river."""
    dora, ann, bob = crew.dora, crew.ann, crew.bob
    dora.press("Open bets")
    for guest, wagers in ((ann, ("Ante", "Trips")), (bob, ("Ante",))):
        bet(guest, *wagers)
        guest.place(1, "Progressive jackpot", "$1")
        guest.settled_bets()
    dora.press("No more bets")
    dora.scan("9h", "8h", "2c", "7d", "As", "Kd")
    ann.choose(1, "4x")
    bob.choose(1, "Check")
    dora.scan("7h", "6h", "5h")
    bob.choose(1, "Check")
    dora.scan("2s", "Jc")
    bob.choose(1, "Fold")
    finish(crew)


def bet(guest: Guest, *wagers: str) -> None:
    """Bet $5 on each of these circles, once bets are open."""
    guest.until(lambda: guest.wire.phase == "wagering")
    for wager in wagers:
        guest.place(1, wager, "$5")
    guest.settled_bets()


def finish(crew: Crew) -> None:
    """Turn over what is to be turned, and confirm."""
    turn, confirm = (
        crew.dora.page.get_by_role("button", name=words, exact=True)
        for words in ("Turn over", "Confirm")
    )
    expect(turn.or_(confirm)).to_be_visible()
    while turn.is_visible():
        before = crew.dora.step.inner_text()
        turn.click()
        expect(crew.dora.step).not_to_have_text(before)
    confirm.click()
    crew.bob.until(lambda: crew.bob.wire.over)


def a_void_round(crew: Crew) -> None:
    """Bets are closed when the shuffler jams; the supervisor voids the round."""
    crew.dora.press("Open bets")
    bet(crew.bob, "Ante")
    crew.dora.press("No more bets")
    crew.dora.scan("2h", "3h")
    page = crew.sue.page
    page.get_by_role("button", name=WORDS["floor.act.void_round"], exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("The shuffler jammed.")
    dialog.get_by_role("button", name=WORDS["floor.act.void_round"]).click()
    crew.bob.until(lambda: crew.bob.wire.over)


def a_dispute(crew: Crew) -> None:
    """The supervisor freezes the round, and comes back to the table."""
    page = crew.sue.page
    page.get_by_role("button", name=WORDS["dispute.freeze"]).click()
    expect(page.get_by_role("heading", name="Dispute")).to_be_visible()
    page.goto(f"{crew.house.address}/#/floor/table/{PIT}")
    expect(crew.tray(page)).to_be_visible()


def a_voucher_at_another_terminal(crew: Crew) -> None:
    """Ann collects her credit as a voucher, and Bob uses it at another table."""
    ann, bob = crew.ann, crew.bob
    ann.button(WORDS["credit.collect"]).first.click()
    dialog = ann.page.get_by_role("dialog")
    dialog.get_by_role("button", name=WORDS["collect.voucher"]).click()
    code = dialog.get_by_text(re.compile(r"^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$")).inner_text()
    bob.own_table("online")
    bob.sit("$100")
    bob.button(WORDS["credit.open"]).click()
    panel = bob.page.get_by_role("dialog")
    panel.get_by_label(WORDS["credit.voucher"]).fill(code.lower())
    panel.get_by_role("button", name=WORDS["credit.use_voucher"]).click()
    bob.until(lambda: bob.wire.cents("credit") > 10_000)


def a_credit(crew: Crew) -> None:
    """The dealer requests that $100 go back, the supervisor gives them, the cashier gets them."""
    tray = crew.open_tray()
    crew.does(tray, WORDS["tray.ask_credit"])
    crew.count(tray, d5=20)
    tray.locator("form").get_by_role("button", name=WORDS["tray.ask_credit"]).click()
    crew.says(tray, WORDS["tray.did.requested"])
    crew.does(crew.tray(crew.sue.page), "Approve and give $100.00")
    crew.cal.press("Counted: receive $100.00")
    expect(crew.cal.page.get_by_role("button", name="Show slip 2")).to_be_visible()
    crew.close_tray()


def closing_count(crew: Crew, pictures: Pictures) -> None:
    """The tray is counted a $5 chip short, which needs a reason, and both sign."""
    book = reconcile(crew.house.database)
    pit = book.table(PIT)
    link = pit.contributed - pit.awarded
    must_hold = 300_000 + pit.fills - pit.credits + pit.win + link - pit.drop + pit.collected
    floor = crew.tray(crew.sue.page)
    expect(floor).to_contain_text(WORDS["tray.book"].format(amount=dollars(must_hold)))
    tray = crew.open_tray()
    crew.does(tray, WORDS["tray.count_closing"])
    short = must_hold - 500
    counts = {"d100": short // 10_000, "d1": short % 10_000 // 100}
    crew.count(tray, **counts)
    tray.get_by_label(re.compile("^1¢")).fill(str(short % 100))
    with crew.dora.guest.refused("/counts", 409):
        crew.does(tray, WORDS["tray.sign_first"])
    # The dealer counts blind, and is not told by how much.
    expect(tray.get_by_role("alert")).to_have_text(WORDS["refused.difference_unexplained"])
    tray.get_by_label(WORDS["cage.reason"]).fill("A red chip is missing.")
    crew.does(tray, WORDS["tray.sign_first"])
    crew.says(tray, WORDS["tray.did.counted"])
    crew.does(floor, f"Sign {dollars(short)}")
    crew.says(floor, WORDS["tray.did.closing"])
    crew.close_tray()
    crew.sue.page.set_viewport_size({"width": 1366, "height": 900})
    floor.evaluate("tray => tray.closest('section').scrollIntoView()")
    pictures.keep(crew.sue.page, "floor-tray")


def closing_drawer(crew: Crew) -> None:
    """The cashier closes the drawer to zero difference."""
    cal = crew.cal
    cal.press(WORDS["cage.close"])
    dialog = cal.page.get_by_role("dialog")
    cal.count(d100=23)
    dialog.get_by_role("button", name=WORDS["cage.close"]).click()
    cal.done("difference: none")


# The accountant ----------------------------------------------------------------------------


def reconciled(crew: Crew, pictures: Pictures) -> None:
    """What the ledger adds up to is what every screen shows."""
    check_record(crew.house.database)
    book = reconcile(crew.house.database)
    pit = book.table(PIT)
    # A tenth of the meter, whose seed is $10,000, and what was wagered on it; the wagers stay.
    assert pit.awarded >= 100_000
    assert (pit.fills, pit.credits, pit.differences) == (20_000, 10_000, -500)
    assert pit.drop == 100_000
    for page in (crew.sue.page, crew.ada.page):
        page.set_viewport_size({"width": 1920, "height": 900})
        page.goto(f"{crew.house.address}/#/floor/shift")
        the_shift(page, book)
    check_axe(crew.ada.guest, "the money of the shift")
    pictures.keep(crew.sue.page, "floor-shift")
    the_table(crew.sue.page, crew, book)
    the_floor(crew.ada.page, crew, book)
    the_players_and_the_cage(crew, book)
    every_figure_has_its_transfers(crew)
    a_cent_is_found(crew, pictures)
    # An auditor reads all of it, and is offered no action.
    crew.ada.page.goto(f"{crew.house.address}/#/floor/table/{PIT}")
    tray = crew.tray(crew.ada.page)
    expect(tray).to_be_visible()
    expect(tray.get_by_role("button")).to_have_count(0)


def the_shift(page: Page, book: DayAccounts) -> None:
    """The line of the table on the page of the shift."""
    pit = book.table(PIT)
    line = page.get_by_role("row").filter(has=page.get_by_role("link", name=PIT, exact=True))
    must_hold = -book.balances[f"tray:{PIT}"] + 500
    cells = [
        "$3,000.00✓",
        f"{dollars(pit.fills)}✓",
        f"{dollars(pit.credits)}✓",
        dollars(pit.drop),
        dollars(pit.collected),
        dollars(must_hold),
        f"{dollars(must_hold - 500)}✓",
        "$5.00 short",
        f"{dollars(pit.win - 500)}✓",
        dollars(pit.win),
        percent(pit.win, pit.staked),
        percent(pit.win, pit.drop),
        dollars(pit.tips),
        "$0.00",
    ]
    expect(line.get_by_role("cell").nth(9)).to_contain_text(dollars(pit.win - 500))
    shown = [
        text.removesuffix(", counted by hand").replace("\n", "")
        for text in line.get_by_role("cell").all_inner_texts()
    ]
    assert shown[1:] == cells


def percent(part: int, whole: int) -> str:
    """A part in percent, as screens write it."""
    return f"{100 * part / whole:.1f}%".replace("-", MINUS)


def the_table(page: Page, crew: Crew, book: DayAccounts) -> None:
    """The page of the table: the jackpot, each wager, and both slips."""
    pit = book.table(PIT)
    page.goto(f"{crew.house.address}/#/floor/table/{PIT}")
    money = page.get_by_role("region", name=WORDS["money.heading"])
    for label, cents in (
        (WORDS["money.awarded"], pit.awarded),
        (WORDS["money.contributed"], pit.contributed),
        (WORDS["money.stakes"], pit.staked),
    ):
        row = money.get_by_role("row").filter(has=page.get_by_role("rowheader", name=label))
        expect(row.get_by_role("cell").first).to_have_text(dollars(cents))
    wagers = money.get_by_role("table", name=WORDS["money.wagers"])
    rows = wagers.get_by_role("row").filter(has_not=page.get_by_role("columnheader"))
    won = {text.split("\t")[0]: text.split("\t")[2].strip() for text in rows.all_inner_texts()}
    house_won = sum(cents_of(text) for name, text in won.items() if name != "Progressive jackpot")
    assert house_won == pit.win
    assert cents_of(won["Progressive jackpot"]) == pit.contributed - pit.awarded
    for slip in (1, 2):
        expect(money.get_by_role("button", name=f"Show slip {slip}")).to_be_visible()


def cents_of(text: str) -> int:
    """An amount as screens write it, in cents."""
    cents = int(re.sub(r"\D", "", text))
    return -cents if text.startswith(MINUS) else cents


def the_floor(page: Page, crew: Crew, book: DayAccounts) -> None:
    """The line of the table among all tables."""
    pit = book.table(PIT)
    page.goto(f"{crew.house.address}/#/floor")
    line = page.get_by_role("row").filter(has=page.get_by_role("link", name=PIT, exact=True))
    expect(line.locator(".rounds")).to_have_text("1")
    for column, cents in ((".stakes", pit.staked), (".win", pit.win)):
        shown = line.locator(column).inner_text().split("\n")[0].lstrip("+")
        assert shown in (dollars(cents), dollars(cents).removesuffix(".00"))


def the_players_and_the_cage(crew: Crew, book: DayAccounts) -> None:
    """What players have, what the window took, and what is owed on vouchers."""
    ann = public_name(crew.ann)
    assert crew.ann.wallet_cents() == book.balances[f"wallet:{ann}"]
    assert crew.bob.wire.cents("credit") == sum(
        cents
        for account, cents in book.balances.items()
        if account.startswith("credit:private.") and account.endswith(public_name(crew.bob))
    )
    (drawer,) = book.cash_in
    assert WINDOW.match(drawer)
    assert (book.cash_in[drawer], book.cash_out[drawer]) == (30_000, 0)
    assert book.balances[f"drawer:{drawer}"] == book.balances["house:cage"] == 0
    assert book.vouchers_open == 0
    page = crew.sue.page
    page.goto(f"{crew.house.address}/#/cage")
    expect(page.get_by_text(dollars(book.vouchers_open)).first).to_be_visible()


# The transfers behind the figures --------------------------------------------------------------


def every_figure_has_its_transfers(crew: Crew) -> None:
    """Each figure of four pages opens a list that adds up to what the page shows."""
    page, listed = crew.ada.page, set()
    for part in ("floor", "floor/shift", f"floor/table/{PIT}", "floor/jackpots"):
        page.goto(f"{crew.house.address}/#/{part}")
        links = page.locator("a[href^='#/floor/transfers/']")
        expect(links.nth(3)).to_be_visible()
        shown = links.evaluate_all("all => all.map(one => [one.hash, one.innerText])")
        for address, text in shown:
            wanted = address.removeprefix("#/floor/transfers/")
            assert added_up(page, crew.house, wanted) == shown_cents(text), wanted
            listed.add(wanted)
    figures = {re.findall(r"figure=(\w+)", wanted)[0] for wanted in listed}
    assert figures >= {"stakes", "win", "win_adjusted", "drop", "collected", "tips", "collections"}
    assert figures >= {"fills", "credits", "book", "closing_difference", "counted_win"}
    assert figures >= {"contributed", "awarded", "corrections", "meter", "reserve"}
    assert any("wager=trips" in wanted for wanted in listed)


def added_up(page: Page, house: BrowserHouse, wanted: str) -> int:
    """The sum of every line of a list, page by page, which the server's own sum confirms."""
    address = f"{house.address}/api/v1/floor/transfers?{wanted}"
    answer = page.request.get(address).json()
    figure, sums = answer["figure_cents"], answer["sum_cents"]
    cents: int = sum(line["cents"] for line in answer["starts"])
    while True:
        cents += sum(row["cents"] for row in answer["rows"])
        if answer["next"] is None:
            break
        answer = page.request.get(f"{address}&before={answer['next']}").json()
    assert cents == sums == figure, wanted
    return cents


def shown_cents(text: str) -> int:
    """An amount on a page in cents, where cents of zero may be left out, and short is a minus."""
    if text == WORDS["cage.no_difference"]:
        return 0
    cents = round(float(re.sub(r"[^\d.]", "", text)) * 100)
    return -cents if text.startswith(MINUS) or text.endswith("short") else cents


def a_cent_is_found(crew: Crew, pictures: Pictures) -> None:
    """From the win of the shift to the round, in the page; and the file has the same lines."""
    page = crew.sue.page
    page.goto(f"{crew.house.address}/#/floor/table/{PIT}")
    money = page.get_by_role("region", name=WORDS["money.heading"])
    row = money.get_by_role("row").filter(has=page.get_by_role("rowheader", name="Win", exact=True))
    row.get_by_role("link").press("Enter")
    expect(page.get_by_role("heading", name="Win")).to_be_visible()
    expect(page.get_by_text(WORDS["transfers.agrees"])).to_be_visible()
    pictures.keep(page, "floor-transfers")
    check_axe(crew.sue.guest, "the transfers behind a figure")
    page.get_by_label(WORDS["transfers.search"]).fill("trips")
    page.keyboard.press("Enter")
    lines = page.get_by_role("region", name=WORDS["transfers.title"]).get_by_role("row")
    expect(lines).to_have_count(2)
    expect(lines.nth(1)).to_contain_text("trips.win")
    expect(lines.nth(1)).to_contain_text("Dealer")
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    file = download.value.path().read_text(encoding="utf-8").splitlines()
    assert len(file) == 2
    assert "trips.win" in file[1]
    lines.nth(1).get_by_role("link", name=f"{PIT}/1").click()
    expect(page.get_by_label(WORDS["audit.table"])).to_have_value(PIT)
    expect(page.get_by_label(WORDS["audit.round"])).to_have_value("1")
