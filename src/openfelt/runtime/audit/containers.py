"""The audit of a counted container, such as a drawer or a tray, replayed event by event."""

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Generic, TypeVar

from openfelt.ledger import Account, Transfer
from openfelt.runtime.audit.chain import BookedEvent, check_transfers
from openfelt.runtime.audit.context import AuditContext
from openfelt.runtime.audit.progress.progress_state import NotResumable, Saved
from openfelt.runtime.streams import name_of
from openfelt.storage.codec import CodecError
from openfelt.storage.door import StoredEvent

State = TypeVar("State")
Event = TypeVar("Event")


class ContainerAudit(ABC, Generic[State, Event]):
    """The audit of the record of one container."""

    word: ClassVar[str]
    """The word for a container of this kind."""
    kind: ClassVar[type[Any]]
    """The type of its state."""

    def __init__(self, context: AuditContext, stream: str) -> None:
        self.context = context
        self.stream = stream
        self.state: State = self.kind(id=name_of(stream))
        self._snapshot = context.snapshot(stream)
        context.check_secret_names(stream, lambda _: False)

    # What differs between kinds ------------------------------------------------------------

    @abstractmethod
    def check(self, stored: StoredEvent, event: Event, /) -> None:
        """Refuse an event that the container cannot have had; raises ImpossibleEvent."""

    @abstractmethod
    def transfers(self, event: Event) -> tuple[Transfer, ...]:
        """The transfers that an event causes."""

    @abstractmethod
    def after(self, event: Event, at_ms: int) -> State:
        """The container after an event."""

    @abstractmethod
    def account(self) -> tuple[Account, int]:
        """The account of the container, and what it must hold in cents."""

    def kept(self) -> State:
        """The part of the container that a snapshot keeps."""
        return self.state

    def took(self, stored: StoredEvent, event: Event, before: State) -> None:
        """Note an event that was possible, and the container before it."""

    # What all have in common -----------------------------------------------------------------

    def take(self, booked: BookedEvent) -> None:
        """Replay one event; after one that cannot be replayed, later ones are skipped."""
        context, stored, before = self.context, booked.stored, self.state
        replayed = context.replayed(stored, self._replay)
        if replayed is not None:
            event, expected = replayed
            check_transfers(booked, expected, context.report)
            self.took(stored, event, before)
            context.check_snapshot(self._snapshot, stored, self.kept(), word=self.word)

    def _replay(self, stored: StoredEvent) -> tuple[Event, tuple[Transfer, ...]]:
        """Apply an event; returns it with the transfers that it must have caused."""
        event: Event = self.context.codec.decode(stored)
        self.check(stored, event)
        expected = self.transfers(event)
        self.state = self.after(event, stored.at_ms)
        return event, expected

    def saved(self) -> Saved:
        """The container as it is."""
        return {self.word: self.context.codec.codec.to_json(self.kind, self.state)}

    def resume(self, saved: Saved) -> None:
        """Continue with the container as it was; raises NotResumable."""
        try:
            self.state = self.context.codec.codec.from_json(self.kind, str(saved[self.word]))
        except (KeyError, CodecError):
            raise NotResumable(f"it is not the state of a {self.word}") from None

    def finish(self) -> None:
        """Note what the account of the container must hold."""
        self.context.check_snapshot_version(self.stream, self._snapshot)
        account, cents = self.account()
        if cents:
            self.context.balances[account] = -cents
