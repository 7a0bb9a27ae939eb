"""The cashier: deposits and withdrawals.

Each payment carries an id that the caller chose. The same id again changes nothing and gets
the first answer again, so a payment that is sent twice is booked once.
"""

from dataclasses import replace
from typing import Final

from openfelt.ledger.wallet import Deposited, WalletEvent, Withdrawn, wallet_transfer
from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.forms import REASON_LENGTH_MAX, malformed
from openfelt.rules.refusal import Refusal
from openfelt.runtime.acting import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.commits import (
    AnsweredCommand,
    CommitObserver,
    Committed,
    unobserved,
)
from openfelt.runtime.refusals import GivenAnswer, Refusals
from openfelt.runtime.requests import (
    Answer,
    RuntimeCode,
    check_command_id,
    digest,
    is_digest_of,
)
from openfelt.runtime.streams import StreamKind, wallet_stream
from openfelt.storage.door import (
    Append,
    CommandKey,
    Commit,
    Conflict,
    NotEnough,
    Store,
)
from openfelt.storage.event_forms import EventCodec
from openfelt.table.chips import wallet_of
from openfelt.table.permissions import check_name
from openfelt.table.refusal import TableCode

ATTEMPTS_MAX: Final = 50
OLD_ACTOR: Final = "cashier"
"""The actor of every payment in records of versions before causes."""


class Cashier:
    """Takes money in and pays it out."""

    def __init__(
        self,
        store: Store,
        codec: EventCodec,
        clock: Clock,
        observer: CommitObserver = unobserved,
    ) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock
        self._observer = observer
        self._refusals = Refusals(clock)

    def deposit(self, player: str, cents: int, *, id: str, note: str = "") -> Answer:  # noqa: A002
        """Book money that has come in, under the caller's id."""
        return self._book(Deposited(player, cents, note), id)

    def withdraw(self, player: str, cents: int, *, id: str, note: str = "") -> Answer:  # noqa: A002
        """Book money that goes out; refused if the wallet holds less."""
        return self._book(Withdrawn(player, cents, note), id)

    def balance(self, player: str) -> int:
        """What the player's wallet holds, in cents."""
        return self._store.balance(wallet_of(player))

    def _book(self, event: WalletEvent, command: str) -> Answer:
        check_name(event.player, "player")
        check_command_id(command)
        if type(event.cents) is not int or not 0 < event.cents <= AMOUNT_MAX_CENTS:
            raise malformed("A payment must be a whole number of cents above 0.")
        if not _is_note(event.note):
            raise malformed(f"A note has at most {REASON_LENGTH_MAX} printable characters.")
        stream = wallet_stream(event.player)
        asked = digest(self._codec.codec, event)
        cause = replace(acting(), command=command, digest=asked)
        key = (cause.actor, command)
        for _ in range(ATTEMPTS_MAX):
            head = self._store.head(stream)
            first = self._first_answer(stream, key)
            if first is not None:
                return self._repeated(first, event)
            answer = self._answer(event, head.version)
            if answer.accepted:
                transfers = (wallet_transfer(event),)
                append = Append(
                    stream=stream,
                    expected_version=head.version,
                    events=(self._codec.encode(event, transfers, cause=cause),),
                )
                try:
                    self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))
                except (Conflict, NotEnough):
                    continue
            else:
                self._refusals.add(stream, key, GivenAnswer(asked, answer))
            self._observer(_committed(event, answer, command))
            return answer
        raise Refusal(RuntimeCode.BUSY, "The wallet is busy; retry with the same id.")

    def _first_answer(self, stream: str, key: CommandKey) -> GivenAnswer | None:
        """The answer that a repeated payment got before, None for a new one."""
        keys = [key, (OLD_ACTOR, key[1])]
        for stored in self._store.answers(stream, keys).values():
            return GivenAnswer(stored.digest, Answer.from_json(stored.body))
        return self._refusals.get(stream, key)

    def _repeated(self, first: GivenAnswer, event: WalletEvent) -> Answer:
        """The first answer, if the id came with the same payment."""
        if is_digest_of(first.digest, self._codec.codec, event):
            return first.answer
        raise Refusal(RuntimeCode.ID_REUSED, "This id has already been used for another payment.")

    def _answer(self, event: WalletEvent, version: int) -> Answer:
        held_cents = self.balance(event.player)
        if isinstance(event, Withdrawn) and event.cents > held_cents:
            short = Refusal(TableCode.WALLET_SHORT, f"The wallet holds {format_cents(held_cents)}.")
            return Answer.of_refusal(short, version)
        return Answer(version=version + 1)


def _committed(event: WalletEvent, answer: Answer, command: str) -> Committed:
    answered = AnsweredCommand(actor=acting().actor, command=command, refused=answer.refused)
    events = (event,) if answer.accepted else ()
    return Committed(kind=StreamKind.WALLET, name=event.player, events=events, answers=(answered,))


def _is_note(note: object) -> bool:
    return isinstance(note, str) and len(note) <= REASON_LENGTH_MAX and note.isprintable()
