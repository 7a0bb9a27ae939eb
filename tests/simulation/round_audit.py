"""The auditor's own account of one table's rounds: wagers, cards and settlements.

It is kept from the events alone, by arithmetic of its own, so that a mistake in the rules or
in the ledger is not made here a second time.
"""

import json
from collections import Counter
from hashlib import sha256
from itertools import chain, count

from openfelt.cards import Card, parse_cards
from openfelt.rules.dealing import Lies, Place
from openfelt.rules.decisions import Bet
from openfelt.rules.house import Deck, GameName
from openfelt.rules.lines import Line, PaidBy, Result, Settlement
from openfelt.rules.round import Phase, Round
from openfelt.rules.round_events import (
    CardCorrected,
    CardDealt,
    DecisionMade,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    WagersSet,
)
from openfelt.rules.wagers import Beneficiary, Spot, WagerKind
from openfelt.storage.door import Store
from openfelt.table.deck import deck_of
from openfelt.table.events import (
    DeckCommitted,
    SeatLeft,
    SeedCommitted,
    SeedRevealed,
    SeedsFixed,
    TableEvent,
)
from openfelt.table.state import Table
from tests.simulation.failure import require
from tests.simulation.tally import Tally

Circle = tuple[Spot, str, Beneficiary]
"""One betting circle of one hand."""


class RoundAudit:
    """What has happened in the round in progress of one table."""

    def __init__(self, stream: str, tally: Tally) -> None:
        self._stream = stream
        self._tally = tally
        self.wagers: dict[Circle, int] = {}
        self.decks: dict[str, tuple[Card, ...]] = {}
        """The secret decks that the table has committed to."""
        self._roots: dict[str, str] = {}
        self._dealt: Counter[str] = Counter()
        self._bound: dict[int, str] = {}
        self._seeds: dict[int, str] = {}
        self._mixed: bytes | None = None
        self._orders: dict[str, tuple[Card, ...]] = {}
        self._scanned: dict[Place, Card] = {}
        """The cards that a live dealer has scanned, until hands are dealt."""
        self._round = ""

    @property
    def on_felt_cents(self) -> int:
        """What lies on all circles together."""
        return sum(self.wagers.values())

    def take(self, before: Table, event: TableEvent, store: Store) -> None:
        """Follow one event at the table as it was before."""
        match event:
            case RoundOpened(number=number):
                require(not self.wagers, "wagers", f"{self._round} left wagers on the felt.")
                self._round = f"{before.id}/{number}"
                sealed = not before.virtual or "table" in self.decks
                require(sealed, "deck", f"{self._round} opened before its deck was sealed.")
            case WagersSet(spot, wagers):
                own = before.house.deck is Deck.PER_TERMINAL
                sealed = not own or f"seat-{spot.seat}" in self.decks
                require(sealed, "deck", f"{self._round} took a wager before a deck was sealed.")
                self._clear(spot)
                self.wagers |= {(spot, w.kind.value, w.beneficiary): w.cents for w in wagers}
            case DecisionMade(spot, Bet(multiple)):
                self._play(spot, multiple)
            case DeckCommitted(deck, root):
                self._commit(before, deck, root, store)
            case CardDealt(place, card, _):
                self._deal(before, place, card)
            case CardCorrected(place, card):
                self._check_new(before, place, card)
                self._scanned[place] = card
                self._tally.add("card corrected")
            case RoundSettled(settlement):
                self._settle(before, settlement)
                self._forget()
            case RoundVoided(_, settlement):
                self._void(before, settlement)
                self._forget()
            case _:
                self._take_seed(before, event)

    def _take_seed(self, before: Table, event: TableEvent) -> None:
        match event:
            case SeedCommitted(seat, commitment):
                self._bind(before, seat, commitment)
            case SeedRevealed(seat, seed):
                self._reveal(seat, seed)
            case SeedsFixed(withheld):
                self._fix(before, withheld)
            case SeatLeft(seat):
                self._bound.pop(seat, None)

    def _forget(self) -> None:
        self.decks, self._dealt, self._orders = {}, Counter(), {}
        self._bound, self._seeds, self._mixed, self._scanned = {}, {}, None, {}

    def _clear(self, spot: Spot) -> None:
        self.wagers = {at: cents for at, cents in self.wagers.items() if at[0] != spot}

    def _play(self, spot: Spot, multiple: int) -> None:
        for (at, kind, beneficiary), cents in list(self.wagers.items()):
            if (at, kind) == (spot, WagerKind.ANTE.value):
                self.wagers[spot, WagerKind.PLAY.value, beneficiary] = cents * multiple

    # Cards ---------------------------------------------------------------------------

    def _commit(self, before: Table, deck: str, root: str, store: Store) -> None:
        number = before.rounds + (before.playing is None)
        body = store.secrets(self._stream, f"{number}/{deck}").get(f"{number}/{deck}")
        require(body is not None, "deck", f"{self._round} has no secret deck {deck}.")
        plain = json.loads(body or "{}")
        require(plain["root"] == root, "deck", f"{self._round} published another root of {deck}.")
        require(deck not in self.decks, "deck", f"{self._round} shuffled {deck} twice.")
        self.decks[deck] = parse_cards(plain["cards"])
        self._roots[deck] = root

    def _deal(self, before: Table, place: Place, card: Card) -> None:
        assert before.round is not None
        self._check_new(before, place, card)
        deck = deck_of(before.round.house, place)
        if deck in self.decks:
            committed = self._order(before, deck)[self._dealt[deck]]
            require(
                card == committed,
                "deck",
                f"{self._round} dealt {card} from {deck}, and was bound to {committed}.",
            )
        elif place.spot is None:
            self._scanned[place] = card
        self._dealt[deck] += 1

    def _bind(self, before: Table, seat: int, commitment: str) -> None:
        betting = before.round is not None and before.round.phase is Phase.WAGERING
        require(betting, "seeds", f"{self._round} bound seat {seat} to a seed too late.")
        require(seat not in self._bound, "seeds", f"{self._round} bound seat {seat} twice.")
        self._bound[seat] = commitment

    def _reveal(self, seat: int, seed: str) -> None:
        found = _hash(b"openfelt.seed/1", self._round, str(seat), bytes.fromhex(seed))
        bound = self._bound.get(seat)
        require(found.hex() == bound, "seeds", f"{self._round} took another seed from seat {seat}.")
        self._seeds[seat] = seed
        self._tally.add("seed revealed")

    def _fix(self, before: Table, withheld: tuple[int, ...]) -> None:
        assert before.round is not None
        banker = before.round.opened.banker
        seats = {spot.seat for spot in before.round.hands} | ({banker.seat} if banker else set())
        bound = {seat: self._bound[seat] for seat in sorted(self._bound) if seat in seats}
        missing = tuple(seat for seat in bound if seat not in self._seeds)
        require(withheld == missing, "seeds", f"{self._round}: {withheld} withheld, not {missing}.")
        for _ in withheld:
            self._tally.add("seed withheld")
        if self._seeds:
            parts: list[bytes | str] = []
            for seat, commitment in bound.items():
                seed = self._seeds.get(seat)
                parts += [str(seat), "withheld" if seed is None else "revealed"]
                parts.append(bytes.fromhex(seed or commitment))
            self._mixed = _hash(b"openfelt.seeds_mixed/1", self._round, *parts)

    def _order(self, before: Table, deck: str) -> tuple[Card, ...]:
        """The cards of a deck as the seeds turn them, without those that the table deals."""
        if deck not in self._orders:
            cards = list(self.decks[deck])
            if self._mixed is not None:
                cards = _turned(cards, self._round, deck, self._roots[deck], self._mixed)
            if deck != "table":
                at_table = 5 + (5 if before.house.game is GameName.ULTIMATE_DRAW else 2)
                of_table = (
                    self._order(before, "table")[:at_table]
                    if before.virtual
                    else self._scanned.values()
                )
                cards = [card for card in cards if card not in of_table]
            self._orders[deck] = tuple(cards)
        return self._orders[deck]

    def _check_new(self, before: Table, place: Place, card: Card) -> None:
        """No card comes twice out of one deck."""
        state = before.round
        assert state is not None
        require(
            card not in _cards_of_deck(state, place),
            "card dealt twice",
            f"{self._round} dealt {card} to {place}, and it lies there already.",
        )

    # Settling ------------------------------------------------------------------------

    def _settle(self, before: Table, settlement: Settlement) -> None:
        self._check_lines(settlement)
        assert before.round is not None
        for line in settlement.lines:
            self._check_line(before.round, line)
        self._tally.add("rounds settled")
        self._tally.add(f"rounds settled, {before.house.id}")
        if any(line.uncovered_cents for line in settlement.lines):
            self._tally.add("bank ran out")
        if settlement.meter_paid_cents:
            self._tally.add("share of a jackpot won")

    def _void(self, before: Table, settlement: Settlement) -> None:
        self._check_lines(settlement)
        for line in settlement.lines:
            back = line.returned_cents == line.stake_cents and not line.payout_cents
            require(back, "void", f"{self._round} is void, and this is not a return: {line}.")
        assert before.round is not None
        self._tally.add("rounds voided")
        self._tally.add(f"voided {_moment(before.round)}")

    def _check_lines(self, settlement: Settlement) -> None:
        """Every wager on the felt has one line, and no line is about another wager."""
        settled = Counter(
            (line.spot, line.wager, line.beneficiary)
            for line in settlement.lines
            if line.wager not in ("envy", "ante_bonus")
        )
        stakes = {
            (line.spot, line.wager, line.beneficiary): line.stake_cents
            for line in settlement.lines
            if line.wager not in ("envy", "ante_bonus")
        }
        require(
            stakes == self.wagers and all(count == 1 for count in settled.values()),
            "wager settled once",
            f"{self._round} had {self.wagers} on the felt and settled {stakes}, {settled}.",
        )
        self.wagers = {}

    def _check_line(self, state: Round, line: Line) -> None:
        """Whole cents, by the odds that the line names, rounded down as the house says."""
        amounts = (
            line.stake_cents,
            line.returned_cents,
            line.payout_cents,
            line.uncovered_cents,
            line.over_aggregate_cents,
        )
        require(
            all(type(cents) is int and cents >= 0 for cents in amounts),
            "whole cents",
            f"{self._round} has a line with other amounts: {line}.",
        )
        if line.odds is None or line.result is not Result.WIN or line.paid_by is PaidBy.LINK:
            return
        unit, stake_cents = state.house.rounding_unit_cents, line.stake_cents
        if line.wager == "ante_bonus":
            stake_cents = state.hands[line.spot].stake_cents(WagerKind.ANTE, line.beneficiary)
        due_cents = stake_cents * line.odds.pays // line.odds.per // unit * unit
        require(
            line.payout_cents + line.uncovered_cents + line.over_aggregate_cents == due_cents,
            "payout to the cent",
            f"{self._round} owes {due_cents} cents: {line}.",
        )


def _hash(*parts: bytes | str) -> bytes:
    plain = [part.encode() if isinstance(part, str) else part for part in parts]
    return sha256(b"".join(len(part).to_bytes(4, "big") + part for part in plain)).digest()


def _turned(cards: list[Card], name: str, deck: str, root: str, mixed: bytes) -> list[Card]:
    """A deck dealt as its seeds say, by a Fisher-Yates shuffle of this auditor's own."""
    parts = [b"openfelt.permutation/1", name.encode(), deck.encode(), bytes.fromhex(root), mixed]
    start = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    drawn = chain.from_iterable(
        sha256(start + number.to_bytes(4, "big")).digest() for number in count()
    )
    for last in range(len(cards) - 1, 0, -1):
        mask = (1 << last.bit_length()) - 1
        at = next(byte & mask for byte in drawn if byte & mask <= last)
        cards[last], cards[at] = cards[at], cards[last]
    return cards


def _cards_of_deck(state: Round, place: Place) -> set[Card]:
    """The cards on the felt that came out of the deck of this place."""
    own = state.house.deck is Deck.PER_TERMINAL and place.lies is Lies.HAND
    cards = {*state.dealer, *state.common}
    for spot, hand in state.hands.items():
        if not own or (place.spot is not None and spot.seat == place.spot.seat):
            cards.update(hand.cards)
    return cards


def _moment(state: Round) -> str:
    """When in a round something happened."""
    if state.phase is Phase.PLAYING:
        return state.street.words if state.street else "while cards were dealt"
    return {Phase.WAGERING: "while bets were open", Phase.READY: "before it was confirmed"}[
        state.phase
    ]
