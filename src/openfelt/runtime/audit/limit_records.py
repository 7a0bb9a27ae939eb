"""The audit of a player's limits: what is looser has waited, and no exclusion was shortened."""

from openfelt.ledger.play_limits import (
    LimitEvent,
    LimitSet,
    PlayerExcluded,
    PlayLimits,
    is_looser,
    limits_after,
)
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import AuditContext, ImpossibleEvent
from openfelt.runtime.audit.progress.progress_state import NotResumable, Saved
from openfelt.runtime.streams import name_of
from openfelt.storage.door import StoredEvent
from openfelt.storage.shown_names import shown


class LimitsAudit:
    """The audit of the record of one player's limits."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self._context = context
        self._stream = stream
        self._limits = PlayLimits(player=name_of(stream))
        self._snapshot = context.snapshot(stream)
        context.check_secret_names(stream, lambda _: False)

    def take(self, booked: BookedEvent) -> None:
        """Replay one event; after one that cannot be replayed, later ones are skipped."""
        context, stored = self._context, booked.stored
        check_transfers(booked, (), context.report)
        limits = context.replayed(stored, self._after)
        if limits is not None:
            self._limits = limits
            context.check_snapshot(self._snapshot, stored, limits, word="limits")

    def _after(self, stored: StoredEvent) -> PlayLimits:
        event: LimitEvent = self._context.codec.decode(stored)
        self._check(event, stored.at_ms)
        return limits_after(self._limits, event, stored.at_ms)

    def _check(self, event: LimitEvent, at_ms: int) -> None:
        player = self._limits.player
        if isinstance(event, LimitSet | PlayerExcluded) and event.player != player:
            raise ImpossibleEvent(f"It is a limit of {shown(event.player)}")
        if not isinstance(event, LimitSet):
            return
        stands = self._limits.limit(event.side, event.kind, event.period).at(at_ms)
        if event.before != stands:
            raise ImpossibleEvent(f"The limit before was {stands}, not {event.before}")
        if event.waits is not is_looser(event.before, event.after):
            raise ImpossibleEvent("A limit is delayed if it is looser, and only then")

    def saved(self) -> Saved:
        """The limits as they are."""
        return {"limits": self._context.codec.codec.to_json(PlayLimits, self._limits)}

    def resume(self, saved: Saved) -> None:
        """Continue with the limits as they were; raises NotResumable if they were not replayed."""
        if "limits" not in saved:
            raise NotResumable("the limits were not replayed")
        self._limits = self._context.codec.codec.from_json(PlayLimits, str(saved["limits"]))

    def finish(self) -> None:
        """Check that the snapshot belongs to the record."""
        self._context.check_snapshot_version(self._stream, self._snapshot)
