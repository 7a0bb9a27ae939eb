"""The computer players at the player's table: they sit down, buy in, bet, bank and decide."""

from dataclasses import dataclass

from openfelt.cli.play.saved_game import PLAYER, Asked
from openfelt.cli.play.table_commands import TableCommands
from openfelt.rules import House, Refusal, SetWagers, Spot, Wager, WagerKind
from openfelt.rules.house import BankKind
from openfelt.runtime.computer_play import due_decisions
from openfelt.table.collection import bank_wager_min_cents
from openfelt.table.commands import BuyIn, LeaveSeat, Person, Role, TakeBank, TakeSeat
from openfelt.table.deck import DrawBelow

NAMES = ("rosa", "viktor", "amina", "chen", "dolores", "sam", "ingrid", "kofi")
"""The computer players as the table's record names them."""
STACK_CENTS = 100_000
"""The buy-in of a computer player, and its rebuy when the stack runs low."""
LOW_CENTS = 20_000


_LIKED_QUARTERS = {WagerKind.TRIPS: 1, WagerKind.BONUS: 1, WagerKind.PROGRESSIVE: 3}
"""In how many rounds of four a computer player adds the wager."""


@dataclass(frozen=True, slots=True)
class ComputerPlayer:
    """A computer player in a seat."""

    seat: int
    name: str

    @property
    def person(self) -> Person:
        """Who gives this player's commands."""
        return Person(Role.PLAYER, self.name)

    @property
    def display_name(self) -> str:
        """The name as the screen shows it."""
        return self.name.capitalize()


def default_count(house: House) -> int:
    """How many sit down unless the player says: enough to bank in turn, or for company."""
    if house.bank.kind is BankKind.PLAYER_DEALER:
        return min(3, house.seats - 1)
    return min(2, house.seats - 1) if house.progressive else 0


def first_seats(house: House, count: int, *, own_seat: int) -> tuple[ComputerPlayer, ...]:
    """Computer players in the first seats that are free, as many as have names."""
    seats = [seat for seat in range(1, min(house.seats, count + 1) + 1) if seat != own_seat]
    return tuple(ComputerPlayer(seat, name) for seat, name in zip(seats, NAMES, strict=False))


class ComputerPlayers:
    """The players at the table beside the player. Each gives commands under its own name."""

    def __init__(self, commands: TableCommands, draw_below: DrawBelow) -> None:
        self._commands = commands
        self._draw_below = draw_below

    @property
    def seated(self) -> tuple[ComputerPlayer, ...]:
        """The computer players at the table, by seat."""
        return tuple(
            ComputerPlayer(number, seat.player)
            for number, seat in sorted(self._commands.table.seats.items())
            if seat.player != PLAYER.name
        )

    # Seats -------------------------------------------------------------------

    def sit(self, count: int, house: House) -> None:
        """Seat this many computer players, with enough credit to play.

        The banker of the round in progress stays until its end.
        """
        commands = self._commands
        wanted = first_seats(house, count, own_seat=commands.seat)
        for player in self.seated:
            if player not in wanted and not self._banks(player.seat):
                take_back(commands, player.seat, player.person)
                commands.ask((player.person, LeaveSeat(player.seat)))
        asked: list[Asked] = []
        for player in wanted:
            seat = commands.table.seats.get(player.seat)
            if seat is None:
                asked.append((player.person, TakeSeat(player.seat)))
            if seat is None or seat.credit_cents < LOW_CENTS:
                commands.saved.deposit(STACK_CENTS, player=player.name)
                asked.append((player.person, BuyIn(player.seat, STACK_CENTS)))
        commands.ask(*asked)

    def _banks(self, seat: int) -> bool:
        playing = self._commands.table.playing
        banker = playing.opened.banker if playing else None
        return banker is not None and banker.seat == seat

    # Rounds ------------------------------------------------------------------

    def bet(self, house: House) -> None:
        """Let computer players without a wager bet; where the house banks, this opens the round."""
        table, asked = self._commands.table, list[Asked]()
        for player in self.seated:
            if table.wagers_of(player.seat):
                continue
            wagers = opening_wagers(house, self._draw_below)
            # Where the table refuses all of it, the Ante alone, otherwise nothing.
            for attempt in (wagers, wagers[:1]):
                command = SetWagers(Spot(player.seat, 1), attempt)
                try:
                    table = self._commands.tried(table, player.person, command)
                except Refusal:
                    continue
                asked.append((player.person, command))
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
        cents = bank_wager_cents(table.house, self._draw_below, stack_cents)
        self._commands.ask((banker.person, TakeBank(banker.seat, cents)))
        return True

    def decide(self) -> None:
        """Decide for every computer player's hand that is due, by what its seat may see."""
        table = self._commands.table
        state = table.playing
        if state is None:
            return
        asked: list[Asked] = []
        for player in self.seated:
            credit_cents = table.seats[player.seat].credit_cents
            decisions = due_decisions(state, player.seat, credit_cents=credit_cents)
            asked.extend((player.person, decision) for decision in decisions)
        self._commands.ask(*asked)


def take_back(commands: TableCommands, seat: int, by: Person) -> None:
    """Take back what a seat has wagered in a round whose bets are open."""
    playing = commands.table.playing
    hands = playing.hands_of(seat) if playing else ()
    commands.ask(*((by, SetWagers(hand.spot, ())) for hand in hands))


def opening_wagers(house: House, draw_below: DrawBelow) -> tuple[Wager, ...]:
    """A computer player's wagers: an Ante of one to four minimums, and some extras."""
    ante = house.wager(WagerKind.ANTE)
    assert ante is not None
    cents = min(ante.min_cents * (1 + draw_below(4)), ante.max_cents)
    wagers = [Wager(WagerKind.ANTE, cents - cents % ante.multiple_of_cents)]
    for rule in house.wagers:
        quarters = _LIKED_QUARTERS.get(rule.kind, 0)
        if quarters and draw_below(4) < quarters:
            wagers.append(Wager(rule.kind, rule.min_cents))
    return tuple(wagers)


def bank_wager_cents(house: House, draw_below: DrawBelow, stack_cents: int) -> int:
    """A computer player's bank wager: twenty to forty smallest Antes."""
    ante = house.wager(WagerKind.ANTE)
    assert ante is not None
    chosen_cents = min(ante.min_cents * 20 * (1 + draw_below(3)), stack_cents // 2)
    return max(chosen_cents, bank_wager_min_cents(house))
