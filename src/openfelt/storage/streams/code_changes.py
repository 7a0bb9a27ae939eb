"""Codes of all heads written in one transaction: the first, under a newer key, in a new epoch."""

import hashlib
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.chain import delimited
from openfelt.storage.door import (
    FIRST_HASH,
    Authentication,
    Damaged,
    Forged,
    Head,
    KeyFailure,
    NewEvent,
    StoredEvent,
    tell_damage,
)
from openfelt.storage.keyring import Keyring
from openfelt.storage.sql import rows, statements
from openfelt.storage.sql.commit_plan import event_row, head_row
from openfelt.storage.sql.rows import PAGE_ROWS, Row, intact, paged
from openfelt.storage.streams.append_keys import APPENDS_STREAM, AppendKeys, new_id
from openfelt.storage.streams.append_record import (
    AppendRecord,
    authenticated,
    epoch_begun,
    keys_used,
    next_head,
    read_record,
)

REFUSED: Final = '"refused":'
"""Text that the JSON of a refusal contains, and that of no other answer."""

Run = Callable[[str, Sequence[object]], list[Row]]
"""Runs a statement within a transaction."""


def stored_record(run: Run) -> AppendRecord | None:
    """The content of the store's own stream; raises Forged for a broken one."""
    head = _stored_head(run)
    events = _stored_events(run, head.version or LAST_NUMBER)
    if events and not head.version:
        # Another process may have begun the stream between the two statements.
        head = _stored_head(run)
        events = _stored_events(run, head.version or LAST_NUMBER)
    return read_record(head, events)


def _stored_head(run: Run) -> Head:
    heads = run(statements.HEAD, (APPENDS_STREAM,))
    return rows.stream_head(heads[0])[1] if heads else rows.NO_STREAM


def _stored_events(run: Run, last: int) -> list[StoredEvent]:
    return list(
        paged(
            lambda seen: run(statements.EVENTS, (APPENDS_STREAM, seen, last, PAGE_ROWS)),
            rows.event,
            key=1,
            after=0,
        )
    )


def begin(run: Run, keyring: Keyring, used: Collection[str], at_ms: int) -> None:
    """Write the code of every head, and the event that says so, unless that was done."""
    if run(statements.EVENTS, (APPENDS_STREAM, 0, LAST_NUMBER, 1)):
        return
    keys = tuple(sorted({*used, keyring.current()} - {""}))
    begun = Authentication(database=new_id(), epoch=new_id(), keys=keys)
    append_keys, streams, events = AppendKeys.of(keyring, begun), 0, 0
    for name, head in _heads(run):
        if head.code:
            # There were codes before: the record of the store's own stream is gone.
            raise Forged("streams", APPENDS_STREAM)
        _code(run, append_keys, name, head)
        streams, events = streams + 1, events + head.version
    # They only save time, and are written again; none of them was authentic.
    run(statements.SNAPSHOTS_REMOVED, ())
    answers, digest = answers_digest(lambda key: run(statements.OLD_ANSWER_PAGE, (*key, PAGE_ROWS)))
    begun = replace(
        begun,
        streams=streams,
        events=events,
        answers=answers,
        answers_digest=digest if answers else "",
    )
    run(statements.NEW_STREAM, (APPENDS_STREAM, FIRST_HASH))
    _append(run, append_keys, rows.NO_STREAM, authenticated(begun), at_ms)


def use_newest(run: Run, keyring: Keyring, at_ms: int) -> None:
    """Record that the newest key is used from now on, unless that was done."""
    record = stored_record(run)
    assert record is not None
    AppendKeys.of(keyring, record.says).check_head(APPENDS_STREAM, record.head)
    _use_newest(run, keyring, record, at_ms)


def _use_newest(run: Run, keyring: Keyring, record: AppendRecord, at_ms: int) -> AppendKeys:
    newest, says = keyring.current(), record.says
    if newest not in says.keys:
        # Where none was recorded, those are meant under which there are codes.
        in_heads = () if says.keys else rows.key_ids(run(statements.KEYS_OF_HEADS, ()))
        used = sorted({*in_heads, newest} - {""})
        says = replace(says, keys=tuple(sorted({*says.keys, *used})))
        _append(run, AppendKeys.of(keyring, says), record.head, keys_used(*used), at_ms)
    return AppendKeys.of(keyring, says)


def begin_epoch(run: Run, keyring: Keyring, at_ms: int, reason: str) -> None:
    """Bind all codes to a new epoch; rows that are not authentic get no new code.

    Raises KeyMissing.
    """
    record = stored_record(run)
    if record is None:
        return
    before = AppendKeys.of(keyring, record.says)
    before.check_head(APPENDS_STREAM, record.head)
    used = tuple(sorted({*record.says.keys, keyring.current()}))
    if not record.says.keys:
        used = tuple(sorted({*used, *rows.key_ids(run(statements.KEYS_OF_HEADS, ()))} - {""}))
    after = AppendKeys.of(keyring, replace(record.says, epoch=new_id(), keys=used))
    for name, head in _heads(run):
        if name != APPENDS_STREAM:
            with suppress(Forged):
                before.check_head(name, head)
                _code(run, after, name, head)
    _recode_snapshots(run, before, after)
    head = record.head
    if set(used) - set(record.says.keys):
        head = _append(run, after, head, keys_used(*used), at_ms)
    _append(run, after, head, epoch_begun(after.epoch, reason), at_ms)


def _recode_snapshots(run: Run, before: AppendKeys, after: AppendKeys) -> None:
    last = ""
    while page := run(statements.SNAPSHOT_PAGE, (last, PAGE_ROWS)):
        for row in page:
            last = str(row[0])
            with suppress(Damaged):
                snapshot, code = rows.snapshot(row)
                if before.is_snapshot(code, last, snapshot):
                    code = after.snapshot_code(last, snapshot)
                    run(statements.SNAPSHOT_CODED, (code, last, snapshot.version))


def recode(run: Run, keys: AppendKeys) -> None:
    """Write the codes of all heads as they are."""
    for name, head in _heads(run):
        _code(run, keys, name, head)


def renew(run: Run, keyring: Keyring, lost: Collection[str], at_ms: int) -> int:
    """Write the codes of heads under the newest key, and remove snapshots under lost keys."""
    record = stored_record(run)
    if record is None:
        return 0
    for key in lost:
        if record.says.keys and key not in record.says.keys:
            raise KeyFailure(f"This database has never used the key {key}, so it is not lost.")
    before, renewed = AppendKeys.of(keyring, record.says), 0
    if _key_of(record.head) not in lost:
        before.check_head(APPENDS_STREAM, record.head)
    renewed += not before.is_newest(record.head)
    keys = _use_newest(run, keyring, record, at_ms)
    for name, head in _heads(run):
        if keys.is_newest(head):
            continue
        if name != APPENDS_STREAM:
            if _key_of(head) not in lost:
                before.check_head(name, head)
            renewed += 1
        _code(run, keys, name, head)
    for key in lost:
        run(statements.SNAPSHOTS_UNDER_REMOVED, (f"{key}:",))
    return renewed


def _key_of(head: Head) -> str:
    return head.code.partition(":")[0]


def _heads(run: Run) -> Iterator[tuple[str, Head]]:
    """All heads; one that cannot be read gets no code, so its stream stays unauthentic."""
    after = ""
    while page := run(statements.HEAD_PAGE, (after, PAGE_ROWS)):
        yield from intact(page, rows.stream_head, tell_damage)
        after = str(page[-1][0])


def _code(run: Run, keys: AppendKeys, name: str, head: Head) -> None:
    code = keys.authentic(name, head).code
    run(statements.HEAD_CODED, (code, name, head.version, head.hash))


def _append(run: Run, keys: AppendKeys, before: Head, event: NewEvent, at_ms: int) -> Head:
    """Append an event to the store's own stream."""
    head = next_head(before, event, at_ms)
    row = event_row(
        *(APPENDS_STREAM, head.version, event),
        at_ms=head.at_ms,
        previous=before.hash,
        own_hash=head.hash,
    )
    run(statements.NEW_EVENT, row)
    run(statements.STREAM_MOVED, head_row(APPENDS_STREAM, keys.authentic(APPENDS_STREAM, head)))
    return head


def answers_digest(page_after: Callable[[tuple[str, str, str]], list[Row]]) -> tuple[int, str]:
    """How many old answers there are, and a hash of them; refusals are left out.

    Refusals are removed over time, and none of them is trusted.
    """
    digest, count, key = hashlib.sha256(), 0, ("", "", "")
    while page := page_after(key):
        for row in page:
            *_, body = row
            if REFUSED not in body:
                count += 1
                digest.update(delimited(*row).encode(errors="backslashreplace"))
        stream, actor, command, *_ = page[-1]
        key = (stream, actor, command)
    return count, digest.hexdigest()
