"""Closing time: no more faults. Everything that is open comes to its end, and must add up."""

from typing import TYPE_CHECKING

from openfelt.ledger import Account, AccountKind
from openfelt.ledger.wallet import Withdrawn
from openfelt.rules.round_actions import VoidRound
from openfelt.runtime.audit import audit
from openfelt.runtime.requests import Answer
from openfelt.runtime.streams import table_stream
from openfelt.runtime.tables.recovery.recovery import fold
from openfelt.storage.event_forms import EventCodec
from openfelt.storage.rulebook import Rulebook
from openfelt.table.commands import LeaveSeat, Person, Role, TableCommand
from openfelt.table.state import Table
from tests.independent.record import Violation, check_record
from tests.simulation.claims import where_kept
from tests.simulation.failure import SimulationFailure, require
from tests.simulation.messages import CASHIER, Message
from tests.simulation.terminal import NOT_YET, Terminal

if TYPE_CHECKING:
    from tests.simulation.server import Server
    from tests.simulation.simulation import Simulation

SMALL = (AccountKind.WALLET, AccountKind.CREDIT, AccountKind.WAGERS, AccountKind.BANKER)
"""Accounts that are empty when all people have gone home."""


def close_floor(simulation: "Simulation") -> None:
    """Start one process on what is written, answer every person, and send them home."""
    machine = simulation.machine
    machine.faults.quiet = True
    for server in list(simulation.servers):
        server.die()
    machine.clock.go_to(machine.clock.true_ms + 10 * 3600 * 1000)
    server = simulation.start_server("closing", "closing")
    for _ in range(50):
        server.tend_all()
        simulation.check_step()
    missing = [table for table in simulation.auditor.tables if table not in server.workers]
    require(not missing, "tables run again", f"No process can take up {missing}.")
    _answer_all(simulation, server)
    _go_home(simulation, server)
    simulation.check_step(everything=True)
    simulation.claims.check_all_kept()
    simulation.claims.check_all_claimed()
    _check_ends(simulation)
    _check_independently(simulation)


def _answer_all(simulation: "Simulation", server: "Server") -> None:
    """Every command that was ever sent gets an answer in the end."""
    for terminal in simulation.terminals:
        for waiting in list(terminal.pending.values()):
            _deliver(simulation, server, waiting.message)
        require(not terminal.pending, "every person answered", f"{terminal.pending}")


def _deliver(simulation: "Simulation", server: "Server", message: Message) -> Answer:
    answer = server.answer_now(message)
    simulation.check_step()
    require(answer.refused not in NOT_YET, "every person answered", f"{message}: {answer}")
    message.terminal.receive(message, answer)
    return answer


def _go_home(simulation: "Simulation", server: "Server") -> None:
    floor = Terminal(simulation, Person(Role.FLOOR, "closing"))
    simulation.terminals.append(floor)

    def ask(to: str, command: TableCommand | Withdrawn) -> None:
        message = Message(floor, floor.by, to, command, f"closing-{len(floor.answered)}", 0)
        answer = _deliver(simulation, server, message)
        require(answer.accepted, "every person goes home", f"{message}: {answer}")

    for name in list(simulation.auditor.tables):
        if simulation.auditor.tables[name].playing is not None:
            ask(name, VoidRound("The floor closes."))
        for seat in list(simulation.auditor.tables[name].seats):
            ask(name, LeaveSeat(seat))
    for account, cents in list(simulation.auditor.balances.items()):
        if account.kind is AccountKind.WALLET and cents:
            ask(CASHIER, Withdrawn(account.owner, cents))


def _check_ends(simulation: "Simulation") -> None:
    auditor, machine = simulation.auditor, simulation.machine
    for account, cents in auditor.balances.items():
        empty = account.kind not in SMALL or cents == 0
        require(empty, "every person goes home", f"{account} still holds {cents}.")
    in_cents = simulation.claims.paid_in_cents - machine.paid_out_cents
    cash_cents = auditor.balances[Account(AccountKind.CASH)]
    require(
        cash_cents == -in_cents,
        "payments booked once",
        f"{in_cents} cents have come in by the answers, {-cash_cents} by the book.",
    )
    if simulation.seed % 3 == 0:
        report = audit(machine.look)
        require(report.clean, "the audit of the database", f"{report.findings[:3]}")
    for name, table in auditor.tables.items():
        auditor.check_recovery(name)
        require(_replayed(simulation, name) == table, "live equals replay", f"{name} differs")


def _check_independently(simulation: "Simulation") -> None:
    """Let a program that shares nothing with ours check the file, and what people were told."""
    told = []
    for terminal in simulation.terminals:
        for message, answer in terminal.answered.values():
            stream, (actor, command) = where_kept(message)
            told.append(
                {
                    "stream": stream,
                    "actor": actor,
                    "id": command,
                    "version": answer.version,
                    "refused": answer.refused,
                }
            )
    try:
        check_record(simulation.machine.disk.database, told)
    except Violation as violation:
        raise SimulationFailure("the independent checker", str(violation)) from violation


def _replayed(simulation: "Simulation", name: str) -> Table | None:
    """A table from its first event on, read through a fresh connection."""
    store = simulation.machine.disk.open_to_look()
    codec = EventCodec(Rulebook(store).codec)
    state: Table | None = None
    for stored in store.events(table_stream(name)):
        state = fold(state, codec.decode(stored))
    simulation.machine.disk.close(store)
    return state
