"""The records of a segment: events with their transfers, rules, checkpoints and shown cards.

No secret of the database is among them. What an event hides stays encrypted, and no key is shipped.
"""

from typing import Final

import msgspec

from openfelt.storage.balances.balance_door import StoredTransfer
from openfelt.storage.door import Checkpoint, RuleSet, StoredEvent
from openfelt.storage.sql.rows import Row


class ShippedTransfer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A transfer that an event has caused."""

    number: int
    debit: str
    credit: str
    cents: int
    reason: str
    round: str | None = None
    clause: str | None = None
    note: str = ""


class ShippedEvent(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, tag="event"
):
    """An event as it is stored, with its hash."""

    stream: str
    version: int
    name: str
    schema: int
    body: str
    at_ms: int
    previous: str
    hash: str
    actor: str = ""
    terminal: str = ""
    command: str = ""
    digest: str = ""
    transfers: list[ShippedTransfer] = []

    @property
    def row(self) -> Row:
        """The row of the event."""
        return (
            *(self.stream, self.version, self.name, self.schema, self.body, self.at_ms),
            *(self.previous, self.hash, self.actor, self.terminal, self.command, self.digest),
        )

    @property
    def transfer_rows(self) -> list[Row]:
        """The rows of its transfers."""
        return [
            (
                *(moved.number, self.stream, self.version, self.at_ms, moved.debit, moved.credit),
                *(moved.cents, moved.reason, moved.round, moved.clause, moved.note),
            )
            for moved in self.transfers
        ]


class ShippedRound(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="round"):
    """The shown part of a finished round, with its proofs, as a purge would keep it."""

    table: str
    number: int
    kept: str


class ShippedRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="rules"):
    """A house as it was when rounds were played under it."""

    fingerprint: str
    house: str
    body: str


class ShippedCheckpoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag="checkpoint"):
    """A checkpoint of the notary."""

    number: int
    at_ms: int
    body: str
    key: str
    signature: str


SegmentRecord = ShippedEvent | ShippedRound | ShippedRules | ShippedCheckpoint

_DECODER: Final[msgspec.json.Decoder[SegmentRecord]] = msgspec.json.Decoder(SegmentRecord)
_ENCODER: Final = msgspec.json.Encoder()


def record_line(record: SegmentRecord) -> bytes:
    """A record as one line of JSON."""
    return _ENCODER.encode(record) + b"\n"


def read_record(line: bytes) -> SegmentRecord:
    """The record in a line; raises MsgspecError."""
    return _DECODER.decode(line)


def shipped_event(stored: StoredEvent, transfers: list[StoredTransfer]) -> ShippedEvent:
    """An event with its transfers, ready to be shipped."""
    cause = stored.cause
    return ShippedEvent(
        stream=stored.stream,
        version=stored.version,
        name=stored.name,
        schema=stored.schema,
        body=stored.body,
        at_ms=stored.at_ms,
        previous=stored.previous,
        hash=stored.hash,
        actor=cause.actor,
        terminal=cause.terminal,
        command=cause.command,
        digest=cause.digest,
        transfers=[_shipped_transfer(booked) for booked in transfers],
    )


def _shipped_transfer(booked: StoredTransfer) -> ShippedTransfer:
    transfer = booked.transfer
    return ShippedTransfer(
        number=booked.number,
        debit=str(transfer.debit),
        credit=str(transfer.credit),
        cents=transfer.cents,
        reason=transfer.reason.value,
        round=transfer.round,
        clause=transfer.clause,
        note=transfer.note,
    )


def shipped_rules(rules: RuleSet) -> ShippedRules:
    """A house, ready to be shipped."""
    return ShippedRules(rules.fingerprint, rules.house, rules.body)


def shipped_checkpoint(checkpoint: Checkpoint) -> ShippedCheckpoint:
    """A checkpoint, ready to be shipped."""
    return ShippedCheckpoint(
        checkpoint.number,
        checkpoint.at_ms,
        checkpoint.body,
        checkpoint.key,
        checkpoint.signature,
    )
