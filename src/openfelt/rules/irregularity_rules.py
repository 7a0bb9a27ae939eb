"""Irregularities of a deal by hand: what each kind does, who may declare it, and when (R.37).

This is rule data. A house follows the rows below unless its file has a row of its own for the
same irregularity, which then comes first.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Irregularity(StrEnum):
    """What has gone wrong."""

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


class About(StrEnum):
    """Which cards an irregularity is about."""

    DECK = "deck"
    """The cards that are not dealt yet."""
    HAND = "hand"
    DEALER = "dealer"
    COMMON = "common"


class Moment(StrEnum):
    """How far a round is, as irregularities see it."""

    DEALING = "dealing"
    """Bets are closed, and no hand has decided."""
    DECIDED = "decided"
    """A hand has decided."""
    READY = "ready"
    """All cards are turned; the round is not confirmed."""


class Effect(StrEnum):
    """What an irregularity does to the round."""

    NOTE_ONLY = "note_only"
    """The round plays on; the record keeps what happened."""
    REPLACE_CARD = "replace_card"
    """The card is out of play, and the next card of the deck takes its place."""
    VOID_HAND = "void_hand"
    """The wagers of one hand go back in full; the other hands play on."""
    VOID_ROUND = "void_round"
    """The wagers of every hand go back in full (R.13)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IrregularityRule:
    """What one irregularity does at certain moments."""

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
_RULING: Final = "R.37"

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
        moments=(Moment.DECIDED, Moment.READY),
        effect=Effect.VOID_HAND,
        supervisor=True,
        clause=_RULING,
    ),
    IrregularityRule(
        irregularity=Irregularity.CARD_MISPLACED,
        about=_SHARED,
        moments=(Moment.DECIDED, Moment.READY),
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
)
"""The customary rulings, in the order in which a screen offers them."""
