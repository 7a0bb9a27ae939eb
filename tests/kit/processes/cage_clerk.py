"""A process at the windows of a cage, to be killed: ``python -m tests.kit.processes.cage_clerk``.

It takes the codes of a file one after another, to wallets and to a drawer in turn, and tells of
each once it is answered. What is sent again after a kill has the same id.
"""

import sys
from pathlib import Path

from openfelt.rules import Refusal
from openfelt.runtime.clock import SystemClock
from openfelt.storage.addresses import open_store
from tests.kit.cages import Cage

DRAWER, CASHIER = "window-1", "cal"


def take(cage: Cage, number: int, code: str) -> None:
    """Take one voucher, the even ones to a wallet and the odd ones in cash."""
    if number % 2:
        cage.drawers.cash_voucher(DRAWER, code, by=CASHIER, id=f"take {number}")
    else:
        cage.vouchers.redeem(code, "bob", id=f"take {number}")


def tell(line: str) -> None:
    """Report the answer to the test immediately."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(database: str, codes: Path) -> None:
    """Take every code of the file, as often as it takes."""
    cage = Cage(open_store(database), SystemClock())
    for number, code in enumerate(codes.read_text().split()):
        try:
            take(cage, number, code)
        except Refusal as refusal:
            tell(f"refused {number} {refusal.code}")
        else:
            tell(f"taken {number}")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
