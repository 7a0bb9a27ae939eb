"""Rounds at real tables: workers, a store and a ledger, every cent of which is checked.

A laboratory has one table of each of its houses on one store. It plays rounds there, reads them
back from the store, settles them a second time, and compares every line and every account.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random

from openfelt.cards import Card
from openfelt.rules import (
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    MakeDecision,
    Phase,
    Round,
    SetWagers,
    Spot,
    TurnCards,
    VoidRound,
)
from openfelt.rules.dealing import Deal as DealStep
from openfelt.rules.dealing import Lies, Place, Turn
from openfelt.rules.house import DealerMode
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import KEY_BYTES, SecretDeck, Shuffler
from openfelt.table.commands import (
    SYSTEM,
    BuyIn,
    ChangeDealer,
    Collect,
    EndTime,
    OpenBets,
    Person,
    Role,
    TableCommand,
    TakeBank,
)
from openfelt.table.links.link_referee import OpenLink
from tests.kit.floors import Desk, Shift, check_books, request
from tests.kit.tables import DEALER, FLOOR, SECONDS
from tests.laboratory.comparison import compare, compare_changes
from tests.laboratory.deals import Deal, next_deal
from tests.laboratory.moves import (
    COVERS_CENTS,
    Dealer,
    plain_wagers,
    random_decision,
    random_wagers,
)
from tests.laboratory.product_houses import HOUSES, is_virtual, product_house
from tests.laboratory.record import Event, Recorded, rounds_of
from tests.laboratory.referee import settle
from tests.laboratory.referee_ledger import Floor, LinkChange, changes
from tests.laboratory.referee_link import Link
from tests.laboratory.referee_sheet import Verdict
from tests.laboratory.tally import Tally

CREDIT_CENTS = 1_500_000
"""What a player buys in for once the credit is below a third of it."""
SEATS_MAX = 7
STADIUM_SEATS_MAX = 3
VOID_CHANCE = 0.02
CORRECTION_CHANCE = 0.006
CHANGED_BET_CHANCE = 0.1
CLOCK_CHANCE = 0.1
COLLECT_CHANCE = 0.02

LAST_SCANNED = Place(Lies.DEALER, None, 2)
"""The card after which the terminals deal their own hands."""

Step = tuple[TableCommand, str | Person]


class StackedShuffler(Shuffler):
    """Lays the decks of the laboratory's deals, for tables whose cards are dealt by the program."""

    def __init__(self, random: Random) -> None:
        super().__init__(SeededEntropy(1))
        self._random = random
        self._deals: dict[str, Deal] = {}

    def shuffle(self, round_id: str, deck: str, cards: Sequence[Card]) -> SecretDeck:
        """A deck that the table commits to like any other."""
        name = round_id.rpartition("/")[0]
        game = HOUSES[name].game
        if round_id not in self._deals:
            self._deals = {key: deal for key, deal in self._deals.items() if name + "/" not in key}
            self._deals[round_id] = next_deal(game, self._random)
        deal = self._deals[round_id]
        stack, names = deal.stack, [str(card) for card in cards]
        hands = [card for hand in stack.hands for card in hand]
        first = [*stack.common, *stack.dealer]
        if deck != "table":
            first = hands
        elif game == "draw" or not HOUSES[name].own_decks:
            first = [*hands[: 5 if game == "draw" else 2], *stack.dealer, *stack.common]
        order = [Card.parse(card) for card in deal.order(names, first)]
        return SecretDeck.of(round_id, deck, order, self._random.randbytes(KEY_BYTES))


class LaboratoryTable:
    """A table of one of the laboratory's houses, with the referee's own books beside it."""

    def __init__(self, shift: Shift, name: str, random: Random) -> None:
        self.shift = shift
        self.name = name
        self.house = HOUSES[name]
        self.random = random
        self.tally = Tally()
        rules = product_house(name)
        self.link: Link | None = None
        if self.house.progressive:
            opening = OpenLink(
                link=name,
                contribution=self.house.contribution,
                seed_cents=self.house.seed_cents,
            )
            shift.worker_services.links.command(name, opening)
            self.link = Link.opened(self.house.seed_cents)
        mode = None
        if name.startswith("stadium"):
            mode = DealerMode.VIRTUAL if is_virtual(name) else DealerMode.LIVE
        clock = SECONDS if name in ("draw-virtual", "washington-split") else None
        self.desk: Desk = shift.open_table(
            rules, name=name, mode=mode, clock=clock, link=name if self.link else None
        )
        self.desk.dealer = Person(Role.DEALER, f"dealer-{name}")
        if not self.desk.table.virtual:
            self._do((ChangeDealer(self.desk.dealer.name), FLOOR))
        places = min(rules.seats, SEATS_MAX if rules.hands_per_seat == 1 else STADIUM_SEATS_MAX)
        self.players = {seat: f"{name}-{seat}" for seat in range(1, places + 1)}
        for seat, player in self.players.items():
            self.desk.sit(player, seat, CREDIT_CENTS // 100)
        self._read = self.desk.worker.head.version
        self._posted = max((stored.number for stored in shift.store.transfers()), default=0)

    # Playing -----------------------------------------------------------------------

    def check_round(self) -> Recorded:
        """Play one round, read it back and check it; raises Disagreement."""
        self._bring_money()
        self._open()
        self._bet()
        self._play()
        if self.link is not None:
            # The link has counted the round when its accounts are compared.
            self.shift.worker_services.links.fold(self.name)
        (recorded,) = rounds_of(self.name, self._new_events())
        verdict, link = self._settle(recorded)
        compare(verdict, recorded)
        tips = self.desk.dealer.name
        if self.desk.table.virtual:
            tips = self.name
        floor = Floor(self.name, self.players, tips, self.name if self.link else "")
        expected = changes(self.house, recorded.sheet, verdict, floor, link)
        compare_changes(recorded.sheet, expected, self._new_changes())
        self.tally.count(recorded, len(expected))
        # The kit keeps every commit and every notice, which a million rounds would not fit.
        self.shift.store.commits.clear()
        self.desk.told.clear()
        return recorded

    def _settle(self, recorded: Recorded) -> tuple[Verdict, LinkChange | None]:
        link = self.link
        if link is None:
            return settle(self.house, recorded.sheet), None
        before = (link.shown_cents, link.reserve_cents, link.house_paid_cents)
        verdict = settle(self.house, recorded.sheet, link)
        after = (link.shown_cents, link.reserve_cents, link.house_paid_cents)
        meter, reserve, paid = (new - old for old, new in zip(before, after, strict=True))
        return verdict, LinkChange(meter, reserve, -paid)

    def _give(self, steps: Iterable[Step]) -> list[bool]:
        """Give commands in one transaction; whether each was carried out."""
        asked = [request(command, self._who(by)) for command, by in steps]
        return [answer.accepted for answer in self.desk.worker.handle(asked)] if asked else []

    def _do(self, *steps: Step) -> None:
        """Give commands that must be carried out."""
        assert all(self._give(steps)), steps

    def _who(self, by: str | Person) -> str | Person:
        return self.desk.dealer if by == DEALER else by

    def _bring_money(self) -> None:
        """Players who are short buy in, and some collect; the wallets are checked to the cent."""
        expected: Counter[str] = Counter()
        for seat, player in self.players.items():
            credit = self.desk.table.seats[seat].credit_cents
            wallet, at_table = f"wallet:{player}", f"credit:{self.name}/{player}"
            if credit and self.random.random() < COLLECT_CHANCE:
                self._do((Collect(seat), player))
                expected.update({wallet: credit, at_table: -credit})
                credit = 0
            if credit < CREDIT_CENTS // 3:
                self.shift.cashier.deposit(player, CREDIT_CENTS, id=f"{player} {self._posted}")
                self._do((BuyIn(seat, CREDIT_CENTS), player))
                expected.update({"cash": -CREDIT_CENTS, at_table: CREDIT_CENTS})
        found = self._new_changes()
        assert {account: cents for account, cents in expected.items() if cents} == found

    def _open(self) -> None:
        table = self.desk.table
        if table.player_banked:
            seat = table.bank_offered_to or min(table.seats)
            cover_cents = self.random.choice(
                [cents for cents in COVERS_CENTS if cents < CREDIT_CENTS // 4]
            )
            self._do((TakeBank(seat, cover_cents), self.players[seat]))
        elif not table.virtual:
            self._do((OpenBets(), DEALER))

    def _bet(self) -> None:
        state, house = self.desk.table.playing, self.desk.table.house
        banker = state.opened.banker.seat if state and state.opened.banker else 0
        free = [seat for seat in self.players if seat != banker]
        seats = self.random.sample(free, self.random.randint(1, len(free)))
        steps: list[Step] = []
        for seat in seats:
            for hand in range(1, self.random.randint(1, house.hands_per_seat) + 1):
                wagers = random_wagers(house, self.random)
                steps.append((SetWagers(Spot(seat, hand), wagers), self.players[seat]))
                if self.random.random() < CHANGED_BET_CHANCE:
                    again = random_wagers(house, self.random)
                    steps.append((SetWagers(Spot(seat, hand), again), self.players[seat]))
        if not any(self._give(steps)):
            self._do(
                (
                    SetWagers(Spot(seats[0], 1), plain_wagers(house, self.random)),
                    self.players[seats[0]],
                )
            )
        self._do((CloseBets(), FLOOR))

    def _play(self) -> None:
        deal = next_deal(self.house.game, self.random)
        dealer = Dealer(self.desk.table.house, deal, self.random)
        void_at = self.random.randrange(8) if self.random.random() < VOID_CHANCE else None
        batches = 0
        while (state := self.desk.table.playing) is not None:
            if batches == void_at:
                self._do((VoidRound("the shuffler failed"), FLOOR))
                return
            batches += 1
            self._do(*self._next_steps(state, dealer))

    def _next_steps(self, state: Round, dealer: Dealer) -> list[Step]:
        """As many commands as can be given without looking again."""
        if state.phase is Phase.READY:
            return [(Confirm(), DEALER)]
        if isinstance(state.current_step, Turn):
            return [(TurnCards(), DEALER)]
        if isinstance(state.current_step, DealStep):
            return self._scans(state, dealer)
        clock = self.desk.table.clock
        if clock is not None and self.random.random() < CLOCK_CHANCE:
            return [(EndTime(clock.number), SYSTEM)]
        return [
            (MakeDecision(spot, random_decision(state, spot, self.random)), self.players[spot.seat])
            for spot in sorted(state.pending)
        ]

    def _scans(self, state: Round, dealer: Dealer) -> list[Step]:
        """The cards up to the next decision; a card may be scanned wrongly and corrected."""
        decided = any(hand.decisions for hand in state.hands.values())
        steps: list[Step] = []
        for place in self._places_to_scan(state):
            card = dealer.card(state, place)
            # Once the terminals' hands are dealt, the right card may be in one of them.
            may_correct = not decided and not (self.house.own_decks and place == LAST_SCANNED)
            if may_correct and self.random.random() < CORRECTION_CHANCE:
                wrong = Card.parse(dealer.deal.rest[0])
                steps += [(DealCard(wrong), DEALER), (CorrectCard(place, card), DEALER)]
            else:
                steps.append((DealCard(card), DEALER))
        return steps

    def _places_to_scan(self, state: Round) -> Iterator[Place]:
        """The places that come next and are dealt by hand."""
        for step in state.plan[state.step :]:
            if not isinstance(step, DealStep) or (self.house.own_decks and step.place.spot):
                return
            yield step.place

    # Reading back ------------------------------------------------------------------

    def _new_events(self) -> list[Event]:
        """What the store has of the table since the last time, as plain JSON."""
        stored = list(self.shift.store.events(f"table/{self.name}", after=self._read))
        self._read = stored[-1].version if stored else self._read
        return [(event.name, json.loads(event.plain_body)) for event in stored]

    def _new_changes(self) -> dict[str, int]:
        """By how much the ledger's accounts have changed since the last time."""
        change: Counter[str] = Counter()
        for stored in self.shift.store.transfers(after=self._posted):
            self._posted = stored.number
            change[str(stored.transfer.debit)] -= stored.transfer.cents
            change[str(stored.transfer.credit)] += stored.transfer.cents
        return {account: cents for account, cents in change.items() if cents}


def check_floor_rounds(folder: Path, name: str, seed: int, rounds: int) -> Tally:
    """Play and check rounds of one house on a store of its own; raises Disagreement."""
    random = Random(f"{name}/{seed}")
    shift = Shift(folder / f"{name}.db", shuffler=StackedShuffler(random))
    try:
        table = LaboratoryTable(shift, name, random)
        for _ in range(rounds):
            table.check_round()
        check_books(shift, table.desk)
    finally:
        shift.close()
    return table.tally
