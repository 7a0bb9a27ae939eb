"""Reasons for which a round is void, and the codes of those that every table knows."""

import pytest

from openfelt.catalog import load_house
from openfelt.rules import VoidRound
from openfelt.table.commands import CloseTable, ExpireRound, OpenBets
from openfelt.table.void_reasons import VoidCode, void_code
from tests.kit.tables import FLOOR, Pit

ONLINE = load_house("online")


def code_of(pit: Pit) -> VoidCode | None:
    """The code of the reason for which the table's last round is void."""
    reason = pit.round.void_reason
    assert reason is not None
    return void_code(reason, pit.round.house)


@pytest.mark.parametrize(
    ("reason", "code"),
    [
        ("malfunction", VoidCode.MALFUNCTION),
        ("Malfunction.", VoidCode.MALFUNCTION),
        ("Misdeal", VoidCode.MISDEAL),
        ("A malfunction of the shuffler.", None),
        ("unfinished", None),
        ("withdrawn", None),
        ("Not finished within 30 days.", VoidCode.UNFINISHED),
        ("Not finished within 31 days.", None),
        ("A card was exposed.", None),
    ],
)
def test_the_code_of_a_reason(reason: str, code: VoidCode | None) -> None:
    assert void_code(reason, ONLINE) is code


def test_what_staff_write_has_no_code_unless_it_is_a_usual_word() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").do(VoidRound("Coffee on the felt."), "eve")
    assert code_of(pit) is None
    pit.do(OpenBets(), "dan").bet("ann", "1.1", "ante 10").do(VoidRound("Misdeal."), "eve")
    assert code_of(pit) is VoidCode.MISDEAL


def test_a_round_that_waited_too_long_has_a_code() -> None:
    pit = Pit("online", private_to="ann").sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    pit.do(ExpireRound(round=1, days=45), FLOOR)
    assert code_of(pit) is VoidCode.UNFINISHED


def test_a_round_without_wagers_at_a_table_that_closes_has_a_code() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    pit.do(CloseTable("The night is over."), FLOOR).bet("ann", "1.1", "")
    assert code_of(pit) is VoidCode.WITHDRAWN
