"""What the checkpoints say about the store's own stream and all others: outside evidence.

A database whose codes were all removed looks like one of an earlier version, and the next server
would accept everything in it. The published checkpoints show that there were codes.
"""

from collections.abc import Collection, Iterable
from pathlib import Path

from openfelt.runtime.notary.checkpoints import (
    CheckpointError,
    NamedHead,
    published_checkpoints,
    read_statement,
    signature_holds,
)
from openfelt.storage.door import Checkpoint, CodesRemoved, KeyMissing, Store
from openfelt.storage.streams.append_keys import APPENDS_STREAM


def check_own_stream(store: Store, published: Path | None) -> None:
    """Raise CodesRemoved if the codes of a database are not those that were signed.

    The published checkpoints take precedence, because they are not in the database. Raises
    CheckpointError if they cannot be read. An older state passes: the notary reports it.
    """
    named = _named(list(published_checkpoints(published)) or store.checkpoints())
    if not named:
        return
    try:
        begun = store.authentication()
    except KeyMissing:
        # The start of the server says what to do about it.
        return
    if begun is None:
        if store.heads():
            raise CodesRemoved
        return
    last = store.head(APPENDS_STREAM).version
    for head in named:
        if head.version <= last:
            events = store.events(APPENDS_STREAM, after=head.version - 1, up_to=head.version)
            if next(events).hash != head.hash:
                raise CodesRemoved


def _named(checkpoints: Iterable[Checkpoint]) -> list[NamedHead]:
    """The heads of the store's own stream that were signed, and not declared lost since."""
    named: list[NamedHead] = []
    for checkpoint in checkpoints:
        statement = read_statement(checkpoint)
        lost = statement.restored.lost.get(APPENDS_STREAM) if statement.restored else None
        if lost is not None:
            named = [head for head in named if head.version <= lost.kept]
        if APPENDS_STREAM in statement.heads:
            named.append(statement.heads[APPENDS_STREAM])
    return named


def signed_heads(
    store: Store, published: Path | None, keys: Collection[str]
) -> dict[str, NamedHead]:
    """By stream, the last head that a notary with one of these keys has signed.

    Checkpoints without such a signature do not count, nor do any that cannot be read.
    """
    checkpoints = {checkpoint.number: checkpoint for checkpoint in store.checkpoints()}
    checkpoints |= {
        checkpoint.number: checkpoint for checkpoint in published_checkpoints(published)
    }
    heads: dict[str, NamedHead] = {}
    for _, checkpoint in sorted(checkpoints.items()):
        if checkpoint.key not in keys or not signature_holds(checkpoint):
            continue
        try:
            statement = read_statement(checkpoint)
        except CheckpointError:
            continue
        for stream in statement.restored.lost if statement.restored else ():
            heads.pop(stream, None)
        heads.update(statement.heads)
    return heads
