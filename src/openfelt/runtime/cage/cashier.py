"""The cashier: deposits and withdrawals.

Each payment carries an id that the caller chose. The same id again changes nothing and gets
the first answer again, so a payment that is sent twice is booked once.
"""

from dataclasses import dataclass
from typing import Final

from openfelt.ledger.wallet import Deposited, WalletEvent, Withdrawn, wallet_transfer
from openfelt.money import AMOUNT_MAX_CENTS, format_cents
from openfelt.rules.forms import REASON_LENGTH_MAX, malformed
from openfelt.rules.refusal import Refusal
from openfelt.runtime.clock import Clock
from openfelt.runtime.commits import (
    AnsweredCommand,
    CommitObserver,
    Committed,
    unobserved,
)
from openfelt.runtime.requests import Answer, RuntimeCode, check_command_id, digest
from openfelt.runtime.streams import StreamKind, wallet_stream
from openfelt.storage.door import (
    Append,
    Commit,
    Conflict,
    NewAnswer,
    NotEnough,
    Store,
    StoredAnswer,
)
from openfelt.storage.event_forms import EventCodec
from openfelt.table.chips import wallet_of
from openfelt.table.permissions import check_name
from openfelt.table.refusal import TableCode

ATTEMPTS_MAX: Final = 50
ACTOR: Final = "cashier"


@dataclass(frozen=True, slots=True)
class _FillUp:
    """A deposit of what a wallet lacks of an amount."""

    player: str
    cents: int
    """The amount to which the wallet is filled."""
    note: str


_Payment = WalletEvent | _FillUp


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

    def deposit(self, player: str, cents: int, *, id: str, note: str = "") -> Answer:  # noqa: A002
        """Book money that has come in, under the caller's id."""
        return self._book(Deposited(player, cents, note), id)

    def withdraw(self, player: str, cents: int, *, id: str, note: str = "") -> Answer:  # noqa: A002
        """Book money that goes out; refused if the wallet holds less."""
        return self._book(Withdrawn(player, cents, note), id)

    def fill_up(self, player: str, up_to_cents: int, *, id: str, note: str = "") -> Answer:  # noqa: A002
        """Deposit what a wallet lacks of an amount, and nothing if it holds as much.

        What is lacking is decided in the transaction that books it, so two such deposits at the
        same moment never add up to more.
        """
        return self._book(_FillUp(player, up_to_cents, note), id)

    def balance(self, player: str) -> int:
        """What the player's wallet holds, in cents."""
        return self._store.balance(wallet_of(player))

    def _book(self, payment: _Payment, command: str) -> Answer:
        _check(payment)
        check_command_id(command)
        stream, key = wallet_stream(payment.player), (ACTOR, command)
        asked = digest(self._codec.codec, payment)
        for _ in range(ATTEMPTS_MAX):
            head = self._store.head(stream)
            first = self._store.answers(stream, [key]).get(key)
            if first is not None:
                return _first_answer(first, asked)
            # The head is read before the balance: a deposit in between is a conflict.
            event, answer = self._decide(payment, head.version)
            kept = NewAnswer(actor=ACTOR, command=command, digest=asked, body=answer.to_json())
            events = (self._codec.encode(event, (wallet_transfer(event),)),) if event else ()
            append = Append(
                stream=stream,
                expected_version=head.version,
                events=events,
                answers=(kept,),
            )
            try:
                self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))
            except (Conflict, NotEnough):
                continue
            self._observer(_committed(payment.player, event, answer, command))
            return answer
        raise Refusal(RuntimeCode.BUSY, "The wallet is busy; retry with the same id.")

    def _decide(self, payment: _Payment, version: int) -> tuple[WalletEvent | None, Answer]:
        """The event of a payment, None where nothing is booked, and the answer."""
        held_cents = self.balance(payment.player)
        match payment:
            case Withdrawn() if payment.cents > held_cents:
                short = Refusal(
                    TableCode.WALLET_SHORT, f"The wallet holds {format_cents(held_cents)}."
                )
                return None, Answer.of_refusal(short, version)
            case _FillUp() if payment.cents <= held_cents:
                return None, Answer(version=version)
            case _FillUp():
                lacking_cents = payment.cents - held_cents
                payment = Deposited(payment.player, lacking_cents, payment.note)
        return payment, Answer(version=version + 1)


def _check(payment: _Payment) -> None:
    """Refuse an invalid payment."""
    check_name(payment.player, "player")
    if type(payment.cents) is not int or not 0 < payment.cents <= AMOUNT_MAX_CENTS:
        raise malformed("A payment must be a whole number of cents above 0.")
    if not _is_note(payment.note):
        raise malformed(f"A note has at most {REASON_LENGTH_MAX} printable characters.")


def _committed(player: str, event: WalletEvent | None, answer: Answer, command: str) -> Committed:
    answered = AnsweredCommand(actor=ACTOR, command=command, refused=answer.refused)
    events = (event,) if event is not None else ()
    return Committed(kind=StreamKind.WALLET, name=player, events=events, answers=(answered,))


def _is_note(note: object) -> bool:
    return isinstance(note, str) and len(note) <= REASON_LENGTH_MAX and note.isprintable()


def _first_answer(first: StoredAnswer, asked: str) -> Answer:
    """The first answer, if the id came with the same payment."""
    if first.digest != asked:
        raise Refusal(RuntimeCode.ID_REUSED, "This id has already been used for another payment.")
    return Answer.from_json(first.body)
