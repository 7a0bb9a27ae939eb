"""A terminal: it makes an id for each command, keeps it until it is answered, and asks again."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from openfelt.ledger.wallet import WalletEvent
from openfelt.runtime.requests import Answer, RuntimeCode
from openfelt.table.commands import Person, TableCommand
from tests.simulation.failure import require
from tests.simulation.messages import Connection, Message

if TYPE_CHECKING:
    from tests.simulation.simulation import Simulation

TIMEOUT_MS: Final = 1200
NOT_YET: Final = {
    RuntimeCode.STOPPED.value,
    RuntimeCode.MOVED.value,
    RuntimeCode.BUSY.value,
    RuntimeCode.SHUFFLER_FAILED.value,
    RuntimeCode.FAILED.value,
}
"""Answers that say nothing about the command: the same id is sent again later."""


@dataclass(slots=True)
class Pending:
    """A command that has no answer yet."""

    message: Message
    tries: int = 1


class Terminal:
    """Sends a person's commands, and can vanish and come back."""

    def __init__(
        self, simulation: "Simulation", by: Person, answered: Callable[[], None] | None = None
    ) -> None:
        self.by = by
        self._tell_answered = answered
        self.pending: dict[str, Pending] = {}
        self.answered: dict[str, tuple[Message, Answer]] = {}
        self.connections: dict[str, Connection] = {}
        """By table or cashier."""
        self.last_arrived = 0
        self.vanished = False
        self._simulation = simulation
        self.sent = 0
        """How many commands have been sent for the first time."""

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited."""
        return bool(self.pending)

    def ask(self, to: str, command: TableCommand | WalletEvent) -> None:
        """Send a new command, and again until it is answered."""
        self.sent += 1
        message = Message(self, self.by, to, command, f"{self.by.name}-{self.sent}", self.sent)
        self.pending[message.id] = Pending(message)
        self._simulation.network.send(message)
        self._simulation.after(TIMEOUT_MS, lambda: self._ask_again(message.id))

    def ask_with_used_id(self, command: TableCommand) -> None:
        """Send another command under an id that a table has carried out already.

        The id of a refused command may be used again once its server has forgotten the refusal.
        """
        for message, answer in self.answered.values():
            if not answer.accepted:
                continue
            if message.to in self._simulation.tables and message.command != command:
                self._simulation.tally.add("id used for another command")
                self._probe(message.to, command, message.id, RuntimeCode.ID_REUSED)
                return

    def ask_with_bad_id(self, to: str, command: TableCommand, bad_id: str) -> None:
        """Send a command under an id that is none."""
        self._simulation.tally.add("id that is none")
        self._probe(to, command, bad_id, RuntimeCode.BAD_ID)

    def _probe(self, to: str, command: TableCommand, command_id: str, must_be: RuntimeCode) -> None:
        probe = Message(self, self.by, to, command, command_id, self.sent, must_be.value)
        self._simulation.network.send(probe)

    def come_back(self) -> None:
        """Ask again for everything that was not answered before the terminal vanished."""
        self.vanished = False
        for command_id in list(self.pending):
            self._ask_again(command_id)

    def _ask_again(self, command_id: str) -> bool:
        """Send a command again; False where it has been answered."""
        waiting = self.pending.get(command_id)
        if waiting is None or self.vanished:
            return False
        waiting.tries += 1
        self._simulation.tally.add("command sent again")
        self._simulation.network.send(waiting.message)
        delay_ms = TIMEOUT_MS * min(waiting.tries, 8)
        self._simulation.after(delay_ms, lambda: self._ask_again(command_id))
        return True

    def receive(self, message: Message, answer: Answer) -> None:
        """An answer has come; the first one counts, and every later one must say the same."""
        if answer.refused in NOT_YET:
            self._simulation.tally.add(f"answered: {answer.refused}, ask again")
            return
        if message.must_be is not None:
            wrong = f"The id {message.id!r} was answered {answer}, not {message.must_be}."
            require(answer.refused == message.must_be, "ids", wrong)
            return
        known = self.answered.get(message.id)
        if known is not None:
            require(
                known[1] == answer,
                "first answer again",
                f"{message.id} was answered {known[1]} and then {answer}.",
            )
            return
        self.answered[message.id] = (message, answer)
        self.pending.pop(message.id, None)
        self._simulation.claims.answered(message, answer)
        if self._tell_answered is not None:
            self._tell_answered()
