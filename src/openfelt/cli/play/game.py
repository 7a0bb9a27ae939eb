"""The player's game at one table: what the player does there, and what the screen needs to know.

Rules, cards and money are the engine's. Where it refuses a command the Refusal comes out, and
nothing has changed.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from openfelt.cli.complaint import Complaint
from openfelt.cli.play.computer_players import ComputerPlayer, ComputerPlayers, take_back
from openfelt.cli.play.saved_game import FLOOR, PLAYER, SavedGame
from openfelt.cli.play.table_commands import TableCommands
from openfelt.rules import (
    Banker,
    CloseBets,
    House,
    MakeDecision,
    Phase,
    Refusal,
    RefusalCode,
    Round,
    RoundView,
    SetWagers,
    Spot,
    VoidRound,
    Wager,
    begin,
    view,
)
from openfelt.rules.decisions import Decision
from openfelt.rules.fingerprints import dealt_by_either
from openfelt.rules.round_events import RoundOpened
from openfelt.table.collection import bank_wager_min_cents, banker_due_max_cents, dues
from openfelt.table.commands import (
    SYSTEM,
    ChangeLink,
    ChangeRules,
    DeclineBank,
    EndTime,
    ResumeClock,
    TakeBank,
    TakeSeat,
)
from openfelt.table.deck import DrawBelow
from openfelt.table.state import Table

OWN_SEAT: Final = 1
NOT_DEALT: Final = "No cards were dealt."
"""Why a round is void if its bets were left open until another day or other rules."""


class Game:
    """The player at one table. The worker's table is the state; nothing else is kept."""

    def __init__(
        self, saved: SavedGame, house: House, *, computer_players: int, draw_below: DrawBelow
    ) -> None:
        """Sit down at the house's table; a round that was dealt there continues."""
        self.saved = saved
        self.seat = OWN_SEAT
        self.worker = saved.table_of(house)
        self._newest = dealt_by_either(house)
        self._commands = TableCommands(saved, self.worker, seat=OWN_SEAT)
        self._others = ComputerPlayers(self._commands, draw_below)
        self._others_wanted = len(self.computer_players) if self.dealt else computer_players
        self._bets_open = False
        if self.table.seat_of(PLAYER.name) is None:
            self._commands.give(PLAYER, TakeSeat(self.seat))
        self._void_old_bets()
        saved.bring_home(self.worker)

    # The current table --------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table as it is written."""
        return self.worker.table

    @property
    def house(self) -> House:
        """The rules of the round in progress, or of the next one."""
        playing = self.table.playing
        return playing.house if playing else self.table.house

    @property
    def round(self) -> Round:
        """The round on the felt: in progress, about to open, or the last one."""
        table = self.table
        if table.playing is not None:
            return table.playing
        if table.round is not None and not self._bets_open:
            return table.round
        return begin(table.house, self._next_round())

    def _next_round(self) -> RoundOpened:
        """The opening of a round without a wager or a bank yet, for the screen alone."""
        house = self.table.house
        return RoundOpened(
            number=self.table.rounds + 1,
            house=house.id,
            fingerprint=house.fingerprint,
            procedure=house.procedure,
            day=self._commands.day,
        )

    @property
    def dealt(self) -> bool:
        """Whether the cards of a round that is not over are out."""
        playing = self.table.playing
        return playing is not None and playing.phase is not Phase.WAGERING

    @property
    def banker(self) -> Banker | None:
        """The player/dealer of the round in progress."""
        playing = self.table.playing
        return playing.opened.banker if playing else None

    @property
    def computer_players(self) -> tuple[ComputerPlayer, ...]:
        """The computer players at the table."""
        return self._others.seated

    @property
    def credit_cents(self) -> int:
        """The money that the player can still stake here: in the wallet and at the seat."""
        return self._commands.wallet_and_seat_cents

    @property
    def collection_cents(self) -> int:
        """The house's collection from the player for this round."""
        state = self.round
        if state.phase in (Phase.WAGERING, Phase.VOIDED):
            return 0
        return dues(state).get(self.seat, 0)

    @property
    def meter_cents(self) -> int | None:
        """The progressive meter as shown."""
        link = self.table.link
        return self.saved.link(link).meter.display_cents if link else None

    @property
    def tips_cents(self) -> int:
        """The dealer's tips at this table."""
        return self.saved.tips_cents(self.table.id)

    def seen(self) -> RoundView:
        """The round as the player's own seat may see it."""
        return view(self.round, seat=self.seat, credit_cents=self.credit_cents)

    def own_wagers(self) -> dict[Spot, tuple[Wager, ...]]:
        """The player's wagers of this round, hand by hand."""
        return {hand.spot: hand.wagers for hand in self.round.hands_of(self.seat)}

    # Before the deal ---------------------------------------------------------

    def prepare(self) -> None:
        """Before a round, bring the table's rules up to date and seat the computer players."""
        if self.table.playing is None:
            self._change_rules()
        self._others.sit(self._others_wanted, self.house)

    def open_bets(self) -> None:
        """Open bets: computer players without a wager bet first, then the player may."""
        self._bets_open = True
        self._others.bet(self.house)

    def place(self, wanted: Mapping[Spot, Iterable[Wager]]) -> None:
        """Let exactly these wagers lie on these spots: all of them, or none with a Refusal."""
        own = self.own_wagers()
        placed = {spot: tuple(wagers) for spot, wagers in wanted.items()}
        self._commands.give_as_player(
            *(SetWagers(spot, wagers) for spot, wagers in placed.items() if wagers or spot in own)
        )

    def deal(self) -> None:
        """Call "no more bets"; the table deals up to the first decision."""
        if not self.table.wagers_of(self.seat):
            raise Refusal(RefusalCode.NO_WAGERS, "Make a wager first, such as 10.")
        self._commands.give(SYSTEM, CloseBets())

    # The bank ----------------------------------------------------------------

    @property
    def needs_bank(self) -> bool:
        """Whether a player has to take the bank before the next round can open."""
        return self.table.player_banked and self.table.playing is None

    @property
    def may_bank(self) -> bool:
        """Whether the player may take the bank now and could pay the collection."""
        table = self.table
        offered = table.bank_offered_to in (self.seat, None)
        return offered and not table.has_had_its_turns(self.seat) and self._covers_bank

    @property
    def bank_max_cents(self) -> int:
        """The largest bank wager of the player: the credit less the collection."""
        return self.credit_cents - banker_due_max_cents(self.table.house)

    @property
    def bank_min_cents(self) -> int:
        """The smallest bank wager of the table."""
        return bank_wager_min_cents(self.table.house)

    @property
    def _covers_bank(self) -> bool:
        return self.bank_max_cents >= self.bank_min_cents

    def let_computer_player_bank(self) -> bool:
        """Let a computer player bank where the bank is offered to one; otherwise return False."""
        return self._others.take_bank()

    def take_bank(self, cents: int) -> None:
        """Bank the next round with this bank wager."""
        self._commands.give_as_player(TakeBank(self.seat, cents))

    def decline_bank(self) -> None:
        """Pass the bank on, where it is offered to the player."""
        if self.table.bank_offered_to == self.seat:
            self._commands.give(PLAYER, DeclineBank(self.seat))

    # The play ----------------------------------------------------------------

    def advance(self) -> Spot | None:
        """Play on until a hand of the player has to decide; None when the round is over."""
        self._bets_open = False
        while self.dealt:
            due = [spot for spot in self.round.hands if spot in self.round.pending]
            own = next((spot for spot in due if spot.seat == self.seat), None)
            if own is not None:
                return own
            assert due, "a round that is dealt waits for decisions"
            self._others.decide()
        self.saved.bring_home(self.worker)
        return None

    def decide(self, spot: Spot, decision: Decision) -> None:
        """Make the decision of a hand, and stake its Play wager if it bets."""
        self._commands.give_as_player(MakeDecision(spot, decision))

    def void(self, reason: str) -> None:
        """As floor staff, declare the round void: everything goes back."""
        self._commands.give(FLOOR, VoidRound(reason))

    # The clock ---------------------------------------------------------------

    @property
    def seconds_left(self) -> float | None:
        """The time left on the table's running clock, None if none runs."""
        left_ms = self.worker.time_left_ms
        return None if left_ms is None else left_ms / 1000

    def end_time(self) -> None:
        """The time is up: bets close, or the player's hands do what the clock decides."""
        if self.dealt:
            self._others.decide()
        clock = self.table.clock
        if clock is not None:
            self._commands.give(SYSTEM, EndTime(clock.number))

    def restart_clock(self) -> None:
        """Start the time of the running clock again."""
        if self.table.clock is not None:
            self._commands.give(SYSTEM, ResumeClock(self.table.clock.ms))

    # Coming and going --------------------------------------------------------

    def leave(self) -> None:
        """Take undealt wagers back. A round that was dealt stays as it is."""
        if not self.dealt:
            take_back(self._commands, self.seat, PLAYER)
        self.saved.bring_home(self.worker)

    def buy(self, cents: int) -> None:
        """Buy more play money."""
        self.saved.deposit(cents)

    def cash_out(self) -> int:
        """Take undealt wagers back and pay the whole wallet out; returns the amount in cents."""
        self.leave()
        cents = self.saved.wallet_cents
        self.saved.withdraw(cents)
        return cents

    def _void_old_bets(self) -> None:
        """Cancel a round whose bets were left open on another day or under other rules."""
        playing = self.table.playing
        if playing is None or self.dealt:
            return
        if (playing.opened.day, playing.house.fingerprint) != (
            self._commands.day,
            self._newest.fingerprint,
        ):
            self._commands.give(SYSTEM, VoidRound(NOT_DEALT))

    def _change_rules(self) -> None:
        """Play by the house's rules as they are now."""
        if self.table.house.fingerprint == self._newest.fingerprint:
            return
        link = self.saved.link_of(self._newest)
        # Computer players leave seats that the new rules do not have.
        fewest = min(self.table.house, self._newest, key=lambda house: house.seats)
        self._others.sit(self._others_wanted, fewest)
        try:
            if link is None and self.table.link is not None:
                self._commands.give(FLOOR, ChangeLink(None))
            self._commands.give(FLOOR, ChangeRules(self._newest))
            if link != self.table.link:
                self._commands.give(FLOOR, ChangeLink(link))
        except Refusal as refusal:
            raise Complaint(
                f"The rules of {self._newest.id} have changed too much for its saved table: "
                f"{refusal} Use another folder with --data."
            ) from refusal
