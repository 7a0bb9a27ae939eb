"""Commands of the cage, each carried out once, however often it is sent.

Each carries an id that the caller chose. The same id again changes nothing and is answered as the
first time; the same id with another command is refused.
"""

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from openfelt.ledger.counts import counted_cents
from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.rules.action_checks import REASON_LENGTH_MAX, malformed
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.runtime.cage.cage_codes import CageCode
from openfelt.runtime.cage.protection.limit_codes import LimitCode
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.remembered_refusals import GivenAnswer, RememberedRefusals
from openfelt.runtime.requests import (
    Answer,
    RuntimeCode,
    check_command_id,
    digest,
    is_digest_of,
)
from openfelt.storage.door import (
    Append,
    Cause,
    CommandKey,
    Commit,
    Conflict,
    NotEnough,
    Repeated,
    Store,
)
from openfelt.storage.event_forms import EventCodec
from openfelt.table.refusal import TableCode

ATTEMPTS_MAX: Final = 50
DENOMINATIONS_MAX: Final = 40

Decide = Callable[[Cause], tuple[Append, ...]]
"""Decides on a command by the newest state, given the cause of its events; raises Refusal."""


class CageCommands:
    """Carries out commands on vouchers, drawers and trays. All calls block."""

    def __init__(self, store: Store, codec: EventCodec, clock: Clock) -> None:
        self.store = store
        self.codec = codec
        self.clock = clock
        self._refusals = RememberedRefusals(clock)

    def carry_out(self, stream: str, command: str, asked: Any, decide: Decide) -> bool:
        """Carry out a command whose id is remembered in a stream; False if it was before.

        ``asked`` is what the caller wants, to distinguish it from another command with the same id.
        It must not hold the code of a voucher, because its digest is in the record. Raises Refusal.
        """
        check_command_id(command)
        cause = replace(acting(), command=command, digest=digest(self.codec.codec, asked))
        key = (cause.actor, command)
        for _ in range(ATTEMPTS_MAX):
            first = self._first_answer(stream, key)
            if first is not None:
                self._check_repeated(first, asked)
                return False
            try:
                appends = decide(cause)
            except Refusal as refusal:
                # Another process may have lost a commit of this command without knowing what became
                # of it, and the caller may have come here with the same command.
                self.store.wait_for_writers(stream)
                if self.store.answers(stream, [key]):
                    # Another gateway has carried it out meanwhile, and that is why it is refused.
                    continue
                answer = Answer.of_refusal(refusal, version=0)
                self._refusals.add(stream, key, GivenAnswer(cause.digest, answer))
                raise
            try:
                self.store.commit(Commit(at_ms=self.clock.wall_ms(), appends=appends))
            except (Conflict, NotEnough, Repeated):
                continue
            return True
        raise Refusal(RuntimeCode.BUSY, "The cage is busy; retry with the same id.")

    def _first_answer(self, stream: str, key: CommandKey) -> GivenAnswer | None:
        for stored in self.store.answers(stream, [key]).values():
            return GivenAnswer(stored.digest, Answer.from_json(stored.body))
        return self._refusals.get(stream, key)

    def _check_repeated(self, first: GivenAnswer, asked: Any) -> None:
        """Refuse another command with the same id, and again a command that was refused."""
        if not is_digest_of(first.digest, self.codec.codec, asked):
            raise Refusal(
                RuntimeCode.ID_REUSED, "This id has already been used for another command."
            )
        if first.answer.refused is not None:
            raise Refusal(_code(first.answer.refused), first.answer.sentence or "")


def _code(refused: str) -> Any:
    """The code of a remembered refusal, as the enumeration that has it."""
    codes: tuple[type[StrEnum], ...] = (CageCode, LimitCode, RuntimeCode, TableCode, RefusalCode)
    return next(kind(refused) for kind in codes if refused in set(kind))


def check_cents(cents: object, *, what: str = "An amount") -> None:
    """Refuse an invalid amount."""
    if type(cents) is not int or not 0 < cents <= AMOUNT_MAX_CENTS:
        raise malformed(f"{what} must be a whole number of cents above 0.")


def check_text(text: object) -> None:
    """Refuse an invalid note or reason."""
    if not isinstance(text, str) or len(text) > REASON_LENGTH_MAX or not text.isprintable():
        raise malformed(f"A note may have at most {REASON_LENGTH_MAX} printable characters.")


def check_count(count: object) -> None:
    """Refuse an invalid count."""
    valid = (
        isinstance(count, dict)
        and len(count) <= DENOMINATIONS_MAX
        and all(type(cents) is int and cents > 0 for cents in count)
        and all(type(pieces) is int and pieces >= 0 for pieces in count.values())
        and counted_cents(count) <= AMOUNT_MAX_CENTS
    )
    if not valid:
        raise malformed("Give a count as whole numbers of pieces, by denomination in cents.")
