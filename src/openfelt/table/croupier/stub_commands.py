"""Counting the stub: what is left of a real deck, against the cards that were dealt (R.39)."""

from collections import Counter

from openfelt.cards import FULL_DECK, UNKNOWN_CARD, Card
from openfelt.rules.action_checks import malformed
from openfelt.rules.dealing import Deal
from openfelt.rules.house import Deck
from openfelt.rules.refusal import Refusal, RefusalCode
from openfelt.rules.round import Phase, Round
from openfelt.table.commands import CountStub, Person
from openfelt.table.events import StubCounted
from openfelt.table.permissions import Events, Outside
from openfelt.table.refusal import TableCode
from openfelt.table.state import Table

_DECK_MAX = 104
"""More cards than any stub of one deck has, even with another deck mixed into it."""

_NAMED_MAX = 3
"""Missing cards are named if no more of them than this are missing."""


def count_stub(table: Table, command: CountStub, _: Person, __: Outside) -> Events:
    """Count or scan what is left of the deck, once the last card of a round is dealt."""
    count, cards = command.count, command.cards
    if (count is None) == (cards is None):
        raise malformed("Give the number of cards in the stub, or scan them.")
    if count is not None and (type(count) is not int or not 0 <= count <= _DECK_MAX):
        raise malformed(f"A stub must have from 0 to {_DECK_MAX} cards.")
    if cards is not None and not (
        isinstance(cards, tuple)
        and len(cards) <= _DECK_MAX
        and all(isinstance(card, Card) for card in cards)
    ):
        raise malformed("A scanned stub must be a list of cards.")
    if table.virtual:
        raise Refusal(TableCode.CARDS_ARE_VIRTUAL, "The cards of this table are dealt virtually.")
    state = table.round
    if state is None or not all_dealt(state):
        raise Refusal(
            TableCode.NO_STUB, "The stub can be counted only when all cards of the round are dealt."
        )
    if cards is not None and state.phase is Phase.PLAYING:
        raise Refusal(
            TableCode.NO_STUB, "While hands decide, count the stub without looking at its cards."
        )
    if command.round not in (None, state.opened.number):
        raise Refusal(
            RefusalCode.TOO_LATE,
            f"That was for another round; this is round {state.opened.number}.",
        )
    return (_counted(state, count, cards),)


def all_dealt(state: Round) -> bool:
    """Whether the last card of a round has left the deck."""
    if not state.plan or state.phase is Phase.WAGERING:
        return False
    waiting = state.plan[state.step :] if state.phase is Phase.PLAYING else ()
    return not any(isinstance(step, Deal) for step in waiting)


def _counted(state: Round, count: int | None, cards: tuple[Card, ...] | None) -> StubCounted:
    dealt = dealt_cards(state)
    expected = len(FULL_DECK) - len(dealt)
    if cards is None:
        assert count is not None
        return StubCounted(state.opened.number, count, expected, missing=(), extra=())
    counts = Counter([*dealt, *cards])
    # A scan of half a stub would only reveal which cards lie face down in mucked hands.
    complete = abs(len(cards) - expected) <= _NAMED_MAX
    return StubCounted(
        state.opened.number,
        len(cards),
        expected,
        missing=tuple(card for card in FULL_DECK if complete and not counts[card]),
        extra=tuple(card for card in FULL_DECK if counts[card] > 1),
    )


def dealt_cards(state: Round) -> tuple[Card, ...]:
    """The cards that have left the dealer's deck; the hands of terminals come from other decks."""
    cards = [*state.dealer, *state.common, *state.burned]
    if state.house.deck is Deck.SHARED:
        for hand in state.hands.values():
            cards += hand.cards
    return tuple(card for card in cards if card is not UNKNOWN_CARD)
