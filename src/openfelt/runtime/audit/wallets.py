"""The audit of a wallet's record: every payment has its transfer."""

from openfelt.ledger.wallet import Deposited, Withdrawn, wallet_transfer
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.progress.progress_state import Saved
from openfelt.runtime.streams import name_of
from openfelt.storage.shown_names import shown


class WalletAudit:
    """The audit of one wallet's record."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._player = name_of(stream)
        context.snapshot(stream)
        context.check_secret_names(stream, lambda _: False)

    def take(self, booked: BookedEvent) -> None:
        """Check one payment."""
        try:
            event = self._context.codec.decode(booked.stored)
            if not isinstance(event, Deposited | Withdrawn) or event.player != self._player:
                raise ImpossibleEvent(f"It is not a payment of {shown(self._player)}")
        except REPLAY_ERRORS as error:
            self._context.find_impossible(booked.stored, error)
            return
        check_transfers(booked, (wallet_transfer(event),), self._context.report)

    def saved(self) -> Saved:
        """Each payment is checked on its own."""
        return {}

    def resume(self, saved: Saved) -> None:
        """Nothing is needed to continue."""

    def finish(self) -> None:
        """Nothing follows from payments alone: tables change a wallet's balance too."""
