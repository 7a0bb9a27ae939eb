"""The audit of a table's rounds: the cards, the decks they came from, and the settlements.

Findings never name a card. An audit's report is passed on, and the round may still be played.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from openfelt.cards import Card
from openfelt.money import format_cents
from openfelt.rules.dealing import Deal
from openfelt.rules.lines import Line, Settlement
from openfelt.rules.round import (
    BetsClosed,
    CardCorrected,
    CardDealt,
    Round,
    RoundOpened,
    RoundSettled,
    RoundVoided,
)
from openfelt.rules.settlement import settle, void_settlement
from openfelt.runtime.audit.context import ImpossibleEvent
from openfelt.runtime.audit.report import ReportDraft
from openfelt.runtime.shuffle.deck_secrets import stored_decks
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.storage.door import Damaged, KeyMissing, Store, StoredEvent
from openfelt.table.croupier import deck_cards
from openfelt.table.deck import TABLE_DECK, deck_of, next_card, seat_decks
from openfelt.table.events import DeckCommitted, TableEvent
from openfelt.table.state import Table


class Fault(NamedTuple):
    """What is wrong with an event of a round."""

    sentence: str
    expected: str
    found: str


class RoundsAudit:
    """The audit of one table's rounds, event by event."""

    def __init__(
        self, store: Store, stream: str, report: ReportDraft, *, purged_up_to: int
    ) -> None:
        self._store = store
        self._stream = stream
        self._report = report
        self._purged_up_to = purged_up_to
        """The number of the last round whose decks have been purged."""
        used = store.sealing_keys()
        self._keyless = bool(used) and used == store.missing_keys()
        """Whether no key is here at all, as on an auditor's machine."""
        self._unopened = False
        self._secrets: Mapping[str, str] | None = None
        self._cards: dict[str, Sequence[Card]] = {}
        """The secret decks of the round that match their commitments, from the top down."""

    def take(self, table: Table, event: TableEvent, stored: StoredEvent) -> None:
        """Check an event of a round, with the table as it was before."""
        for fault in self._faults(table, event):
            self._report.find(
                self._stream,
                fault.sentence,
                version=stored.version,
                expected=fault.expected,
                found=fault.found,
            )

    def _faults(self, table: Table, event: TableEvent) -> Iterator[Fault]:
        match event:
            case RoundOpened():
                self._secrets, self._cards = None, {}
                yield from _opened(table, event)
            case DeckCommitted():
                yield from self._committed(table, event)
            case BetsClosed():
                yield from _decks_missing(table)
            case CardDealt():
                self._report.counts.cards += 1
                yield from self._dealt(table, event)
            case CardCorrected():
                yield from _corrected(table, event)
            case RoundSettled(settlement):
                self._report.counts.rounds_settled += 1
                yield from self._over(table)
                yield from _settled(_round(table), settlement)
            case RoundVoided(_, settlement):
                self._report.counts.rounds_voided += 1
                yield from self._over(table)
                yield from _voided(_round(table), settlement)

    # Decks and cards ---------------------------------------------------------------

    def _committed(self, table: Table, event: DeckCommitted) -> Iterator[Fault]:
        state = _round(table)
        if self._secrets is None:
            yield from self._open_decks(table)
        if table.virtual and state.plan:
            yield Fault(
                f"The deck {event.deck} of {table.round_id} was committed to after bets closed.",
                "a commitment before bets closed",
                "a later one",
            )
        if event.deck in table.commitments:
            yield Fault(
                f"The deck {event.deck} is committed to twice.", "one commitment", "another one"
            )
        body = (self._secrets or {}).get(event.deck)
        if body is None and (self._unopened or table.rounds <= self._purged_up_to):
            self._report.counts.decks_purged += not self._unopened
            return
        if body is None:
            yield Fault(
                f"The deck {event.deck} of {table.round_id} is missing.",
                f"a deck with the root {event.root}",
                "none",
            )
            return
        try:
            deck = SecretDeck.from_json(body)
        except ProofError as error:
            yield Fault(str(error), f"a deck with the root {event.root}", "none")
            return
        yield from self._check_deck(table, event, deck)

    def _open_decks(self, table: Table) -> Iterator[Fault]:
        """Read the secret decks of a round; raises KeyMissing where no key is here."""
        self._secrets, self._unopened = {}, False
        try:
            self._secrets = stored_decks(self._store, self._stream, table.rounds)
        except Damaged:
            found = "something else than was sealed"
        except KeyMissing as error:
            if self._keyless:
                raise
            found = f"one that is sealed with the key {error.key}, which is not here"
        else:
            return
        self._unopened = True
        yield Fault(f"A deck of {table.round_id} cannot be opened.", "a sealed deck", found)

    def _check_deck(self, table: Table, event: DeckCommitted, deck: SecretDeck) -> Iterator[Fault]:
        """The secret is the deck that was committed to, and it has the right cards."""
        if (deck.round_id, deck.deck, deck.root) != (table.round_id, event.deck, event.root):
            yield Fault(
                f"The deck {event.deck} of {table.round_id} is not the one committed to.",
                f"the root {event.root}",
                f"the root {deck.root}",
            )
            return
        wanted = deck_cards(_round(table), event.deck, self._cards.get(TABLE_DECK, ()))
        if sorted(deck.cards) != sorted(wanted):
            yield Fault(
                f"The deck {event.deck} of {table.round_id} does not have the right cards.",
                f"{len(wanted)} cards",
                f"{len(deck.cards)} cards, not the right ones",
            )
        self._cards[event.deck] = deck.cards
        self._report.counts.decks += 1

    def _dealt(self, table: Table, event: CardDealt) -> Iterator[Fault]:
        state = _round(table)
        step = state.current_step
        if not isinstance(step, Deal) or step.place != event.place:
            wanted = f"a card to {step.place}" if isinstance(step, Deal) else "no card"
            yield Fault("A card was dealt against the plan.", wanted, f"{event.place}")
            return
        name = deck_of(state.house, event.place)
        if name in self._cards:
            if next_card(state, self._cards) != event.card:
                yield Fault(
                    f"The {event.place} of {table.round_id} does not come from the deck {name}.",
                    "the next card of the deck",
                    "another card",
                )
        elif table.virtual and name not in table.commitments:
            yield Fault(
                f"The {event.place} was dealt from a deck without a commitment.",
                f"a commitment to the deck {name}",
                "none",
            )

    def _over(self, table: Table) -> Iterator[Fault]:
        """At the end of a round no card was dealt twice, and no deck lacks a commitment."""
        for deck in _decks_with_repeats(_round(table)):
            yield Fault(
                f"In round {table.round_id} a card was dealt twice.",
                "different cards",
                f"a card twice among those dealt from the deck {deck}",
            )
        names = (self._secrets or {}).keys() - table.commitments.keys()
        for name in sorted(names):
            yield Fault(
                f"There is no commitment to the deck {name} of {table.round_id}.",
                "no such deck",
                f"a deck {name}",
            )


def _round(table: Table) -> Round:
    if table.round is None:
        raise ImpossibleEvent("No round has been opened")
    return table.round


def _opened(table: Table, event: RoundOpened) -> Iterator[Fault]:
    if table.playing is not None or event.number != table.rounds + 1:
        yield Fault(
            "A round opens out of turn.",
            f"round {table.rounds + 1}" if table.playing is None else f"no end to {table.round_id}",
            f"round {event.number}",
        )
    rules = (table.house.id, table.house.fingerprint)
    if (event.house, event.fingerprint) != rules:
        yield Fault(
            f"Round {event.number} opens under rules that are not the table's.",
            " ".join(rules),
            f"{event.house} {event.fingerprint}",
        )


def _decks_missing(table: Table) -> Iterator[Fault]:
    """At a virtual table every deck is committed to before bets close."""
    if not table.virtual:
        return
    state = _round(table)
    seats = sorted({spot.seat for spot in state.hands})
    for name in (TABLE_DECK, *seat_decks(state.house, seats)):
        if name not in table.commitments:
            yield Fault(
                f"Bets of round {table.round_id} closed without a commitment to the deck {name}.",
                "a commitment before bets closed",
                "none",
            )


def _corrected(table: Table, event: CardCorrected) -> Iterator[Fault]:
    name = deck_of(_round(table).house, event.place)
    if table.virtual or name in table.commitments:
        yield Fault(
            f"The {event.place} was corrected, but its deck {name} is virtual.",
            "no correction",
            "a correction",
        )


def _decks_with_repeats(state: Round) -> Iterator[str]:
    """Decks from which a card was dealt twice; terminals' decks are independent (R.11)."""
    at_table = [*state.dealer, *state.common]
    by_deck: dict[str, list[Card]] = {}
    for spot, hand in state.hands.items():
        shared = state.house.deck.value == "shared"
        by_deck.setdefault("table" if shared else f"seat-{spot.seat}", []).extend(hand.cards)
    for name, cards in ((TABLE_DECK, []), *by_deck.items()):
        dealt = [*at_table, *cards]
        if len(set(dealt)) != len(dealt):
            yield name


# Settlements -----------------------------------------------------------------


def _settled(state: Round, found: Settlement) -> Iterator[Fault]:
    wanted = settle(state, meter_cents=found.meter_cents, seed_cents=found.seed_cents)
    if wanted != found:
        yield Fault("The settlement is not what the rules give.", *_difference(wanted, found))


def _voided(state: Round, found: Settlement) -> Iterator[Fault]:
    if (wanted := void_settlement(state)) != found:
        yield Fault("The void round does not return every wager.", *_difference(wanted, found))


def _difference(wanted: Settlement, found: Settlement) -> tuple[str, str]:
    """The first line that differs, or what differs apart from the lines."""
    for number, (ours, theirs) in enumerate(zip_longest(wanted.lines, found.lines), start=1):
        if ours != theirs:
            return _line_words(number, ours), _line_words(number, theirs)
    return _head_words(wanted), _head_words(found)


def _line_words(number: int, line: Line | None) -> str:
    if line is None:
        return f"no line {number}"
    return (
        f"line {number}, {line.spot} {line.outcome} on {format_cents(line.stake_cents)}, "
        f"returned {format_cents(line.returned_cents)}, paid {format_cents(line.payout_cents)}, "
        f"clause {line.clause}"
    )


def _head_words(settlement: Settlement) -> str:
    return (
        f"dealer's hand {settlement.dealer_hand}, qualified {settlement.dealer_qualified}, "
        f"cover left {settlement.cover_left_cents}, meter {settlement.meter_cents}, "
        f"seed {settlement.seed_cents}, shares {settlement.meter_paid_cents}"
    )
