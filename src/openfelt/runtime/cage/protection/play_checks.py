"""Checks of a player's limits before the player sits down, buys in, wagers or banks."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from openfelt.ledger import Transfer
from openfelt.ledger.play_limits import LimitKind, PlayReserved
from openfelt.rules.round_actions import SetWagers
from openfelt.runtime.cage.protection.limit_book import LimitBook, VersionedLimits, without_digest
from openfelt.runtime.cage.protection.limit_refusals import check_loss, check_may_play
from openfelt.storage.door import Append, Cause
from openfelt.table.commands import BuyIn, SeededWagers, TakeBank, TakeSeat
from openfelt.table.play_risk import most_at_risk_cents
from openfelt.table.state import Table, credit_of

ENTRIES: Final = (TakeSeat, BuyIn)
WAGERS: Final = (SetWagers, SeededWagers, TakeBank)


@dataclass(frozen=True, slots=True)
class DraftedLimits:
    """The limits of a player, with what a draft adds to their record."""

    before: VersionedLimits
    """As they were read."""
    reserved: PlayReserved
    cause: Cause

    def append(self, book: LimitBook) -> Append:
        """The append that the commit of the draft adds."""
        return book.append(self.before, (self.reserved,), without_digest(self.cause))

    def keep(self, book: LimitBook) -> None:
        """Remember the limits, once the draft has been written."""
        book.keep(self.before.after(self.reserved, book.now_ms(self.before)))


def check_play(
    book: LimitBook,
    player: str,
    tables: tuple[Table, Table],
    drafted: Iterable[Transfer],
    cause: Cause,
    *,
    wagers: bool,
    before: DraftedLimits | None,
) -> DraftedLimits | None:
    """Check a command of a player, given the table before and after it; raises Refusal.

    ``drafted`` are the transfers of all commands that are not written yet, and ``before`` is what
    an earlier one of them has added. None for a player whom nothing limits.
    """
    current = before.before if before is not None else book.limits_of(player)
    if not current.version:
        return before
    now_ms = book.now_ms(current)
    if not current.limits.limits_play(now_ms):
        return before
    table = tables[1]
    cost_cents = most_at_risk_cents(table, player) if wagers else 0
    reserve = DraftedLimits(current, PlayReserved(table.id, table.rounds, cost_cents), cause)
    if wagers and cost_cents <= most_at_risk_cents(tables[0], player):
        # What does not cost more may always be done: wagers are taken back.
        return reserve if table.id in current.limits.reserves or before is not None else before
    use = book.use(player, now_ms)
    check_may_play(current.limits, use, now_ms)
    playing = table.round_id if table.playing is not None else None
    pending_cents = _lost_cents(table, player, drafted, besides=playing)
    reserved_cents = use.reserved_cents(current.limits, besides=table.id)
    for period, most_cents in current.limits.in_force(LimitKind.LOSS, now_ms):
        lost_cents = use.lost_cents(period, now_ms, at=table.id, playing=playing)
        left_cents = most_cents - lost_cents - pending_cents - reserved_cents
        check_loss(most_cents, period, left_cents=left_cents, cost_cents=cost_cents)
    return reserve if wagers else before


def _lost_cents(
    table: Table, player: str, drafted: Iterable[Transfer], *, besides: str | None
) -> int:
    """The losses of rounds that are not written yet, except for the one in progress."""
    own = credit_of(table.id, player)
    return sum(
        transfer.cents if transfer.debit == own else -transfer.cents
        for transfer in drafted
        if transfer.round not in (None, besides) and own in (transfer.debit, transfer.credit)
    )
