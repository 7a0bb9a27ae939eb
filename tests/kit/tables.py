"""Tables as tests run them: every command goes through the croupier, every event is kept.

People are named by their role and name in one word, amounts are in dollars, and cards and
decisions are written as people write them:

    pit = Pit("washington").sit("ann", 1, 500).do(OpenBets(), "dan")
    pit.bet("ann", "1.1", "ante 10, trips 5").close().deal("As Ah Kc Kd")
    pit.choose("ann", "1.1", "4x").deal("2c 7d 9h Js 3c").turn().confirm()

Beside the table the pit keeps the ledger. After each event the book must balance, and each
seat's credit must be what the ledger says.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from enum import StrEnum
from hashlib import sha256
from typing import Any

import pytest

from openfelt.cards import FULL_DECK, Card, parse_cards
from openfelt.catalog import load_house
from openfelt.ledger import Account, AccountKind, Book, Reason, Transfer, trial_balance
from openfelt.rules import (
    CloseBets,
    Confirm,
    DealCard,
    House,
    Line,
    MakeDecision,
    Phase,
    Refusal,
    Round,
    SetWagers,
    TurnCards,
    VoidRound,
)
from openfelt.rules.dealing import Turn
from openfelt.rules.house import ClockRule, DealerMode
from openfelt.rules.round_events import RoundSettled, RoundVoided
from openfelt.rules.wagers import Beneficiary
from openfelt.table.chips import transfers_of, wallet_of
from openfelt.table.commands import (
    SYSTEM,
    BuyIn,
    ChangeDealer,
    EndTime,
    OpenTable,
    Person,
    Role,
    TableCommand,
    TakeSeat,
)
from openfelt.table.croupier.committed_decks import (
    cards_needed,
    decks_due,
    decks_needed,
    decks_unsealed,
    scanned_cards,
)
from openfelt.table.croupier.croupier import direct, go_on
from openfelt.table.croupier.supervision import opening
from openfelt.table.deck import TABLE_DECK, cards_left
from openfelt.table.events import DeckCommitted, TableEvent, TableOpened
from openfelt.table.permissions import Outside
from openfelt.table.state import Table, open_table
from openfelt.table.transitions import after
from tests.kit.felt import TODAY, decision_of, spot_of, wagers_of

DEALER = Person(Role.DEALER, "dan")
FLOOR = Person(Role.FLOOR, "eve")
STAFF = {one.name: one for one in (DEALER, FLOOR, SYSTEM)}
SECONDS = ClockRule(wager_seconds=25, decision_seconds=15)
"""A clock for tables whose house has none."""

CASH = Account(AccountKind.CASH)


def person(name: str | Person) -> Person:
    """The dealer ``dan``, the supervisor ``eve``, ``openfelt`` itself; other names are players."""
    if isinstance(name, Person):
        return name
    return STAFF.get(name, Person(Role.PLAYER, name))


class Pit:
    """One table on the floor, with the record of its events and the ledger beside it."""

    def __init__(
        self,
        house: House | str,
        *,
        name: str = "table-1",
        mode: DealerMode | None = None,
        clock: ClockRule | None = None,
        private_to: str | None = None,
        link: str | None = None,
        reveal_ms: int = 0,
        day: date = TODAY,
        tops: Mapping[str, str] | None = None,
        seed: int = 1,
        dealer: str | None = "dan",
    ) -> None:
        """The dealer is signed on from the beginning, at a live table."""
        rules = load_house(house) if isinstance(house, str) else house
        self.opened: TableOpened = opening(
            OpenTable(
                table=name,
                house=rules,
                dealer_mode=mode,
                clock=clock,
                private_to=private_to,
                link=link,
                reveal_ms=reveal_ms,
            ),
            by=FLOOR,
        )
        self.table = open_table(self.opened)
        self.events: list[TableEvent] = []
        self.outside = Outside(day=day)
        self.tops = dict(tops or {})
        """The cards on top of virtual decks, by deck; those below are shuffled."""
        self.decks: dict[str, tuple[Card, ...]] = {}
        self.book = Book()
        self.rng = random.Random(seed)
        self._seal(decks_unsealed(self.table))
        if dealer is not None and not self.table.virtual:
            self.do(ChangeDealer(dealer), FLOOR)

    # Driving ---------------------------------------------------------------------

    def do(self, command: TableCommand, by: str | Person) -> "Pit":
        """Give a command, or raise the croupier's refusal; then go on as far as it goes."""
        for event in direct(self.table, command, by=person(by), outside=self.outside):
            self._record(event)
        while events := go_on(self.table, self._order(), self.outside):
            for event in events:
                self._record(event)
        return self

    def _order(self) -> dict[str, tuple[Card, ...]]:
        """The decks as they are dealt: without the cards that a live dealer has scanned."""
        scanned = scanned_cards(self.table)
        return {
            deck: tuple(card for card in cards if card not in scanned)
            for deck, cards in self.decks.items()
        }

    def refuses(self, command: TableCommand, by: str | Person, code: StrEnum) -> str:
        """Check that a command is refused with this code and changes nothing; give its words."""
        before, events, book = self.table, list(self.events), self.book
        with pytest.raises(Refusal) as caught:
            self.do(command, by)
        assert caught.value.code is code, caught.value
        assert str(caught.value).endswith(".")
        assert (self.table, self.events, self.book) == (before, events, book)
        return str(caught.value)

    def _record(self, event: TableEvent) -> None:
        if isinstance(event, RoundSettled | RoundVoided):
            self.decks = {}
        transfers = transfers_of(self.table, event)
        self.book = self.book.post(transfers)
        self.table = after(self.table, event, transfers)
        self.events.append(event)
        self._check_money()
        self._seal((*decks_due(self.table, event), *decks_needed(self.table, event)))

    def _seal(self, decks: Sequence[str]) -> None:
        for deck in decks:
            self._record(DeckCommitted(deck, self._shuffle(deck)))

    def _shuffle(self, deck: str) -> str:
        """Shuffle a deck below the cards that are to be dealt first, and give a root for it.

        It is the order in which the cards are dealt; what the seeds of players do to a deck is
        no matter of the rules.
        """
        cards: Sequence[Card] = FULL_DECK
        if deck != TABLE_DECK:
            of_table = self.decks.get(TABLE_DECK, ())
            if of_table:
                cards = cards_left(self.table.house, of_table)
            elif self.table.playing is not None and self.round.plan:
                cards = cards_needed(self.round, of_table)
        top = parse_cards(self.tops.get(deck, ""))
        assert set(top) <= set(cards), f"{deck} cannot have {set(top) - set(cards)} on top"
        rest = [card for card in cards if card not in top]
        self.rng.shuffle(rest)
        self.decks[deck] = (*top, *rest)
        return sha256(repr(self.decks[deck]).encode()).hexdigest()

    def _check_money(self) -> None:
        assert trial_balance(self.book).balanced
        for number, seat in self.table.seats.items():
            assert self.book.balance(self.table.credit(number)) == seat.credit_cents
        if self.table.playing is None and self.table.rounds:
            for kind in (AccountKind.WAGERS, AccountKind.BANKER):
                assert self.book.balance(Account(kind, self.table.round_id)) == 0

    def told(self, **outside: Any) -> "Pit":
        """Change the outside facts of the table."""
        self.outside = replace(self.outside, **outside)
        return self

    # People ----------------------------------------------------------------------

    def fund(self, player: str, dollars: int) -> "Pit":
        """Bring cash to a player's wallet."""
        transfer = Transfer(
            debit=CASH, credit=wallet_of(player), cents=dollars * 100, reason=Reason.DEPOSIT
        )
        self.book = self.book.post([transfer])
        return self

    def sit(self, player: str, seat: int, dollars: int = 0) -> "Pit":
        """Let a player sit down and buy in."""
        self.do(TakeSeat(seat), player)
        if dollars:
            self.fund(player, dollars).do(BuyIn(seat, dollars * 100), player)
        return self

    def bet(self, player: str, spot: str, wagers: str) -> "Pit":
        """Set the wagers of a spot."""
        return self.do(SetWagers(spot_of(spot), wagers_of(wagers)), player)

    def choose(self, player: str, spot: str, decision: str) -> "Pit":
        """Decide for a hand."""
        return self.do(MakeDecision(spot_of(spot), decision_of(decision)), player)

    def close(self, by: str = "dan") -> "Pit":
        """Call "no more bets"."""
        return self.do(CloseBets(), by)

    def deal(self, cards: str) -> "Pit":
        """Scan cards one after another, turning what is to be turned in between."""
        for card in parse_cards(cards):
            self.turn().do(DealCard(card), DEALER)
        return self

    def turn(self) -> "Pit":
        """Turn over all cards that are due."""
        while self.table.playing and isinstance(self.round.current_step, Turn):
            self.do(TurnCards(), DEALER)
        return self

    def confirm(self) -> "Pit":
        """Confirm the round, as its dealer."""
        return self.do(Confirm(), DEALER)

    def void(self, reason: str = "the shuffler failed") -> "Pit":
        """Declare the round void, as the floor."""
        return self.do(VoidRound(reason), FLOOR)

    def time_ends(self) -> "Pit":
        """Let the running clock run out."""
        assert self.table.clock is not None
        return self.do(EndTime(self.table.clock.number), SYSTEM)

    # Looking ---------------------------------------------------------------------

    @property
    def round(self) -> Round:
        """The round in progress, or the last one."""
        assert self.table.round is not None
        return self.table.round

    @property
    def phase(self) -> Phase:
        """How far the round has come."""
        return self.round.phase

    @property
    def names(self) -> list[str]:
        """The record as the names of its events."""
        return [type(event).__name__ for event in self.events]

    def cents(self, account: str) -> int:
        """What an account holds, such as ``"tips:dan"``."""
        return self.book.balance(Account.parse(account))

    def credit(self, player: str) -> int:
        """A player's credit at the table, in cents."""
        seat = self.table.seat_of(player)
        assert seat is not None
        return self.table.seats[seat].credit_cents

    def line(self, spot: str, wager: str, *, tip: bool = False) -> Line:
        """How one wager of the last round was settled."""
        assert self.round.settlement is not None
        beneficiary = Beneficiary.DEALER if tip else Beneficiary.PLAYER
        (line,) = (
            line
            for line in self.round.settlement.lines
            if (str(line.spot), line.wager, line.beneficiary) == (spot, wager, beneficiary)
        )
        return line


def replayed(opened: TableOpened, events: Sequence[TableEvent]) -> Table:
    """The table that a whole record gives, from its opening on."""
    table = open_table(opened)
    for event in events:
        table = after(table, event, transfers_of(table, event))
    return table
