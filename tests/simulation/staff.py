"""Staff: live dealers who scan cards and err, and a supervisor who voids, closes and changes."""

from fractions import Fraction
from typing import TYPE_CHECKING

from openfelt.cards import Card
from openfelt.rules.choices import clock_decision
from openfelt.rules.dealing import Deal, Lies, Place, Turn
from openfelt.rules.house import Deck
from openfelt.rules.round import Phase, Round
from openfelt.rules.round_actions import (
    CloseBets,
    Confirm,
    CorrectCard,
    DealCard,
    MakeDecision,
    TurnCards,
    VoidRound,
)
from openfelt.table.commands import (
    ChangeDealer,
    ChangeLink,
    ChangeRules,
    CloseTable,
    DeclineBank,
    LeaveSeat,
    OpenBets,
    PauseTable,
    Person,
    ReopenTable,
    Role,
    TableCommand,
)
from openfelt.table.deck import TABLE_DECK, deck_of
from openfelt.table.links.link import LinkPhase
from openfelt.table.links.link_referee import (
    ChangeRates,
    LinkCommand,
    PauseLink,
    ResumeLink,
    RetireLink,
)
from openfelt.table.phases import TablePhase
from openfelt.table.state import Table
from tests.simulation.actor import Actor
from tests.simulation.floor_plan import LINK, SIDE_LINK, house
from tests.simulation.pit_acts import (
    between_rounds,
    closed_too_early,
    decided_adjustment,
    irregularity,
)
from tests.simulation.rigged import card_to_scan

if TYPE_CHECKING:
    from tests.simulation.simulation import Simulation

PATIENCE_MS = 3000
"""How long a dealer waits for a player before deciding as the clock would."""


class Dealer(Actor):
    """Deals at a live table."""

    quickest_ms = 20
    slowest_ms = 120
    patience_ms = 2000

    def __init__(self, simulation: "Simulation", table: str) -> None:
        self._name = f"dealer-{table}"
        super().__init__(simulation, Person(Role.DEALER, self._name), table)

    def act(self) -> None:
        """Do what the round waits for."""
        table = self.seen()
        if table is None or len(self.terminal.pending) > (self._random.random() < 0.02):
            return
        command = self._choose(table)
        if command is not None:
            self.terminal.ask(table.id, command)

    def _choose(self, table: Table) -> TableCommand | None:
        state, random = table.playing, self._random
        if table.dealer != self._name and random.random() < 0.9:
            # Another dealer is relieved by the supervisor only; asking all the same is refused.
            free = table.dealer is None or random.random() < 0.1
            return ChangeDealer(self._name) if free else None
        if state is None:
            return between_rounds(table, random, relief="relief") or self._open(table)
        if random.random() < 0.25 and (early := closed_too_early(table)) is not None:
            self._simulation.supervisor.call(table.id, early)
            return None
        if random.random() < 0.04:
            return irregularity(table, random, supervisor=False)
        if random.random() < 0.002:
            return VoidRound("A card was exposed.")
        if state.phase is Phase.WAGERING:
            ready = len({spot.seat for spot in state.hands}) * 2 > len(table.seats)
            return (
                CloseBets() if state.hands and random.random() < (0.5 if ready else 0.05) else None
            )
        if state.phase is Phase.READY:
            if random.random() < 0.7:
                return Confirm()
            # A dealer may not void a round alone, and calls the supervisor.
            self._simulation.supervisor.call(table.id, VoidRound("A card was exposed."))
            return VoidRound("A card was exposed.") if random.random() < 0.5 else None
        if random.random() < 0.02 and (wrong := self._correction(state)) is not None:
            return wrong
        match state.current_step:
            case Deal(place=place) if deck_of(state.house, place) == TABLE_DECK:
                return DealCard(self._next_card(state))
            case Turn():
                return TurnCards()
        return self._for_absent(table.id, state)

    def _open(self, table: Table) -> TableCommand | None:
        idle = self._simulation.auditor.idle_ms(table.id) > PATIENCE_MS
        if table.phase is not TablePhase.OPEN or not table.seats:
            return None
        if not table.player_banked:
            return OpenBets()
        seat = table.bank_offered_to
        return DeclineBank(seat) if idle and seat is not None else None

    def _next_card(self, state: Round) -> Card:
        lie = _cards_on_felt(state)
        if lie and self._random.random() < 0.03:
            self._simulation.tally.add("card scanned twice")
            return self._random.choice(lie)
        return card_to_scan(lie, self._random)

    def _correction(self, state: Round) -> TableCommand | None:
        places = [Place(Lies.DEALER, None, n + 1) for n in range(len(state.dealer))]
        places += [Place(Lies.COMMON, None, n + 1) for n in range(len(state.common))]
        if state.house.deck is Deck.SHARED:
            for spot, hand in state.hands.items():
                places += [Place(Lies.HAND, spot, n + 1) for n in range(len(hand.cards))]
        elif any(hand.cards for hand in state.hands.values()):
            return None
        if not places:
            return None
        return CorrectCard(
            self._random.choice(places), card_to_scan(_cards_on_felt(state), self._random)
        )

    def _for_absent(self, table: str, state: Round) -> TableCommand | None:
        if not state.pending or self._simulation.auditor.idle_ms(table) < PATIENCE_MS:
            return None
        spot = min(state.pending)
        self._simulation.tally.add("dealer decides for an absent player")
        return MakeDecision(spot, clock_decision(state, spot))


def _cards_on_felt(state: Round) -> list[Card]:
    hands = [card for hand in state.hands.values() for card in hand.cards]
    return [*state.common, *state.dealer, *hands]


class Supervisor(Actor):
    """Walks the floor and interferes."""

    quickest_ms = 200
    slowest_ms = 1500
    patience_ms = 2000

    def __init__(self, simulation: "Simulation") -> None:
        super().__init__(simulation, Person(Role.FLOOR, "supervisor"), None)
        self._called: tuple[str, TableCommand] | None = None

    def call(self, table: str, command: TableCommand) -> None:
        """Come to a table, where the dealer may not do this alone."""
        self._called = (table, command)
        self.wake()

    def act(self) -> None:
        """Do something at a table or at the link."""
        if self._called is not None:
            (name, called), self._called = self._called, None
            self.terminal.ask(name, called)
            return
        if self._random.random() < 0.2:
            self._at_link()
        table = self._simulation.auditor.tables.get(
            self._random.choice(list(self._simulation.tables))
        )
        if table is None or len(self.terminal.pending) > 3:
            return
        command = self._choose(table)
        if command is not None:
            self.terminal.ask(table.id, command)

    def _choose(self, table: Table) -> TableCommand | None:
        random, chance = self._random, self._random.random()
        if table.phase is not TablePhase.OPEN:
            return ReopenTable()
        if random.random() < 0.5 and (decided := decided_adjustment(table, random)) is not None:
            return decided
        if chance < 0.1:
            return VoidRound("The shuffler jammed.") if table.playing else None
        if chance < 0.12:
            closes = random.random() < 0.5
            return CloseTable("End of the shift.") if closes else PauseTable("A spill.")
        if chance < 0.18:
            kind = self._simulation.tables[table.id].kind
            return ChangeRules(house(kind, random.randint(0, 1)))
        if chance < 0.22 and self._simulation.tables[table.id].link is not None:
            return ChangeLink(self._other_link(table))
        if chance < 0.24 and table.seats:
            return LeaveSeat(random.choice(list(table.seats)))
        if chance < 0.28 and not table.virtual:
            return ChangeDealer(random.choice((f"dealer-{table.id}", "relief", None)))
        return irregularity(table, random, supervisor=True) if chance < 0.34 else None

    def _other_link(self, table: Table) -> str | None:
        if table.link == LINK and self._random.random() < 0.4:
            return self._random.choice((None, SIDE_LINK, "nowhere"))
        return LINK

    def _at_link(self) -> None:
        name = self._random.choice((LINK, LINK, SIDE_LINK))
        link = self._simulation.auditor.links.get(name)
        server = self._simulation.any_server()
        if link is None or server is None:
            return
        random = self._random
        command: LinkCommand = ChangeRates(
            contribution=Fraction(random.randint(1, 50), 100),
            seed_cents=random.randint(0, 20_000),
            ceiling_cents=random.choice((None, random.randint(20_000, 60_000))),
        )
        if link.phase is LinkPhase.PAUSED:
            command = RetireLink() if name == SIDE_LINK and not link.tables else ResumeLink()
        elif random.random() < 0.35:
            command = PauseLink("The sign is dark.")
        server.run(lambda: server.command_link(name, command))
