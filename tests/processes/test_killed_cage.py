"""A cage that is killed in the middle pays every voucher and brings every fill once, and tells
nothing that is not so."""

from pathlib import Path

import pytest

from openfelt.ledger import AccountKind
from openfelt.ledger.trays import SlipKind, TrayMoment
from openfelt.runtime.audit import audit
from openfelt.runtime.clock import SystemClock
from openfelt.storage.addresses import open_store
from tests.independent.record import check_record
from tests.kit import trays
from tests.kit.cages import Cage
from tests.kit.cases import with_variants
from tests.kit.processes.cage_clerk import CASHIER, DRAWER
from tests.kit.processes.chip_clerk import FILLS, TABLE
from tests.kit.processes.warm_interpreter import ForkedProgram

VOUCHERS = 30
KILLED_AFTER = (3, 9, 1, 14)
"""After so many answers each process is killed; the last one comes to the end."""


def clerk(database: str, codes: Path, answers: int | None) -> list[str]:
    """Run a clerk, and kill it after some answers; gives what it told."""
    return told_by("cage_clerk", database, str(codes), answers=answers)


def told_by(program: str, *arguments: str, answers: int | None) -> list[str]:
    """Run a process, and kill it after some answers; gives what it told."""
    told: list[str] = []
    process = ForkedProgram.of_module(f"tests.kit.processes.{program}", *arguments)
    assert process.stdout is not None
    with process.stdout as output:
        for line in output:
            told.append(line.strip())
            if len(told) == answers:
                process.kill()
                break
        told += [line.strip() for line in output]
    process.wait()
    return told


@pytest.mark.parametrize("database", with_variants(["sqlite", "postgres"]), indirect=True)
def test_a_killed_cage_pays_every_voucher_once(database: str, tmp_path: Path) -> None:
    cage = Cage(open_store(database), SystemClock())
    cage.cashier.deposit("ann", 100 * VOUCHERS, id="deposit")
    codes = tmp_path / "codes"
    codes.write_text("\n".join(cage.issue("ann", 100, id=str(n)) for n in range(VOUCHERS)))
    cage.drawers.open(DRAWER, {100: VOUCHERS}, by=CASHIER, id="open")
    told = [line for answers in KILLED_AFTER for line in clerk(database, codes, answers)]
    last = clerk(database, codes, None)
    # Each is carried out once; a repeated one gets its first answer, so none is ever refused.
    assert last == [f"taken {number}" for number in range(VOUCHERS)]
    assert set(told) <= set(last)
    assert cage.vouchers.liability().cents == 0
    assert cage.drawers.get(DRAWER).sums.vouchers_cashed == 100 * VOUCHERS // 2
    assert cage.by_kind()[AccountKind.WALLET] == 100 * VOUCHERS // 2
    assert audit(cage.store).clean
    cage.store.close()


@pytest.mark.parametrize("database", with_variants(["sqlite", "postgres"]), indirect=True)
def test_a_killed_chip_bank_brings_every_fill_once_and_numbers_no_slip_twice(database: str) -> None:
    cage = Cage(open_store(database), SystemClock())
    trays.count(cage, TrayMoment.OPENING, trays.OPENING, table=TABLE)
    for number in range(1, FILLS + 1):
        cage.trays.request(TABLE, SlipKind.FILL, {500: number}, by=trays.SUE, id=f"ask {number}")
    told = [
        line for answers in (1, 3, 2) for line in told_by("chip_clerk", database, answers=answers)
    ]
    last = told_by("chip_clerk", database, answers=None)
    assert last == [f"received {number}" for number in range(1, FILLS + 1)]
    assert set(told) <= set(last)
    slips = [(made.number, made.request) for _, made in cage.trays.slips()]
    assert slips == [(number, number) for number in range(1, FILLS + 1)]
    assert cage.trays.get(TABLE).cents == 250_000 + 500 * sum(range(1, FILLS + 1))
    assert audit(cage.store).clean
    check_record(database)
    cage.store.close()
