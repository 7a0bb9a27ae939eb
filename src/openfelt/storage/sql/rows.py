"""Rows of the database, checked and turned into values."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, TypeVar

from openfelt.ledger import Account, Reason, Transfer
from openfelt.storage.balances.balance_door import NUMBER_END, StoredTransfer
from openfelt.storage.door import (
    FIRST_HASH,
    Cause,
    Checkpoint,
    CommandKey,
    Damage,
    Damaged,
    Head,
    RuleSet,
    Snapshot,
    StoredAnswer,
    StoredEvent,
)
from openfelt.storage.keyring import Ciphertext
from openfelt.storage.shown_names import KEY_ID

Row = tuple[Any, ...]
"""One row of a result, whose values have not been checked yet."""

PAGE_ROWS = 500
"""How many rows of a long result are fetched at once. No connection is held between pages, so
a slow reader blocks no other."""

Value = TypeVar("Value")

NO_STREAM = Head(version=0, hash=FIRST_HASH, at_ms=0, fence=0)
"""The head of a stream without events."""

_HEAD = (str, int, str, int, int, str)
_EVENT = (str, int, str, int, str, int, str, str, str, str, str, str)
_SNAPSHOT = (str, int, int, str, str, str, str)
_COMMAND = (str, str, str, int)
_ANSWER = (str, str, str, str)
_SECRET = (str, str, str)
_SECRET_ROW = (str, str, str, str)
_RULE_SET = (str, str, str)
_BALANCE = (str, int)
_CHECKPOINT = (int, int, str, str, str)
_EVENT_NAME = re.compile(r"[a-z][a-z0-9_]{0,80}")
_FORM_END = 1000
"""Forms of events are counted from 1; none has nearly this many versions."""
# The round and the clause of a transfer may be missing.
_TRANSFERS = frozenset(
    (int, str, int, int, str, str, int, str, round_type, clause_type, str)
    for round_type, clause_type in product((str, type(None)), repeat=2)
)


def stream_head(row: Row) -> tuple[str, Head]:
    """A stream's name and head."""
    _check("streams", row, _HEAD, key=1)
    name, version, last_hash, at_ms, fence, code = row
    return name, Head(version=version, hash=last_hash, at_ms=at_ms, fence=fence, code=code)


def stream_name(row: Row) -> str:
    """The name of a stream."""
    _check("streams", row, (str,), key=1)
    return str(row[0])


def event(row: Row) -> StoredEvent:
    """An event."""
    _check("events", row, _EVENT, key=2)
    stream, version, name, schema, body, at_ms, previous, own_hash, *cause = row
    actor, terminal, command, digest = cause
    return StoredEvent(
        stream=stream,
        version=version,
        name=name,
        schema=schema,
        body=body,
        at_ms=at_ms,
        previous=previous,
        hash=own_hash,
        cause=Cause(actor=actor, terminal=terminal, command=command, digest=digest),
    )


def transfer(row: Row) -> StoredTransfer:
    """A transfer; its accounts and its reason must be valid."""
    if tuple(map(type, row)) not in _TRANSFERS:
        raise Damaged("transfers", row[0], "a value has the wrong type")
    if (fault := text_fault(row)) is not None:
        raise Damaged("transfers", row[0], fault)
    number, stream, version, at_ms, debit, credit, cents, reason, of_round, clause, note = row
    try:
        moved = Transfer(
            debit=_account(debit),
            credit=_account(credit),
            cents=cents,
            reason=Reason(reason),
            round=of_round,
            clause=clause,
            note=note,
        )
    except ValueError:
        # The error would quote the row.
        fault = "its accounts, its reason or its amount are not valid"
        raise Damaged("transfers", number, fault) from None
    if not 0 < number < NUMBER_END:
        raise Damaged("transfers", number, "no transfer has such a number")
    return StoredTransfer(
        number=number, stream=stream, version=version, at_ms=at_ms, transfer=moved
    )


def snapshot(row: Row) -> tuple[Snapshot, str]:
    """A snapshot, and the code that shows that it is authentic."""
    _check("snapshots", row, _SNAPSHOT, key=1)
    _, version, at_ms, body, code, own, followed = row
    # What comes after the snapshot must follow on its event.
    own = own if own == followed else ""
    return Snapshot(version=version, at_ms=at_ms, body=body, hash=own), code


def command(row: Row) -> tuple[CommandKey, StoredAnswer]:
    """A command that an event names as the last one that it caused, and its answer."""
    _check("events", row, _COMMAND, key=2)
    actor, command_id, digest, version = row
    return (actor, command_id), StoredAnswer(digest=digest, body=f'{{"version":{version}}}')


def old_answer(row: Row) -> tuple[CommandKey, StoredAnswer]:
    """A command and its answer, from before events named their commands."""
    _check("answers", row, _ANSWER, key=2)
    actor, command, digest, body = row
    return (actor, command), StoredAnswer(digest=digest, body=body)


def secret(row: Row) -> tuple[str, Ciphertext]:
    """A secret's name, and its body as it is stored."""
    # An error names a secret but never quotes its body.
    _check("secrets", row, _SECRET, key=1)
    name, body, key = row
    return name, Ciphertext(key, body)


def secret_of_stream(row: Row) -> tuple[str, str, Ciphertext]:
    """A secret's stream and name, and its body as it is stored."""
    _check("secrets", row, _SECRET_ROW, key=2)
    stream, name, body, key = row
    return stream, name, Ciphertext(key, body)


def secret_name(row: Row) -> tuple[str, str]:
    """A secret's stream and name."""
    _check("secrets", row, (str, str), key=2)
    stream, name = row
    return stream, name


def text(row: Row) -> str:
    """The only value of a row."""
    _check("secrets", row, (str,), key=1)
    return str(row[0])


def texts(result: Sequence[Row]) -> tuple[str, ...]:
    """The only values of many rows, checked all at once where nothing is wrong with them."""
    values = [value for (value,) in result]
    if {*map(type, values)} <= {str} and "".join(values).isascii():
        return tuple(values)
    return tuple(map(text, result))


def key_ids(result: Sequence[Row]) -> tuple[str, ...]:
    """The ids of main keys; what is not the id of a key is left out, and the audit reports it."""
    return tuple(str(key) for (key,) in result if KEY_ID.fullmatch(str(key)))


def rule_set(row: Row) -> RuleSet:
    """A house as it was."""
    _check("rule_sets", row, _RULE_SET, key=1)
    fingerprint, house, body = row
    return RuleSet(fingerprint=fingerprint, house=house, body=body)


def balance(row: Row) -> tuple[Account, int]:
    """An account and what it holds, in cents."""
    _check("balances", row, _BALANCE, key=1)
    name, cents = row
    try:
        return _account(name), cents
    except ValueError:
        raise Damaged("balances", name, "it is not the name of an account") from None


def checkpoint(row: Row) -> Checkpoint:
    """A checkpoint."""
    _check("checkpoints", row, _CHECKPOINT, key=1)
    number, at_ms, body, key, signature = row
    return Checkpoint(number=number, at_ms=at_ms, body=body, key=key, signature=signature)


def form(row: Row) -> tuple[str, int]:
    """The name of an event and the version of its form."""
    _check("event_forms", row, (str, int), key=1)
    name, schema = row
    if _EVENT_NAME.fullmatch(name) is None or not 0 < schema < _FORM_END:
        raise Damaged("event_forms", name, "no event has such a name or version")
    return name, schema


def paged(
    page: Callable[[int], list[Row]],
    read: Callable[[Row], Value],
    *,
    key: int,
    after: int,
    damage: Damage | None = None,
) -> Iterator[Value]:
    """Read a long result page by page; ``key`` is the column that orders it."""
    full = True
    while full:
        result = page(after)
        full = len(result) == PAGE_ROWS
        if full:
            after = result[-1][key]
        yield from intact(result, read, damage)


def intact(
    result: Sequence[Row], read: Callable[[Row], Value], damage: Damage | None
) -> Iterator[Value]:
    """The values of rows; damaged ones are passed to ``damage``, or raised where it is None."""
    if damage is None:
        yield from map(read, result)
        return
    for row in result:
        try:
            value = read(row)
        except Damaged as error:
            damage(error)
        else:
            yield value


def _check(table: str, row: Row, types: tuple[type, ...], *, key: int) -> None:
    """Refuse a row whose values are not of these types; the first ``key`` values are its key."""
    fault = "a value has the wrong type" if tuple(map(type, row)) != types else text_fault(row)
    if fault is not None:
        raise Damaged(table, "/".join(str(value) for value in row[:key]), fault)


def text_fault(row: Row) -> str | None:
    """The fault in the texts of a row, or None.

    Bytes of a file that are not UTF-8 arrive as surrogates, which are not characters.
    """
    for value in row:
        if type(value) is str and not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                return "a value is not valid text"
    return None


@lru_cache(maxsize=4096)
def _account(name: str) -> Account:
    """The account of this name, in its one canonical form; raises ValueError otherwise."""
    account = Account.parse(name)
    if str(account) != name:
        raise ValueError("the name of an account has one form")
    return account
