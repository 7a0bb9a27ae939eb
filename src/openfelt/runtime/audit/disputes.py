"""The audit of disputes: each has its frozen round, as it was frozen, and at most one outcome."""

import hashlib
from typing import Final

from openfelt.record_events.dispute_events import DisputeDecided, DisputeEvent, DisputeOpened
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import REPLAY_ERRORS, AuditContext, ImpossibleEvent
from openfelt.runtime.audit.progress.progress_state import NotResumable, Saved
from openfelt.storage.door import Damaged, Irrecoverable, KeyMissing

FROZEN: Final = "round"


class DisputeAudit:
    """The audit of one dispute."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._digest = ""
        self._decided = False
        context.check_secret_names(stream, lambda name: name == FROZEN)

    def take(self, booked: BookedEvent) -> None:
        """Check that a dispute is opened once, and decided once."""
        check_transfers(booked, (), self._context.report)
        try:
            event: DisputeEvent = self._context.codec.decode(booked.stored)
            if isinstance(event, DisputeOpened) == bool(self._digest):
                raise ImpossibleEvent("A dispute begins once, with the round that it freezes")
            if isinstance(event, DisputeDecided) and self._decided:
                raise ImpossibleEvent("The dispute has an outcome, which is final")
        except REPLAY_ERRORS as error:
            self._context.find_impossible(booked.stored, error)
            return
        if isinstance(event, DisputeOpened):
            self._digest = event.digest
        self._decided = self._decided or isinstance(event, DisputeDecided)

    def saved(self) -> Saved:
        """The frozen round, and whether the dispute is decided."""
        return {"digest": self._digest, "decided": self._decided}

    def resume(self, saved: Saved) -> None:
        """Continue with a dispute; raises NotResumable."""
        digest, decided = saved.get("digest"), saved.get("decided")
        if not isinstance(digest, str) or not isinstance(decided, bool):
            raise NotResumable("it is not the state of a dispute")
        self._digest, self._decided = digest, decided

    def finish(self) -> None:
        """Check that the frozen round is there, and is the one that was frozen."""
        context = self._context
        if context.shipped:
            return
        try:
            body = context.store.secret(self._stream, FROZEN)
        except KeyMissing:
            if context.keys_here:
                raise
            return
        except Irrecoverable:
            return
        except Damaged as error:
            context.report.find(self._stream, str(error))
            return
        digest = hashlib.sha256(body.encode()).hexdigest() if body is not None else "none"
        if self._digest and digest != self._digest:
            context.report.find(
                self._stream,
                "The frozen round of a dispute is missing, or is another one.",
                expected=self._digest,
                found=digest,
            )
