"""One table with its seats, driven round by round. No keyboard, no screen, no disk.

It asks the rules what may happen, lets the computer players act, and moves chips
in the book. Where the rules refuse, the Refusal comes out and nothing has changed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from openfelt.cards import Card
from openfelt.cli.play import book as books
from openfelt.cli.play import opponents as players
from openfelt.cli.play.book import Account, Book
from openfelt.cli.play.opponents import Opponent
from openfelt.cli.play.saved_round import SavedDecision, SavedRound, restore_round, save_round
from openfelt.rules import (
    Banker,
    CloseBets,
    Confirm,
    DealCard,
    DecidedBy,
    House,
    MakeDecision,
    Phase,
    Refusal,
    RefusalCode,
    Round,
    RoundView,
    SetWagers,
    Spot,
    TurnCards,
    VoidRound,
    Wager,
    WagerKind,
    apply,
    begin,
    choices,
    decide,
    open_round,
    view,
)
from openfelt.rules.dealing import Deal, Turn
from openfelt.rules.decisions import Decision
from openfelt.rules.progressive import Meter
from openfelt.rules.referee import Action
from openfelt.rules.wagers import stake_cents
from openfelt.table import cards_for_round
from openfelt.table.collection import dues, player_due_cents
from openfelt.table.deck import DrawBelow


@dataclass(slots=True)
class Game:
    """A table in play: the book, the round on it, and the cards that the round will use."""

    house: House
    seat: int
    opponents: tuple[Opponent, ...]
    draw_below: DrawBelow
    book: Book
    meter: Meter | None = None
    rounds: int = 0
    """How many rounds this table has opened and finished."""
    state: Round | None = None
    cards: tuple[Card, ...] = ()
    decisions: tuple[SavedDecision, ...] = ()
    dues: Mapping[int, int] | None = None

    @property
    def round(self) -> Round:
        """The round on the table; an error where none was opened."""
        if self.state is None:
            raise ValueError("no round is open")
        return self.state

    @property
    def credit_cents(self) -> int:
        """What the player can still stake."""
        return self.book.of(self.seat)

    def seen(self) -> RoundView:
        """The round as the player's own seat may see it."""
        return view(self.round, seat=self.seat, credit_cents=self.credit_cents)

    # Before the deal ---------------------------------------------------------

    def open(self, *, day: date, banker: Banker | None = None) -> None:
        """Open the next round; the computer players buy in if they must, and bet."""
        opened = open_round(self.house, number=self.rounds + 1, day=day, banker=banker)
        self.state = begin(self.house, opened)
        self.cards, self.decisions, self.dues = (), (), {}
        if banker is not None:
            self.book = books.after_cover(self.book, banker)
        for one in self.opponents:
            self.top_up(one)
            if banker is None or one.seat != banker.seat:
                self._let_bet(one)

    def top_up(self, one: Opponent) -> None:
        """A computer player whose stack is low buys in again."""
        if self.book.of(one.seat) < players.LOW_CENTS:
            self.book = self.book.move(players.STACK_CENTS, source=Account.OUTSIDE, target=one.seat)

    def _let_bet(self, one: Opponent) -> None:
        """A computer player bets; if the table refuses, only the Ante, else nothing."""
        wagers = players.opening_wagers(self.house, self.draw_below)
        for attempt in (wagers, wagers[:1]):
            try:
                self.place({Spot(one.seat, 1): attempt})
            except Refusal:
                continue
            return

    def place(self, wanted: Mapping[Spot, Iterable[Wager]]) -> None:
        """Let exactly these wagers lie on these spots: all of them, or none with a Refusal."""
        state, book = self.round, self.book
        for spot, wagers in wanted.items():
            placed = tuple(wagers)
            credit_cents = book.of(spot.seat) - self._due_cents(state, spot, placed)
            events = decide(state, SetWagers(spot, placed), credit_cents=credit_cents)
            before = state
            for event in events:
                state = apply(state, event)
            book = books.after_wagers(book, before, state)
        self.state, self.book = state, book

    def _due_cents(self, state: Round, spot: Spot, placed: tuple[Wager, ...]) -> int:
        """What the collection will take from the seat, and so is not there to be wagered."""
        antes = [
            hand.stake_cents(WagerKind.ANTE)
            for at, hand in state.hands.items()
            if at.seat == spot.seat and at != spot
        ]
        antes.append(stake_cents(placed, WagerKind.ANTE))
        return sum(player_due_cents(self.house, cents) for cents in antes)

    def own_wagers(self) -> dict[Spot, tuple[Wager, ...]]:
        """The player's wagers of this round, hand by hand."""
        return {
            spot: hand.wagers for spot, hand in self.round.hands.items() if spot.seat == self.seat
        }

    def deal(self) -> None:
        """Call no more bets, take the collection, and cut the cards of the whole round."""
        is_banker = self.round.opened.banker is not None and (
            self.round.opened.banker.seat == self.seat
        )
        if not self.own_wagers() and not is_banker:
            raise Refusal(RefusalCode.NO_WAGERS, "Make a wager first, such as 10.")
        due = dues(self.round)
        book = books.after_collection(self.book, due)
        self._do(CloseBets())
        self.book, self.dues = book, due
        self.cards = cards_for_round(self.round, self.draw_below)

    def without_round(self) -> Book:
        """The book as it is with every wager and the bank wager taken back before the deal."""
        if self.state is None or self.state.phase is not Phase.WAGERING:
            return self.book
        (event,) = decide(self.state, VoidRound("No cards were dealt."))
        return books.after_round(self.book, apply(self.state, event), {})

    def take_back(self) -> None:
        """Clear the table before a card is dealt."""
        if self.state is not None and self.state.phase is Phase.WAGERING:
            self.book, self.state = self.without_round(), None

    # The play ----------------------------------------------------------------

    def advance(self) -> Spot | None:
        """Go on until one of the player's hands has to decide; None when all is dealt."""
        while self.round.phase is Phase.PLAYING:
            step = self.round.current_step
            if isinstance(step, Deal):
                self._do(DealCard(self._next_card()))
            elif isinstance(step, Turn):
                self._do(TurnCards())
            else:
                spot = self._next_to_act()
                if spot.seat == self.seat:
                    return spot
                self._let_decide(spot)
        return None

    def _next_card(self) -> Card:
        state = self.round
        return self.cards[sum(isinstance(step, Deal) for step in state.plan[: state.step])]

    def _next_to_act(self) -> Spot:
        return next(spot for spot in self.round.hands if choices(self.round, spot))

    def _let_decide(self, spot: Spot) -> None:
        credit_cents = self.book.of(spot.seat)
        seen = view(self.round, seat=spot.seat, credit_cents=credit_cents)
        hand = next(one for one in seen.hands if one.spot == spot)
        self.decide(spot, players.decision_for(seen, hand, hand.choices))

    def decide(self, spot: Spot, decision: Decision, *, by: DecidedBy = DecidedBy.PLAYER) -> None:
        """Make a hand's decision, and stake its Play wager if it bets."""
        before = self.round
        self._do(MakeDecision(spot, decision, by), credit_cents=self.book.of(spot.seat))
        self.book = books.after_wagers(self.book, before, self.round)
        made = self.round.hands[spot].decisions[-1]
        self.decisions = (
            *self.decisions,
            SavedDecision(spot.seat, spot.hand, str(made.decision), by),
        )

    def confirm(self) -> None:
        """Settle the round, feed the meter and pay from it, and move every chip."""
        rule, meter = self.house.progressive, self.meter
        if rule is not None and meter is not None:
            wagered_cents = sum(
                hand.stake_cents(WagerKind.PROGRESSIVE) for hand in self.round.hands.values()
            )
            meter = meter.contribute(rule, wagered_cents)
        self._do(Confirm(meter.display_cents if meter else None))
        settlement = self.round.settlement
        assert settlement is not None
        if rule is not None and meter is not None:
            meter = meter.pay(rule, settlement.lines, from_meter_cents=settlement.meter_paid_cents)
        self.meter = meter
        self._close()

    def void(self, reason: str) -> None:
        """Declare the round void: everything goes back, and no contribution is booked."""
        self._do(VoidRound(reason))
        self._close()

    def _close(self) -> None:
        self.book = books.after_round(self.book, self.round, self.dues or {})
        self.rounds = self.round.opened.number

    def _do(self, action: Action, *, credit_cents: int | None = None) -> None:
        for event in decide(self.round, action, credit_cents=credit_cents):
            self.state = apply(self.round, event)

    # To disk and back ----------------------------------------------------------

    def saved(self) -> SavedRound | None:
        """The round in play for the profile; None before the deal and after the end."""
        if self.state is None or self.state.phase not in (Phase.PLAYING, Phase.READY):
            return None
        return save_round(
            self.state,
            cards=self.cards,
            decisions=self.decisions,
            dues=self.dues or {},
            staked_cents=self._staked(),
        )

    def _staked(self) -> dict[int, int]:
        """By seat, what is out of its stack: wagers, bank wager and collection."""
        state = self.round
        out = {seat: books.staked_cents(state, seat) for seat in sorted(books.seats_of(state))}
        if state.opened.banker is not None:
            out[state.opened.banker.seat] = state.opened.banker.cover_cents
        for seat, cents in (self.dues or {}).items():
            out[seat] = out.get(seat, 0) + cents
        return out

    def resume(self, saved: SavedRound) -> None:
        """Take a saved round up again; its wagers are out of the stacks already."""
        self.state, self.cards = restore_round(self.house, saved)
        self.decisions = tuple(saved.decisions)
        self.dues = dict(saved.dues_cents)
        self.rounds = saved.number - 1
        # The wagers left the stacks when they were made; here they arrive on the felt.
        wagered_cents = sum(books.staked_cents(self.state, s) for s in books.seats_of(self.state))
        book = self.book.move(wagered_cents, source=Account.OUTSIDE, target=Account.FELT)
        book = book.move(saved.cover_cents, source=Account.OUTSIDE, target=Account.COVER)
        for cents in self.dues.values():
            book = book.move(cents, source=Account.OUTSIDE, target=Account.DROP)
        self.book = book
