"""A key that is permanently lost: the event that says so, and the rounds that cannot continue.

What the key has encrypted stays in the database, unreadable, and the record says why. Rounds in
progress whose cards are lost are void, and every stake is returned. The next round of a table that
has committed to lost decks is opened and voided immediately: a commitment is never withdrawn
silently.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from openfelt.record_events.lost_key_events import KeyDeclaredLost, UnsignedEnd
from openfelt.rules.unknown_cards import has_unknown_cards
from openfelt.runtime.notary.checkpoints import NamedHead
from openfelt.runtime.notary.notary import heads_to_sign
from openfelt.runtime.shuffle.deck_secrets import is_round_key
from openfelt.runtime.streams import StreamKind, kind_of, lost_key_stream, name_of, table_stream
from openfelt.runtime.tables.recovery.recovery import RecoveredTable, recover
from openfelt.runtime.tables.worker import TableWorker
from openfelt.runtime.tables.worker_services import WorkerServices
from openfelt.storage.door import FIRST_HASH, Append, Cause, Commit, KeyFailure, Store
from openfelt.storage.shown_names import shown
from openfelt.storage.streams.append_keys import APPENDS_STREAM

OWNER = "lost key"
"""The name under which tables are leased while their rounds are voided."""
LEASE_MS = 60_000


@dataclass(frozen=True, slots=True)
class VoidedRound:
    """A round that is void because its cards are lost."""

    table: str
    number: int
    in_progress: bool
    """False for a round that had only been committed to."""


def loss_of(
    worker_services: WorkerServices,
    key: str,
    signed: Mapping[str, NamedHead] = MappingProxyType({}),
) -> KeyDeclaredLost:
    """What is lost with a key; raises KeyFailure for a key that is present, or not in use.

    ``signed`` are the heads that the notary has signed: nothing else can still show that a record
    under the key is authentic. A record that contradicts them is not given up with it.
    """
    store = worker_services.store
    if key in store.lost_keys():
        return _declared(worker_services, key)
    used = store.keys_used()
    if used and key not in used:
        raise KeyFailure(
            f"This database has never used the key {key}. If a row names it, another program has "
            "written that row: run openfelt audit."
        )
    if key not in {*store.encryption_keys(), *store.append_key_ids()}:
        raise KeyFailure(f"Nothing in this database is encrypted with the key {key}.")
    if key in store.key_ids():
        raise KeyFailure(f"The key {key} is there, so it is not lost.")
    loss = _loss(key, store.secrets_under(key))
    return replace(loss, unsigned=tuple(_unsigned(store, key, signed)))


def _unsigned(store: Store, key: str, signed: Mapping[str, NamedHead]) -> Iterator[UnsignedEnd]:
    """The records under a key that are longer than what was signed of them."""
    for stream, head in heads_to_sign(store).items():
        if head.code.partition(":")[0] != key:
            continue
        named = signed.get(stream, NamedHead(0, FIRST_HASH))
        if stream == APPENDS_STREAM and named.version and named.version != head.version:
            # It says which keys were used, so it is not taken as it is found.
            raise _contradicted(stream)
        if named.version:
            events = store.events(stream, after=named.version - 1, up_to=named.version)
            event = next(events, None)
            if event is None or event.hash != named.hash or head.version < named.version:
                raise _contradicted(stream)
        if head.version > named.version:
            yield UnsignedEnd(stream=stream, signed=named.version, version=head.version)


def _contradicted(stream: str) -> KeyFailure:
    return KeyFailure(
        f"{shown(stream)} is not what the notary has signed, so it is not given up with the key: "
        "run openfelt audit, and restore a backup."
    )


def declare_lost(
    worker_services: WorkerServices,
    key: str,
    *,
    cause: Cause,
    signed: Mapping[str, NamedHead] = MappingProxyType({}),
) -> Iterator[VoidedRound]:
    """Record that a key is lost, and void the rounds that cannot continue; returns them one by one.

    It may be repeated after an interruption. Raises KeyFailure, including if another process runs a
    table.
    """
    loss = loss_of(worker_services, key, signed)
    _check_tables_are_free(worker_services, loss)
    if key not in worker_services.store.lost_keys():
        append = Append(
            stream=lost_key_stream(key),
            expected_version=0,
            events=(worker_services.codec.encode(loss, cause=cause),),
        )
        worker_services.store.commit(
            Commit(at_ms=worker_services.clock.wall_ms(), appends=(append,))
        )
    worker_services.store.prepare_keys()
    for table in loss.tables:
        voided = _voided(worker_services, table, cause)
        if voided is not None:
            yield voided


def _declared(worker_services: WorkerServices, key: str) -> KeyDeclaredLost:
    """The loss as it was declared before."""
    (stored,) = worker_services.store.events(lost_key_stream(key), up_to=1)
    loss = worker_services.codec.decode(stored)
    assert isinstance(loss, KeyDeclaredLost)
    return loss


def _loss(key: str, names: Mapping[str, tuple[str, ...]]) -> KeyDeclaredLost:
    counts = Counter(
        "round key" if is_round_key(name) else kind_of(stream)
        for stream, own in names.items()
        for name in own
    )
    return KeyDeclaredLost(
        key=key,
        decks=counts[StreamKind.TABLE],
        round_keys=counts["round key"],
        proofs=counts[StreamKind.PURGE],
        codes=counts[StreamKind.ACCOUNT],
        tables=tuple(
            name_of(stream) for stream in sorted(names) if kind_of(stream) is StreamKind.TABLE
        ),
    )


def _check_tables_are_free(worker_services: WorkerServices, loss: KeyDeclaredLost) -> None:
    """Refuse while a server runs one of the tables, before anything is written."""
    for table in loss.tables:
        lease = worker_services.store.take_lease(table_stream(table), OWNER, ttl_ms=LEASE_MS)
        if lease is None:
            raise KeyFailure(f"A server runs the table {table}. Stop it, and try again.")
        worker_services.store.release_lease(lease)


def _voided(worker_services: WorkerServices, table: str, cause: Cause) -> VoidedRound | None:
    """Void the round of a table that needs lost cards, if it has one."""
    lease = worker_services.store.take_lease(table_stream(table), OWNER, ttl_ms=LEASE_MS)
    if lease is None:
        raise KeyFailure(f"A server runs the table {table}. Stop it, and try again.")
    try:
        recovered = recover(worker_services.store, worker_services.codec, table, without_cards=True)
        if recovered is None or not _needs_lost_cards(recovered):
            return None
        worker = TableWorker(worker_services, lease, recovered, listener=None)
        worker.abandon_round(cause)
        return VoidedRound(table, worker.table.rounds, recovered.table.playing is not None)
    finally:
        worker_services.store.release_lease(lease)


def _needs_lost_cards(recovered: RecoveredTable) -> bool:
    """Whether the round in progress, or the next one, cannot be dealt."""
    playing = recovered.table.playing
    if playing is not None and has_unknown_cards(playing):
        return True
    return bool(recovered.table.commitments.keys() - recovered.decks.keys())
