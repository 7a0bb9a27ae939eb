"""Messages between terminals and servers, and the network that loses, copies and delays them."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from openfelt.ledger.wallet import WalletEvent
from openfelt.runtime.requests import Answer
from openfelt.table.commands import Person, TableCommand

if TYPE_CHECKING:
    from tests.simulation.server import Server
    from tests.simulation.simulation import Simulation
    from tests.simulation.terminal import Terminal

CASHIER = "cashier"
"""Where payments are sent; every server has one."""


@dataclass(frozen=True, slots=True, eq=False)
class Connection:
    """A terminal's connection to a process, which ends when the terminal connects to another."""

    server: "Server | None"
    """The process that ran the table then, None where none did."""


@dataclass(frozen=True, slots=True)
class Message:
    """A command on its way to a table, or a payment on its way to a cashier."""

    terminal: "Terminal"
    by: Person
    to: str
    """The table, or the cashier."""
    command: TableCommand | WalletEvent
    id: str
    number: int
    """Counts what the terminal has sent, so that a reordering is noticed."""
    must_be: str | None = None
    """The refusal that must follow, because the id is no id or belongs to another command."""
    over: "Connection | None" = None
    """The connection over which the terminal has sent this copy."""


class Network:
    """Everything goes through it, in both directions.

    A terminal sends over a connection to one process, and connects again where another process
    runs the table. What is under way over the old connection is lost with it, both ways.
    """

    def __init__(self, simulation: "Simulation") -> None:
        self._simulation = simulation

    def send(self, message: Message) -> None:
        """Let a message travel to the process that runs the table now."""
        server, connections = self._simulation.server_for(message.to), message.terminal.connections
        if message.to not in connections or connections[message.to].server is not server:
            connections[message.to] = Connection(server)
        message = replace(message, over=connections[message.to])
        for delay_ms in self._deliveries():
            self._simulation.after(delay_ms, lambda: self._arrive(message))

    def _arrive(self, message: Message) -> None:
        terminal = message.terminal
        if message.number < terminal.last_arrived:
            self._simulation.tally.add("message overtaken by a later one")
        terminal.last_arrived = max(terminal.last_arrived, message.number)
        server = message.over.server if message.over else None
        if not self._connected(message):
            self._simulation.tally.add("message lost with its connection")
        elif server is None:
            self._simulation.tally.add("message to a table that no process runs")
        else:
            server.receive(message)

    def _connected(self, message: Message) -> bool:
        """Whether the connection over which a message was sent is still there."""
        connection = message.over
        if connection is None or message.terminal.connections.get(message.to) is not connection:
            return False
        return connection.server is None or connection.server.alive

    def answer(self, message: Message, answer: Answer) -> None:
        """Let an answer travel back."""
        for delay_ms in self._deliveries():
            self._simulation.after(delay_ms, lambda: self._return(message, answer))

    def _return(self, message: Message, answer: Answer) -> None:
        if self._connected(message):
            message.terminal.receive(message, answer)
        else:
            self._simulation.tally.add("answer lost with its connection")

    def _deliveries(self) -> list[int]:
        """When copies of a message arrive: none where it is lost, two where it is doubled."""
        faults, tally = self._simulation.machine.faults, self._simulation.tally
        random = faults.random
        if faults.strikes("message_lost"):
            tally.add("message lost")
            return []
        delays_ms = [random.randint(2, 40)]
        if faults.strikes("message_late"):
            tally.add("message delayed")
            delays_ms = [random.randint(500, 30_000)]
        if faults.strikes("message_twice"):
            tally.add("message doubled")
            delays_ms.append(random.choice((random.randint(0, 100), random.randint(1000, 90_000))))
        return delays_ms
