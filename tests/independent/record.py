"""An independent check of a whole database, with plain SQL: nothing lost, nothing twice, no card
changed, no cent missing.

    python -m tests.independent felt.db
    python -m tests.independent postgresql://host/name

It imports nothing of the program that it checks. It computes the chain of hashes by itself,
derives from each event which accounts it changes (``money.py``), adds all transfers up, and holds
the result against the balances. Two things need more than the database: what callers were told
(``told``), and what an earlier look at the same database has seen (``before``).
"""

import hashlib
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg

from tests.independent.cage_money import DrawerMoney, voucher_changes
from tests.independent.chip_money import Moved, TrayMoney
from tests.independent.feeds import AMOUNTS, Feeds
from tests.independent.money import LinkMoney, TableMoney, Wrong, wallet_changes

FIRST_HASH = "0" * 64
MAY_OWE = ("cash", "house", "reserve", "drawer", "tray", "chips")
"""Kinds of accounts that may be negative; players and dealers never owe."""
CORRECTED_LEAST_MS = 60_000
"""A record whose clock was corrected goes back by more than this."""
NO_VERDICT = frozenset({"busy", "stopped", "moved", "failed", "shuffler_failed"})
"""Refusals that say nothing about the command, which is sent again."""

Told = Mapping[str, Any]
"""What a caller was told: stream, actor, id, version and refused."""


class Violation(AssertionError):
    """The record contradicts itself, or what callers were told."""


@dataclass
class Look:
    """What one look at a database has seen, for the next one to compare."""

    heads: dict[str, tuple[int, str]] = field(default_factory=dict)
    """By stream, the version and hash of its last event."""
    secrets: dict[tuple[str, str], str] = field(default_factory=dict)
    commands: set[tuple[str, str, str]] = field(default_factory=set)
    """The stream, actor and id of every command that was carried out."""
    events: int = 0
    transfers: int = 0


def check_record(
    database: str | Path, told: Iterable[Told] = (), before: Look | None = None
) -> Look:
    """Check a database; raises Violation with everything that is wrong."""
    with _connected(str(database)) as query:
        checker = _Checker(query)
        checker.check_streams()
        checker.check_money()
        checker.check_told(told)
        if before is not None:
            checker.check_continued(before)
        if checker.wrong:
            raise Violation("\n".join(checker.wrong[:20]))
        return checker.look


class Query:
    """Runs SQL with question marks on either kind of database."""

    def __init__(self, connection: Any, *, percent: bool) -> None:
        self._connection = connection
        self._percent = percent

    def __call__(self, statement: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        if self._percent:
            statement = statement.replace("?", "%s")
        yield from self._connection.execute(statement, values)


@contextmanager
def _connected(database: str) -> Iterator[Query]:
    if database.startswith(("postgresql:", "postgres:")):
        with psycopg.connect(database, autocommit=True) as connection:
            # The address may set a limit that is meant for a program that stalls.
            connection.execute("SET idle_in_transaction_session_timeout = 0")
            connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
            yield Query(connection, percent=True)
            connection.execute("ROLLBACK")
        return
    file = Path(database.removeprefix("sqlite:///")).resolve()
    with closing(sqlite3.connect(f"{file.as_uri()}?mode=rw", uri=True)) as connection:
        connection.isolation_level = None
        connection.execute("BEGIN")
        yield Query(connection, percent=False)
        connection.execute("ROLLBACK")


def event_hash(parts: Sequence[object]) -> str:
    """The hash of an event: each part preceded by its length, and all of them hashed."""
    text = "".join(f"{len(str(part))}:{part}" for part in parts)
    return hashlib.sha256(text.encode()).hexdigest()


class _Checker:
    """One look at a database."""

    def __init__(self, query: Query) -> None:
        self._query = query
        self.wrong: list[str] = []
        self.look = Look()
        self._tables: dict[str, TableMoney] = {}
        self._links: dict[str, LinkMoney] = {}
        self._drawers: dict[str, DrawerMoney] = {}
        self._trays: dict[str, TrayMoney] = {}
        self._slips: dict[int, tuple[str, int]] = {}
        """By its number, the table and the request of each slip of the house."""
        self._expected: dict[tuple[str, int], Counter[str]] = {}
        """What each event must have moved."""
        self._times: dict[tuple[str, int], int] = {}
        self._to_count: dict[tuple[str, int], tuple[int, ...]] = {}
        self._to_feed: dict[tuple[str, int], tuple[int, ...]] = {}
        self._counted: dict[tuple[str, int], tuple[int, ...]] = {}
        self._feeds = Feeds()
        self._commands: dict[tuple[str, str, str], list[int]] = defaultdict(list)
        bodies = self._query("SELECT body FROM events WHERE name = 'clock_corrected'")
        self._corrections: list[dict[str, Any]] = [json.loads(body) for (body,) in bodies]
        rules = self._query("SELECT fingerprint, body FROM rule_sets")
        self._rules: dict[str, Any] = {key: json.loads(body) for key, body in rules}

    def _note(self, sentence: str) -> None:
        self.wrong.append(sentence)

    # Streams -------------------------------------------------------------------------------

    def check_streams(self) -> None:
        """Every stream is whole: numbered without a gap, chained, and its head is its end."""
        heads = {
            name: (version, hashed, at_ms)
            for name, version, hashed, at_ms in self._query(
                "SELECT name, version, hash, at_ms FROM streams"
            )
        }
        ends: dict[str, tuple[int, str, int]] = {}
        for row in self._query(
            "SELECT stream, version, name, schema, body, at_ms, previous, hash,"
            " actor, terminal, command, digest FROM events ORDER BY stream, version"
        ):
            self._take(row, ends)
        for stream, end in ends.items():
            if heads.get(stream) != end:
                self._note(f"{stream} ends at {end}, and its head says {heads.get(stream)}.")
        for stream, (version, *_) in heads.items():
            if version and stream not in ends:
                self._note(f"{stream} has no events, and its head says {version}.")
        self.look.heads = {stream: (end[0], end[1]) for stream, end in ends.items()}
        self.look.commands = set(self._commands)
        for stream, name, body in self._query("SELECT stream, name, body FROM secrets"):
            self.look.secrets[stream, name] = body

    def _take(self, row: tuple[Any, ...], ends: dict[str, tuple[int, str, int]]) -> None:
        stream, version, name, schema, body, at_ms, previous, hashed = row[:8]
        actor, terminal, command, digest = row[8:]
        before = ends.get(stream, (0, FIRST_HASH, 0))
        ends[stream] = (version, hashed, at_ms)
        self.look.events += 1
        where = f"{stream} {version}"
        if version != before[0] + 1:
            self._note(f"{where} follows {before[0]}.")
        if previous != before[1]:
            self._note(f"{where} does not continue the chain.")
        if at_ms < before[2] and not self._corrected(stream, version, before[2], at_ms):
            self._note(f"{where} is earlier than the event before it.")
        cause = (actor, terminal, command, digest) if actor else ()
        parts = (previous, stream, version, at_ms, name, schema, body, *cause)
        if hashed != event_hash(parts):
            self._note(f"{where} has a hash that differs from that of its content.")
        if digest:
            self._commands[stream, actor, command].append(version)
        self._times[stream, version] = at_ms
        try:
            self._follow(stream, version, name, json.loads(body), schema)
        except (Wrong, LookupError, TypeError, StopIteration, ValueError) as error:
            self._note(f"{where} {name}: {error!r}")

    def _corrected(self, stream: str, version: int, before_ms: int, at_ms: int) -> bool:
        """Whether an operator has recorded that the time of the event before was wrong."""
        return before_ms - at_ms > CORRECTED_LEAST_MS and any(
            each["right_ms"] <= at_ms and each["streams"].get(stream) == version - 1
            for each in self._corrections
        )

    def _follow(self, stream: str, version: int, name: str, body: Any, schema: int) -> None:
        """Work out what an event must have moved."""
        kind, _, owner = stream.partition("/")
        if kind == "table":
            self._follow_table(stream, version, name, body, schema)
        elif kind == "link":
            self._follow_link(stream, version, name, body)
        elif kind == "feed":
            self._feeds.feed(owner, version, name, body)
        elif kind == "wallet":
            self._expected[stream, version] = wallet_changes(name, body)
        elif kind == "voucher":
            self._expected[stream, version] = voucher_changes(owner, name, body)
        elif kind == "drawer":
            drawer = self._drawers.setdefault(owner, DrawerMoney(owner))
            self._expected[stream, version] = drawer.take(name, body)
        elif kind == "tray":
            tray = self._trays.setdefault(owner, TrayMoney(owner))
            self._expected[stream, version] = tray.take(name, body)
        elif kind == "slips":
            if body["number"] != version:
                self._note(f"Slip {body['number']} is the {version}th of the house.")
            self._slips[version] = body["table"], body["request"]

    def _follow_table(self, stream: str, version: int, name: str, body: Any, schema: int) -> None:
        table = self._tables.setdefault(stream, TableMoney(self._rules.__getitem__))
        self._expected[stream, version] = table.take(name, body, schema)
        if table.link_totals is not None:
            number, *totals = table.link_totals
            self._to_count[table.name, number] = tuple(totals)
            if schema > 1:
                self._to_feed[table.name, number] = tuple(totals)
            table.link_totals = None

    def _follow_link(self, stream: str, version: int, name: str, body: Any) -> None:
        link = self._links.setdefault(stream, LinkMoney())
        self._expected[stream, version] = link.take(name, body)
        if name == "link_round_counted":
            key = body["table"], body["round"]
            if key in self._counted:
                self._note(f"{stream} counts round {key} twice.")
            self._counted[key] = tuple(body[each] for each in AMOUNTS)
            if body.get("fed"):
                self._feeds.count(link.name, body)

    # Money ---------------------------------------------------------------------------------

    def check_money(self) -> None:
        """Each event moved what it must, and the balances are the sums of all that moved."""
        sums: Counter[str] = Counter()
        actual: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        for number, stream, version, at_ms, debit, credit, cents in self._query(
            "SELECT number, stream, version, at_ms, debit, credit, cents FROM transfers"
            " ORDER BY number"
        ):
            self.look.transfers += 1
            if type(cents) is not int or cents <= 0 or debit == credit:
                self._note(f"Transfer {number} moves {cents} from {debit} to {credit}.")
            if self._times.get((stream, version)) != at_ms:
                self._note(f"Transfer {number} belongs to no event: {stream} {version}.")
            for account, change in ((debit, -cents), (credit, cents)):
                sums[account] += change
                actual[stream, version][account] += change
        for where in actual.keys() | self._expected.keys():
            found = {account: cents for account, cents in actual[where].items() if cents}
            if found != dict(self._expected.get(where, {})):
                self._note(f"{where} moved {found}, not {dict(self._expected.get(where, {}))}.")
        self._check_balances(sums)
        for drawer in self._drawers.values():
            if sums[drawer.own] != -drawer.cents:
                self._note(f"{drawer.own} holds {drawer.cents}, and its book {sums[drawer.own]}.")
        self._check_trays(sums, actual)
        self.wrong.extend(self._feeds.faults(sums))
        counted = self._counted | dict(self._feeds.waiting())
        for what, first, second in (
            ("Links and tables count", self._to_count, counted),
            ("Feeds and tables have", self._to_feed, dict(self._feeds.fed())),
        ):
            if first != second:
                differing = dict(first.items() ^ second.items())
                self._note(f"{what} rounds differently: {differing}.")

    def _check_trays(self, sums: Counter[str], actual: Moved) -> None:
        """Trays hold what their book has, play did what they say, and each slip was used once."""
        used: dict[int, tuple[str, int]] = {}
        for tray in self._trays.values():
            if sums[tray.own] != -tray.cents:
                self._note(f"{tray.own} holds {tray.cents}, and its book {sums[tray.own]}.")
            try:
                tray.check_played(actual)
            except Wrong as error:
                self._note(str(error))
            used |= {slip: (tray.table, request) for slip, request in tray.slips.items()}
        if used != self._slips:
            self._note(f"Slips and trays differ: {dict(used.items() ^ self._slips.items())}.")

    def _check_balances(self, sums: Counter[str]) -> None:
        held = dict(self._query("SELECT account, cents FROM balances"))
        if sum(held.values()) != 0:
            self._note(f"All accounts together hold {sum(held.values())} cents.")
        for account in held.keys() | sums.keys():
            if held.get(account, 0) != sums[account]:
                self._note(f"{account} holds {held.get(account, 0)}, and got {sums[account]}.")
            if held.get(account, 0) < 0 and account.partition(":")[0] not in MAY_OWE:
                self._note(f"{account} owes {-held[account]} cents.")

    # What others know ----------------------------------------------------------------------

    def check_told(self, told: Iterable[Told]) -> None:
        """What callers were told is in the record, once; what was refused is not."""
        for (stream, actor, command), versions in self._commands.items():
            if len(versions) != 1:
                self._note(f"{stream} carried out {actor}'s {command} at {versions}.")
        accepted: set[tuple[str, str, str]] = set()
        refused: set[tuple[str, str, str]] = set()
        for line in told:
            key = line["stream"], line["actor"], line["id"]
            if line["refused"] is None:
                accepted.add(key)
                if self._commands.get(key) != [line["version"]]:
                    kept = self._commands.get(key)
                    self._note(f"{key} was told {line['version']}, and the record has {kept}.")
            elif line["refused"] not in NO_VERDICT:
                refused.add(key)
        for key in refused - accepted:
            if key in self._commands:
                self._note(f"{key} was refused, and the record has {self._commands[key]}.")

    def check_continued(self, before: Look) -> None:
        """Nothing that was there has changed: no event, and no card that is still undealt."""
        for stream, (version, hashed) in before.heads.items():
            row = list(
                self._query(
                    "SELECT hash FROM events WHERE stream = ? AND version = ?", (stream, version)
                )
            )
            if row != [(hashed,)]:
                self._note(f"{stream} had {hashed[:12]} at {version}, and has {row}.")
        for key, body in before.secrets.items():
            if self.look.secrets.get(key) != body:
                self._note(f"The secret {key} is gone or has changed.")
