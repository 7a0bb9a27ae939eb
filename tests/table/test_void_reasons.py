"""Reasons for which a round is void, and the codes of those that every table knows."""

from dataclasses import replace

import pytest

from openfelt.catalog import load_house
from openfelt.rules import House, VoidRound
from openfelt.rules.house import DealerMode
from openfelt.rules.lines import Settlement
from openfelt.rules.round_events import RoundVoided
from openfelt.table.commands import CloseTable, ExpireRound, OpenBets
from openfelt.table.void_reasons import (
    OWN_WORDS,
    VoidCode,
    code_of_sentence,
    is_unfinished,
    void_code,
)
from tests.kit.own_houses import REMOVED, own_house
from tests.kit.tables import FLOOR, Pit

ONLINE = load_house("online")


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
def test_the_code_of_a_sentence_in_an_old_record(reason: str, code: VoidCode | None) -> None:
    assert code_of_sentence(reason, ONLINE) is code


@pytest.mark.parametrize(
    ("written", "stored", "code"),
    [
        ("Coffee on the felt.", OWN_WORDS, None),
        ("Not finished within 30 days.", OWN_WORDS, None),
        (" Misdeal. ", "misdeal", VoidCode.MISDEAL),
    ],
)
def test_what_staff_write_has_no_code_unless_it_is_a_usual_word(
    written: str, stored: str, code: VoidCode | None
) -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10").do(VoidRound(written), "eve")
    assert pit.round.void_code == stored
    assert void_code(pit.round) is code


def test_a_round_that_waited_too_long_has_a_code() -> None:
    pit = Pit("online", private_to="ann").sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    assert void_code(pit.round) is None
    pit.do(ExpireRound(round=1, days=45), FLOOR)
    assert void_code(pit.round) is VoidCode.UNFINISHED
    # An earlier version stored the sentence alone.
    assert void_code(replace(pit.round, void_code=None)) is VoidCode.UNFINISHED


def clauses_of(pit: Pit) -> set[str]:
    """The clauses by which the wagers of the last round went back."""
    assert pit.round.settlement is not None
    return {line.clause for line in pit.round.settlement.lines}


@pytest.mark.clause("O.unfinished", "R.32")
@pytest.mark.parametrize(
    ("house", "clause"),
    [
        (ONLINE, "O.unfinished"),
        # The other documents end no round that is left, so the ruling does.
        (own_house("stadium", {"unfinished_days": 30, "clock": REMOVED}), "R.32"),
    ],
)
def test_the_wagers_of_a_round_that_was_left_go_back_by_the_clause_that_ends_it(
    house: House, clause: str
) -> None:
    pit = Pit(house, mode=DealerMode.VIRTUAL, private_to="ann").sit("ann", 1, 500)
    pit.bet("ann", "1.1", "ante 10, trips 5").close("ann").do(ExpireRound(round=1, days=30), FLOOR)
    assert pit.credit("ann") == 50_000
    assert clauses_of(pit) == {clause}


@pytest.mark.clause("R.13", "O.malfunction")
def test_a_malfunction_voids_a_round_by_the_clause_of_the_document() -> None:
    pit = Pit("online", private_to="ann").sit("ann", 1, 500).bet("ann", "1.1", "ante 10")
    pit.close("ann").do(VoidRound("Malfunction."), FLOOR)
    assert clauses_of(pit) == {"O.malfunction"}


def test_a_round_without_wagers_at_a_table_that_closes_has_a_code() -> None:
    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan").bet("ann", "1.1", "ante 10")
    pit.do(CloseTable("The night is over."), FLOOR).bet("ann", "1.1", "")
    assert void_code(pit.round) is VoidCode.WITHDRAWN
    assert void_code(replace(pit.round, void_code=None)) is VoidCode.WITHDRAWN


@pytest.mark.parametrize(
    ("reason", "code", "counted"),
    [
        ("Not finished within 30 days.", None, True),
        ("Not finished within 30 days.", OWN_WORDS, False),
        ("Worded otherwise.", "unfinished", True),
        ("Misdeal.", "misdeal", False),
        ("Misdeal.", None, False),
    ],
)
def test_refunds_are_counted_by_the_code_and_in_old_records_by_the_sentence(
    reason: str, code: str | None, counted: bool
) -> None:
    assert is_unfinished(RoundVoided(reason, Settlement(lines=()), code)) is counted
