"""The SQL of both stores. A question mark is the placeholder of a value, as in SQLite.

Where a text from the database is used for the next page, it is cast: SQLite gets one that is not
UTF-8 back as bytes.
"""

from openfelt.storage.balances.balance_door import NUMBER_END
from openfelt.storage.balances.transfer_terms import TransferRange, TransferSearch

# Writing -------------------------------------------------------------------------

NEW_STREAM = "INSERT INTO streams (name, hash) VALUES (?, ?) ON CONFLICT (name) DO NOTHING"
STREAM_MOVED = "UPDATE streams SET version = ?, hash = ?, at_ms = ?, code = ? WHERE name = ?"
HEAD_CODED = "UPDATE streams SET code = ? WHERE name = ? AND version = ? AND hash = ?"
NEW_EVENT = (
    "INSERT INTO events (stream, version, name, schema, body, at_ms, previous, hash,"
    " actor, terminal, command, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
NEW_TRANSFER = (
    "INSERT INTO transfers"
    " (stream, version, at_ms, debit, credit, cents, reason, round, clause, note)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
# SQLite numbers by itself after the largest number, which may be no number of Openfelt's; and once
# all transfers are archived, from 1 again. PostgreSQL counts apart from the rows.
NEXT_TRANSFER = (
    "SELECT 1 + max("  # noqa: S608 (a number of our own)
    f"coalesce((SELECT max(number) FROM transfers WHERE number < {NUMBER_END}), 0),"
    f" coalesce((SELECT max(transfer) FROM archives WHERE transfer < {NUMBER_END}), 0))"
)
NEW_NUMBERED_TRANSFER = (
    "INSERT INTO transfers"
    " (number, stream, version, at_ms, debit, credit, cents, reason, round, clause, note)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
HIGHEST_TRANSFER = "SELECT max(number) FROM transfers"
BALANCES_CHANGED = (
    "INSERT INTO balances (account, cents) VALUES {values}"
    " ON CONFLICT (account) DO UPDATE SET cents = balances.cents + excluded.cents"
    " RETURNING account, cents"
)
BALANCE_CHANGED = BALANCES_CHANGED.format(values="(?, ?)")
ZERO_BALANCES = "SELECT account FROM balances WHERE cents = 0 ORDER BY account LIMIT ?"
# The balance may have changed since it was looked at.
BALANCE_DROPPED = "DELETE FROM balances WHERE account = ? AND cents = 0"
NEW_HIDDEN = "INSERT INTO secrets (stream, name, body, key) VALUES (?, ?, ?, ?)"
HIDDEN_REMOVED = "DELETE FROM secrets WHERE stream = ? AND name = ?"
HIDDEN_REENCRYPTED = (
    "UPDATE secrets SET body = ?, key = ? WHERE stream = ? AND name = ? AND body = ?"
)
NEW_SNAPSHOT = (
    "INSERT INTO snapshots (stream, version, at_ms, body, code) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (stream) DO UPDATE SET version = excluded.version, at_ms = excluded.at_ms,"
    " body = excluded.body, code = excluded.code"
)
SNAPSHOT_STRIPPED = "UPDATE snapshots SET body = ?, code = ? WHERE stream = ? AND version = ?"
SNAPSHOT_CODED = "UPDATE snapshots SET code = ? WHERE stream = ? AND version = ?"
SNAPSHOTS_REMOVED = "DELETE FROM snapshots"
SNAPSHOTS_UNDER_REMOVED = "DELETE FROM snapshots WHERE substr(code, 1, 9) = ?"
NEW_RULE_SET = (
    "INSERT INTO rule_sets (fingerprint, house, body) VALUES (?, ?, ?)"
    " ON CONFLICT (fingerprint) DO NOTHING"
)
NEW_FORM = (
    "INSERT INTO event_forms (name, schema) VALUES (?, ?)"
    " ON CONFLICT (name) DO UPDATE SET schema = excluded.schema"
    " WHERE event_forms.schema < excluded.schema"
)
NEW_CHECKPOINT = (
    "INSERT INTO checkpoints (number, at_ms, body, key, signature) VALUES (?, ?, ?, ?, ?)"
    " ON CONFLICT (number) DO NOTHING RETURNING number"
)

# Leases. Each store puts its own clock into {now} -------------------------------

TAKE_LEASE = (
    "INSERT INTO streams (name, hash, fence, owner, until_ms) VALUES (?, ?, 1, ?, {now} + ?)"
    " ON CONFLICT (name) DO UPDATE SET"
    " fence = streams.fence + 1, owner = excluded.owner, until_ms = excluded.until_ms"
    " WHERE (streams.owner = excluded.owner OR streams.until_ms <= excluded.until_ms - ?)"
    " AND streams.fence < 9223372036854775807"
    " RETURNING fence, until_ms"
)
RENEW_LEASES = (
    "UPDATE streams SET until_ms = {now} + ? WHERE (name, fence, owner) IN (VALUES {leases})"
    " RETURNING name, until_ms"
)
RELEASE_LEASE = (
    "UPDATE streams SET owner = ?, until_ms = 0 WHERE name = ? AND fence = ? AND owner = ?"
    " RETURNING name"
)

# A process that starts may begin an epoch although it has the others wait meanwhile.
# No lease lasts an hour. One that ends later was left by a server whose clock was ahead.
ANY_LEASE = (
    "SELECT 1 FROM streams WHERE until_ms > {now} AND until_ms <= {now} + 3600000"
    " AND name <> 'duty/start' LIMIT 1"
)

# Reading -------------------------------------------------------------------------

HEAD = "SELECT name, version, hash, at_ms, fence, code FROM streams WHERE name = ?"
# The stream ``appends`` is the store's own.
HEADS = (
    "SELECT name, version, hash, at_ms, fence, code FROM streams"
    " WHERE version > 0 AND name <> 'appends' AND {names} ORDER BY name"
)
KEYS_OF_HEADS = "SELECT DISTINCT substr(code, 1, 8) FROM streams WHERE version > 0 ORDER BY 1"
HEAD_PAGE = (
    "SELECT name, version, hash, at_ms, fence, code FROM streams"
    " WHERE version > 0 AND name > CAST(? AS TEXT) ORDER BY name LIMIT ?"
)
STREAMS = (
    "SELECT name FROM streams WHERE version > 0 AND name <> 'appends' AND {names} ORDER BY name"
)
EVENTS = (
    "SELECT stream, version, name, schema, body, at_ms, previous, hash,"
    " actor, terminal, command, digest FROM events"
    " WHERE stream = ? AND version > ? AND version <= ? ORDER BY version LIMIT ?"
)
# With the hash of its event, and that from which the record continues after it.
_SNAPSHOTS = (
    "SELECT snapshots.stream, snapshots.version, snapshots.at_ms, snapshots.body, snapshots.code,"
    " coalesce(own.hash, ''), coalesce(later.previous, streams.hash, '') FROM snapshots"
    " LEFT JOIN streams ON streams.name = snapshots.stream"
    " LEFT JOIN events AS own"
    " ON own.stream = snapshots.stream AND own.version = snapshots.version"
    " LEFT JOIN events AS later"
    " ON later.stream = snapshots.stream AND later.version ="
    " CASE WHEN snapshots.version < 9223372036854775807 THEN snapshots.version + 1 END"
)
SNAPSHOT = f"{_SNAPSHOTS} WHERE snapshots.stream = ?"
SNAPSHOT_PAGE = (
    f"{_SNAPSHOTS} WHERE snapshots.stream > CAST(? AS TEXT) ORDER BY snapshots.stream LIMIT ?"
)
COMMANDS = (
    "SELECT actor, command, digest, version FROM events"
    " WHERE stream = ? AND digest <> '' AND (actor, command) IN (VALUES {keys})"
)
# Answers from before events named their commands.
ANY_OLD_ANSWER = "SELECT 1 FROM answers LIMIT 1"
OLD_ANSWERS = (
    "SELECT actor, command, digest, body FROM answers"
    " WHERE stream = ? AND (actor, command) IN (VALUES {keys})"
)
OLD_ANSWER_PAGE = (
    "SELECT stream, actor, command, digest, body FROM answers"
    " WHERE (stream, actor, command) > (CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))"
    " ORDER BY stream, actor, command LIMIT ?"
)
OLD_ANSWER_REMOVED = "DELETE FROM answers WHERE stream = ? AND actor = ? AND command = ?"
OLD_ANSWERS_OF = (
    "SELECT actor, command, digest, body FROM answers"
    " WHERE stream = ? AND (actor, command) > (CAST(? AS TEXT), CAST(? AS TEXT))"
    " ORDER BY actor, command LIMIT ?"
)
SECRETS = "SELECT name, body, key FROM secrets WHERE stream = ? AND {names} ORDER BY name"
NAMES_OF_SECRETS = "SELECT name FROM secrets WHERE stream = ? AND {names} ORDER BY name"
# The ids of keys, one after another, by the index; counting all secrets would take long.
# What is not the id of a key is passed over.
NEXT_KEY = (
    "SELECT key FROM secrets WHERE key > ? AND length(key) = 8"
    " AND ltrim(key, '0123456789abcdef') = '' ORDER BY key LIMIT 1"
)
ENCRYPTED_WITH = (
    "SELECT stream, name, body, key FROM secrets WHERE key = ? AND {streams}"
    " ORDER BY key, stream, name LIMIT ?"
)
SECRETS_UNDER = "SELECT stream, name FROM secrets WHERE key = ? AND {streams} ORDER BY stream, name"
# The key's id in {"sealed":"00c0ffee:..."}, which no data key has; see ``envelopes``.
KEYS_OF_EVENTS = (
    "SELECT DISTINCT substr(body, 12, 8) FROM events"
    " WHERE substr(body, 1, 11) = '{\"sealed\":\"' AND substr(body, 20, 1) = ':' ORDER BY 1"
)
RULE_SET = "SELECT fingerprint, house, body FROM rule_sets WHERE fingerprint = ?"
BALANCE = "SELECT account, cents FROM balances WHERE account = ?"
HELD = "SELECT count(*), coalesce(sum(cents), 0) FROM balances WHERE cents <> 0 AND {names}"
BALANCES = "SELECT account, cents FROM balances WHERE cents <> 0 AND {names} ORDER BY account"
# All balances and the last transfer in one statement, so at one moment.
BOOK = (
    "SELECT account, cents, number FROM"  # noqa: S608 (a number of our own)
    " (SELECT coalesce(max(number), 0) AS number FROM transfers"
    f" WHERE number < {NUMBER_END}) AS last"
    " LEFT JOIN balances ON cents <> 0 ORDER BY account"
)
FORMS = "SELECT name, schema FROM event_forms ORDER BY name"
CHECKPOINTS = (
    "SELECT number, at_ms, body, key, signature FROM checkpoints"
    " WHERE number > ? ORDER BY number LIMIT ?"
)
LAST_CHECKPOINT = "SELECT coalesce(max(number), 0) FROM checkpoints"

_SOME_TRANSFERS = (
    "SELECT number, stream, version, at_ms, debit, credit, cents, reason, round, clause, note"
    " FROM transfers WHERE {which} AND number > ? AND number <= ? ORDER BY number LIMIT ?"
)
_BOTH_SIDES = (
    "SELECT * FROM (SELECT * FROM ({debits}) AS debits"
    " UNION ALL SELECT * FROM ({credits}) AS credits) AS sides ORDER BY number LIMIT ?"
)
TRANSFERS = _SOME_TRANSFERS.format(which="1 = 1")
TRANSFERS_BETWEEN = (
    "SELECT number, stream, version, at_ms, debit, credit, cents, reason, round, clause, note"
    " FROM transfers WHERE (at_ms, number) > (?, ?) AND at_ms < ? ORDER BY at_ms, number LIMIT ?"
)
STREAM_TRANSFERS = _SOME_TRANSFERS.format(which="stream = ?")
STREAM_ACCOUNT_TRANSFERS = _SOME_TRANSFERS.format(which="stream = ? AND (debit = ? OR credit = ?)")
# Two index scans, so that a page of a busy account costs no more than any page.
ACCOUNT_TRANSFERS = _BOTH_SIDES.format(
    debits=_SOME_TRANSFERS.format(which="debit = ?"),
    credits=_SOME_TRANSFERS.format(which="credit = ?"),
)
SUM_OF_TRANSFERS = "SELECT count(*), coalesce(sum(cents), 0) FROM transfers WHERE {where}"
LIST_OF_TRANSFERS = (
    "SELECT number, stream, version, at_ms, debit, credit, cents, reason, round, clause, note"
    " FROM transfers WHERE {where} AND number < ? ORDER BY number DESC LIMIT ?"
)
LATEST_OF_ACCOUNT = ACCOUNT_TRANSFERS.replace("ORDER BY number", "ORDER BY number DESC")


def beginning_with(column: str, prefix: str) -> tuple[str, tuple[str, ...]]:
    """A condition for names with a prefix, which can use an index, and its values.

    >>> beginning_with("name", "a_")
    ('name >= ? AND name < ?', ('a_', 'a`'))
    """
    bound = _after(prefix)
    if bound is None:
        return f"{column} >= ?", (prefix,)
    return f"{column} >= ? AND {column} < ?", (prefix, bound)


def _after(prefix: str) -> str | None:
    """The first text after all texts with this prefix, or None."""
    rest = prefix.rstrip("\U0010ffff")
    if not rest:
        return None
    # Surrogates are not characters, so they are skipped.
    follower = 0xE000 if ord(rest[-1]) == 0xD7FF else ord(rest[-1]) + 1
    return rest[:-1] + chr(follower)


def transfers_where(
    part: TransferRange, search: TransferSearch, *, sign: int | None = None
) -> tuple[str, tuple[object, ...]]:
    """The condition for the transfers of a part that are found, of one sign if given."""
    terms = [term for term in part.terms if sign in (None, term.sign)]
    any_term = [_all_of(tuple(term.conditions())) for term in terms]
    words = " OR ".join(f"({words})" for words, _ in any_term)
    values = tuple(value for _, term_values in any_term for value in term_values)
    return _all_of((*part.conditions(), (f"({words})", values), *search.conditions()))


def _all_of(
    conditions: tuple[tuple[str, tuple[object, ...]], ...],
) -> tuple[str, tuple[object, ...]]:
    words = " AND ".join(words for words, _ in conditions)
    return words, tuple(value for _, values in conditions for value in values)
