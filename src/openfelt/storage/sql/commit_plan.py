"""The rows that a commit writes, planned without touching a database.

A store locks the streams of a plan, passes their heads to ``rows_of`` and writes the result.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Protocol

from openfelt.ledger import Account, Transfer
from openfelt.ledger.book import changes
from openfelt.rules.quick_replace import maker
from openfelt.storage.balances.balance_door import LAST_NUMBER
from openfelt.storage.chain import event_hash
from openfelt.storage.door import (
    FIRST_HASH,
    Append,
    CommandKey,
    Commit,
    Conflict,
    Damaged,
    Fenced,
    Head,
    NewEvent,
    NotEnough,
    Repeated,
    SecretKey,
    Snapshot,
    StoreError,
    event_binding,
)
from openfelt.storage.keyring import Ciphertext
from openfelt.storage.secrecy.data_keys import enveloped
from openfelt.storage.sql import statements
from openfelt.storage.sql.rows import NO_STREAM, Row
from openfelt.storage.streams.append_keys import AppendKeys
from openfelt.storage.streams.time_corrections import ClockCorrected, StreamEnd, next_ms


class Encrypt(Protocol):
    """Encrypts a text of a stream."""

    def __call__(self, stream: str, name: str, body: str, *, packed: bool = False) -> Ciphertext:
        """The text, encrypted under a name."""
        ...


@dataclass(frozen=True, slots=True)
class Plan:
    """A commit that has been checked as far as possible without the store."""

    commit: Commit
    streams: tuple[str, ...]
    """The streams it writes to, in the order in which they are locked."""
    changes: Mapping[Account, int]
    """The change of each account, in cents."""
    encrypt: Encrypt
    data_keys: Mapping[SecretKey, bytes]
    keys: AppendKeys
    corrections: tuple[ClockCorrected, ...] = ()
    """Times of the record that are known to be wrong."""
    new_forms: Mapping[str, int] = field(default_factory=dict)
    """Events whose forms the database is not known to have yet, with their versions."""


@dataclass(slots=True)
class Rows:
    """The rows of a commit, except balances and rule sets, as the statements take them."""

    new_streams: list[Row] = field(default_factory=list)
    events: list[Row] = field(default_factory=list)
    transfers: list[Row] = field(default_factory=list)
    secrets: list[Row] = field(default_factory=list)
    removed_secrets: list[Row] = field(default_factory=list)
    snapshots: list[Row] = field(default_factory=list)
    stripped_snapshots: list[Row] = field(default_factory=list)
    streams: list[Row] = field(default_factory=list)
    forms: list[Row] = field(default_factory=list)
    heads: dict[str, Head] = field(default_factory=dict)
    """The new head of each stream."""

    def writes(self) -> Iterator[tuple[str, list[Row]]]:
        """Each statement that has rows, with its rows."""
        for statement, rows in (
            (statements.NEW_STREAM, self.new_streams),
            (statements.NEW_EVENT, self.events),
            (statements.NEW_TRANSFER, self.transfers),
            (statements.NEW_HIDDEN, self.secrets),
            (statements.HIDDEN_REMOVED, self.removed_secrets),
            (statements.NEW_SNAPSHOT, self.snapshots),
            (statements.SNAPSHOT_STRIPPED, self.stripped_snapshots),
            (statements.STREAM_MOVED, self.streams),
            (statements.NEW_FORM, self.forms),
        ):
            if rows:
                yield statement, rows


def plan(
    commit: Commit,
    encrypt: Encrypt,
    data_keys: Mapping[SecretKey, bytes],
    keys: AppendKeys,
    *,
    forms: Mapping[str, int] | None = None,
    corrections: Callable[[], tuple[ClockCorrected, ...]] = tuple,
) -> Plan:
    """Check a commit and add up its transfers; ``data_keys`` are those that it needs.

    ``forms`` are the forms of events that the database has. ``corrections`` reads the corrections
    of times, for a commit that is right so far.

    Raises LedgerRefusal for an invalid transfer, Repeated for one command twice, and StoreError
    for two appends to one stream or an event without an actor.
    """
    streams = sorted(append.stream for append in commit.appends)
    if len(set(streams)) != len(streams):
        raise StoreError(
            "A commit appends to each stream once; this one has two appends to the same stream."
        )
    for append in commit.appends:
        _check_names(append)
    changed = changes(
        transfer
        for append in commit.appends
        for event in append.events
        for transfer in event.transfers
    )
    new_forms = _new_forms(commit, forms or {})
    return _plan(
        commit, tuple(streams), changed, encrypt, data_keys, keys, corrections(), new_forms
    )


_plan: Final = maker(Plan)


def _new_forms(commit: Commit, forms: Mapping[str, int]) -> dict[str, int]:
    """The events of a commit with newer forms than these."""
    new: dict[str, int] = {}
    for append in commit.appends:
        for event in append.events:
            if event.schema > forms.get(event.name, 0):
                new[event.name] = max(event.schema, new.get(event.name, 0))
    return new


def rows_of(planned: Plan, heads: Mapping[str, Head]) -> Rows:
    """The rows of a commit to streams with these heads; raises Forged, Fenced or Conflict."""
    for append in planned.commit.appends:
        head = heads.get(append.stream, NO_STREAM)
        # What was appended without the key must not be covered by the next code.
        planned.keys.check_head(append.stream, head)
        _check_head(append, head)
    rows = Rows(forms=sorted(planned.new_forms.items()))
    for append in planned.commit.appends:
        if append.stream not in heads:
            rows.new_streams.append((append.stream, FIRST_HASH))
        head = heads.get(append.stream, NO_STREAM)
        _add(rows, append, head, planned)
    for _, values in rows.writes():
        _check_text(values)
    return rows


def snapshot_binding(version: int) -> str:
    """The name that the encrypted snapshot of a version is bound to."""
    return f"snapshot/{version}"


def check_balances(planned: Plan, balances: Mapping[Account, int]) -> None:
    """Refuse a commit that overdraws an account; these are the balances after it.

    Money may be paid into an account that is already negative. Raises NotEnough, or Damaged for an
    account that holds more than there can be.
    """
    for account, change in planned.changes.items():
        left = balances[account]
        if not -LAST_NUMBER <= left <= LAST_NUMBER:
            raise overfull(account)
        if change < 0 and left < 0 and not account.kind.may_owe:
            raise NotEnough(account, short_cents=-left)


def overfull(account: Account) -> Damaged:
    """The error for an account that can hold no more."""
    return Damaged("balances", account, "no account can hold that much")


def rule_set_rows(commit: Commit) -> Sequence[Row]:
    """The rows of the commit's rule sets, in the order in which they are locked."""
    rows = sorted((rules.fingerprint, rules.house, rules.body) for rules in commit.rule_sets)
    _check_text(rows)
    return rows


def commands_of(append: Append) -> list[CommandKey]:
    """The commands that an append carries out."""
    causes = (event.cause for event in append.events)
    return [(cause.actor, cause.command) for cause in causes if cause.digest]


def repeated_command(append: Append, *, actor: str, command: str) -> Repeated:
    """The error for a command that has been carried out already."""
    answer = f"an answer to {actor}'s command {command}"
    return Repeated(append.stream, answer, version=append.expected_version)


def repeated_secret(append: Append, name: str) -> Repeated:
    """The error for a secret whose name is taken."""
    return Repeated(append.stream, f"a secret {name}", version=append.expected_version)


def _check_names(append: Append) -> None:
    """Refuse an event without an actor, one command twice, and two secrets of one name."""
    for event in append.events:
        if not event.cause.actor:
            raise StoreError(f"The event {event.name} names no actor.")
        if event.hidden and "/" not in event.key:
            raise StoreError(f"The event {event.name} names no data key for what it hides.")
    commands: set[CommandKey] = set()
    for actor, command in commands_of(append):
        if (actor, command) in commands:
            raise repeated_command(append, actor=actor, command=command)
        commands.add((actor, command))
    names: set[str] = set()
    for secret in append.secrets:
        if secret.name in names:
            raise repeated_secret(append, secret.name)
        names.add(secret.name)


def _check_head(append: Append, head: Head) -> None:
    """Refuse a writer whose lease or version is out of date."""
    # A lost lease is reported first: the version is the new owner's business.
    if append.fence is not None and append.fence != head.fence:
        raise Fenced(append.stream, fence=append.fence, found=head.fence)
    if append.expected_version != head.version:
        raise Conflict(append.stream, expected=append.expected_version, found=head.version)


def _add(rows: Rows, append: Append, head: Head, planned: Plan) -> None:
    """Add the rows of one append to a stream with this head."""
    end = StreamEnd(append.stream, head.version, head.at_ms)
    at_ms = next_ms(end, planned.commit.at_ms, planned.corrections)
    data_keys = planned.data_keys
    stream, version, last_hash = append.stream, head.version, head.hash
    for event in append.events:
        version += 1
        previous = last_hash
        if event.hidden:
            body = enveloped(
                data_keys,
                stream,
                event_binding(version),
                event.hidden,
                key=event.key,
                open_json=event.body,
            )
            event = replace(event, body=body)
        last_hash = event_hash(previous, stream=stream, version=version, at_ms=at_ms, event=event)
        rows.events.append(
            event_row(stream, version, event, at_ms=at_ms, previous=previous, own_hash=last_hash)
        )
        if event.transfers:
            rows.transfers += _transfer_rows(stream, version, at_ms, event.transfers)
    for secret in append.secrets:
        body, key = secret.body, ""
        if secret.encrypted:
            key, body = planned.encrypt(stream, secret.name, secret.body, packed=secret.packed)
        rows.secrets.append((stream, secret.name, body, key))
    rows.removed_secrets.extend(append.removed_secrets)
    for of_stream, stripped in append.stripped_snapshots:
        code = planned.keys.snapshot_code(of_stream, stripped)
        rows.stripped_snapshots.append((stripped.body, code, of_stream, stripped.version))
    if append.snapshot is not None:
        snapshot = append.snapshot
        if append.snapshot_key:
            name = snapshot_binding(version)
            snapshot = enveloped(
                data_keys, stream, name, snapshot, key=append.snapshot_key, packed=True
            )
        if not append.events:
            # The time of a snapshot is that of its event, whenever it is written.
            at_ms = head.at_ms
        stands = Snapshot(version=version, at_ms=at_ms, body=snapshot, hash=last_hash)
        code = planned.keys.snapshot_code(stream, stands)
        rows.snapshots.append((stream, version, at_ms, snapshot, code))
    if append.events:
        head = Head(version=version, hash=last_hash, at_ms=at_ms, fence=head.fence)
        head = planned.keys.authentic(stream, head)
        rows.streams.append(head_row(stream, head))
    rows.heads[stream] = head


def event_row(
    stream: str, version: int, event: NewEvent, *, at_ms: int, previous: str, own_hash: str
) -> Row:
    """The row of an event, whose body is as it is stored."""
    cause = event.cause
    return (
        *(stream, version, event.name, event.schema, event.body, at_ms, previous, own_hash),
        *(cause.actor, cause.terminal, cause.command, cause.digest),
    )


def head_row(stream: str, head: Head) -> Row:
    """The values of a stream's new head."""
    return head.version, head.hash, head.at_ms, head.code, stream


def _transfer_rows(
    stream: str, version: int, at_ms: int, transfers: Sequence[Transfer]
) -> list[Row]:
    """The rows of an event's transfers. A settlement names few accounts many times, mostly by the
    same object, so each of those is written out once."""
    names: dict[int, str] = {}
    rows: list[Row] = []
    for transfer in transfers:
        debit, credit = transfer.debit, transfer.credit
        debit_name = names.get(id(debit)) or names.setdefault(id(debit), str(debit))
        credit_name = names.get(id(credit)) or names.setdefault(id(credit), str(credit))
        rows.append(
            (
                *(stream, version, at_ms, debit_name, credit_name, transfer.cents),
                *(transfer.reason._value_, transfer.round, transfer.clause, transfer.note),
            )
        )
    return rows


def _check_text(rows: Sequence[Row]) -> None:
    """Refuse text that one of the two databases cannot store."""
    if "\0" in "".join([value for row in rows for value in row if type(value) is str]):
        raise StoreError("Text with the character NUL cannot be stored.")
