"""What the two stores share: all queries, and the leases.

Each store defines how a statement is run; everything else about reading is here.
"""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TypeVar

from openfelt.ledger import Account
from openfelt.storage import rows, statements
from openfelt.storage.door import (
    FIRST_HASH,
    AnswerKey,
    Checkpoint,
    CommandKey,
    Commit,
    Conflict,
    Head,
    KeyMissing,
    Lease,
    Repeated,
    RuleSet,
    Snapshot,
    StoredAnswer,
    StoredEvent,
    StoredTransfer,
    StoreError,
)
from openfelt.storage.keyring import Keyring, Sealed, is_sealed
from openfelt.storage.planning import (
    Plan,
    commands_of,
    plan,
    repeated_command,
    repeated_secret,
    snapshot_seal,
)
from openfelt.storage.rows import Row

PAGE_ROWS = 500
"""How many rows of a long result are fetched at once. No connection is held between pages, so
a slow reader blocks no other."""

KEYS_MAX = 100
"""How many commands are looked up in one statement."""

_REFUSED = '"refused":'
"""What the JSON of a refusal contains, and that of no other answer."""

LAST_NUMBER = 2**63 - 1
"""The largest number that a column holds."""


Value = TypeVar("Value")


class RowRefused(StoreError):
    """The database refuses a row of a commit, usually because its key exists."""


class SqlStore(ABC):
    """A store in an SQL database."""

    def __init__(self, keyring: Keyring | None) -> None:
        """``keyring`` seals secrets; None stands for the one that the environment names."""
        self._keyring = keyring or Keyring.of(os.environ)
        self._key_checked = False

    # How a statement is run

    @abstractmethod
    def _commit(self, planned: Plan) -> dict[str, Head]:
        """Write a commit in one transaction; raises RowRefused if a row already exists."""

    @abstractmethod
    def _read(self, statement: str, values: Sequence[object]) -> list[Row]:
        """Run one statement that only reads."""

    @abstractmethod
    def _write(self, statement: str, values: Sequence[object]) -> list[Row]:
        """Run one statement that writes, in a transaction of its own."""

    @abstractmethod
    def _write_many(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Run one statement with each of these rows, in one transaction."""

    @abstractmethod
    def _now(self) -> tuple[str, tuple[int, ...]]:
        """The time of leases in milliseconds, as an SQL expression and its values."""

    def _last_transfer(self) -> int:
        """A number below which no further transfers can appear."""
        return LAST_NUMBER

    # Writing

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write all of it or nothing; return the new head of every stream written to."""
        planned = plan(commit, self._seal)
        if self._has_old_answers and (repeated := self._answered_before(commit)):
            raise repeated
        try:
            return self._commit(planned)
        except RowRefused as refused:
            raise self._repeated(commit) or refused from refused

    # Leases

    def take_lease(self, stream: str, owner: str, *, ttl_ms: int) -> Lease | None:
        """Lease a stream, with the next fencing number; None while another owner holds it."""
        clock, now = self._now()
        taken = self._write(
            statements.TAKE_LEASE.format(now=clock),
            (stream, FIRST_HASH, owner, *now, ttl_ms, ttl_ms),
        )
        if not taken:
            return None
        ((fence, until_ms),) = taken
        return Lease(stream=stream, owner=owner, fence=fence, until_ms=until_ms)

    def renew_lease(self, lease: Lease, *, ttl_ms: int) -> Lease | None:
        """Extend the lease from now on; None if it was released or replaced."""
        clock, now = self._now()
        renewed = self._write(
            statements.RENEW_LEASE.format(now=clock),
            (*now, ttl_ms, lease.stream, lease.fence, lease.owner),
        )
        if not renewed:
            return None
        ((until_ms,),) = renewed
        return Lease(stream=lease.stream, owner=lease.owner, fence=lease.fence, until_ms=until_ms)

    def release_lease(self, lease: Lease) -> None:
        """Give the lease up, so that another owner need not wait for its end."""
        self._write(statements.RELEASE_LEASE, (lease.stream, lease.fence, lease.owner))

    # Checkpoints

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint; raises Conflict if one with this number exists."""
        written = self._write(
            statements.NEW_CHECKPOINT,
            (
                checkpoint.number,
                checkpoint.at_ms,
                checkpoint.body,
                checkpoint.key,
                checkpoint.signature,
            ),
        )
        if not written:
            ((last,),) = self._read(statements.LAST_CHECKPOINT, ())
            raise Conflict("checkpoints", expected=checkpoint.number - 1, found=last)

    def checkpoints(self) -> Iterator[Checkpoint]:
        """All checkpoints in order."""
        return _paged(
            lambda after: self._read(statements.CHECKPOINTS, (after, PAGE_ROWS)),
            rows.checkpoint,
            key=0,
            after=-1,
        )

    # Streams

    def head(self, stream: str) -> Head:
        """The end of a stream; version 0 if it has no events."""
        result = self._read(statements.HEAD, (stream,))
        return rows.stream_head(result[0])[1] if result else rows.NO_STREAM

    def heads(self, prefix: str = "") -> dict[str, Head]:
        """The heads of all streams with events whose names have this prefix, at one moment."""
        names, values = statements.beginning_with("name", prefix)
        return dict(map(rows.stream_head, self._read(statements.HEADS.format(names=names), values)))

    def streams(self, prefix: str = "") -> tuple[str, ...]:
        """The names of all streams with events that have this prefix, in order."""
        names, values = statements.beginning_with("name", prefix)
        result = self._read(statements.STREAMS.format(names=names), values)
        return tuple(map(rows.stream_name, result))

    def events(
        self, stream: str, *, after: int = 0, up_to: int | None = None
    ) -> Iterator[StoredEvent]:
        """The events of a stream after a version, in order."""
        last = LAST_NUMBER if up_to is None else up_to
        return _paged(
            lambda seen: self._read(statements.EVENTS, (stream, seen, last, PAGE_ROWS)),
            self._event,
            key=1,
            after=after,
        )

    def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream."""
        result = self._read(statements.SNAPSHOT, (stream,))
        if not result:
            return None
        snapshot = rows.snapshot(result[0])
        if is_sealed(snapshot.body):
            name = snapshot_seal(snapshot.version)
            body = self._keyring.unseal_json(stream, name, snapshot.body)
            return replace(snapshot, body=body)
        return snapshot

    def _event(self, row: Row) -> StoredEvent:
        event = rows.event(row)
        if is_sealed(event.body):
            return replace(event, unseal=self._keyring.unseal_json)
        return event

    def answers(self, stream: str, keys: Sequence[CommandKey]) -> dict[CommandKey, StoredAnswer]:
        """The answers to those of these commands that have been carried out."""
        old = self._old_answers_to(stream, keys) if self._has_old_answers else {}
        carried_out = self._by_command(statements.COMMANDS, stream, keys)
        return old | dict(map(rows.command, carried_out))

    def _old_answers_to(
        self, stream: str, keys: Sequence[CommandKey]
    ) -> dict[CommandKey, StoredAnswer]:
        """The same from before events named their commands."""
        return dict(map(rows.old_answer, self._by_command(statements.OLD_ANSWERS, stream, keys)))

    def _by_command(self, statement: str, stream: str, keys: Sequence[CommandKey]) -> Iterator[Row]:
        """The rows of some commands of a stream."""
        for start in range(0, len(keys), KEYS_MAX):
            asked = keys[start : start + KEYS_MAX]
            gaps = ", ".join(["(?, ?)"] * len(asked))
            values = [stream, *(part for key in asked for part in key)]
            yield from self._read(statement.format(keys=gaps), values)

    @cached_property
    def _has_old_answers(self) -> bool:
        """Whether the database has answers from before events named their commands."""
        return bool(self._read(statements.ANY_OLD_ANSWER, ()))

    def old_answers(self, stream: str) -> Iterator[tuple[CommandKey, StoredAnswer]]:
        """The answers of a stream from before events named their commands."""
        after: CommandKey = ("", "")
        full = True
        while full:
            page = self._read(statements.OLD_ANSWERS_OF, (stream, *after, PAGE_ROWS))
            full = len(page) == PAGE_ROWS
            for row in page:
                key, answer = rows.old_answer(row)
                after = key
                yield key, answer

    def forget_old_refusals(self, after: AnswerKey) -> AnswerKey | None:
        """Remove refusals from one page of old answers; gives its last key, None at the end."""
        page = self._read(statements.OLD_ANSWER_PAGE, (*after, PAGE_ROWS))
        refused = [(stream, actor, id_) for stream, actor, id_, body in page if _REFUSED in body]
        if refused:
            self._write_many(statements.OLD_ANSWER_REMOVED, refused)
        if len(page) < PAGE_ROWS:
            return None
        stream, actor, command, _ = page[-1]
        return stream, actor, command

    def secrets(self, stream: str, prefix: str = "") -> dict[str, str]:
        """A stream's secrets whose names have this prefix; raises KeyMissing."""
        names, values = statements.beginning_with("name", prefix)
        result = self._read(statements.SECRETS.format(names=names), (stream, *values))
        return {
            name: self._unsealed(stream, name, sealed) for name, sealed in map(rows.secret, result)
        }

    def secret_names(self, stream: str, prefix: str = "") -> tuple[str, ...]:
        """The names of a stream's secrets with this prefix, which need no key."""
        names, values = statements.beginning_with("name", prefix)
        result = self._read(statements.NAMES_OF_SECRETS.format(names=names), (stream, *values))
        return tuple(map(rows.text, result))

    # Sealed secrets

    def sealing_keys(self) -> tuple[str, ...]:
        """The ids of the keys with which the store's secrets are sealed."""
        keys: list[str] = []
        while result := self._read(statements.NEXT_KEY, (keys[-1] if keys else "",)):
            keys.append(rows.text(result[0]))
        return tuple(keys)

    def prepare_seal(self) -> None:
        """Make the first key where there is none; raises KeyFailure or KeyMissing."""
        self._check_own_key("this database")
        self._keyring.current()

    def missing_keys(self) -> tuple[str, ...]:
        """The ids of keys in use that the keyring does not have."""
        return tuple(key for key in self.sealing_keys() if key not in self._keyring.ids)

    def reseal(self, prefix: str, *, unsealed_only: bool = False) -> int:
        """Seal some secrets of streams with this prefix with the newest key; gives how many."""
        streams, values = statements.beginning_with("stream", prefix)
        current = "" if unsealed_only else self._keyring.current()
        for keys in ("key = ?",) if unsealed_only else ("key < ?", "key > ?"):
            statement = statements.OTHERWISE_SEALED.format(keys=keys, streams=streams)
            result = self._read(statement, (current, *values, PAGE_ROWS))
            if result:
                self._write_many(
                    statements.HIDDEN_RESEALED,
                    [self._resealed(*rows.secret_of_stream(row)) for row in result],
                )
                return len(result)
        return 0

    def _resealed(self, stream: str, name: str, before: Sealed) -> Row:
        """The values of an UPDATE that seals a secret with the newest key."""
        if before.key:
            after = self._keyring.reseal(stream, name, before)
        else:
            after = self._seal(stream, name, before.body)
        return after.body, after.key, stream, name, before.body

    def _seal(self, stream: str, name: str, body: str, *, packed: bool = False) -> Sealed:
        if not self._key_checked:
            self._check_own_key(stream)
        return self._keyring.seal(stream, name, body, packed=packed)

    def _unsealed(self, stream: str, name: str, sealed: Sealed) -> str:
        return self._keyring.unseal(stream, name, sealed) if sealed.key else sealed.body

    def _check_own_key(self, stream: str) -> None:
        """Refuse to begin with a new key where others have sealed: they would not have it."""
        used = self.sealing_keys()
        if used and not set(used) & set(self._keyring.ids):
            raise KeyMissing(used[-1], stream=stream, where=self._keyring.where)
        self._key_checked = True

    def rule_set(self, fingerprint: str) -> RuleSet | None:
        """A house as it was, by its fingerprint."""
        result = self._read(statements.RULE_SET, (fingerprint,))
        return rows.rule_set(result[0]) if result else None

    # Money

    def balance(self, account: Account) -> int:
        """What an account holds, in cents."""
        result = self._read(statements.BALANCE, (str(account),))
        return rows.balance(result[0])[1] if result else 0

    def balances(self, prefix: str = "") -> dict[Account, int]:
        """The balances of all accounts whose names have this prefix, without those at zero."""
        names, values = statements.beginning_with("account", prefix)
        return dict(map(rows.balance, self._read(statements.BALANCES.format(names=names), values)))

    def transfers(
        self, *, account: Account | None = None, stream: str | None = None, after: int = 0
    ) -> Iterator[StoredTransfer]:
        """Transfers after a number in order, of one account or one stream if given.

        No transfer appears later with a lower number than one already returned: a caller who
        remembers the last number and asks again later misses none.
        """
        page = self._transfer_page(account, stream)
        return _paged(page, rows.transfer, key=0, after=after)

    def _transfer_page(
        self, account: Account | None, stream: str | None
    ) -> Callable[[int], list[Row]]:
        """A function from the last number seen to the next page of transfers."""
        name = str(account)
        match account, stream:
            case None, None:
                return self._any_transfer_page()
            case None, _:
                return lambda seen: self._read(
                    statements.STREAM_TRANSFERS, (stream, seen, LAST_NUMBER, PAGE_ROWS)
                )
            case _, None:
                return lambda seen: self._read(
                    statements.ACCOUNT_TRANSFERS,
                    (*(name, seen, LAST_NUMBER, PAGE_ROWS) * 2, PAGE_ROWS),
                )
            case _:
                return lambda seen: self._read(
                    statements.STREAM_ACCOUNT_TRANSFERS,
                    (stream, name, name, seen, LAST_NUMBER, PAGE_ROWS),
                )

    def _any_transfer_page(self) -> Callable[[int], list[Row]]:
        """Pages of all transfers, up to the last one that is final when the first page is read."""
        last: int | None = None

        def page(seen: int) -> list[Row]:
            nonlocal last
            if last is None:
                last = self._last_transfer()
            return self._read(statements.TRANSFERS, (seen, last, PAGE_ROWS))

        return page

    def _answered_before(self, commit: Commit) -> Repeated | None:
        """The error for a command that was answered before events named their commands.

        Such answers are never added, so they need no check within the transaction.
        """
        for append in commit.appends:
            for actor, command in self._old_answers_to(append.stream, commands_of(append)):
                return repeated_command(append, actor=actor, command=command)
        return None

    def _repeated(self, commit: Commit) -> Repeated | None:
        """The error that names the command or secret of a refused commit that already exists."""
        for append in commit.appends:
            for actor, command in self.answers(append.stream, commands_of(append)):
                return repeated_command(append, actor=actor, command=command)
            taken = self.secret_names(append.stream) if append.secrets else ()
            for secret in append.secrets:
                if secret.name in taken:
                    return repeated_secret(append, secret.name)
        return None


def _paged(
    page: Callable[[int], list[Row]], read: Callable[[Row], Value], *, key: int, after: int
) -> Iterator[Value]:
    """Read a long result page by page; ``key`` is the column that orders it."""
    full = True
    while full:
        result = page(after)
        full = len(result) == PAGE_ROWS
        if full:
            after = result[-1][key]
        yield from map(read, result)
