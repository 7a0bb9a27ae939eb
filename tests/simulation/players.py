"""Players: they sit down, buy in, bet, decide, collect, make mistakes, vanish and come back."""

from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any

from openfelt.ledger.wallet import Deposited, Withdrawn
from openfelt.rules import choices
from openfelt.rules.decisions import Bet, Check, Decision, Fold, Hold
from openfelt.rules.house import DealerWagerRule, GameName, House, WagerRule
from openfelt.rules.round import Phase, Round
from openfelt.rules.round_actions import (
    CloseBets,
    Confirm,
    DealCard,
    MakeDecision,
    SetWagers,
    VoidRound,
)
from openfelt.rules.wagers import Beneficiary, Spot, Wager, WagerKind
from openfelt.table.chips import wallet_of
from openfelt.table.commands import (
    BuyIn,
    Collect,
    DeclineBank,
    LeaveSeat,
    OpenBets,
    Person,
    RevealSeed,
    Role,
    SeededWagers,
    TableCommand,
    TakeBank,
    TakeSeat,
)
from openfelt.table.croupier.seed_commands import awaits_seeds
from openfelt.table.phases import TablePhase
from openfelt.table.seeds import seed_commitment
from openfelt.table.state import Table
from tests.simulation.actor import Actor
from tests.simulation.messages import CASHIER

if TYPE_CHECKING:
    from tests.simulation.simulation import Simulation

_SEEDED_ROUNDS = "01234"
"""A seed that begins with one of these digits is given; rigged decks stay rigged without."""
_NEVER_FOR_DEALER = (WagerKind.BLIND, WagerKind.PROGRESSIVE)


class Player(Actor):
    """Plays at one table, by chance."""

    def __init__(self, simulation: "Simulation", name: str, table: str) -> None:
        super().__init__(simulation, Person(Role.PLAYER, name), table)
        self.name = name
        self._in_flight_max = self._random.choice((1, 1, 1, 3))

    def act(self) -> None:
        """Do something, or nothing."""
        terminal, table = self.terminal, self.seen()
        if table is None or len(terminal.pending) >= self._in_flight_max:
            return
        command = self._choose(table)
        if command is not None:
            terminal.ask(table.id, command)
            if self._simulation.machine.faults.strikes("vanishing"):
                self._vanish(table)

    def _vanish(self, table: Table) -> None:
        """Be gone, perhaps with a command on its way, until much later."""
        terminal, state = self.terminal, table.playing
        terminal.vanished = True
        when = "between rounds" if state is None else state.phase.value
        self._simulation.tally.add(f"terminal vanished, {when}")
        if terminal.pending:
            self._simulation.tally.add("terminal vanished with a command unanswered")
        self._simulation.after(self._random.randint(5_000, 240_000), self._come_back)

    def _come_back(self) -> None:
        self.terminal.come_back()
        self.wake()

    # Choosing --------------------------------------------------------------------------

    def _choose(self, table: Table) -> TableCommand | None:
        seat = table.seat_of(self.name)
        if seat is None:
            return self._sit_down(table)
        if self._random.random() < 0.02:
            return self._mistake(table, seat)
        if self._withholds_seed(table, seat) is False:
            return RevealSeed(seat, self._seed(table.round_id))
        state = table.playing
        if state is not None and (own := [at for at in state.pending if at.seat == seat]):
            return self._decide(state, min(own), table.seats[seat].credit_cents)
        if not table.wagers_of(seat):
            stay = self._between(table, seat)
            if stay is not None:
                return stay
        return self._bet(table, seat)

    def _sit_down(self, table: Table) -> TableCommand | None:
        wallet_cents = self._simulation.auditor.balances[wallet_of(self.name)]
        if wallet_cents < 60_000:
            cents = self._simulation.new_amount(80_000, 400_000)
            self.terminal.ask(CASHIER, Deposited(self.name, cents, "paid in"))
            return None
        if self._random.random() < 0.05:
            cents = self._random.randint(1, wallet_cents * 11 // 10)
            self.terminal.ask(CASHIER, Withdrawn(self.name, cents))
            return None
        if table.phase is not TablePhase.OPEN or self._random.random() < 0.5:
            return None
        seats = range(1, min(table.house.seats, 12) + 1)
        free = [seat for seat in seats if seat not in table.seats]
        if not free or self._random.random() < 0.03:
            return TakeSeat(self._random.choice(seats)) if self._random.random() < 0.05 else None
        return TakeSeat(self._random.choice(free))

    def _between(self, table: Table, seat: int) -> TableCommand | None:
        """Buy in, collect or leave, where nothing of the seat is in play."""
        credit_cents = table.seats[seat].credit_cents
        wallet_cents = self._simulation.auditor.balances[wallet_of(self.name)]
        chance = self._random.random()
        if credit_cents < 15_000:
            if table.phase is not TablePhase.CLOSED and wallet_cents >= 20_000 and chance < 0.98:
                most = min(wallet_cents, 90_000)
                return BuyIn(seat, self._simulation.new_amount(15_000, most))
            return LeaveSeat(seat)
        if chance < 0.01 or table.phase is TablePhase.CLOSED:
            return LeaveSeat(seat)
        return Collect(seat) if chance < 0.015 else None

    def _bet(self, table: Table, seat: int) -> TableCommand | None:
        state = table.playing
        if table.phase is TablePhase.CLOSED:
            return None
        if state is None and table.player_banked:
            return self._bank(table, seat)
        if state is None and not table.virtual:
            return None
        if state is not None and state.phase is not Phase.WAGERING:
            return None
        if state is not None and state.opened.banker and state.opened.banker.seat == seat:
            return None
        hand = self._random.randint(1, table.house.hands_per_seat)
        spot = Spot(seat, hand)
        lies = state is not None and spot in state.hands
        chance = self._random.random()
        if lies and chance < 0.92:
            return CloseBets() if self._alone(table) or chance < 0.05 else None
        if lies and chance < 0.94:
            return SetWagers(spot, ())
        wagers = SetWagers(spot, random_wagers(table, self._random))
        seed = self._seed(table.deck_round_id)
        if seed[0] not in _SEEDED_ROUNDS:
            return wagers
        return SeededWagers(wagers, seed_commitment(table.deck_round_id, seat, seed))

    def _seed(self, round_id: str) -> str:
        """This player's seed for a round; it takes no chance away from anything else."""
        return sha256(f"{self.name} {round_id}".encode()).hexdigest()

    def _withholds_seed(self, table: Table, seat: int) -> bool | None:
        """Whether the player keeps a seed back that is called for; None if none is."""
        if not awaits_seeds(table) or table.seeds is None or seat not in table.seeds.missing:
            return None
        return self._seed(table.round_id)[1] in "01"

    def _alone(self, table: Table) -> bool:
        return table.opened.private_to is not None

    def _bank(self, table: Table, seat: int) -> TableCommand | None:
        if table.bank_offered_to not in (seat, None):
            return None
        credit_cents = table.seats[seat].credit_cents
        if self._random.random() < 0.2:
            return DeclineBank(seat)
        small = self._random.random() < 0.8
        most = max(1, min(credit_cents - 300, 2500 if small else credit_cents))
        return TakeBank(seat, self._random.randint(1, most))

    def _decide(self, state: Round, spot: Spot, credit_cents: int) -> TableCommand:
        if state.house.game is GameName.ULTIMATE_DRAW:
            cards = state.hands[spot].cards
            held = self._random.sample(cards, self._random.choice((0, 1, 2, 3, 4, 5, 5)))
            return MakeDecision(spot, Hold(tuple(held)))
        options = choices(state, spot, credit_cents=credit_cents).options
        if not options:
            return MakeDecision(spot, Check())
        return MakeDecision(spot, self._random.choice(options).decision)

    def _mistake(self, table: Table, seat: int) -> TableCommand:
        """Something that is refused, most of the time."""
        random, other = self._random, self._random.randint(1, table.house.seats)
        decision: Decision = random.choice((Check(), Bet(4), Bet(7), Fold(), Hold(())))
        chance, probe = random.random(), BuyIn(seat, self._simulation.new_amount(1, 9))
        if chance < 0.1:
            self.terminal.ask_with_used_id(probe)
        elif chance < 0.15:
            bad_id = random.choice(("", "x" * 65, "two\nlines", "\0"))
            self.terminal.ask_with_bad_id(table.id, probe, bad_id)
        mistake: TableCommand = random.choice(
            (
                *self._nonsense(seat),
                MakeDecision(Spot(other, 1), decision),
                MakeDecision(Spot(seat, 1), decision),
                SetWagers(Spot(other, 1), random_wagers(table, random)),
                SetWagers(Spot(seat, 9), random_wagers(table, random)),
                SetWagers(Spot(seat, 1), (Wager(WagerKind.ANTE, 10**9),)),
                SetWagers(Spot(seat, 1), (Wager(WagerKind.ANTE, 1234),)),
                SetWagers(Spot(seat, 1), (Wager(WagerKind.ANTE, 1000.5),)),  # type: ignore[arg-type]
                BuyIn(seat, 10**11),
                BuyIn(seat, -5),
                BuyIn(other, self._simulation.new_amount(1, 99)),
                Collect(other),
                LeaveSeat(other),
                TakeSeat(other),
                TakeBank(seat, 500),
                OpenBets(),
                CloseBets(),
                Confirm(),
                VoidRound("I do not like my cards."),
                DealCard(random.choice(self._simulation.deck)),
            )
        )
        return mistake

    def _nonsense(self, seat: int) -> tuple[Any, ...]:
        """Commands in a form that no terminal of ours would send."""
        spot: Any = Spot(seat, 1)
        nonsense: Any = self._random.choice((None, "1", 1.5, (), True, -(10**30)))
        return (
            TakeSeat(nonsense),
            BuyIn(seat, nonsense),
            BuyIn(nonsense, 500),
            SetWagers(nonsense, ()),
            SetWagers(spot, nonsense),
            SetWagers(spot, (Wager(nonsense, 500),)),
            SetWagers(Spot(seat, nonsense), (Wager(WagerKind.ANTE, 500),)),
            MakeDecision(spot, nonsense),
            TakeBank(seat, nonsense),
            DealCard(nonsense),
        )


def random_wagers(table: Table, random: Random) -> tuple[Wager, ...]:
    """Wagers of all kinds that the house offers, often enough to be taken."""
    rules: House = table.playing.house if table.playing else table.house
    jackpot = table.link is not None
    wagers = []
    for rule in rules.wagers:
        offered = rule.kind is not WagerKind.BLIND
        if rule.kind is WagerKind.PROGRESSIVE:
            offered = jackpot and random.random() < 0.9
        sure = rule.kind in (WagerKind.ANTE, WagerKind.PROGRESSIVE)
        if offered and (sure or random.random() < 0.3):
            wagers.append(Wager(rule.kind, _amount(rule, random)))
        tip = rules.dealer_wagers
        if tip and rule.kind not in _NEVER_FOR_DEALER and random.random() < 0.08:
            wagers.append(Wager(rule.kind, _amount(tip, random), Beneficiary.DEALER))
    return tuple(wagers)


def _amount(rule: WagerRule | DealerWagerRule, random: Random) -> int:
    step = rule.multiple_of_cents
    most = min(rule.max_cents, rule.min_cents + 40 * step)
    return random.randrange(rule.min_cents, most + 1, step)
