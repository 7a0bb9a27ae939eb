"""The cashier: deposits and withdrawals.

Each payment carries an id that the caller chose. The same id again changes nothing and gets
the first answer again, so a payment that is sent twice is booked once.
"""

from dataclasses import dataclass, replace
from typing import Final

from openfelt.ledger.wallet import Deposited, WalletEvent, Withdrawn, wallet_transfer
from openfelt.money import format_cents
from openfelt.rules.refusal import Refusal
from openfelt.runtime.cage.cage_commands import check_cents, check_text
from openfelt.runtime.cage.holdings import cents_at_tables
from openfelt.runtime.cage.protection.limit_book import LimitBook, without_digest
from openfelt.runtime.causes import acting
from openfelt.runtime.clock import Clock
from openfelt.runtime.commits import (
    AnsweredCommand,
    CommitObserver,
    CommitReport,
    unobserved,
)
from openfelt.runtime.remembered_refusals import GivenAnswer, RememberedRefusals
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
    Cause,
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


@dataclass(frozen=True, slots=True)
class _FillUp:
    """A deposit of what a player lacks of an amount, in the wallet and at tables together."""

    player: str
    cents: int
    """The amount that the player has afterwards."""
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
        *,
        limits: LimitBook | None = None,
    ) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock
        self._observer = observer
        self._limits = limits or LimitBook(store, codec, clock)
        self._refusals = RememberedRefusals(clock)

    def deposit(self, player: str, cents: int, *, id: str, note: str = "") -> Answer:  # noqa: A002
        """Book money that has come in, under the caller's id."""
        return self._book(Deposited(player, cents, note), id)

    def withdraw(self, player: str, cents: int, *, id: str, note: str = "") -> Answer:  # noqa: A002
        """Book money that goes out; refused if the wallet holds less."""
        return self._book(Withdrawn(player, cents, note), id)

    def fill_up(self, player: str, up_to_cents: int, *, id: str, note: str = "") -> Answer:  # noqa: A002
        """Deposit what a player lacks of an amount, and nothing if the player holds as much.

        Credit and stakes at tables count too. What is lacking is decided in the transaction that
        books it, so two such deposits at the same moment never add up to more.
        """
        return self._book(_FillUp(player, up_to_cents, note), id)

    def balance(self, player: str) -> int:
        """The balance of the player's wallet, in cents."""
        return self._store.balance(wallet_of(player))

    def _book(self, payment: _Payment, command: str) -> Answer:
        _check(payment)
        check_command_id(command)
        stream = wallet_stream(payment.player)
        asked = digest(self._codec.codec, payment)
        cause = replace(acting(), command=command, digest=asked)
        key = (cause.actor, command)
        for _ in range(ATTEMPTS_MAX):
            head = self._store.head(stream)
            first = self._first_answer(stream, key)
            if first is not None:
                return self._repeated(first, payment)
            # The head is read before the balance: a deposit in between is a conflict.
            event, answer = self._decide(payment, head.version)
            event, answer, counted = self._limited(event, answer, cause)
            if event is None:
                # As in `CageCommands`: the same command may be under way in another process.
                self._store.wait_for_writers(stream)
                if self._store.answers(stream, [key]):
                    # Another gateway has booked it meanwhile, and that is why it is refused.
                    continue
                self._refusals.add(stream, key, GivenAnswer(asked, answer))
            else:
                append = Append(
                    stream=stream,
                    expected_version=head.version,
                    events=(self._codec.encode(event, (wallet_transfer(event),), cause=cause),),
                )
                commit = Commit(at_ms=self._clock.wall_ms(), appends=(append, *counted))
                try:
                    self._store.commit(commit)
                except (Conflict, NotEnough):
                    continue
            self._observer(_committed(payment.player, event, answer, command))
            return answer
        raise Refusal(RuntimeCode.BUSY, "The wallet is busy; retry with the same id.")

    def _limited(
        self, event: WalletEvent | None, answer: Answer, cause: Cause
    ) -> tuple[WalletEvent | None, Answer, tuple[Append, ...]]:
        """A payment after a check of the player's limits, and what it adds to their record."""
        if not isinstance(event, Deposited):
            return event, answer, ()
        try:
            counted = self._limits.deposit(event.player, event.cents, without_digest(cause))
        except Refusal as refusal:
            return None, Answer.of_refusal(refusal, answer.version - 1), ()
        return event, answer, counted

    def _first_answer(self, stream: str, key: CommandKey) -> GivenAnswer | None:
        """The answer that a repeated payment got before, None for a new one."""
        keys = [key, (OLD_ACTOR, key[1])]
        for stored in self._store.answers(stream, keys).values():
            return GivenAnswer(stored.digest, Answer.from_json(stored.body))
        return self._refusals.get(stream, key)

    def _repeated(self, first: GivenAnswer, payment: _Payment) -> Answer:
        """The first answer, if the id came with the same payment."""
        if is_digest_of(first.digest, self._codec.codec, payment):
            return first.answer
        raise Refusal(RuntimeCode.ID_REUSED, "This id has already been used for another payment.")

    def _decide(self, payment: _Payment, version: int) -> tuple[WalletEvent | None, Answer]:
        """The event of a payment, None if nothing is booked, and the answer."""
        held_cents = self.balance(payment.player)
        if isinstance(payment, _FillUp):
            held_cents += cents_at_tables(self._store, payment.player)
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
    check_cents(payment.cents, what="A payment")
    check_text(payment.note)


def _committed(
    player: str, event: WalletEvent | None, answer: Answer, command: str
) -> CommitReport:
    answered = AnsweredCommand(actor=acting().actor, command=command, refused=answer.refused)
    events = (event,) if event is not None else ()
    return CommitReport(kind=StreamKind.WALLET, name=player, events=events, answers=(answered,))
