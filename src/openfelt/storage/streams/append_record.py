"""The store's own stream ``appends``: what a database records of its codes.

Its first event says from when on appends are authentic. Databases of earlier versions have no
codes; their heads get them as they are found, once, and the event says how many. Later events name
the keys that are used from then on, and the epochs that have begun.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, NamedTuple

import msgspec

from openfelt.storage.chain import event_hash, stored_hash
from openfelt.storage.door import (
    FIRST_HASH,
    Authentication,
    Cause,
    Forged,
    Head,
    NewEvent,
    StoredEvent,
)
from openfelt.storage.streams.append_keys import APPENDS_STREAM

AUTHENTICATED: Final = "appends_authenticated"
KEYS_USED: Final = "append_keys_used"
EPOCH_BEGUN: Final = "append_epoch_begun"
_SCHEMA: Final = 1
_SYSTEM: Final = Cause(actor="system:openfelt")


class _KeysUsed(msgspec.Struct, frozen=True):
    keys: tuple[str, ...]


class _EpochBegun(msgspec.Struct, frozen=True):
    epoch: str
    reason: str


class AppendRecord(NamedTuple):
    """The content of the stream and its end. It does not say whether the head is authentic."""

    says: Authentication
    head: Head


def read_record(head: Head, events: Iterable[StoredEvent]) -> AppendRecord | None:
    """The content of the events up to a head, None for an empty stream; raises Forged."""
    says: Authentication | None = None
    version, last = 0, FIRST_HASH
    for event in events:
        own = stored_hash(event)
        if (event.version, event.previous, event.hash) != (version + 1, last, own):
            raise Forged("events", f"{APPENDS_STREAM}/{event.version}")
        says = _after(says, event)
        version, last = event.version, own
    if (version, last) != (head.version, head.hash):
        raise Forged("events", f"{APPENDS_STREAM}/{max(version, 1)}")
    return None if says is None else AppendRecord(says, head)


def _after(says: Authentication | None, event: StoredEvent) -> Authentication:
    try:
        if says is None:
            if event.name != AUTHENTICATED:
                raise ValueError
            says = msgspec.json.decode(event.body, type=Authentication)
        elif event.name == KEYS_USED:
            used = msgspec.json.decode(event.body, type=_KeysUsed)
            says = replace(says, keys=tuple(sorted({*says.keys, *used.keys})))
        elif event.name == EPOCH_BEGUN:
            says = replace(says, epoch=msgspec.json.decode(event.body, type=_EpochBegun).epoch)
        else:
            raise ValueError
        bytes.fromhex(says.database + says.epoch)
    except (msgspec.MsgspecError, ValueError):
        raise Forged("events", f"{APPENDS_STREAM}/{event.version}") from None
    return says


# Events ----------------------------------------------------------------------


def authenticated(begun: Authentication) -> NewEvent:
    """The first event, which begins the authentication of appends."""
    return _event(AUTHENTICATED, begun)


def keys_used(*keys: str) -> NewEvent:
    """The event that names keys which are used from now on."""
    return _event(KEYS_USED, _KeysUsed(keys))


def epoch_begun(epoch: str, reason: str) -> NewEvent:
    """The event that begins an epoch."""
    return _event(EPOCH_BEGUN, _EpochBegun(epoch, reason))


def _event(name: str, body: object) -> NewEvent:
    text = msgspec.json.encode(body).decode()
    return NewEvent(name=name, schema=_SCHEMA, body=text, cause=_SYSTEM)


def next_head(before: Head, event: NewEvent, at_ms: int) -> Head:
    """The head of the stream after one more event, without its code."""
    at_ms, version = max(at_ms, before.at_ms), before.version + 1
    own = event_hash(before.hash, stream=APPENDS_STREAM, version=version, at_ms=at_ms, event=event)
    return Head(version=version, hash=own, at_ms=at_ms, fence=before.fence)
