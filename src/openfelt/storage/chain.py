"""The hash chain of a stream: changing an old event breaks the hashes of all later ones."""

import hashlib

from openfelt.storage.door import NewEvent


def event_hash(previous: str, *, stream: str, version: int, at_ms: int, event: NewEvent) -> str:
    """The hash of an event, over the previous hash and the whole event.

    Each part is preceded by its length, so that no two events have the same text.

    >>> event = NewEvent(name="bets_closed", schema=1, body="{}")
    >>> event_hash("0" * 64, stream="t", version=1, at_ms=5, event=event)[:12]
    '86687913d087'
    """
    parts = (previous, stream, str(version), str(at_ms), event.name, str(event.schema), event.body)
    text = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(text.encode()).hexdigest()
