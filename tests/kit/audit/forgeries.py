"""Forgeries that a person with the database file, but without the notary's key, could make."""

import json
import os
import sqlite3
from collections.abc import Callable
from typing import Any

from openfelt.storage.chain import event_hash
from openfelt.storage.door import FIRST_HASH, Cause, Head, NewEvent, Snapshot, event_binding
from openfelt.storage.keyring import Ciphertext, Keyring, decrypt_with
from openfelt.storage.secrecy.data_keys import enveloped
from openfelt.storage.secrecy.envelopes import Envelope
from openfelt.storage.sql.commit_plan import snapshot_binding
from openfelt.storage.streams.append_keys import AppendKeys

Connection = sqlite3.Connection
KEYRING = Keyring.of(os.environ)


def value(connection: Connection, statement: str, *values: object) -> Any:
    """The single value that a statement returns."""
    ((result,),) = connection.execute(statement, values).fetchall()
    return result


def version_of(connection: Connection, stream: str, name: str, nth: int = 1) -> int:
    """The version of a stream's event of this name: the first, the second, or the last by -1."""
    rows = connection.execute(
        "SELECT version FROM events WHERE stream = ? AND name = ? ORDER BY version", (stream, name)
    ).fetchall()
    return int(rows[nth - 1 if nth > 0 else nth][0])


def body_of(connection: Connection, stream: str, version: int) -> Any:
    """The body of an event, as plain values."""
    text = value(
        connection, "SELECT body FROM events WHERE stream = ? AND version = ?", stream, version
    )
    return json.loads(_opened(connection, stream, event_binding(version), text))


def set_body(connection: Connection, stream: str, version: int, body: Any) -> None:
    """Replace the body of an event, encrypted again if it was, as a thief of the key could."""
    query = "SELECT body FROM events WHERE stream = ? AND version = ?"
    before = value(connection, query, stream, version)
    text = _closed(connection, stream, event_binding(version), before, body)
    connection.execute(
        "UPDATE events SET body = ? WHERE stream = ? AND version = ?", (text, stream, version)
    )


def _opened(connection: Connection, stream: str, binding: str, text: str) -> str:
    """JSON with its encrypted part decrypted, as a thief of the key could."""
    envelope = Envelope.parse(text)
    if envelope is None:
        return text
    key = bytes.fromhex(secret_of(connection, stream, envelope.key))
    return envelope.opened(decrypt_with(key, stream, binding, envelope.body))


def _closed(connection: Connection, stream: str, binding: str, before: str, body: Any) -> str:
    """Values as JSON, with those fields encrypted that were before."""
    envelope = Envelope.parse(before)
    if envelope is None:
        return json.dumps(body, separators=(",", ":"))
    plain = {name: body[name] for name in json.loads(envelope.open_json) if name in body}
    hidden = {name: body[name] for name in body if name not in plain}
    key = bytes.fromhex(secret_of(connection, stream, envelope.key))
    return enveloped(
        {(stream, envelope.key): key},
        stream,
        binding,
        json.dumps(hidden, separators=(",", ":")),
        key=envelope.key,
        open_json=json.dumps(plain, separators=(",", ":")),
    )


def secret_of(connection: Connection, stream: str, name: str) -> str:
    """An encrypted secret, opened with the key."""
    query = "SELECT key, body FROM secrets WHERE stream = ? AND name = ?"
    (row,) = connection.execute(query, (stream, name)).fetchall()
    return KEYRING.decrypt(stream, name, Ciphertext(*row))


def set_secret(connection: Connection, stream: str, name: str, body: str) -> None:
    """Replace an encrypted secret, as a thief of the key could."""
    connection.execute(
        "UPDATE secrets SET key = ?, body = ? WHERE stream = ? AND name = ?",
        (*KEYRING.encrypt(stream, name, body), stream, name),
    )


def edit_snapshots(connection: Connection, before: str, after: str) -> None:
    """Replace a part of every snapshot, as a thief of the key could."""
    rows = connection.execute("SELECT stream, version, body FROM snapshots").fetchall()
    for stream, version, stored in rows:
        name = snapshot_binding(version)
        body = _opened(connection, stream, name, stored).replace(before, after)
        text = _closed(connection, stream, name, stored, json.loads(body))
        connection.execute("UPDATE snapshots SET body = ? WHERE stream = ?", (text, stream))
    recode_snapshots(connection)


def append_keys(connection: Connection) -> AppendKeys:
    """The keys that authenticate the appends of this database, for a thief of the house's key."""
    query = "SELECT body FROM events WHERE stream = 'appends' AND version = 1"
    begun = json.loads(value(connection, query))
    # A test may have set other keys since this module was loaded.
    return AppendKeys(Keyring.of(os.environ), begun["database"], epoch=begun["epoch"])


def recode(connection: Connection, stream: str) -> None:
    """Make the head of a stream authentic, as a thief of the key could."""
    keys = append_keys(connection)
    query = "SELECT version, hash, at_ms FROM streams WHERE name = ?"
    ((version, last, at_ms),) = connection.execute(query, (stream,)).fetchall()
    head = keys.authentic(stream, Head(version=version, hash=last, at_ms=at_ms, fence=0))
    connection.execute("UPDATE streams SET code = ? WHERE name = ?", (head.code, stream))


def recode_snapshots(connection: Connection, only: str | None = None) -> None:
    """Make all snapshots authentic, or those of one stream, as a thief of the key could."""
    keys = append_keys(connection)
    rows = connection.execute(
        "SELECT s.stream, s.version, s.at_ms, s.body, coalesce(e.hash, '') FROM snapshots s"
        " LEFT JOIN events e ON e.stream = s.stream AND e.version = s.version"
    ).fetchall()
    for stream, version, at_ms, body, own in rows:
        if only not in (None, stream):
            continue
        snapshot = Snapshot(version=version, at_ms=at_ms, body=body, hash=own)
        code = keys.snapshot_code(stream, snapshot)
        connection.execute("UPDATE snapshots SET code = ? WHERE stream = ?", (code, stream))


def as_of_an_earlier_version(connection: Connection) -> None:
    """Take all codes away, as in a database of a version before appends were authentic."""
    connection.execute("DELETE FROM events WHERE stream = 'appends'")
    connection.execute("DELETE FROM streams WHERE name = 'appends'")
    connection.execute("UPDATE streams SET code = ''")
    connection.execute("UPDATE snapshots SET code = ''")


def rehash(connection: Connection, stream: str) -> None:
    """Renumber a stream's events and compute the whole chain again, as a thief of the key could."""
    rows = connection.execute(
        "SELECT version, name, schema, body, at_ms, actor, terminal, command, digest FROM events"
        " WHERE stream = ? ORDER BY version",
        (stream,),
    ).fetchall()
    connection.execute("DELETE FROM events WHERE stream = ?", (stream,))
    last, at_ms = FIRST_HASH, 0
    for version, (before, name, schema, stored, at_ms, *parts) in enumerate(rows, start=1):
        body = stored
        if version != before:
            plain = json.loads(_opened(connection, stream, event_binding(before), stored))
            body = _closed(connection, stream, event_binding(version), stored, plain)
        actor, terminal, command, digest = parts
        cause = Cause(actor=actor, terminal=terminal, command=command, digest=digest)
        event = NewEvent(name=name, schema=schema, body=body, cause=cause)
        own = event_hash(last, stream=stream, version=version, at_ms=at_ms, event=event)
        connection.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (stream, version, name, schema, body, at_ms, last, own, *parts),
        )
        last = own
    connection.execute(
        "UPDATE streams SET version = ?, hash = ?, at_ms = ? WHERE name = ?",
        (len(rows), last, at_ms, stream),
    )
    recode(connection, stream)
    recode_snapshots(connection, stream)


def rewrite(connection: Connection, stream: str, version: int, edit: Callable[[Any], None]) -> None:
    """Change the body of an event, and the whole chain with it."""
    body = body_of(connection, stream, version)
    edit(body)
    set_body(connection, stream, version, body)
    rehash(connection, stream)


def cut(connection: Connection, stream: str, keep: int) -> None:
    """Cut a stream's end off, with its transfers, its head and all balances."""
    for table in ("events", "transfers"):
        connection.execute(f"DELETE FROM {table} WHERE stream = ? AND version > ?", (stream, keep))
    connection.execute(
        "UPDATE streams SET (version, hash, at_ms) = (SELECT version, hash, at_ms FROM events"
        " WHERE stream = ? AND version = ?) WHERE name = ?",
        (stream, keep, stream),
    )
    recode(connection, stream)
    balance_anew(connection)


def balance_anew(connection: Connection) -> None:
    """Make all balances the sums of the present transfers."""
    connection.execute("DELETE FROM balances")
    connection.execute(
        "INSERT INTO balances SELECT account, sum(cents) FROM"
        " (SELECT debit AS account, -cents AS cents FROM transfers"
        " UNION ALL SELECT credit, cents FROM transfers) GROUP BY account"
    )


def exchange_versions(connection: Connection, stream: str, first: int, second: int) -> None:
    """Exchange two events, and their transfers with them."""
    for table in ("events", "transfers"):
        for source, target in ((first, -1), (second, first), (-1, second)):
            connection.execute(
                f"UPDATE {table} SET version = ? WHERE stream = ? AND version = ?",
                (target, stream, source),
            )


def pay_more(connection: Connection, stream: str, cents: int) -> int:
    """Forge the first paid line of a settlement: event, transfer, balances and chain."""
    rows = connection.execute(
        "SELECT version FROM events WHERE stream = ? AND name = 'round_settled' ORDER BY version",
        (stream,),
    ).fetchall()
    for (version,) in rows:
        body = body_of(connection, stream, version)
        for line in body["settlement"]["lines"]:
            if line["payout_cents"]:
                note = f"{line['spot']} {line['outcome']}"
                connection.execute(
                    "UPDATE transfers SET cents = cents + ? WHERE stream = ? AND version = ?"
                    " AND note = ? AND cents = ? AND reason = 'payout'",
                    (cents, stream, version, note, line["payout_cents"]),
                )
                line["payout_cents"] += cents
                set_body(connection, stream, version, body)
                rehash(connection, stream)
                balance_anew(connection)
                return int(version)
    raise AssertionError("nothing was paid in any round")
