"""Irregularities of a deal by hand: what each kind does, who may declare it, and when.

Cards follow R.37, chips R.40, and hands that were fouled R.41.

This is rule data. A house follows the rows below unless its file has its own row for the same
irregularity, which then comes first.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Irregularity(StrEnum):
    """A kind of irregularity."""

    SHUFFLER_MALFUNCTION = "shuffler_malfunction"
    DECK_WRONG = "deck_wrong"
    """A card is there twice, or belongs to another deck."""
    CARD_FACE_UP = "card_face_up"
    """A card lies face up in the deck."""
    CARD_EXPOSED = "card_exposed"
    """The house has shown a card that players must not see yet."""
    CARD_MISPLACED = "card_misplaced"
    TOO_MANY_CARDS = "too_many_cards"
    TOO_FEW_CARDS = "too_few_cards"
    CARDS_STUCK = "cards_stuck"
    """Two cards left the shoe as one; the card below is one too many."""
    HAND_FOULED = "hand_fouled"
    """The player has taken cards off the table, exchanged or mixed them."""
    HAND_TOUCHED = "hand_touched"
    """A person who is not its player has fouled a hand."""
    HAND_MUCKED = "hand_mucked"
    """The dealer has taken a hand in that was still in play."""
    WAGER_LATE = "wager_late"
    """Chips were laid down after bets closed."""
    WAGER_SHORT = "wager_short"
    """Chips were missing that the terminal had accepted, and the player has laid them down."""
    WAGER_DENIED = "wager_denied"
    """The chips are missing, and the player did not make the wager."""
    PLAY_DIFFERS = "play_differs"
    """The chips of the Play wager were not those of the decision, and are put right."""
    PLAY_DENIED = "play_denied"
    """The player did not make the decision that the terminal has taken."""


class About(StrEnum):
    """Which cards or chips an irregularity is about."""

    DECK = "deck"
    """The cards that are not dealt yet."""
    HAND = "hand"
    DEALER = "dealer"
    COMMON = "common"
    CHIPS = "chips"
    """The chips of one hand, or on a spot without one."""


class Moment(StrEnum):
    """How far a round is, as irregularities see it."""

    DEALING = "dealing"
    """Bets are closed, and no hand has decided."""
    DECIDED = "decided"
    """A hand has decided."""
    READY = "ready"
    """All cards are turned; the round is not confirmed."""


class Effect(StrEnum):
    """The effect of an irregularity on the round."""

    NOTE_ONLY = "note_only"
    """The round plays on; the record keeps what happened."""
    REPLACE_CARD = "replace_card"
    """The card is out of play, and the next card of the deck takes its place."""
    BURN_CARD = "burn_card"
    """The card is out of play, and no other card takes its place."""
    LOSE_HAND = "lose_hand"
    """One hand loses all of its wagers; the other hands play on."""
    VOID_HAND = "void_hand"
    """The wagers of one hand go back in full; the other hands play on."""
    VOID_ROUND = "void_round"
    """The wagers of every hand go back in full (R.13)."""


MOVES_MONEY: Final = frozenset({Effect.LOSE_HAND, Effect.VOID_HAND, Effect.VOID_ROUND})
"""Effects that only a supervisor may declare."""
TAKES_CARD: Final = frozenset({Effect.REPLACE_CARD, Effect.BURN_CARD})
"""Effects that take a card of the deck out of play."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularityRule:
    """The effect of one irregularity at certain moments."""

    irregularity: Irregularity
    about: tuple[About, ...]
    moments: tuple[Moment, ...]
    effect: Effect
    supervisor: bool
    """Whether only a supervisor may declare it; otherwise the dealer of the table may as well."""
    voids_again: bool = False
    """Whether a second one in the same round voids the round, which a supervisor declares."""
    clause: str | None = None
    """The clause that it follows, None for the house's clause of void rounds."""


_WHOLE: Final = tuple(Moment)
_IN_DEAL: Final = (Moment.DEALING, Moment.DECIDED)
_SHARED: Final = (About.DEALER, About.COMMON)
_LATE: Final = (Moment.DECIDED, Moment.READY)
_RULING: Final = "R.37"
_CHIPS: Final = "R.40"
_FOULED: Final = "R.41"

STANDARD_IRREGULARITIES: Final = (
    IrregularityRule(
        irregularity=Irregularity.SHUFFLER_MALFUNCTION,
        about=(About.DECK,),
        moments=_WHOLE,
        effect=Effect.VOID_ROUND,
        supervisor=True,
    ),
    IrregularityRule(
        irregularity=Irregularity.DECK_WRONG,
        about=(About.DECK,),
        moments=_WHOLE,
        effect=Effect.VOID_ROUND,
        supervisor=True,
        clause=_RULING,
    ),
    *(
        IrregularityRule(
            irregularity=irregularity,
            about=(About.DECK,),
            moments=(moment,),
            effect=Effect.REPLACE_CARD,
            # After a decision, another card may be the one that a player wishes for.
            supervisor=moment is Moment.DECIDED,
            voids_again=irregularity is Irregularity.CARD_FACE_UP,
            clause=_RULING,
        )
        for irregularity in (Irregularity.CARD_FACE_UP, Irregularity.CARD_EXPOSED)
        for moment in _IN_DEAL
    ),
    IrregularityRule(
        irregularity=Irregularity.CARD_EXPOSED,
        about=(About.HAND,),
        moments=_IN_DEAL,
        effect=Effect.NOTE_ONLY,
        supervisor=False,
        clause=_RULING,
    ),
    IrregularityRule(
        irregularity=Irregularity.CARD_EXPOSED,
        about=_SHARED,
        moments=_IN_DEAL,
        effect=Effect.VOID_ROUND,
        supervisor=True,
        clause=_RULING,
    ),
    IrregularityRule(
        irregularity=Irregularity.CARD_MISPLACED,
        about=(About.HAND, *_SHARED),
        moments=(Moment.DEALING,),
        effect=Effect.NOTE_ONLY,
        supervisor=False,
        clause=_RULING,
    ),
    IrregularityRule(
        irregularity=Irregularity.CARD_MISPLACED,
        about=(About.HAND,),
        moments=_LATE,
        effect=Effect.VOID_HAND,
        supervisor=True,
        clause=_RULING,
    ),
    IrregularityRule(
        irregularity=Irregularity.CARD_MISPLACED,
        about=_SHARED,
        moments=_LATE,
        effect=Effect.VOID_ROUND,
        supervisor=True,
        clause=_RULING,
    ),
    *(
        IrregularityRule(
            irregularity=irregularity,
            about=about,
            moments=_WHOLE,
            effect=effect,
            supervisor=True,
            clause=_RULING,
        )
        for irregularity in (Irregularity.TOO_MANY_CARDS, Irregularity.TOO_FEW_CARDS)
        for about, effect in (((About.HAND,), Effect.VOID_HAND), (_SHARED, Effect.VOID_ROUND))
    ),
    *(
        IrregularityRule(
            irregularity=Irregularity.CARDS_STUCK,
            about=(About.DECK,),
            moments=(moment,),
            effect=Effect.BURN_CARD,
            # After a decision, another card may be the one that a player wishes for.
            supervisor=moment is Moment.DECIDED,
            clause=_RULING,
        )
        for moment in Moment
    ),
    *(
        IrregularityRule(
            irregularity=irregularity,
            about=(About.HAND,),
            moments=_WHOLE,
            effect=effect,
            supervisor=effect in MOVES_MONEY,
            clause=_FOULED,
        )
        for irregularity, effect in (
            (Irregularity.HAND_FOULED, Effect.LOSE_HAND),
            (Irregularity.HAND_TOUCHED, Effect.VOID_HAND),
            (Irregularity.HAND_MUCKED, Effect.NOTE_ONLY),
        )
    ),
    *(
        IrregularityRule(
            irregularity=irregularity,
            about=(About.CHIPS,),
            moments=moments,
            effect=effect,
            supervisor=effect in MOVES_MONEY,
            clause=_CHIPS,
        )
        for irregularity, moments, effect in (
            (Irregularity.WAGER_LATE, _WHOLE, Effect.NOTE_ONLY),
            (Irregularity.WAGER_SHORT, _WHOLE, Effect.NOTE_ONLY),
            (Irregularity.WAGER_DENIED, _WHOLE, Effect.VOID_HAND),
            (Irregularity.PLAY_DIFFERS, _LATE, Effect.NOTE_ONLY),
            (Irregularity.PLAY_DENIED, _LATE, Effect.VOID_HAND),
        )
    ),
)
"""The customary rulings, in the order in which a screen offers them."""
