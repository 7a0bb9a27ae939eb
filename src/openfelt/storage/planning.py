"""From a commit to the rows that write it. Nothing here touches a database.

A store locks the streams of a plan, hands their heads to ``rows_of`` and writes what comes back.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from openfelt.ledger import Account, Transfer
from openfelt.ledger.book import changes
from openfelt.storage.chain import event_hash
from openfelt.storage.door import (
    Append,
    Commit,
    Conflict,
    Fenced,
    Head,
    NotEnough,
    Repeated,
    StoreError,
)
from openfelt.storage.rows import NO_STREAM, Row


@dataclass(frozen=True, slots=True)
class Plan:
    """A commit that has been looked at as far as that goes without the store."""

    commit: Commit
    streams: tuple[str, ...]
    """The streams it writes to, in the order in which they are locked."""
    changes: Mapping[Account, int]
    """What it changes in each account, in cents."""


@dataclass(slots=True)
class Rows:
    """Everything that a commit writes, by table, in the order of its statement's values."""

    events: list[Row] = field(default_factory=list)
    transfers: list[Row] = field(default_factory=list)
    answers: list[Row] = field(default_factory=list)
    secrets: list[Row] = field(default_factory=list)
    snapshots: list[Row] = field(default_factory=list)
    streams: list[Row] = field(default_factory=list)
    heads: dict[str, Head] = field(default_factory=dict)
    """Where each stream ends afterwards."""


def plan(commit: Commit) -> Plan:
    """Look a commit over and add its transfers up.

    Raises LedgerRefusal for a transfer that is none, Repeated for two answers to one
    command, and StoreError for two appends to one stream.
    """
    streams = sorted(append.stream for append in commit.appends)
    if len(set(streams)) != len(streams):
        raise StoreError("A commit adds to each stream once; this one has two appends to one.")
    for append in commit.appends:
        _check_names(append)
    changed = changes(
        transfer
        for append in commit.appends
        for event in append.events
        for transfer in event.transfers
    )
    return Plan(commit, tuple(streams), changed)


def rows_of(planned: Plan, heads: Mapping[str, Head]) -> Rows:
    """The rows of a commit on streams that end here; raises Fenced or Conflict."""
    for append in planned.commit.appends:
        _check_head(append, heads.get(append.stream, NO_STREAM))
    rows = Rows()
    for append in planned.commit.appends:
        head = heads.get(append.stream, NO_STREAM)
        _add(rows, append, head, at_ms=max(planned.commit.at_ms, head.at_ms))
    return rows


def check_balances(planned: Plan, balances: Mapping[Account, int]) -> None:
    """Refuse the commit where it leaves an account short; these are the balances after it.

    An account that is below zero already may be paid into.
    """
    for account, change in planned.changes.items():
        left = balances[account]
        if change < 0 and left < 0 and not account.kind.may_owe:
            raise NotEnough(account, short_cents=-left)


def rule_set_rows(commit: Commit) -> list[Row]:
    """The rows of the commit's rule sets, in the order in which they are locked."""
    return sorted((one.fingerprint, one.house, one.body) for one in commit.rule_sets)


def _check_names(append: Append) -> None:
    commands = [(answer.actor, answer.command) for answer in append.answers]
    again = _repeated(commands)
    if again is not None:
        actor, command = again
        raise repeated_answer(append, actor=actor, command=command)
    name = _repeated([secret.name for secret in append.secrets])
    if name is not None:
        raise repeated_secret(append, name)


def _repeated[Key](keys: list[Key]) -> Key | None:
    if len(set(keys)) == len(keys):
        return None
    return next(key for key in keys if keys.count(key) > 1)
