"""What the two stores share: all queries, and the leases.

Each store defines how a statement is run; everything else about reading is here.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TypeVar

from openfelt.ledger import Account
from openfelt.storage import rows, statements
from openfelt.storage.door import (
    FIRST_HASH,
    Checkpoint,
    CommandKey,
    Commit,
    Conflict,
    Head,
    Lease,
    Repeated,
    RuleSet,
    Snapshot,
    StoredAnswer,
    StoredEvent,
    StoredTransfer,
    StoreError,
)
from openfelt.storage.planning import Plan, commands_of, plan, repeated_command, repeated_secret
from openfelt.storage.rows import Row

PAGE_ROWS = 500
"""How many rows of a long result are fetched at once. No connection is held between pages, so
a slow reader blocks no other."""

KEYS_MAX = 100
"""How many commands are looked up in one statement."""

LAST_NUMBER = 2**63 - 1
"""The largest number that a column holds."""


Value = TypeVar("Value")


class RowRefused(StoreError):
    """The database refuses a row of a commit, usually because its key exists."""


class SqlStore(ABC):
    """A store in an SQL database."""

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
    def _now(self) -> tuple[str, tuple[int, ...]]:
        """The time of leases in milliseconds, as an SQL expression and its values."""

    def _last_transfer(self) -> int:
        """A number below which no further transfers can appear."""
        return LAST_NUMBER

    # Writing

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write all of it or nothing; return the new head of every stream written to."""
        planned = plan(commit)
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
            rows.event,
            key=1,
            after=after,
        )

    def snapshot(self, stream: str) -> Snapshot | None:
        """The newest snapshot of a stream."""
        result = self._read(statements.SNAPSHOT, (stream,))
        return rows.snapshot(result[0]) if result else None

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

    def secrets(self, stream: str, prefix: str = "") -> dict[str, str]:
        """A stream's secrets whose names have this prefix."""
        names, values = statements.beginning_with("name", prefix)
        result = self._read(statements.SECRETS.format(names=names), (stream, *values))
        return dict(map(rows.secret, result))

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
            taken = self.secrets(append.stream) if append.secrets else {}
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
