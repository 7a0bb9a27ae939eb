"""The cut of history: at a signed checkpoint, so that all streams are cut at one moment."""

from collections.abc import Mapping
from dataclasses import dataclass

from openfelt.runtime.clock import day_of
from openfelt.runtime.notary.checkpoints import NamedHead, checkpoint_hash, read_statement
from openfelt.runtime.rounds.record_search import last_opening, opened_number
from openfelt.runtime.streams import StreamKind, feed_of, kind_of, link_stream
from openfelt.runtime.tables.recovery.snapshots import usable_version
from openfelt.storage.codec import read_json
from openfelt.storage.door import Store, StoreError

_MOVED = (StreamKind.TABLE, StreamKind.LINK, StreamKind.FEED)
"""The kinds of streams whose events are moved. All others are short, and stay whole."""


class NothingToArchive(StoreError):
    """There is no history that can be archived; nothing has been changed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A checkpoint, and the heads of all streams when it was signed."""

    checkpoint: int
    hash: str
    at_ms: int
    heads: Mapping[str, NamedHead]

    @property
    def versions(self) -> dict[str, int]:
        """The version at which each stream is cut."""
        return {stream: head.version for stream, head in self.heads.items()}


def cut_before(store: Store, before_ms: int) -> Cut:
    """The last checkpoint that was signed before a time; raises NothingToArchive."""
    heads: dict[str, NamedHead] = {}
    last = None
    for checkpoint in store.checkpoints():
        if checkpoint.at_ms >= before_ms:
            break
        statement = read_statement(checkpoint)
        for stream in statement.restored.lost if statement.restored else ():
            heads.pop(stream, None)
        heads.update(statement.heads)
        last = checkpoint
    if last is None:
        raise NothingToArchive(
            f"The notary had signed no checkpoint before {day_of(before_ms)}, so there is nothing "
            "to archive: the record is younger, or no notary signed it then."
        )
    archive = store.archive(with_state=False)
    if archive is not None and archive.checkpoint >= last.number:
        raise NothingToArchive(f"Everything up to checkpoint {last.number} is already archived.")
    return Cut(checkpoint=last.number, hash=checkpoint_hash(last), at_ms=last.at_ms, heads=heads)


def movable(store: Store, versions: Mapping[str, int]) -> dict[str, int]:
    """By stream, the version before which events can go, because play does not need them.

    Of the versions at which streams are cut, those of tables, links and feeds that are free. The
    event of that version stays, because the next one follows it.
    """
    return {
        stream: version
        for stream, version in versions.items()
        if kind_of(stream) in _MOVED and version > 1 and _is_free(store, stream, version)
    }


def _is_free(store: Store, stream: str, version: int) -> bool:
    """Whether a table or link can be recovered, and its decks are purged, without older events.

    Of a feed, it is whether the link has counted it so far, and needs no older events to say so.
    """
    if kind_of(stream) is StreamKind.FEED:
        link, table = feed_of(stream)
        of_link = store.snapshot(link_stream(link))
        folded = read_json(of_link.body).get("folded", {}) if of_link is not None else {}
        return int(folded.get(table, 0)) >= version
    snapshot = store.snapshot(stream)
    if kind_of(stream) is StreamKind.LINK:
        return snapshot is not None and snapshot.version >= version
    if usable_version(snapshot) < version:
        return False
    playing = last_round(store, stream, version)
    rounds = [name.removeprefix("key/").partition("/")[0] for name in store.secret_names(stream)]
    return all(not number.isdecimal() or int(number) >= playing for number in rounds)


def last_round(store: Store, stream: str, version: int) -> int:
    """The number of the last round that a table had opened by a version, 0 for none."""
    opening = last_opening(store, stream, version)
    return 0 if opening is None else opened_number(opening)
