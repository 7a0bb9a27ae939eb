"""A cage that is killed in the middle pays every voucher once, and tells nothing that is not so."""

import subprocess
import sys
from pathlib import Path

import pytest

from openfelt.ledger import AccountKind
from openfelt.runtime.audit import audit
from openfelt.runtime.clock import SystemClock
from openfelt.storage.addresses import open_store
from tests.kit.cages import Cage
from tests.kit.cases import with_variants
from tests.kit.processes.cage_clerk import CASHIER, DRAWER
from tests.kit.repository import ROOT

VOUCHERS = 30
KILLED_AFTER = (3, 9, 1, 14)
"""After so many answers each process is killed; the last one comes to the end."""


def clerk(database: str, codes: Path, answers: int | None) -> list[str]:
    """Run a clerk, and kill it after some answers; gives what it told."""
    command = [
        sys.executable,
        "-m",
        "tests.kit.processes.cage_clerk",
        database,
        str(codes),
    ]
    told: list[str] = []
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            told.append(line.strip())
            if len(told) == answers:
                process.kill()
                break
        told += [line.strip() for line in process.stdout]
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
