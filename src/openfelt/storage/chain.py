"""The hash chain of a stream: changing an old event breaks the hashes of all later ones."""

import hashlib

from openfelt.storage.door import NewEvent, StoredEvent


def event_hash(previous: str, *, stream: str, version: int, at_ms: int, event: NewEvent) -> str:
    """The hash of an event, over the previous hash and the whole event with its cause.

    Each part is preceded by its length, so that no two events have the same text. An event without
    an actor is one of a version before causes, and is hashed as it was then.

    >>> from openfelt.storage.door import Cause
    >>> event = NewEvent(name="bets_closed", schema=1, body="{}", cause=Cause(actor=""))
    >>> event_hash("0" * 64, stream="t", version=1, at_ms=5, event=event)[:12]
    '86687913d087'
    >>> event = NewEvent(name="bets_closed", schema=1, body="{}", cause=Cause(actor="floor:ann"))
    >>> event_hash("0" * 64, stream="t", version=1, at_ms=5, event=event)[:12]
    '3aa1e6ca7748'
    """
    parts: tuple[str | int, ...]
    parts = (previous, stream, version, at_ms, event.name, event.schema, event.body)
    cause = event.cause
    if cause.actor:
        parts += (cause.actor, cause.terminal, cause.command, cause.digest)
    return hashlib.sha256(delimited(*parts).encode()).hexdigest()


def delimited(*parts: str | int) -> str:
    """The parts as one text to be hashed or signed, which no other parts have.

    >>> delimited("table/a", 31)
    '7:table/a2:31'
    """
    return "".join([f"{len(text)}:{text}" for text in map(str, parts)])


def stored_hash(stored: StoredEvent) -> str:
    """The hash that a stored event must have, after the previous hash that it names."""
    event = NewEvent(name=stored.name, schema=stored.schema, body=stored.body, cause=stored.cause)
    return event_hash(
        stored.previous,
        stream=stored.stream,
        version=stored.version,
        at_ms=stored.at_ms,
        event=event,
    )
