"""Disputes: rounds that are frozen with one press, and the later notes on them.

A frozen round is written once and encrypted, in a stream that neither the purge nor an archive
touches, together with an event that names its hash. Notes and the outcome are further events:
nothing is ever changed or removed.
"""

import hashlib
import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, Final

from openfelt.record_events.dispute_events import (
    DisputeDecided,
    DisputeEnd,
    DisputeEvent,
    DisputeNoted,
    DisputeOpened,
)
from openfelt.rules.refusal import Refusal
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import DAY_MS, Clock
from openfelt.runtime.requests import RuntimeCode
from openfelt.runtime.streams import StreamKind, dispute_stream, names_in
from openfelt.server.errors import Denied, not_found
from openfelt.server.supervision.frozen_rounds import FrozenRound, RoundFreezer
from openfelt.server.supervision.shared_values import whole_steps
from openfelt.storage.codec import read_json
from openfelt.storage.door import (
    Append,
    Cause,
    Commit,
    Conflict,
    Forged,
    NewSecret,
    Store,
    StoredEvent,
)
from openfelt.storage.event_forms import EventCodec

KEPT_MS: Final = 366 * DAY_MS
"""How long a frozen round is kept at least."""
FROZEN: Final = "round"
"""The name of the secret with the frozen round."""
ATTEMPTS_MAX: Final = 20
LOOKED_MAX: Final = 16
"""How many seats are shown of a round that is recalled and not frozen."""


@dataclass(frozen=True, slots=True)
class AddedNote:
    """A note or outcome that was added to a dispute."""

    at_ms: int
    by: str
    """Who added it, such as ``floor:sue``."""
    note: str
    outcome: DisputeEnd | None = None


@dataclass(frozen=True, slots=True)
class Dispute:
    """A dispute with everything that was added to it."""

    number: int
    opened: DisputeOpened
    at_ms: int
    by: str
    entries: tuple[AddedNote, ...] = ()
    """Later entries, in order."""

    @property
    def outcome(self) -> DisputeEnd | None:
        """How it ended, None while it is open."""
        return next((entry.outcome for entry in self.entries if entry.outcome is not None), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenView:
    """The frozen view of one seat or of the dealer."""

    player: str
    steps: list[dict[str, Any]]
    picture: str | None
    """The picture of the last step, as SVG; None where version 1 froze it without one."""
    picture_sha256: str | None
    renderer: str | None
    """How the picture was drawn."""
    house: str
    fingerprint: str
    proof_missing: str | None


class Disputes:
    """The disputes of one store. All calls block."""

    def __init__(
        self, store: Store, codec: EventCodec, clock: Clock, freezer: RoundFreezer
    ) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock
        self._freezer = freezer
        self._lock = threading.Lock()

    def all(self) -> list[Dispute]:
        """All disputes, the newest first."""
        numbers = sorted(map(int, names_in(self._store, StreamKind.DISPUTE)), reverse=True)
        return [self.get(number) for number in numbers]

    def get(self, number: int) -> Dispute:
        """A dispute by its number; raises Denied."""
        dispute = None
        for stored in self._store.record(dispute_stream(str(number))):
            dispute = self._after(dispute, number, stored)
        if dispute is None:
            raise not_found(f"There is no dispute {number}.")
        return dispute

    def open(self, table: str, round_number: int, *, note: str, cause: Cause) -> Dispute:
        """Freeze a finished round, or return the existing dispute of that round.

        What every seat saw is frozen: in a hall of thousands of terminals it takes some seconds.

        It may run in a thread without the caller's context, so the cause is an argument.
        """
        with self._lock:
            for dispute in self.all():
                if (dispute.opened.table, dispute.opened.round) == (table, round_number):
                    return dispute
            frozen = self._freezer.freeze(table, round_number)
            now_ms = self._clock.wall_ms()
            event = DisputeOpened(
                table=table,
                round=round_number,
                seats=frozen.seats,
                digest=digest_of(frozen.body),
                until_ms=now_ms + KEPT_MS,
                purged=frozen.purged,
                note=note,
            )
            secret = NewSecret(name=FROZEN, body=frozen.body, encrypted=True, packed=True)
            for _ in range(ATTEMPTS_MAX):
                number = 1 + max(map(int, names_in(self._store, StreamKind.DISPUTE)), default=0)
                try:
                    self._append(number, 0, event, cause, (secret,))
                except Conflict:
                    # Another process has opened a dispute.
                    continue
                return self.get(number)
        raise Refusal(RuntimeCode.BUSY, "Too many disputes are opened at once; try again.")

    def look(self, table: str, round_number: int, *, seats: Sequence[int]) -> FrozenRound:
        """A finished round as it would be frozen; nothing is written. Raises Denied."""
        return self._freezer.freeze(table, round_number, seats=seats, seats_max=LOOKED_MAX)

    def note(self, number: int, note: str) -> Dispute:
        """Add a note, before or after the outcome."""
        return self._add(number, DisputeNoted(note))

    def decide(self, number: int, outcome: DisputeEnd, note: str) -> Dispute:
        """Add the outcome, which is final; raises Denied if there is one."""
        return self._add(number, DisputeDecided(outcome, note))

    def frozen(self, dispute: Dispute) -> str:
        """The frozen round as JSON; raises Forged if it is not the one that was frozen."""
        stream = dispute_stream(str(dispute.number))
        body = self._store.secret(stream, FROZEN)
        if body is None or digest_of(body) != dispute.opened.digest:
            raise Forged("secrets", f"{stream}/{FROZEN}")
        return body

    def seat_view(self, dispute: Dispute, seat: int) -> FrozenView:
        """The frozen view of the dealer, seat 0, or of one seat; raises Denied and Forged."""
        frozen = read_json(self.frozen(dispute))
        views = frozen["views"]
        view = views["dealer"] if seat == 0 else views["seats"].get(str(seat))
        if view is None:
            raise not_found(f"Seat {seat} is not in this dispute.")
        if isinstance(view, list):
            # The dealer's view as version 1 has it.
            view = {"steps": view}
        steps = view["steps"]
        return FrozenView(
            player=view.get("player") or "",
            steps=whole_steps(steps, frozen["shared"]) if "shared" in frozen else steps,
            picture=view.get("picture"),
            picture_sha256=view.get("picture_sha256"),
            renderer=frozen.get("renderer"),
            house=frozen["house"],
            fingerprint=frozen["fingerprint"],
            proof_missing=frozen["proof_missing"],
        )

    def record(self, number: int) -> list[StoredEvent]:
        """The events of a dispute, with their hashes."""
        return list(self._store.record(dispute_stream(str(number))))

    def _add(self, number: int, event: DisputeEvent) -> Dispute:
        for _ in range(ATTEMPTS_MAX):
            dispute = self.get(number)
            if isinstance(event, DisputeDecided) and dispute.outcome is not None:
                raise Denied(
                    HTTPStatus.CONFLICT,
                    "dispute_decided",
                    "This dispute already has its outcome, which is final. Add a note instead.",
                )
            try:
                self._append(number, 1 + len(dispute.entries), event, acting())
            except Conflict:
                continue
            return self.get(number)
        raise Refusal(RuntimeCode.BUSY, "The dispute is busy; try again.")

    def _append(
        self,
        number: int,
        version: int,
        event: DisputeEvent,
        cause: Cause,
        secrets: tuple[NewSecret, ...] = (),
    ) -> None:
        append = Append(
            stream=dispute_stream(str(number)),
            expected_version=version,
            events=(self._codec.encode(event, cause=cause),),
            secrets=secrets,
        )
        self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))

    def _after(self, dispute: Dispute | None, number: int, stored: StoredEvent) -> Dispute:
        event: DisputeEvent = self._codec.decode(stored)
        at_ms, by = stored.at_ms, stored.cause.actor
        if isinstance(event, DisputeOpened):
            return Dispute(number, event, at_ms, by)
        if dispute is None:
            raise Forged("events", f"{stored.stream}/{stored.version}")
        outcome = event.outcome if isinstance(event, DisputeDecided) else None
        entry = AddedNote(at_ms, by, event.note, outcome)
        return replace(dispute, entries=(*dispute.entries, entry))


def digest_of(body: str) -> str:
    """The hash by which the event of a dispute names its frozen round."""
    return hashlib.sha256(body.encode()).hexdigest()
