"""The audit of a table's rounds: the cards, the decks they came from, and the settlements.

Findings never name a card. An audit's report is passed on, and the round may still be played.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from operator import attrgetter
from typing import Final

from openfelt.cards import FULL_DECK, UNKNOWN_CARD, Card
from openfelt.money import format_cents
from openfelt.rules.dealing import Deal
from openfelt.rules.house import Deck
from openfelt.rules.lines import Line, Settlement
from openfelt.rules.round import Round
from openfelt.rules.round_events import (
    BetsClosed,
    CardCorrected,
    CardDealt,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    WagersSet,
)
from openfelt.rules.settlement import settle, void_settlement
from openfelt.rules.unknown_cards import (
    has_unknown_cards,
    settles_without,
    with_any_cards,
)
from openfelt.runtime.audit.context import ImpossibleEvent
from openfelt.runtime.audit.fault import Fault
from openfelt.runtime.audit.progress.progress_state import Saved
from openfelt.runtime.audit.report import ReportDraft
from openfelt.runtime.audit.round_seeds import seed_faults
from openfelt.runtime.shuffle.dealing_order import DealingOrder
from openfelt.runtime.shuffle.deck_secrets import stored_decks
from openfelt.runtime.shuffle.merkle import ProofError
from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.storage.door import Damaged, KeyLost, KeyMissing, Store, StoredEvent
from openfelt.storage.secrecy.secrets_door import LOST_KEYS_PREFIX
from openfelt.table.croupier.committed_decks import cards_needed, scanned_cards
from openfelt.table.deck import TABLE_DECK, deck_of, next_card, seat_decks
from openfelt.table.events import (
    DeckCommitted,
    SeedCommitted,
    SeedRevealed,
    SeedsCalled,
    SeedsFixed,
    TableEvent,
)
from openfelt.table.state import Table
from openfelt.table.void_reasons import void_clause

_NUMBER: Final = attrgetter("number")


class RoundsAudit:
    """The audit of one table's rounds, event by event."""

    def __init__(
        self,
        store: Store,
        stream: str,
        report: ReportDraft,
        *,
        purged_up_to: int,
        shipped: bool = False,
    ) -> None:
        """``shipped`` is for a copy of the log: it must have what every settlement needs."""
        self._store = store
        self._stream = stream
        self._report = report
        self._shipped = shipped
        self._purged_up_to = purged_up_to
        """The number of the last round whose decks have been purged."""
        used = store.encryption_keys()
        self._keyless = bool(used) and used == store.missing_keys()
        """Whether no key is here at all, as on an auditor's machine."""
        self._unopened = False
        self._secrets: Mapping[str, str] | None = None
        self._decks: dict[str, SecretDeck] = {}
        """The secret decks of the round that match their commitments."""
        self._order: DealingOrder | None = None
        """The cards of these decks as they must be dealt, once that is decided."""
        self._seals_ahead = False
        """Whether the table has ever committed to a deck before a round."""

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

    def saved(self) -> Saved:
        """The state of earlier rounds that a later audit needs, except for the table itself."""
        return {"seals_ahead": self._seals_ahead}

    def resume(self, table: Table, saved: Saved) -> None:
        """Continue with a table in the middle of its record."""
        self._seals_ahead = bool(saved["seals_ahead"])
        if not table.commitments:
            return
        self._secrets = stored_decks(self._store, self._stream, table.deck_round)
        for name, root in table.commitments.items():
            deck = SecretDeck.from_json(self._secrets[name]) if name in self._secrets else None
            if deck is not None and deck.root == root:
                self._decks[name] = deck

    def _faults(self, table: Table, event: TableEvent) -> Iterator[Fault]:
        match event:
            case RoundOpened():
                yield from _opened(table, event)
                yield from self._sealed(table)
            case DeckCommitted():
                yield from self._committed(table, event)
            case WagersSet(spot, wagers) if wagers:
                yield from self._wager_on_sealed_deck(table, spot.seat)
            case SeedCommitted() | SeedsCalled() | SeedRevealed() | SeedsFixed():
                yield from seed_faults(table, event)
                self._order = None
            case BetsClosed():
                yield from self._decks_missing(table)
            case CardDealt():
                self._report.counts.cards += 1
                yield from self._dealt(table, event)
            case CardCorrected():
                yield from _corrected(table, event)
            case RoundSettled(settlement):
                self._report.counts.rounds_settled += 1
                yield from self._over(table)
                yield from self._settled(_round(table), settlement)
                self._secrets, self._decks, self._order = None, {}, None
            case RoundVoided():
                self._report.counts.rounds_voided += 1
                yield from self._over(table)
                yield from _voided(_round(table), event)
                self._secrets, self._decks, self._order = None, {}, None

    def _sealed(self, table: Table) -> Iterator[Fault]:
        """Once a table commits to its decks before rounds open, it never stops doing so.

        Only rounds of an earlier version of Openfelt opened without.
        """
        if table.commitments:
            self._seals_ahead = True
        if not table.virtual or table.commitments:
            return
        if self._seals_ahead:
            yield Fault(
                f"Round {table.deck_round_id} opened without a commitment to its deck.",
                "a commitment before the round",
                "none",
            )
        else:
            self._report.counts.rounds_sealed_late += 1

    # Decks and cards ---------------------------------------------------------------

    def _committed(self, table: Table, event: DeckCommitted) -> Iterator[Fault]:
        if self._secrets is None:
            yield from self._open_decks(table)
        name, state = table.deck_round_id, table.playing
        if state is not None and not state.plan and not table.virtual:
            self._seals_ahead = True
        in_old_way = not table.virtual and not self._seals_ahead
        if state is not None and state.plan and not in_old_way:
            yield Fault(
                f"The deck {event.deck} of {name} was committed to after bets closed.",
                "a commitment before bets closed",
                "a later one",
            )
        if event.deck in table.commitments:
            yield Fault(
                f"The deck {event.deck} is committed to twice.", "one commitment", "another one"
            )
        body = (self._secrets or {}).get(event.deck)
        if body is None and (self._unopened or table.deck_round <= self._purged_up_to):
            self._report.counts.decks_purged += not self._unopened
            return
        if body is None:
            yield Fault(
                f"The deck {event.deck} of {name} is missing.",
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
            self._secrets = stored_decks(self._store, self._stream, table.deck_round)
        except Damaged:
            contents = "something other than what was encrypted"
        except KeyLost:
            self._unopened = True
            return
        except KeyMissing as error:
            if self._keyless:
                raise
            contents = f"one that is encrypted with the key {error.key}, which is not here"
        else:
            return
        self._unopened = True
        yield Fault(
            f"A deck of {table.deck_round_id} cannot be opened.", "an encrypted deck", contents
        )

    def _check_deck(self, table: Table, event: DeckCommitted, deck: SecretDeck) -> Iterator[Fault]:
        """The secret is the deck that was committed to, and it has the right cards."""
        name = table.deck_round_id
        if (deck.round_id, deck.deck, deck.root) != (name, event.deck, event.root):
            yield Fault(
                f"The deck {event.deck} of {name} is not the one committed to.",
                f"the root {event.root}",
                f"the root {deck.root}",
            )
            return
        wanted = self._cards_wanted(table, event.deck)
        if sorted(deck.cards, key=_NUMBER) != sorted(wanted, key=_NUMBER):
            yield Fault(
                f"The deck {event.deck} of {name} does not have the right cards.",
                f"{len(wanted)} cards",
                f"{len(deck.cards)} cards, not the right ones",
            )
        self._decks[event.deck] = deck
        self._order = None
        self._report.counts.decks += 1

    def _cards_wanted(self, table: Table, deck: str) -> Sequence[Card]:
        """A whole deck, unless a terminal's deck was committed to within its round (R.11)."""
        state = table.playing
        if deck == TABLE_DECK or state is None or table.seeds is not None:
            return FULL_DECK
        of_table = self._decks.get(TABLE_DECK)
        return cards_needed(state, of_table.cards if of_table else ())

    def _cards(self, table: Table) -> DealingOrder:
        """The cards of the decks as they must be dealt."""
        if self._order is None:
            seeds = table.seeds
            mixed = seeds.mixed(table.round_id) if seeds is not None else None
            self._order = DealingOrder(
                _round(table).house, self._decks, mixed, scanned=scanned_cards(table)
            )
        return self._order

    def _dealt(self, table: Table, event: CardDealt) -> Iterator[Fault]:
        state = _round(table)
        step = state.current_step
        if not isinstance(step, Deal) or step.place != event.place:
            wanted = f"a card to {step.place}" if isinstance(step, Deal) else "no card"
            yield Fault("A card was dealt against the plan.", wanted, f"{event.place}")
            return
        name = deck_of(state.house, event.place)
        scanned = name == TABLE_DECK and not table.virtual
        if table.seeds is not None and not table.seeds.fixed and not scanned:
            yield Fault(
                f"The {event.place} of {table.round_id} was dealt before the seeds were fixed.",
                "no card yet",
                "a card",
            )
        if name in self._decks:
            if next_card(state, self._cards(table)) != event.card:
                yield Fault(
                    f"The {event.place} of {table.round_id} does not come from the deck {name}.",
                    "the next card of the deck",
                    "another card",
                )
        elif not scanned and name not in table.commitments:
            yield Fault(
                f"The {event.place} was dealt from a deck without a commitment.",
                f"a commitment to the deck {name}",
                "none",
            )

    def _wager_on_sealed_deck(self, table: Table, seat: int) -> Iterator[Fault]:
        """The decks that a wager is dealt from were committed to before it.

        Rounds of an earlier version of Openfelt were committed to later.
        """
        if table.seeds is None and (table.virtual or not self._seals_ahead):
            return
        for name in _decks_of(table, [seat]):
            if name not in table.commitments:
                yield Fault(
                    f"A wager of {table.round_id} was made before a commitment to the deck {name}.",
                    "a commitment before the wager",
                    "none",
                )

    def _decks_missing(self, table: Table) -> Iterator[Fault]:
        """Every deck is committed to before bets close."""
        if not table.virtual and not self._seals_ahead:
            if _round(table).house.deck is Deck.PER_TERMINAL:
                self._report.counts.rounds_sealed_late += 1
            return
        seats = sorted({spot.seat for spot in _round(table).hands})
        for name in _decks_of(table, seats):
            if name not in table.commitments:
                yield Fault(
                    f"Bets of round {table.round_id} closed without a commitment to the deck "
                    f"{name}.",
                    "a commitment before bets closed",
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

    def _settled(self, state: Round, recorded: Settlement) -> Iterator[Fault]:
        if has_unknown_cards(state):
            if not settles_without(state):
                yield from self._unsettled()
                return
            state = with_any_cards(state)
        wanted = settle(state, meter_cents=recorded.meter_cents, seed_cents=recorded.seed_cents)
        if wanted != recorded:
            yield Fault(
                "The settlement is not what the rules give.", *_difference(wanted, recorded)
            )

    def _unsettled(self) -> Iterator[Fault]:
        """A round of which a shown card is unknown, because its key is lost."""
        if not self._shipped:
            return
        if self._store.streams(LOST_KEYS_PREFIX):
            self._report.counts.rounds_unreadable += 1
        else:
            yield Fault(
                "The round cannot be settled again: the copy lacks cards that were shown.",
                "every card that was shown",
                "an unknown card",
            )


def _decks_of(table: Table, seats: Sequence[int]) -> tuple[str, ...]:
    """The decks from which the cards of these seats' rounds come."""
    own = (TABLE_DECK,) if table.virtual else ()
    return (*own, *seat_decks(_round(table).house, seats))


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
    if state.house.deck.value == "shared":
        at_table += state.burned
    by_deck: dict[str, list[Card]] = {}
    for spot, hand in state.hands.items():
        shared = state.house.deck.value == "shared"
        by_deck.setdefault("table" if shared else f"seat-{spot.seat}", []).extend(hand.cards)
    for name, cards in ((TABLE_DECK, []), *by_deck.items()):
        dealt = [*at_table, *cards]
        if any(card is not UNKNOWN_CARD and count > 1 for card, count in Counter(dealt).items()):
            yield name


# Settlements -----------------------------------------------------------------


def _voided(state: Round, event: RoundVoided) -> Iterator[Fault]:
    """Every wager goes back; earlier versions named the house's clause of void rounds for all."""
    wanted = void_settlement(state, clause=void_clause(state, event.code))
    recorded = event.settlement
    if recorded not in (wanted, void_settlement(state)):
        yield Fault("The void round does not return every wager.", *_difference(wanted, recorded))


def _difference(wanted: Settlement, recorded: Settlement) -> tuple[str, str]:
    """The first line that differs, or what differs apart from the lines."""
    for number, (ours, theirs) in enumerate(zip_longest(wanted.lines, recorded.lines), start=1):
        if ours != theirs:
            return _line_words(number, ours), _line_words(number, theirs)
    return _head_words(wanted), _head_words(recorded)


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
