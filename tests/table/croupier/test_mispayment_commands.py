"""Chips paid wrongly by hand although the book is right: reported, and resolved (R.43)."""

import pytest

from openfelt.rules import RefusalCode
from openfelt.table.commands import OpenBets, ReportMispayment, ResolveMispayment
from openfelt.table.incidents import (
    MISPAYMENTS_MAX,
    Mispayment,
    MispaymentReported,
    MispaymentResolved,
    Resolution,
)
from openfelt.table.refusal import TableCode
from tests.kit.tables import DEALER, FLOOR, Pit, replayed


def settled() -> Pit:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    pit.close().deal("As Ah Kc Kd").choose("ann", "1.1", "4x").deal("2c 7d 9h Js 3c")
    return pit.turn().confirm()


@pytest.mark.clause("R.43")
@pytest.mark.parametrize("cents", [500, -500])
@pytest.mark.parametrize("resolution", Resolution)
def test_a_mispayment_is_noted_with_its_end_and_the_book_stays(
    cents: int, resolution: Resolution
) -> None:
    pit = settled()
    book, credit = pit.book, pit.credit("ann")
    pit.do(ReportMispayment(1, 1, cents, " Blind paid twice. "), DEALER)
    reported = Mispayment(
        round=1, seat=1, player="ann", cents=cents, reason="Blind paid twice.", by="dealer:dan"
    )
    assert MispaymentReported(1, reported) in pit.events
    # The next rounds go on meanwhile.
    pit.do(OpenBets(), "dan")
    pit.refuses(ResolveMispayment(1, resolution), DEALER, TableCode.NOT_ALLOWED)
    pit.do(ResolveMispayment(1, resolution), FLOOR)
    assert pit.events[-1] == MispaymentResolved(1, resolution)
    pit.refuses(ResolveMispayment(1, resolution), FLOOR, TableCode.NOT_ADJUSTABLE)
    assert not pit.table.incidents.mispayments
    assert (pit.book, pit.credit("ann")) == (book, credit)
    assert replayed(pit.opened, pit.events) == pit.table


@pytest.mark.parametrize(
    ("report", "code"),
    [
        (ReportMispayment(1, 1, 0, "Nothing."), RefusalCode.MALFORMED),
        (ReportMispayment(1, 1, 500, ""), RefusalCode.MALFORMED),
        (ReportMispayment(2, 1, 500, "Another round."), TableCode.NOT_ADJUSTABLE),
        (ReportMispayment(1, 2, 500, "Another seat."), TableCode.NOT_ADJUSTABLE),
    ],
)
def test_a_report_names_a_hand_that_was_paid(
    report: ReportMispayment, code: RefusalCode | TableCode
) -> None:
    settled().refuses(report, DEALER, code)


def test_a_few_mispayments_wait() -> None:
    pit = settled()
    for _ in range(MISPAYMENTS_MAX):
        pit.do(ReportMispayment(1, 1, 500, "Again."), DEALER)
    more = ReportMispayment(1, 1, 500, "Again.")
    pit.refuses(more, DEALER, TableCode.NOT_ADJUSTABLE)
    pit.do(ResolveMispayment(7, Resolution.NOT_RECOVERED), FLOOR).do(more, DEALER)
    assert max(pit.table.incidents.mispayments) == MISPAYMENTS_MAX + 1
