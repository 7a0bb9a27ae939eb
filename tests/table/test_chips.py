"""The chips that events move: from where to where, why, and by which clause."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openfelt.ledger import Reason, Transfer
from openfelt.rules.house import DealerMode
from openfelt.rules.wagers import Beneficiary, Wager, WagerKind, wager_order
from openfelt.table.chips import _circles_changed, _wagers_changed, transfers_of
from openfelt.table.commands import ChangeDealer, OpenBets, TakeBank
from openfelt.table.state import open_table
from openfelt.table.transitions import after
from tests.kit.tables import Pit


def moves(pit: Pit) -> Iterator[Transfer]:
    """Every transfer of the record, in order."""
    table = open_table(pit.opened)
    for event in pit.events:
        transfers = transfers_of(table, event)
        yield from transfers
        table = after(table, event, transfers)


def told(pit: Pit, *, since: Reason) -> list[str]:
    """The transfers from the first of a kind on, as lines that can be read."""
    lines = list(moves(pit))
    first = next(at for at, one in enumerate(lines) if one.reason is since)
    return [_line(one) for one in lines[first:]]


def _line(one: Transfer) -> str:
    what = one.note or one.clause or ""
    return f"{one.reason} {one.debit} > {one.credit} {one.cents} {what}".strip()


def seated() -> Pit:
    return Pit("washington").sit("ann", 1, 500)


def test_sitting_down_and_going_home() -> None:
    assert told(seated(), since=Reason.BUY_IN) == ["buy_in wallet:ann > credit:table-1/ann 50000"]


def test_wagers_leave_the_credit_when_they_are_set_and_come_back_circle_by_circle() -> None:
    pit = seated().do(OpenBets(), "dan").bet("ann", "1.1", "ante 10, trips 5")
    pit.bet("ann", "1.1", "ante 20").bet("ann", "1.1", "")
    assert told(pit, since=Reason.WAGER) == [
        "wager credit:table-1/ann > wagers:table-1/1 1000 1.1 ante",
        "wager credit:table-1/ann > wagers:table-1/1 1000 1.1 blind",
        "wager credit:table-1/ann > wagers:table-1/1 500 1.1 trips",
        "wager credit:table-1/ann > wagers:table-1/1 1000 1.1 ante",
        "wager credit:table-1/ann > wagers:table-1/1 1000 1.1 blind",
        "wager_withdrawn wagers:table-1/1 > credit:table-1/ann 500 1.1 trips",
        "wager_withdrawn wagers:table-1/1 > credit:table-1/ann 2000 1.1 ante",
        "wager_withdrawn wagers:table-1/1 > credit:table-1/ann 2000 1.1 blind",
    ]


def test_a_wager_that_is_set_again_moves_nothing() -> None:
    pit = seated().do(OpenBets(), "dan").bet("ann", "1.1", "ante 10").bet("ann", "1.1", "ante 10")
    assert len(told(pit, since=Reason.WAGER)) == 2


def test_a_settlement_line_by_line() -> None:
    pit = seated().do(OpenBets(), "dan").bet("ann", "1.1", "ante 10, trips 5").close()
    pit.deal("As Ah Kc Kd").choose("ann", "1.1", "3x").deal("Js 7d 2h 9s 3c").turn().confirm()
    assert told(pit, since=Reason.RETURN) == [
        "return wagers:table-1/1 > credit:table-1/ann 1000 1.1 ante.win",
        "payout house:table-1 > credit:table-1/ann 1000 1.1 ante.win",
        "return wagers:table-1/1 > credit:table-1/ann 3000 1.1 play.win",
        "payout house:table-1 > credit:table-1/ann 3000 1.1 play.win",
        "return wagers:table-1/1 > credit:table-1/ann 1000 1.1 blind.push",
        "loss wagers:table-1/1 > house:table-1 500 1.1 trips.lose",
    ]
    settled = [one for one in moves(pit) if one.reason in (Reason.PAYOUT, Reason.LOSS)]
    assert [one.clause for one in settled] == ["W.11a", "W.11a", "W.11f"]
    assert {one.round for one in settled} == {"table-1/1"}


@pytest.mark.clause("S.5", "R.12")
@pytest.mark.parametrize(("dealer", "account"), [("dan", "tips:dan"), (None, "tips:table-1")])
def test_a_tip_goes_to_the_dealer_or_else_to_the_table_s_own_box(
    dealer: str | None, account: str
) -> None:
    tops = {"seat-1": "As Ah"}
    pit = Pit("stadium", mode=DealerMode.LIVE, tops=tops).sit("ann", 1, 500)
    pit.do(ChangeDealer(dealer), "eve").do(OpenBets(), "eve").bet(
        "ann", "1.1", "ante 10, tip ante 2"
    )
    pit.close("eve").do(ChangeDealer("dan"), "eve").deal("Jd 7d 9h Js 3c Kc 2d").choose(
        "ann", "1.1", "4x"
    ).turn().confirm()
    tips = [one for one in moves(pit) if one.reason is Reason.TIP]
    assert {str(one.credit) for one in tips} == {account}
    assert sum(one.cents for one in tips) == pit.cents(account) == 1_000


def test_a_tip_that_loses_is_the_house_s() -> None:
    tops = {"seat-1": "4s 5h"}
    pit = Pit("stadium", mode=DealerMode.LIVE, tops=tops).sit("ann", 1, 500)
    pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10, tip trips 2")
    pit.close().deal("Jd 7d 9h Js 3c Kc Kd").choose("ann", "1.1", "4x").turn().confirm()
    assert "loss wagers:table-1/1 > house:table-1 200 1.1 trips.lose" in told(
        pit, since=Reason.LOSS
    )
    assert pit.cents("tips:table-1") == 0


@pytest.mark.clause("R.20")
def test_a_bank_its_collections_and_its_return() -> None:
    pit = Pit("california").sit("ann", 1, 500).sit("bob", 2, 500)
    pit.do(TakeBank(1, 10_000), "ann").bet("bob", "2.1", "ante 5").close().void()
    assert told(pit, since=Reason.BANK_WAGER) == [
        "bank_wager credit:table-1/ann > banker:table-1/1 10000",
        "wager credit:table-1/bob > wagers:table-1/1 500 2.1 ante",
        "wager credit:table-1/bob > wagers:table-1/1 500 2.1 blind",
        "collection credit:table-1/ann > drop:table-1 200 R.20",
        "collection credit:table-1/bob > drop:table-1 100 R.20",
        "return wagers:table-1/1 > credit:table-1/bob 500 2.1 void",
        "return wagers:table-1/1 > credit:table-1/bob 500 2.1 void",
        "bank_return banker:table-1/1 > credit:table-1/ann 10000",
        "collection_returned drop:table-1 > credit:table-1/ann 200 R.13",
        "collection_returned drop:table-1 > credit:table-1/bob 100 R.13",
    ]


@pytest.mark.clause("R.13", "R.23")
def test_a_progressive_wager_reaches_the_link_only_when_the_round_is_confirmed() -> None:
    pit = Pit("washington", link="link-1").sit("ann", 1, 500).told(meter_cents=100_000)
    pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10, progressive 1").close().void()
    assert pit.cents("reserve:link-1/table-1") == 0
    pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10, progressive 1").close()
    pit.deal("As Jh Kc Kd").choose("ann", "1.1", "4x").deal("4s 7d 2h 9s 3c").turn().confirm()
    assert pit.cents("reserve:link-1/table-1") == 100
    assert told(pit, since=Reason.CONTRIBUTION) == [
        "contribution wagers:table-1/2 > reserve:link-1/table-1 100 1.1 progressive.lose"
    ]


@pytest.mark.clause("R.22")
def test_awards_and_envy_come_from_the_link() -> None:
    pit = Pit("washington", link="link-1").told(meter_cents=1_000_000)
    pit.sit("ann", 1, 500).sit("bob", 2, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10, progressive 1").bet("bob", "2.1", "ante 10, progressive 1")
    pit.close().deal("9s Ts 2c 2d Kc Kd").choose("ann", "1.1", "4x").choose("bob", "2.1", "4x")
    pit.deal("Js Qs Ks 3d 4h").turn().confirm()
    by_link = [one for one in moves(pit) if one.reason in (Reason.AWARD, Reason.ENVY)]
    assert [(one.reason, str(one.credit), one.cents) for one in by_link] == [
        (Reason.AWARD, "credit:table-1/ann", 100_000),
        (Reason.ENVY, "credit:table-1/bob", 20_000),
    ]
    assert pit.cents("reserve:link-1/table-1") == 200 - 120_000


def _some_wagers() -> st.SearchStrategy[tuple[Wager, ...]]:
    """The wagers of a hand, each circle once and in their order."""
    circles = st.sampled_from([WagerKind.ANTE, WagerKind.BLIND, WagerKind.TRIPS])
    wager = st.builds(Wager, circles, st.integers(1, 3), st.sampled_from(Beneficiary))
    listed = st.lists(wager, max_size=4, unique_by=wager_order)
    return listed.map(lambda wagers: tuple(sorted(wagers, key=wager_order)))


@settings(deadline=None)
@given(_some_wagers(), _some_wagers())
def test_changed_cents_on_the_same_circles_are_found_as_any_other_change_is(
    before: tuple[Wager, ...], now: tuple[Wager, ...]
) -> None:
    assert list(_wagers_changed(before, now)) == list(_circles_changed(before, now))
    doubled = tuple(Wager(each.kind, 2 * each.cents, each.beneficiary) for each in before)
    assert list(_wagers_changed(before, doubled)) == list(_circles_changed(before, doubled))
