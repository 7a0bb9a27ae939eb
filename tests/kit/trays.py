"""A live table with a tray, as tests count it, fill it and play at it."""

import itertools

from openfelt.ledger.trays import SlipKind, Tray, TrayMoment
from openfelt.runtime.cage.tray_rules import Signer, TrayRole
from tests.kit.cages import Cage
from tests.kit.floors import Shift

TABLE = "table-1"
OPENING = {10_000: 20, 500: 100}
"""A tray of $2,500."""
DAN = Signer("dan", TrayRole.DEALER)
SUE = Signer("sue", TrayRole.SUPERVISOR)
CAL = Signer("cal", TrayRole.CHIP_BANK)


_IDS = itertools.count(1)


def new_id() -> str:
    """An id for a command."""
    return f"tray {next(_IDS)}"


def tray_cage(shift: Shift) -> Cage:
    """The cage of a shift."""
    return Cage(shift.store, shift.clock)


def count(
    cage: Cage, moment: TrayMoment, counted: dict[int, int], *, reason: str = "", table: str = TABLE
) -> Tray:
    """Count a tray: Dan counts and Sue signs."""
    tray = cage.trays.count(table, moment, counted, by=DAN, id=new_id(), reason=reason)
    return cage.trays.sign(table, tray.counts, by=SUE, id=new_id())


def bring(cage: Cage, kind: SlipKind, chips: dict[int, int], *, table: str = TABLE) -> Tray:
    """A fill or a credit from its request to its receipt."""
    number = cage.trays.request(table, kind, chips, by=SUE, id=new_id()).requests
    giver, taker = (CAL, DAN) if kind is SlipKind.FILL else (DAN, CAL)
    cage.trays.give(table, number, by=giver, id=new_id())
    return cage.trays.receive(table, number, by=taker, id=new_id())
