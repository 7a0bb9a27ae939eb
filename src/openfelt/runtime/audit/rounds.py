"""An audit plays every round again: the cards, the decks they came from, and the settlement.

Findings never name a card. An audit's report is handed around, and the round may be going on.
"""

from collections.abc import Iterator, Mapping, Sequence

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
from openfelt.runtime.audit.report import Finding, OutOfPlace, Pad
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.storage.door import Store, StoredEvent
from openfelt.table.croupier import deck_cards
from openfelt.table.deck import TABLE_DECK, deck_of, next_card, seat_decks
from openfelt.table.events import DeckCommitted, TableEvent
from openfelt.table.state import Table

Said = tuple[str, str, str]
"""What is wrong: a sentence, what was expected, and what was found."""


class RoundsAudit:
    """The rounds of one table, checked event by event."""

    def __init__(self, store: Store, stream: str, pad: Pad) -> None:
        self._store = store
        self._stream = stream
        self._pad = pad
        self._secrets: Mapping[str, str] | None = None
        self._cards: dict[str, Sequence[Card]] = {}
        """The secret decks of the round that fit their commitments, from the top down."""

    def take(self, table: Table, event: TableEvent, stored: StoredEvent) -> None:
        """Check an event of a round, with the table as it was before."""
        for sentence, expected, found in self._wrong(table, event):
            self._pad.find(
                Finding(
                    where=self._stream,
                    version=stored.version,
                    sentence=sentence,
                    expected=expected,
                    found=found,
                )
            )

    def _wrong(self, table: Table, event: TableEvent) -> Iterator[Said]:
        match event:
            case RoundOpened():
                self._secrets, self._cards = None, {}
                yield from _opened(table, event)
            case DeckCommitted():
                yield from self._committed(table, event)
            case BetsClosed():
                yield from _decks_missing(table)
            case CardDealt():
                self._pad.counts.cards += 1
                yield from self._dealt(table, event)
            case CardCorrected():
                yield from _corrected(table, event)
            case RoundSettled(settlement):
                self._pad.counts.rounds_settled += 1
                yield from self._over(table)
                yield from _settled(_round(table), settlement)
            case RoundVoided(_, settlement):
                self._pad.counts.rounds_voided += 1
                yield from self._over(table)
                yield from _voided(_round(table), settlement)

    # Decks and cards ---------------------------------------------------------------

    def _committed(self, table: Table, event: DeckCommitted) -> Iterator[Said]:
        state = _round(table)
        if self._secrets is None:
            self._secrets = self._store.secrets(self._stream, f"{table.rounds}/")
        if table.virtual and state.plan:
            yield (
                f"The deck {event.deck} of {table.round_id} was committed to after bets closed.",
                "a commitment before the bets close",
                "one after that",
            )
        if event.deck in table.commitments:
            yield f"The deck {event.deck} is committed to twice.", "one commitment", "another one"
        body = self._secrets.get(f"{table.rounds}/{event.deck}")
        if body is None:
            yield (
                f"The deck {event.deck} of {table.round_id} is missing.",
                f"a deck with the root {event.root}",
                "none",
            )
            return
        try:
            deck = SecretDeck.from_json(body)
        except ProofError as error:
            yield str(error), f"a deck with the root {event.root}", "none"
            return
        yield from self._fits(table, event, deck)

    def _fits(self, table: Table, event: DeckCommitted, deck: SecretDeck) -> Iterator[Said]:
        """The secret is the deck that was committed to, and it has the right cards."""
        if (deck.round_id, deck.deck, deck.root) != (table.round_id, event.deck, event.root):
            yield (
                f"The deck {event.deck} of {table.round_id} is not the one committed to.",
                f"the root {event.root}",
                f"the root {deck.root}",
            )
            return
        wanted = deck_cards(_round(table), event.deck, self._cards.get(TABLE_DECK, ()))
        if sorted(deck.cards) != sorted(wanted):
            yield (
                f"The deck {event.deck} of {table.round_id} has other cards than belong to it.",
                f"{len(wanted)} cards",
                f"{len(deck.cards)} cards, and others",
            )
        self._cards[event.deck] = deck.cards
        self._pad.counts.decks += 1

    def _dealt(self, table: Table, event: CardDealt) -> Iterator[Said]:
        state = _round(table)
        step = state.current_step
        if not isinstance(step, Deal) or step.place != event.place:
            wanted = f"a card to {step.place}" if isinstance(step, Deal) else "no card"
            yield "A card went to another place than the plan says.", wanted, f"{event.place}"
            return
        name = deck_of(state.house, event.place)
        if name in self._cards:
            if next_card(state, self._cards) != event.card:
                yield (
                    f"The {event.place} of {table.round_id} does not come from the deck {name}.",
                    "the next card of the deck",
                    "another card",
                )
        elif table.virtual and name not in table.commitments:
            yield (
                f"The {event.place} was dealt from a deck without a commitment.",
                f"a commitment to the deck {name}",
                "none",
            )

    def _over(self, table: Table) -> Iterator[Said]:
        """At the end of a round no card is there twice, and no deck without a commitment."""
        for twice in _dealt_twice(_round(table)):
            yield f"In round {table.round_id} a card is there twice.", "different cards", twice
        names = {name.partition("/")[2] for name in self._secrets or {}}
        for name in sorted(names - table.commitments.keys()):
            yield (
                f"Nobody has committed to the deck {name} of {table.round_id}.",
                "no such deck",
                f"a deck {name}",
            )


def _round(table: Table) -> Round:
    if table.round is None:
        raise OutOfPlace("No round has been opened")
    return table.round


def _opened(table: Table, event: RoundOpened) -> Iterator[Said]:
    if table.playing is not None or event.number != table.rounds + 1:
        yield (
            "A round opens out of turn.",
            f"round {table.rounds + 1}" if table.playing is None else f"no end to {table.round_id}",
            f"round {event.number}",
        )
    rules = (table.house.id, table.house.fingerprint)
    if (event.house, event.fingerprint) != rules:
        yield (
            f"Round {event.number} opens under other rules than the table's.",
            " ".join(rules),
            f"{event.house} {event.fingerprint}",
        )


def _decks_missing(table: Table) -> Iterator[Said]:
    """At a virtual table every deck is committed to before bets close."""
    if not table.virtual:
        return
    state = _round(table)
    seats = sorted({spot.seat for spot in state.hands})
    for name in (TABLE_DECK, *seat_decks(state.house, seats)):
        if name not in table.commitments:
            yield (
                f"Bets of round {table.round_id} closed without a commitment to the deck {name}.",
                "a commitment before the bets close",
                "none",
            )


def _corrected(table: Table, event: CardCorrected) -> Iterator[Said]:
    name = deck_of(_round(table).house, event.place)
    if table.virtual or name in table.commitments:
        yield (
            f"The {event.place} was corrected, but its deck {name} is virtual.",
            "no correction",
            "one",
        )


def _dealt_twice(state: Round) -> Iterator[str]:
    """Places whose card lies elsewhere too; terminals' decks are apart from each other (R.11)."""
    at_table = [*state.dealer, *state.common]
    by_deck: dict[str, list[Card]] = {}
    for spot, hand in state.hands.items():
        shared = state.house.deck.value == "shared"
        by_deck.setdefault("table" if shared else f"seat-{spot.seat}", []).extend(hand.cards)
    for name, cards in ((TABLE_DECK, []), *by_deck.items()):
        every = [*at_table, *cards]
        if len(set(every)) != len(every):
            yield f"a card twice in what was dealt from the deck {name}"


# Settlements -----------------------------------------------------------------


def _settled(state: Round, found: Settlement) -> Iterator[Said]:
    wanted = settle(state, meter_cents=found.meter_cents, seed_cents=found.seed_cents)
    if wanted != found:
        yield ("The settlement is not what the rules give.", *_difference(wanted, found))


def _voided(state: Round, found: Settlement) -> Iterator[Said]:
    if (wanted := void_settlement(state)) != found:
        yield ("The void round does not give every wager back.", *_difference(wanted, found))


def _difference(wanted: Settlement, found: Settlement) -> tuple[str, str]:
    """The first line that differs, or what differs beside the lines."""
    for at in range(max(len(wanted.lines), len(found.lines))):
        ours = wanted.lines[at] if at < len(wanted.lines) else None
        theirs = found.lines[at] if at < len(found.lines) else None
        if ours != theirs:
            return _line_words(at, ours), _line_words(at, theirs)
    return _head_words(wanted), _head_words(found)


def _line_words(at: int, line: Line | None) -> str:
    if line is None:
        return f"no line {at + 1}"
    return (
        f"line {at + 1}, {line.spot} {line.outcome} on {format_cents(line.stake_cents)}, "
        f"returned {format_cents(line.returned_cents)}, paid {format_cents(line.payout_cents)}, "
        f"clause {line.clause}"
    )


def _head_words(settlement: Settlement) -> str:
    return (
        f"dealer's hand {settlement.dealer_hand}, qualified {settlement.dealer_qualified}, "
        f"cover left {settlement.cover_left_cents}, meter {settlement.meter_cents}, "
        f"seed {settlement.seed_cents}, shares {settlement.meter_paid_cents}"
    )
