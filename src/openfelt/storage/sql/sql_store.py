"""Code shared by the two stores beyond streams: commits, leases, commands, secrets and money."""

import logging
from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from openfelt.storage.backup.archive_queries import ArchiveQueries
from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.balances.balance_queries import BalanceQueries
from openfelt.storage.cluster.cluster_door import WANTED
from openfelt.storage.cluster.cluster_queries import ClusterQueries
from openfelt.storage.door import (
    FIRST_HASH,
    AnswerKey,
    Checkpoint,
    CommandKey,
    Commit,
    Conflict,
    Damage,
    Damaged,
    Forged,
    Head,
    KeyMissing,
    Lease,
    Repeated,
    RuleSet,
    StoredAnswer,
    StoreError,
    Unknown,
    shown_error,
    tell_damage,
)
from openfelt.storage.inspection.queries import SqlInspection
from openfelt.storage.secrecy.secret_queries import lost_in
from openfelt.storage.sql import rows, statements
from openfelt.storage.sql.commit_plan import (
    Plan,
    commands_of,
    overfull,
    plan,
    repeated_command,
    repeated_secret,
)
from openfelt.storage.sql.rows import PAGE_ROWS, Row, intact, paged, text_fault
from openfelt.storage.streams.code_changes import REFUSED
from openfelt.storage.streams.time_corrections import CLOCK_STREAM, ClockCorrected, corrections_in

logger = logging.getLogger(__name__)

KEYS_MAX = 100
"""How many commands are looked up in one statement."""

LEASES_MAX = 5000
"""How many leases are renewed in one statement."""


class RowRefused(StoreError):
    """The database refuses a row of a commit, usually because its key exists."""


class SqlStore(BalanceQueries, SqlInspection, ArchiveQueries, ClusterQueries):
    """A store in an SQL database."""

    _corrections: tuple[ClockCorrected, ...] | None = None
    """The corrections of times, once they have been read."""

    # Writing

    def commit(self, commit: Commit) -> Mapping[str, Head]:
        """Write all of it or nothing; return the new head of every stream written to."""
        if lost := lost_in(commit):
            self.renew_codes(lost, at_ms=commit.at_ms)
        wanted = commit
        commit, data_keys = self._data_keys.prepare(commit)
        planned = plan(
            commit,
            self._encrypt,
            data_keys,
            self._keys(commit.at_ms),
            forms=self._forms,
            corrections=self._time_corrections,
        )
        if self._has_old_answers and (repeated := self._answered_before(commit)):
            raise repeated
        try:
            heads = self._commit(planned)
            self._keep(commit, planned, heads)
        except Forged:
            if not self._has_newer_keys():
                raise
            return self.commit(wanted)
        except RowRefused as refused:
            raise (
                self._repeated(commit)
                or self._overflow(planned)
                or self._beyond_head(commit)
                or refused
            ) from refused
        except StoreError:
            raise
        except Exception as error:
            # Whatever it was, the commit may have been written before.
            raise Unknown(
                f"A commit ended in an unexpected error ({shown_error(error)})."
            ) from error
        return heads

    def _keep(self, commit: Commit, planned: Plan, heads: Mapping[str, Head]) -> None:
        """Remember what has been written."""
        self._data_keys.keep(commit, planned.data_keys)
        if CLOCK_STREAM in heads:
            self._corrections = None
        if planned.new_forms:
            self._forms |= planned.new_forms

    def _time_corrections(self) -> tuple[ClockCorrected, ...]:
        """The wrong times of this record, read once; a correction is made while no server runs.

        Where they cannot be read, no time goes back: the record of the clock must not stop tables.
        """
        if self._corrections is None:
            try:
                self._corrections = corrections_in(self)
            except (Damaged, KeyMissing) as error:
                logger.error("corrections of the clock could not be read: %s", error)
                self._corrections = ()
        return self._corrections

    @cached_property
    def _forms(self) -> dict[str, int]:
        """The forms of events that the database is known to have."""
        return self.event_forms()

    def event_forms(self, *, damage: Damage | None = None) -> dict[str, int]:
        """The newest version of every event that has been written, by its name."""
        return dict(intact(self._read(statements.FORMS, ()), rows.form, damage or tell_damage))

    # Leases

    def take_lease(self, stream: str, owner: str, *, ttl_ms: int) -> Lease | None:
        """Lease a stream, with the next fencing number; None while another owner holds it."""
        clock, now = self._now()
        taken = self._write(
            statements.TAKE_LEASE.format(now=clock),
            (stream, FIRST_HASH, owner, *now, ttl_ms, ttl_ms),
        )
        if not taken:
            if self.head(stream).fence >= LAST_NUMBER:
                raise Damaged("streams", stream, "the number of its lease cannot grow")
            return None
        ((fence, until_ms),) = taken
        return Lease(stream=stream, owner=owner, fence=fence, until_ms=until_ms, ttl_ms=ttl_ms)

    def renew_lease(self, lease: Lease, *, ttl_ms: int) -> Lease | None:
        """Extend the lease from now on; None if it was released or replaced."""
        return next(iter(self.renew_leases((lease,), ttl_ms=ttl_ms)), None)

    def renew_leases(self, leases: Sequence[Lease], *, ttl_ms: int) -> tuple[Lease, ...]:
        """Extend all of these leases from now on; those that are over are left out."""
        renewed: list[Lease] = []
        for start in range(0, len(leases), LEASES_MAX):
            held = {lease.stream: lease for lease in leases[start : start + LEASES_MAX]}
            clock, now = self._now()
            gaps = ", ".join(["(?, ?, ?)"] * len(held))
            values = [(lease.stream, lease.fence, lease.owner) for lease in held.values()]
            result = self._write(
                statements.RENEW_LEASES.format(now=clock, leases=gaps),
                (*now, ttl_ms, *(part for value in values for part in value)),
            )
            renewed += [
                replace(held[name], until_ms=until_ms, ttl_ms=ttl_ms) for name, until_ms in result
            ]
        return tuple(renewed)

    def release_lease(self, lease: Lease, *, wanted: bool = False) -> None:
        """Give the lease up, so that another owner need not wait for its end."""
        self._write(
            statements.RELEASE_LEASE,
            (WANTED if wanted else "", lease.stream, lease.fence, lease.owner),
        )

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

    def checkpoints(self, *, after: int = -1, damage: Damage | None = None) -> Iterator[Checkpoint]:
        """The checkpoints after a number, in order."""
        return paged(
            lambda seen: self._read(statements.CHECKPOINTS, (seen, PAGE_ROWS)),
            rows.checkpoint,
            key=0,
            after=after,
            damage=damage,
        )

    def answers(self, stream: str, keys: Sequence[CommandKey]) -> dict[CommandKey, StoredAnswer]:
        """The answers to those of these commands that have been carried out."""
        old = self._old_answers_to(stream, keys) if self._has_old_answers else {}
        carried_out = self._by_command(statements.COMMANDS, stream, keys)
        return old | dict(map(rows.command, carried_out))

    def _old_answers_to(
        self, stream: str, keys: Sequence[CommandKey]
    ) -> dict[CommandKey, StoredAnswer]:
        """The same from before events named their commands."""
        answers = map(rows.old_answer, self._by_command(statements.OLD_ANSWERS, stream, keys))
        # A refusal changed nothing, so the command is decided again.
        return {key: answer for key, answer in answers if REFUSED not in answer.body}

    def _by_command(self, statement: str, stream: str, keys: Sequence[CommandKey]) -> Iterator[Row]:
        """The rows of some commands of a stream."""
        for start in range(0, len(keys), KEYS_MAX):
            asked = keys[start : start + KEYS_MAX]
            gaps = ", ".join(["(?, ?)"] * len(asked))
            values = [stream, *(part for key in asked for part in key)]
            yield from self._read(statement.format(keys=gaps), values)

    @cached_property
    def _has_old_answers(self) -> bool:
        """Whether the database has answers from before events named their commands.

        A database that had none when appends became authentic has none since.
        """
        begun = self.authentication()
        if begun is not None and not begun.answers:
            return False
        return bool(self._read(statements.ANY_OLD_ANSWER, ()))

    def old_answers(
        self, stream: str, *, damage: Damage | None = None
    ) -> Iterator[tuple[CommandKey, StoredAnswer]]:
        """The answers of a stream from before events named their commands."""
        after: Row = ("", "")
        full = True
        while full:
            page = self._read(statements.OLD_ANSWERS_OF, (stream, *after, PAGE_ROWS))
            full = len(page) == PAGE_ROWS
            if full:
                after = page[-1][:2]
            yield from intact(page, rows.old_answer, damage)

    def forget_old_refusals(self, after: AnswerKey) -> AnswerKey | None:
        """Remove refusals from one page of old answers; returns its last key, None at the end."""
        page = self._read(statements.OLD_ANSWER_PAGE, (*after, PAGE_ROWS))
        # A key that cannot be read is left to the audit.
        refused = [row[:3] for row in page if REFUSED in row[4] and not text_fault(row[:3])]
        if refused:
            self._write_many(statements.OLD_ANSWER_REMOVED, refused)
        if len(page) < PAGE_ROWS:
            return None
        stream, actor, command, *_ = page[-1]
        return stream, actor, command

    # Upkeep

    @abstractmethod
    def sizes(self) -> dict[str, int]:
        """How many bytes each table of the database takes, with its indexes."""

    def drop_zero_balances(self) -> int:
        """Remove some balances of accounts that hold nothing; returns how many, 0 at the end."""
        page = self._read(statements.ZERO_BALANCES, (PAGE_ROWS,))
        # A name that cannot be read is left to the audit.
        page = [row for row in page if not text_fault(row)]
        if page:
            self._write_many(statements.BALANCE_DROPPED, page)
        return len(page)

    def rule_set(self, fingerprint: str) -> RuleSet | None:
        """A house as it was, by its fingerprint."""
        result = self._read(statements.RULE_SET, (fingerprint,))
        return rows.rule_set(result[0]) if result else None

    def _answered_before(self, commit: Commit) -> Repeated | None:
        """The error for a command that was answered before events named their commands.

        Such answers are never added, so they need no check within the transaction.
        """
        for append in commit.appends:
            for actor, command in self._old_answers_to(append.stream, commands_of(append)):
                return repeated_command(append, actor=actor, command=command)
        return None

    def _overflow(self, planned: Plan) -> Damaged | None:
        """The error for an account that holds more than there can be, and so can hold no more."""
        for account, cents in planned.changes.items():
            if not -LAST_NUMBER <= self.balance(account) + cents <= LAST_NUMBER:
                return overfull(account)
        return None

    def _beyond_head(self, commit: Commit) -> Forged | None:
        """The error for an event beyond the head of a stream, where the next one goes."""
        for append in commit.appends:
            after = append.expected_version
            event = next(self.events(append.stream, after=after, damage=lambda _: None), None)
            # Read in this order, an event of another process is not taken for one.
            if event is not None and self.head(append.stream).version < event.version:
                return Forged("events", f"{append.stream}/{event.version}")
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
