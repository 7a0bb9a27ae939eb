"""The player's game at one table: what the player and the computer players ask of its worker.

Rules, cards and money are the engine's. A command is tried on the table as it stands, which is
a value; where the croupier refuses it the Refusal comes out and nothing was written.
"""

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Final

from openfelt.catalog.houses import dealt_by_either
from openfelt.cli.complaint import Complaint
from openfelt.cli.play import opponents as players
from openfelt.cli.play.opponents import Opponent, seat_opponents
from openfelt.cli.play.saved_game import FLOOR, PLAYER, Asked, SavedGame, ask
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
    WagerKind,
    begin,
    view,
)
from openfelt.rules.decisions import Decision
from openfelt.rules.round import RoundOpened
from openfelt.runtime.clock import day_of
from openfelt.table.chips import transfers_of
from openfelt.table.collection import banker_due_max_cents, dues
from openfelt.table.commands import (
    SYSTEM,
    BuyIn,
    ChangeLink,
    ChangeRules,
    DeclineBank,
    EndTime,
    LeaveSeat,
    Person,
    ResumeClock,
    TableCommand,
    TakeBank,
    TakeSeat,
)
from openfelt.table.croupier import direct
from openfelt.table.deck import DrawBelow
from openfelt.table.events import BoughtIn
from openfelt.table.permissions import Outside
from openfelt.table.state import Table, after

OWN_SEAT: Final = 1
NOT_DEALT: Final = "No cards were dealt."
"""Why a round is void whose bets were left open until another day or other rules."""


class Game:
    """The player at one table. The worker's table is the state; nothing else is kept."""

    def __init__(
        self, saved: SavedGame, house: House, *, opponents: int, draw_below: DrawBelow
    ) -> None:
        """Sit down at the house's table; a round that was dealt there goes on."""
        self.saved = saved
        self.seat = OWN_SEAT
        self._newest = dealt_by_either(house)
        self._draw_below = draw_below
        self.worker = saved.table_of(house)
        self._opponents = len(self.opponents) if self.dealt else opponents
        self._bets_open = False
        if self.table.seat_of(PLAYER.name) is None:
            self._ask((PLAYER, TakeSeat(self.seat)))
        self._void_old_bets()
        saved.bring_home(self.worker)

    # The table as it stands --------------------------------------------------

    @property
    def table(self) -> Table:
        """The table as it is written."""
        return self.worker.table

    @property
    def day(self) -> date:
        """The day on which a round that opens now is played."""
        return day_of(self.saved.tools.clock.wall_ms())

    @property
    def house(self) -> House:
        """The rules of the round in progress, or of the next one."""
        playing = self.table.playing
        return playing.house if playing else self.table.house

    @property
    def round(self) -> Round:
        """The round on the felt: in progress, about to open with the first wager, or the last."""
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
            day=self.day,
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
    def opponents(self) -> tuple[Opponent, ...]:
        """The computer players at the table."""
        return tuple(
            Opponent(number, seat.player)
            for number, seat in sorted(self.table.seats.items())
            if seat.player != PLAYER.name
        )

    @property
    def credit_cents(self) -> int:
        """What the player can still stake here: in the wallet and at the seat."""
        return self.saved.wallet_cents + self.table.seats[self.seat].credit_cents

    @property
    def collection_cents(self) -> int:
        """What the house has collected from the player for this round."""
        state = self.round
        if state.phase in (Phase.WAGERING, Phase.VOIDED):
            return 0
        return dues(state).get(self.seat, 0)

    @property
    def meter_cents(self) -> int | None:
        """What the progressive meter shows."""
        link = self.table.link
        return self.saved.link(link).meter.display_cents if link else None

    @property
    def tips_cents(self) -> int:
        """What the dealer has won in tips at this table."""
        return self.saved.tips_cents(self.table.id)

    def seen(self) -> RoundView:
        """The round as the player's own seat may see it."""
        return view(self.round, seat=self.seat, credit_cents=self.credit_cents)

    def own_wagers(self) -> dict[Spot, tuple[Wager, ...]]:
        """The player's wagers of this round, hand by hand."""
        return {hand.spot: hand.wagers for hand in self.round.hands_of(self.seat)}

    # Before the deal ---------------------------------------------------------

    def prepare(self) -> None:
        """Before a round: bring the table's rules up to date, and let computer players sit down."""
        if self.table.playing is None:
            self._change_rules()
        self._seat_opponents()

    def open_bets(self) -> None:
        """Let the computer players bet who have no wager yet, and then the player."""
        self._bets_open = True
        table, asked = self.table, list[Asked]()
        for opponent in self.opponents:
            if table.wagers_of(opponent.seat):
                continue
            wagers = players.opening_wagers(self.house, self._draw_below)
            # Where the table refuses all of it, the Ante alone, else nothing.
            for attempt in (wagers, wagers[:1]):
                command = SetWagers(Spot(opponent.seat, 1), attempt)
                try:
                    table = self._tried(table, opponent.person, command)
                except Refusal:
                    continue
                asked.append((opponent.person, command))
                break
        self._ask(*asked)

    def place(self, wanted: Mapping[Spot, Iterable[Wager]]) -> None:
        """Let exactly these wagers lie on these spots: all of them, or none with a Refusal."""
        own = self.own_wagers()
        placed = {spot: tuple(wagers) for spot, wagers in wanted.items()}
        self._as_player(
            *(SetWagers(spot, wagers) for spot, wagers in placed.items() if wagers or spot in own)
        )

    def deal(self) -> None:
        """Call no more bets; the table deals as far as the first decision."""
        if not self.table.wagers_of(self.seat):
            raise Refusal(RefusalCode.NO_WAGERS, "Make a wager first, such as 10.")
        self._checked(SYSTEM, CloseBets())

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
        return offered and not table.has_had_its_turns(self.seat) and self.bank_max_cents > 0

    @property
    def bank_max_cents(self) -> int:
        """The largest bank wager of the player: the credit less the collection."""
        return self.credit_cents - banker_due_max_cents(self.table.house)

    def let_opponent_bank(self) -> bool:
        """Let the computer player bank to whom the bank is offered; False where it is to none."""
        offered = self.table.bank_offered_to
        banker = next((player for player in self.opponents if player.seat == offered), None)
        if banker is None:
            return False
        stack_cents = self.table.seats[banker.seat].credit_cents
        cents = players.bank_wager_cents(self.table.house, self._draw_below, stack_cents)
        self._ask((banker.person, TakeBank(banker.seat, cents)))
        return True

    def take_bank(self, cents: int) -> None:
        """Bank the next round with this bank wager."""
        self._as_player(TakeBank(self.seat, cents))

    def decline_bank(self) -> None:
        """Pass the bank on, where it is offered to the player."""
        if self.table.bank_offered_to == self.seat:
            self._ask((PLAYER, DeclineBank(self.seat)))

    # The play ----------------------------------------------------------------

    def advance(self) -> Spot | None:
        """Go on until a hand of the player has to decide; None when the round is over."""
        self._bets_open = False
        while self.dealt:
            due = [spot for spot in self.round.hands if spot in self.round.pending]
            own = next((spot for spot in due if spot.seat == self.seat), None)
            if own is not None:
                return own
            self._let_opponents_decide()
        self.saved.bring_home(self.worker)
        return None

    def decide(self, spot: Spot, decision: Decision) -> None:
        """Make the decision of a hand, and stake its Play wager if it bets."""
        self._as_player(MakeDecision(spot, decision))

    def void(self, reason: str) -> None:
        """As floor staff, declare the round void: everything goes back."""
        self._checked(FLOOR, VoidRound(reason))

    def _let_opponents_decide(self) -> None:
        """Let every computer player decide whose hand is due on this street."""
        state = self.round
        persons = {opponent.seat: opponent.person for opponent in self.opponents}
        asked: list[Asked] = []
        for spot in state.hands:
            if spot not in state.pending or spot.seat == self.seat:
                continue
            credit_cents = self.table.seats[spot.seat].credit_cents
            seen = view(state, seat=spot.seat, credit_cents=credit_cents)
            hand = next(hand for hand in seen.hands if hand.spot == spot)
            decision = players.decision_for(seen, hand, hand.choices)
            asked.append((persons[spot.seat], MakeDecision(spot, decision)))
        self._ask(*asked)

    # The clock ---------------------------------------------------------------

    @property
    def seconds_left(self) -> float | None:
        """What is left of the table's running clock, None where none runs."""
        left_ms = self.worker.time_left_ms
        return None if left_ms is None else left_ms / 1000

    def end_time(self) -> None:
        """The time is up: bets close, or the player's hands do what the clock decides."""
        if self.dealt:
            self._let_opponents_decide()
        clock = self.table.clock
        if clock is not None:
            self._checked(SYSTEM, EndTime(clock.number))

    def restart_clock(self) -> None:
        """Give the time of the running clock once more."""
        if self.table.clock is not None:
            self._checked(SYSTEM, ResumeClock(self.table.clock.ms))

    # Coming and going --------------------------------------------------------

    def leave(self) -> None:
        """Take back wagers whose cards were not dealt. A round that was dealt stays as it is."""
        if not self.dealt:
            self._take_back(self.seat, PLAYER)
        self.saved.bring_home(self.worker)

    def cash_out(self) -> int:
        """Take undealt wagers back and pay everything out; gives the amount in cents."""
        self.leave()
        cents = self.saved.wallet_cents
        self.saved.withdraw(cents)
        return cents

    def _take_back(self, seat: int, by: Person) -> None:
        """Take back what a seat has wagered in a round whose bets are open."""
        playing = self.table.playing
        hands = playing.hands_of(seat) if playing else ()
        self._ask(*((by, SetWagers(hand.spot, ())) for hand in hands))

    def _void_old_bets(self) -> None:
        """Cancel a round whose bets were left open on another day or under other rules."""
        playing = self.table.playing
        if playing is None or self.dealt:
            return
        if (playing.opened.day, playing.house.fingerprint) != (self.day, self._newest.fingerprint):
            self._checked(SYSTEM, VoidRound(NOT_DEALT))

    def _change_rules(self) -> None:
        """Play by the house's rules as they are now."""
        if self.table.house.fingerprint == self._newest.fingerprint:
            return
        link = self.saved.link_of(self._newest)
        try:
            if link is None and self.table.link is not None:
                self._checked(FLOOR, ChangeLink(None))
            self._checked(FLOOR, ChangeRules(self._newest))
            if link != self.table.link:
                self._checked(FLOOR, ChangeLink(link))
        except Refusal as refusal:
            raise Complaint(
                f"The rules of {self._newest.id} have changed too much for its saved table: "
                f"{refusal} Use another folder with --data."
            ) from refusal

    def _seat_opponents(self) -> None:
        """Let as many computer players sit as wanted; one who banks a round stays until its end."""
        wanted = seat_opponents(self.house, self._opponents, own_seat=self.seat)
        seated, banker = self.opponents, self.banker
        for opponent in seated:
            if opponent not in wanted and (banker is None or banker.seat != opponent.seat):
                self._take_back(opponent.seat, opponent.person)
                self._ask((opponent.person, LeaveSeat(opponent.seat)))
        asked: list[Asked] = []
        for opponent in wanted:
            seat = self.table.seats.get(opponent.seat)
            if seat is None:
                asked.append((opponent.person, TakeSeat(opponent.seat)))
            if seat is None or seat.credit_cents < players.LOW_CENTS:
                self.saved.deposit(players.STACK_CENTS, player=opponent.name)
                asked.append((opponent.person, BuyIn(opponent.seat, players.STACK_CENTS)))
        self._ask(*asked)

    # Asking ------------------------------------------------------------------

    def _as_player(self, *commands: TableCommand) -> None:
        """Carry out commands of the player, all of them or none with a Refusal.

        What they take, and what the round may still ask for, comes from the wallet.
        """
        wallet_cents, seat = self.saved.wallet_cents, self.table.seats[self.seat]
        bought_in = BoughtIn(self.seat, wallet_cents)
        before = after(self.table, bought_in, transfers_of(self.table, bought_in))
        then = self._tried(before, PLAYER, *commands)
        taken_cents = before.seats[self.seat].credit_cents - then.seats[self.seat].credit_cents
        short_cents = taken_cents + _still_to_pay_cents(then, self.seat) - seat.credit_cents
        brought_cents = min(short_cents, wallet_cents)
        brought = (BuyIn(self.seat, brought_cents),) if brought_cents > 0 else ()
        self._ask(*((PLAYER, command) for command in (*brought, *commands)))

    def _checked(self, by: Person, command: TableCommand) -> None:
        """Carry out a command, or raise the table's Refusal."""
        self._tried(self.table, by, command)
        self._ask((by, command))

    def _tried(self, table: Table, by: Person, *commands: TableCommand) -> Table:
        """The table as it would be after these commands; raises Refusal. Nothing is written."""
        for command in commands:
            link = self.saved.link(table.link) if table.link else None
            outside = Outside(
                day=self.day, link_takes_wagers=link is not None and link.takes_wagers
            )
            for event in direct(table, command, by=by, outside=outside):
                table = after(table, event, transfers_of(table, event))
        return table

    def _ask(self, *asked: Asked) -> None:
        if asked:
            ask(self.worker, *asked)


def _still_to_pay_cents(table: Table, seat: int) -> int:
    """What a round whose bets are open may still ask of a seat: collection and Play wagers."""
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
