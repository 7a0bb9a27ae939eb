"""One-time approvals of a second person at a dealer's terminal, such as for a handover.

A supervisor approves one action of the table's dealer; a dealer who takes over agrees to do so. An
approval is a random token for one act, at one table and terminal, in one round, for two minutes and
one command of one dealer. It is invalid once the person who gave it is barred or has another role.
A process that serves the house alone keeps it in memory, and it has to be requested again after a
restart; several processes keep it in the store, so that it is valid at every gateway.
"""

import asyncio
import hashlib
import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from openfelt.protocol.messages import CommandAsked
from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import Clock
from openfelt.server.accounts.tokens import token_hash
from openfelt.server.store.short_lived_texts import LocalTexts, ShortLivedTexts
from openfelt.storage.door import StoreError
from openfelt.table.commands import Person
from openfelt.table.permissions import needs_supervisor

APPROVAL_MS: Final = 2 * 60_000
"""How long an approval may be used."""
APPROVALS_MAX: Final = 1000
TOKEN_BYTES: Final = 24
_KIND: Final = "approval"
BY_KIND: Final = frozenset({"void_round", "reopen_bets", "change_dealer", "hand_over"})
"""Actions that are approved by their kind alone. For all others, the whole command is approved."""

logger = logging.getLogger(__name__)


def content_of(command: CommandAsked) -> str | None:
    """The digest of a command whose content the approval covers; None if it covers only the
    kind."""
    if command.__struct_config__.tag in BY_KIND:
        return None
    return hashlib.sha256(msgspec.json.encode(command)).hexdigest()


@dataclass(frozen=True, slots=True)
class Act:
    """The action that is approved."""

    kind: str
    """The kind of command, such as ``void_round``."""
    table: str
    terminal: str
    """The device or session at which it is approved, and given."""
    round: int | None
    """The number of the table's last round; None for an action that belongs to no round."""
    content: str | None = None
    """The digest of the command; None if the kind of action is enough."""


@dataclass(frozen=True, slots=True)
class _Approval:
    act: Act
    by: Person
    command: tuple[str, str] | None = None
    """The dealer and the id of the command that has used it."""
    spent: bool = False
    """Whether that command was carried out."""


class Approvals:
    """The approvals that have been given and may still be used."""

    def __init__(
        self,
        clock: Clock,
        *,
        has_role: Callable[[Person], bool] = lambda _: True,
        notes: ShortLivedTexts | None = None,
    ) -> None:
        """``has_role`` says whether a person has this role now; it may block. ``notes`` keeps the
        approvals, by the hash of the token; None for within this process."""
        self._has_role = has_role
        self._notes = notes or LocalTexts(clock, most=APPROVALS_MAX)

    async def give(self, act: Act, by: Person) -> str:
        """Approve an action; returns the token for its command. Raises StoreError."""
        token = secrets.token_urlsafe(TOKEN_BYTES)
        text = _text(_Approval(act, by))
        await self._notes.put(_KIND, token_hash(token), text, ttl_ms=APPROVAL_MS)
        return token

    async def approved_by(self, token: str, act: Act, *, command: tuple[str, str]) -> Person:
        """The supervisor who approved an action and still could, as in ``use``; raises Refusal."""
        try:
            person = await self.use(token, act, command=command)
        except StoreError as error:
            logger.warning("an approval cannot be checked: %s", error)
            raise needs_supervisor("This approval cannot be checked at the moment.") from error
        if not await asyncio.to_thread(self._has_role, person):
            raise needs_supervisor("The person who approved this may no longer do so.")
        return person

    async def use(self, token: str, act: Act, *, command: tuple[str, str]) -> Person:
        """Use an approval for one command of a dealer, and return who gave it; raises Refusal.

        The same command may come again while the approval lasts, when its answer was lost. Raises
        StoreError.
        """

        def used(text: str) -> str:
            approval = _approval(text)
            if approval.command not in (None, command):
                raise _used_up()
            if approval.act != act:
                raise needs_supervisor("This approval is for another action.")
            return _text(replace(approval, command=command))

        text = await self._notes.change(_KIND, token_hash(token), used)
        if text is None:
            raise _used_up()
        return _approval(text).by

    async def answered(self, token: str, *, command: tuple[str, str], accepted: bool) -> None:
        """Note how the table has decided: a refused command may be followed by another one.

        A refusal that the table has not decided says nothing about this: of an id that is used
        again, the first command may have been carried out.
        """

        def noted(text: str) -> str:
            approval = _approval(text)
            if approval.command != command or approval.spent:
                return text
            if accepted:
                return _text(replace(approval, spent=True))
            return _text(replace(approval, command=None))

        try:
            await self._notes.change(_KIND, token_hash(token), noted)
        except StoreError as error:
            # It stays bound to this command, and another one needs a new approval.
            logger.warning("an approval cannot be noted as used: %s", error)


def _used_up() -> Refusal:
    return needs_supervisor("This approval has been used or has expired, or does not exist.")


def _text(approval: _Approval) -> str:
    return msgspec.json.encode(approval).decode()


def _approval(text: str) -> _Approval:
    return msgspec.json.decode(text, type=_Approval)
