"""The computer players at the player's table: they sit down, buy in, bet, bank and decide."""

from openfelt.cli.play import opponents as strategy
from openfelt.cli.play.opponents import Opponent, seat_opponents
from openfelt.cli.play.saved_game import PLAYER, Asked
from openfelt.cli.play.table_commands import TableCommands
from openfelt.rules import House, MakeDecision, Refusal, SetWagers, Spot, view
from openfelt.table.commands import BuyIn, LeaveSeat, Person, TakeBank, TakeSeat
from openfelt.table.deck import DrawBelow


class ComputerPlayers:
    """The players at the table beside the player. Each gives commands under its own name."""

    def __init__(self, commands: TableCommands, draw_below: DrawBelow) -> None:
        self._commands = commands
        self._draw_below = draw_below

    @property
    def seated(self) -> tuple[Opponent, ...]:
        """The computer players at the table, by seat."""
        return tuple(
            Opponent(number, seat.player)
            for number, seat in sorted(self._commands.table.seats.items())
            if seat.player != PLAYER.name
        )

    # Seats -------------------------------------------------------------------

    def sit(self, count: int, house: House) -> None:
        """Seat this many computer players, with enough credit to play.

        The banker of the round in progress stays until its end.
        """
        commands = self._commands
        wanted = seat_opponents(house, count, own_seat=commands.seat)
        for opponent in self.seated:
            if opponent not in wanted and not self._banks(opponent.seat):
                take_back(commands, opponent.seat, opponent.person)
                commands.ask((opponent.person, LeaveSeat(opponent.seat)))
        asked: list[Asked] = []
        for opponent in wanted:
            seat = commands.table.seats.get(opponent.seat)
            if seat is None:
                asked.append((opponent.person, TakeSeat(opponent.seat)))
            if seat is None or seat.credit_cents < strategy.LOW_CENTS:
                commands.saved.deposit(strategy.STACK_CENTS, player=opponent.name)
                asked.append((opponent.person, BuyIn(opponent.seat, strategy.STACK_CENTS)))
        commands.ask(*asked)

    def _banks(self, seat: int) -> bool:
        playing = self._commands.table.playing
        banker = playing.opened.banker if playing else None
        return banker is not None and banker.seat == seat

    # Rounds ------------------------------------------------------------------

    def bet(self, house: House) -> None:
        """Let computer players without a wager bet; where the house banks, this opens the round."""
        table, asked = self._commands.table, list[Asked]()
        for opponent in self.seated:
            if table.wagers_of(opponent.seat):
                continue
            wagers = strategy.opening_wagers(house, self._draw_below)
            # Where the table refuses all of it, the Ante alone, else nothing.
            for attempt in (wagers, wagers[:1]):
                command = SetWagers(Spot(opponent.seat, 1), attempt)
                try:
                    table = self._commands.tried(table, opponent.person, command)
                except Refusal:
                    continue
                asked.append((opponent.person, command))
                break
        self._commands.ask(*asked)

    def take_bank(self) -> bool:
        """Let a computer player bank where the bank is offered to one; otherwise return False."""
        table = self._commands.table
        offered = table.bank_offered_to
        banker = next((player for player in self.seated if player.seat == offered), None)
        if banker is None:
            return False
        stack_cents = table.seats[banker.seat].credit_cents
        cents = strategy.bank_wager_cents(table.house, self._draw_below, stack_cents)
        self._commands.ask((banker.person, TakeBank(banker.seat, cents)))
        return True

    def decide(self) -> None:
        """Decide for every computer player's hand that is due, by what its seat may see."""
        table = self._commands.table
        state = table.playing
        if state is None:
            return
        asked: list[Asked] = []
        for opponent in self.seated:
            credit_cents = table.seats[opponent.seat].credit_cents
            seen = view(state, seat=opponent.seat, credit_cents=credit_cents)
            for hand in seen.hands:
                if hand.own and hand.due:
                    decision = strategy.decision_for(seen, hand, hand.choices)
                    asked.append((opponent.person, MakeDecision(hand.spot, decision)))
        self._commands.ask(*asked)


def take_back(commands: TableCommands, seat: int, by: Person) -> None:
    """Take back what a seat has wagered in a round whose bets are open."""
    playing = commands.table.playing
    hands = playing.hands_of(seat) if playing else ()
    commands.ask(*((by, SetWagers(hand.spot, ())) for hand in hands))
