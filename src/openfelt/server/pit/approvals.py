"""One-time approvals: what a second person allows at a dealer's terminal.

A supervisor approves one act of the table's dealer; a dealer who takes over agrees to do so. An
approval is a random token for one act, at one table and terminal, in one round, for two minutes
and one command of one dealer. It is worth nothing once the person who gave it is barred or has
another role. It is kept in this process only: after a restart it is asked for again.
"""

import asyncio
import hashlib
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from openfelt.protocol.messages import CommandAsked
from openfelt.runtime.clock import Clock
from openfelt.server.accounts.tokens import token_hash
from openfelt.table.commands import Person
from openfelt.table.permissions import needs_supervisor

APPROVAL_MS: Final = 2 * 60_000
"""How long an approval may be used."""
APPROVALS_MAX: Final = 1000
TOKEN_BYTES: Final = 24
BY_KIND: Final = frozenset({"void_round", "reopen_bets", "change_dealer", "hand_over"})
"""Acts that are approved by their kind alone. Of every other one the whole command is approved."""


def content_of(command: CommandAsked) -> str | None:
    """The digest of a command of which an approval covers the content; None where the kind does."""
    if command.__struct_config__.tag in BY_KIND:
        return None
    return hashlib.sha256(msgspec.json.encode(command)).hexdigest()


@dataclass(frozen=True, slots=True)
class Act:
    """What is approved."""

    kind: str
    """The kind of command, such as ``void_round``."""
    table: str
    terminal: str
    """The device or session at which it is approved, and given."""
    round: int | None
    """The number of the table's last round, None for an act that belongs to no round."""
    content: str | None = None
    """The digest of the command, None where the kind of act is enough."""


@dataclass(frozen=True, slots=True)
class _Approval:
    act: Act
    by: Person
    given_ms: int
    command: tuple[str, str] | None = None
    """The dealer and the id of the command that has used it."""
    spent: bool = False
    """Whether that command was carried out."""


class Approvals:
    """The approvals that have been given in this process and may still be used."""

    def __init__(
        self, clock: Clock, *, has_role: Callable[[Person], bool] = lambda _: True
    ) -> None:
        """``has_role`` says whether a person has this role now; it may block."""
        self._clock = clock
        self._has_role = has_role
        self._approvals: OrderedDict[str, _Approval] = OrderedDict()
        """By the hash of the token."""

    def give(self, act: Act, by: Person) -> str:
        """Approve an act; gives the token that its command carries."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        self._approvals[token_hash(token)] = _Approval(act, by, self._clock.monotonic_ms())
        while len(self._approvals) > APPROVALS_MAX:
            self._approvals.popitem(last=False)
        return token

    async def approved_by(self, token: str, act: Act, *, command: tuple[str, str]) -> Person:
        """Who has approved an act and still could, as ``use`` has it; raises Refusal."""
        person = self.use(token, act, command=command)
        if not await asyncio.to_thread(self._has_role, person):
            raise needs_supervisor("The person who approved this may no longer do so.")
        return person

    def use(self, token: str, act: Act, *, command: tuple[str, str]) -> Person:
        """Who has approved an act, for one command of a dealer by its id; raises Refusal.

        The same command may come again while the approval lasts, when its answer was lost.
        """
        key = token_hash(token)
        approval = self._approvals.get(key)
        if approval is None or approval.command not in (None, command):
            raise needs_supervisor("This approval has been used, or there is none.")
        if approval.act != act:
            raise needs_supervisor("This approval is for another act.")
        if self._clock.monotonic_ms() - approval.given_ms > APPROVAL_MS:
            del self._approvals[key]
            raise needs_supervisor("This approval has expired.")
        self._approvals[key] = replace(approval, command=command)
        return approval.by

    def answered(self, token: str, *, command: tuple[str, str], accepted: bool) -> None:
        """Note how the table has decided: a refused command may be followed by another one.

        A refusal that the table has not decided says nothing about this: of an id that is used
        again, the first command may have been carried out.
        """
        key = token_hash(token)
        approval = self._approvals.get(key)
        if approval is None or approval.command != command or approval.spent:
            return
        if accepted:
            self._approvals[key] = replace(approval, spent=True)
        else:
            self._approvals[key] = replace(approval, command=None)
