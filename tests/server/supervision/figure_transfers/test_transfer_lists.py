"""The transfers behind every figure: each list adds up to its figure, to the cent."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from openfelt.catalog import load_house
from openfelt.ledger.trays import SlipKind, TrayMoment
from openfelt.rules.fingerprints import fingerprinted
from openfelt.rules.house import DealerMode
from openfelt.rules.irregularity_rules import About, Irregularity
from openfelt.runtime.cage.days.takings import TakingsBook
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.server.errors import Denied
from openfelt.server.pit.shifts import Shifts
from openfelt.server.supervision.alert_limits import HouseAlerts
from openfelt.server.supervision.figure_transfers import transfer_lists
from openfelt.server.supervision.figure_transfers.figure_names import FigureName
from openfelt.server.supervision.figure_transfers.figure_scopes import FigureScopes
from openfelt.server.supervision.figure_transfers.transfer_lists import TransferLists
from openfelt.server.supervision.floor_figures import FloorFigures
from openfelt.server.supervision.floor_money.shift_money import ShiftMoney
from openfelt.server.supervision.floor_money.tray_histories import TrayHistories
from openfelt.server.supervision.floor_money.win_to_drop import WinToDrop
from openfelt.server.supervision.jackpots.link_books import LinkAccountant
from openfelt.storage.balances.transfer_terms import TransferSearch
from openfelt.table.commands import (
    ApproveAdjustment,
    BuyIn,
    Collect,
    DeclareIrregularity,
    OpenBets,
    ProposeAdjustment,
)
from openfelt.table.links.link_referee import OpenLink
from tests.kit.cages import Cage
from tests.kit.felt import spot_of
from tests.kit.floors import Desk, Shift, steps_of_a_round
from tests.kit.tables import FLOOR
from tests.kit.trays import OPENING, TABLE, bring, count, tray_cage

PLAY = (
    *("drop", "collected", "win", "tips", "collections", "contributed", "awarded", "corrections"),
    "stakes",
)
DAY = ("stakes", "progressive", "win_adjusted")
TRAY = ("fills", "credits", "book", "opening_difference")
CLOSED = ("closing_difference", "counted_win")
DAY_MS = 86_400_000


class House:
    """A house on one store, with the lists of its figures."""

    def __init__(self, shift: Shift) -> None:
        worker_services: WorkerServices = shift.worker_services
        self.shift, self.cage = shift, tray_cage(shift)
        self.floor_figures = FloorFigures(shift.store, worker_services.codec, shift.clock)
        histories = TrayHistories(self.cage.trays)
        self.money = ShiftMoney(shift.store, worker_services.codec, shift.clock, histories)
        scopes = FigureScopes(
            store=shift.store,
            clock=shift.clock,
            figures=self.floor_figures,
            shift_money=self.money,
            win_to_drop=WinToDrop(shift.store, shift.clock, HouseAlerts()),
            accountant=LinkAccountant(
                shift.store, worker_services.codec, shift.clock, worker_services.links
            ),
            shifts=Shifts(shift.store, worker_services.codec),
            cage=self.cage,  # type: ignore[arg-type]
        )
        self.lists = TransferLists(shift.store, worker_services.codec, scopes, histories)
        self.tables: list[str] = []

    def checked(self, subject: str, figure: str, name: str = "", **more: object) -> int:
        """A figure, once its sum, its pages and its file all say the same."""
        wanted = FigureName(subject=subject, figure=figure, name=name, **more)  # type: ignore[arg-type]
        page = self.lists.page(wanted, self.tables)
        sums, rows = page.sums, list(page.rows)
        while page.before is not None:
            page = self.lists.page(wanted, self.tables, before=page.before)
            rows += page.rows
        start_cents = sum(line.cents for line in sums.scope.starts)
        assert sums.cents == sums.scope.cents == start_cents + sum(row.cents for row in rows), (
            wanted
        )
        assert sums.count == len(rows) == len({row.stored.number for row in rows})
        assert [row.stored.number for row in rows] == sorted(
            (row.stored.number for row in rows), reverse=True
        )
        scope, every = self.lists.all(wanted, self.tables)
        assert (scope.cents, list(every)) == (sums.scope.cents, rows)
        return sums.cents

    def check_table(self, table: str, figures: Iterator[str] | tuple[str, ...]) -> dict[str, int]:
        """Every figure of a table, of its wagers and of its day."""
        self.floor_figures.refresh()
        found = {figure: self.checked("table", figure, table) for figure in figures}
        money = self.money.of(table)
        assert money is not None
        for wager in money.window.wagers:
            for figure in ("stakes", "win"):
                self.checked("table", figure, table, wager=wager)
        for figure in DAY:
            self.checked("table", figure, table, span="day")
        return found


def play(desk: Desk, seed: int) -> None:
    for command, who in steps_of_a_round(desk, seed=seed):
        desk.do(command, who)


@pytest.fixture
def house(shift: Shift) -> House:
    """A house at noon."""
    shift.clock.pass_ms(DAY_MS // 2)
    return House(shift)


def linked_table(house: House) -> Desk:
    """A live table with an open tray, a link and two players."""
    shift = house.shift
    shift.worker_services.links.command(
        "main", OpenLink(link="main", contribution=Fraction(1, 8), seed_cents=1_000_000)
    )
    rules = replace(load_house("washington"), dealer_wagers=load_house("stadium").dealer_wagers)
    rules = fingerprinted(rules)
    desk = shift.open_table(rules, mode=DealerMode.LIVE, link="main")
    house.tables = [TABLE]
    count(house.cage, TrayMoment.OPENING, OPENING)
    return desk.sit("ann", 1, 1_000).sit("bob", 2, 1_000)


def play_by_hand(desk: Desk) -> None:
    """A lost round, a royal flush with a tip, a void round, and one with two hands out of play."""
    for cards, flop, river in (
        ("2c 7d 3h 4h Kc Kd", "3s 8d 9h", "Js 4c"),
        ("As Ks 5c 9d 2h 2d", "Qs Js Ts", "3c 4d"),
    ):
        desk.do(OpenBets(), "dan")
        desk.bet("ann", "1.1", "ante 10, trips 5, progressive 1, tip trips 5")
        desk.bet("bob", "2.1", "ante 20, progressive 1").close().deal(cards)
        desk.choose("ann", "1.1", "4x").choose("bob", "2.1", "check").deal(flop)
        desk.choose("bob", "2.1", "check").deal(river).choose("bob", "2.1", "fold")
        desk.turn().confirm()
    desk.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10, progressive 1").close().void()
    desk.do(OpenBets(), "dan").bet("ann", "1.1", "ante 15, trips 5, progressive 1")
    desk.bet("bob", "2.1", "ante 20, trips 5, progressive 1").close().deal("2c 7d 3h 4h Kc Kd")
    for player, what in ((1, Irregularity.HAND_FOULED), (2, Irregularity.HAND_TOUCHED)):
        desk.do(DeclareIrregularity(what, About.HAND, spot_of(f"{player}.1")), FLOOR)
    desk.deal("3s 8d 9h Js 4c").turn().confirm()
    # An adjustment goes to the wallet, and a seat brings its chips back.
    desk.do(ProposeAdjustment(2, 1, 700, "a stack too short"), "dan")
    desk.do(ApproveAdjustment(1), FLOOR).do(Collect(2), "bob")


def test_every_figure_of_a_shift_with_a_tray_is_the_sum_of_its_list(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transfer_lists, "PAGE_ROWS", 7)
    desk, cage, shift = linked_table(house), house.cage, house.shift
    bring(cage, SlipKind.FILL, {10_000: 500})
    play_by_hand(desk)
    bring(cage, SlipKind.CREDIT, {500: 20})

    figures = house.check_table(TABLE, (*PLAY, *TRAY))
    nothing = {"opening_difference", "collections"}
    assert {name for name, cents in figures.items() if cents} == {*PLAY, *TRAY} - nothing
    assert (figures["fills"], figures["credits"]) == (5_000_000, 10_000)
    for figure in ("stakes", "win_adjusted"):
        house.checked("tables", figure, span="day")
    for figure in ("drop", "collected", "win", "tips", "collections"):
        house.checked("tables", figure)
    for figure in ("contributed", "awarded", "envied", "meter", "reserve"):
        for span in ("recent", "whole"):
            house.checked("link", figure, "main", span=span)
    began_ms = Shifts(shift.store, shift.worker_services.codec).of("dan")[0].began_ms
    assert house.checked("dealer", "tips", "dan", number=began_ms) == figures["tips"] > 0
    wanted = FigureName(subject="table", figure="fills", name=TABLE)
    (row,) = house.lists.page(wanted, [TABLE]).rows
    assert (row.slip, row.event, row.cents) == (1, "chips_received", 5_000_000)


def test_the_figures_of_a_link_are_their_lists_before_and_after_it_counts_a_round(
    house: House,
) -> None:
    desk, links = linked_table(house), house.shift.worker_services.links
    play_by_hand(desk)
    links.fold("main")

    def checked() -> dict[str, int]:
        figures = ("contributed", "awarded", "envied", "meter", "reserve")
        return {figure: house.checked("link", figure, "main", span="whole") for figure in figures}

    counted = checked()
    desk.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10, progressive 1").close().deal(
        "2c 7d 3h 4h"
    )
    desk.choose("ann", "1.1", "check").deal("3s 8d 9h").choose("ann", "1.1", "check")
    desk.deal("Js 4c").choose("ann", "1.1", "fold").turn().confirm()
    # The wager waits at the table, which is a part of the reserve.
    assert list(house.shift.store.balances("reserve:main/").values()) == [100]
    assert checked() == {**counted, "reserve": counted["reserve"] + 100}

    assert links.fold("main") == 1
    assert not house.shift.store.balances("reserve:main/")
    now = checked()
    assert now["contributed"] == counted["contributed"] + 100
    assert now["meter"] + now["reserve"] == counted["meter"] + counted["reserve"] + 100
    assert now["meter"] > counted["meter"]


def test_the_figures_of_a_shift_that_is_over_are_listed_as_well(house: House) -> None:
    desk, cage = linked_table(house), house.cage
    bring(cage, SlipKind.FILL, {10_000: 500})
    play_by_hand(desk)
    closing_cents = house.checked("table", "book", TABLE) - 500
    chips = {
        cents: n for cents, n in {100: closing_cents // 100, 1: closing_cents % 100}.items() if n
    }
    count(cage, TrayMoment.CLOSING, chips, reason="short")
    closed = house.check_table(TABLE, (*PLAY, *TRAY, *CLOSED))
    assert closed["closing_difference"] == -500
    assert closed["counted_win"] == closed["win"] - 500
    # A second shift begins; the first one is told by the number of its opening count.
    count(cage, TrayMoment.OPENING, chips)
    desk.do(BuyIn(2, 50_000), "bob")
    play(desk, 3)
    assert house.check_table(TABLE, (*PLAY, *TRAY))["fills"] == 0
    for figure in ("fills", "credits", "counted_win", "closing_difference", "win", "drop", "book"):
        cents = house.checked("table", figure, TABLE, span="shift", number=1)
        assert cents == closed[figure], figure
    with pytest.raises(Denied):
        house.checked("table", "counted_win", TABLE)


@pytest.mark.parametrize("name", ["stadium", "california", "draw"])
def test_figures_without_a_tray_are_those_of_the_day(house: House, name: str) -> None:
    mode = DealerMode.VIRTUAL if name == "stadium" else DealerMode.LIVE
    desk = house.shift.open_table(name, mode=mode).sit("ann", 1, 5000).sit("bob", 2, 5000)
    house.tables = [TABLE]
    for seed in range(3):
        play(desk, seed)
    figures = house.check_table(TABLE, tuple(PLAY))
    assert figures["drop"] == 1_000_000
    assert figures["stakes"] > 0
    assert (figures["collections"] > 0) == (name == "california")
    with pytest.raises(Denied):
        house.checked("table", "fills", TABLE)
    with pytest.raises(Denied):
        house.checked("table", "win", "another")


def test_takings_of_a_day_are_listed_once_it_is_counted(house: House) -> None:
    desk = house.shift.open_table("washington").sit("ann", 1, 5000)
    play(desk, 1)
    house.shift.clock.pass_ms(DAY_MS)
    TakingsBook(house.shift.store).count_due(house.shift.clock)
    for figure in ("drop", "win"):
        for span in ("day", "month", "year"):
            whole = house.checked("takings", figure, span=span)
            assert whole == house.checked("takings", figure, TABLE, span=span) != 0


def test_a_drawer_and_open_vouchers_are_listed(house: House) -> None:
    drawers, cage = house.cage.drawers, house.cage
    for session in (1, 2):
        drawers.open("window-1", {10_000: 50}, by="cal", id=f"open {session}")
        drawers.take_cash("window-1", "ann", 30_000, by="cal", id=f"in {session}")
        drawers.pay_cash("window-1", "ann", 5_000, by="cal", id=f"out {session}")
        sold = drawers.sell_voucher("window-1", 2_500, by="cal", id=f"sell {session}")
        figures = {
            figure: house.checked("drawer", figure, "window-1")
            for figure in ("opening", "cash_in", "cash_out", "vouchers_sold", "holds")
        }
        assert list(figures.values()) == [500_000, 30_000, -5_000, 2_500, 527_500]
        if session == 1:
            assert sold.code is not None
            drawers.cash_voucher("window-1", sold.code, by="cal", id="cash")
            assert house.checked("drawer", "vouchers_cashed", "window-1") == -2_500
            drawers.close("window-1", {100: 5_250}, by="cal", id="close")
    kept = Cage.issue(cage, "ann", 1_000, id="v1")
    assert kept
    assert house.checked("vouchers", "open") == 3_500
    with pytest.raises(Denied):
        house.checked("drawer", "opening", "window-2")


FIGURES = ("opening", "cash_in", "cash_out", "vouchers_sold", "vouchers_cashed", "holds")


def test_a_drawer_that_was_closed_is_listed_apart_from_those_before_and_after_it(
    house: House,
) -> None:
    drawers = house.cage.drawers
    # The second one is opened empty, by a sold voucher and by nothing else, and closed empty.
    for session, (float_pieces, cash_cents) in enumerate(((50, 30_000), (0, 0), (10, 100))):
        drawers.open("window-1", {10_000: float_pieces}, by="cal", id=f"open {session}")
        if cash_cents:
            drawers.take_cash("window-1", "ann", cash_cents, by="cal", id=f"in {session}")
            drawers.pay_cash("window-1", "ann", 100, by="cal", id=f"out {session}")
        sold = drawers.sell_voucher("window-1", 2_500, by="cal", id=f"sell {session}")
        assert sold.code is not None
        if session == 1:
            drawers.cash_voucher("window-1", sold.code, by="cal", id="cash")
        must_hold_cents = drawers.get("window-1").cents
        drawers.close("window-1", {1: must_hold_cents}, by="cal", id=f"close {session}")
    drawers.open("window-1", {10_000: 1}, by="bob", id="open")
    expected = [
        [500_000, 30_000, -100, 2_500, 0, 532_400],
        [0, 0, 0, 2_500, -2_500, 0],
        [100_000, 100, -100, 2_500, 0, 102_500],
    ]
    for opened, sums in zip(drawers.shifts("window-1"), expected, strict=True):
        more = {"span": "shift", "number": opened.began}
        assert [house.checked("drawer", figure, "window-1", **more) for figure in FIGURES] == sums
    assert house.checked("drawer", "holds", "window-1") == 10_000
    for wrong in ({"number": 2}, {"number": opened.began, "figure": "rake"}):
        figure = str(wrong.pop("figure", "holds"))
        with pytest.raises(Denied):
            house.checked("drawer", figure, "window-1", span="shift", **wrong)


def test_a_list_is_searched_by_amount_round_account_and_note(house: House) -> None:
    desk = house.shift.open_table("washington").sit("ann", 1, 5000).sit("bob", 2, 2000)
    house.tables = [TABLE]
    for seed in range(3):
        play(desk, seed)

    def found(figure: str, text: str, cents: int | None = None) -> list[str]:
        wanted = FigureName(subject="table", figure=figure, name=TABLE)
        search = TransferSearch(text=text, cents=cents)
        page = house.lists.page(wanted, house.tables, search)
        assert (page.sums.found, page.sums.found_cents) == (
            len(page.rows),
            sum(row.cents for row in page.rows),
        )
        assert page.sums.cents == page.sums.scope.cents
        return [f"{row.stored.transfer.debit} {row.stored.transfer.round}" for row in page.rows]

    assert found("drop", "$2,000", 200_000) == ["wallet:bob None"]
    assert found("drop", "ANN") == ["wallet:ann None"]
    assert {row.split()[1] for row in found("stakes", f"{TABLE}/2")} == {f"{TABLE}/2"}
    assert {row.split()[1] for row in found("stakes", "2", 200)} == {f"{TABLE}/2"}
    assert found("drop", "100%") == found("drop", "_") == []
