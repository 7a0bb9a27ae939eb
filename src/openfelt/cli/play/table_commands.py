"""Commands at the player's table: tried on the current table, then given to its worker.

A table is a value, so a command can be tried without writing anything. Where the croupier refuses
it, the Refusal comes out and nothing has changed.
"""

from datetime import date

from openfelt.cli.play.saved_game import PLAYER, Asked, SavedGame, ask
from openfelt.rules import Phase, WagerKind
from openfelt.runtime.clock import day_of
from openfelt.runtime.tables.draft import outside_of
from openfelt.runtime.tables.worker import TableWorker
from openfelt.table.chips import transfers_of
from openfelt.table.collection import banker_due_max_cents, dues
from openfelt.table.commands import BuyIn, Person, TableCommand
from openfelt.table.croupier.croupier import direct
from openfelt.table.events import BoughtIn
from openfelt.table.state import Table
from openfelt.table.transitions import after


class TableCommands:
    """The commands of the player, the computer players and the house to one table."""

    def __init__(self, saved: SavedGame, worker: TableWorker, *, seat: int) -> None:
        self.saved = saved
        self.worker = worker
        self.seat = seat
        """The player's own."""

    @property
    def table(self) -> Table:
        """The table as it is written."""
        return self.worker.table

    @property
    def day(self) -> date:
        """The day on which a round that opens now is played."""
        return day_of(self.saved.worker_services.clock.wall_ms())

    @property
    def wallet_and_seat_cents(self) -> int:
        """The money that the player can still stake at this table."""
        return self.saved.wallet_cents + self.table.seats[self.seat].credit_cents

    def tried(self, table: Table, by: Person, *commands: TableCommand) -> Table:
        """The table as it would be after these commands; raises Refusal. Nothing is written."""
        for command in commands:
            link = self.saved.link(table.link) if table.link else None
            outside = outside_of(table, link, day=self.day)
            for event in direct(table, command, by=by, outside=outside):
                table = after(table, event, transfers_of(table, event))
        return table

    def give(self, by: Person, command: TableCommand) -> None:
        """Carry out a command, or raise the table's Refusal."""
        self.tried(self.table, by, command)
        self.ask((by, command))

    def give_as_player(self, *commands: TableCommand) -> None:
        """Carry out commands of the player, all of them or none with a Refusal.

        What they take, and what the round may still ask for, is brought from the wallet.
        """
        wallet_cents, seat = self.saved.wallet_cents, self.table.seats[self.seat]
        bought_in = BoughtIn(self.seat, wallet_cents)
        before = after(self.table, bought_in, transfers_of(self.table, bought_in))
        then = self.tried(before, PLAYER, *commands)
        taken_cents = before.seats[self.seat].credit_cents - then.seats[self.seat].credit_cents
        short_cents = taken_cents + _still_to_pay_cents(then, self.seat) - seat.credit_cents
        brought_cents = min(short_cents, wallet_cents)
        brought = (BuyIn(self.seat, brought_cents),) if brought_cents > 0 else ()
        self.ask(*((PLAYER, command) for command in (*brought, *commands)))

    def ask(self, *asked: Asked) -> None:
        """Let the worker carry out commands that the table takes, in one transaction."""
        if asked:
            ask(self.worker, *asked)
            # No floor folds the link of this program.
            link, links = self.table.link, self.saved.worker_services.links
            if link is not None and links.get(link).waiting:
                links.fold(link)


def _still_to_pay_cents(table: Table, seat: int) -> int:
    """What a round whose bets are open may still cost a seat: collection and Play wagers."""
    state = table.playing
    if state is None or state.phase is not Phase.WAGERING:
        return 0
    if state.opened.banker is not None and state.opened.banker.seat == seat:
        return banker_due_max_cents(state.house)
    play = state.house.play
    multiples = (*play.before_flop, *play.on_flop, *play.on_river) if play else ()
    antes_cents = sum(
        wager.cents
        for hand in state.hands_of(seat)
        for wager in hand.wagers
        if wager.kind is WagerKind.ANTE
    )
    return dues(state).get(seat, 0) + antes_cents * max(multiples, default=0)
