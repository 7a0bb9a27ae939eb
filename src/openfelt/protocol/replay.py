"""A replay as it is sent: a player's own round, step by step.

What happened comes as values, from which a screen writes the sentence in its player's language.
No step names a card that its player could not see at that moment.
"""

from typing import Literal

from openfelt.protocol.table_views import (
    CardText,
    DecisionView,
    LineView,
    Message,
    OwnHandView,
    RoundView,
    Spot,
)

Lies = Literal["hand", "dealer", "common"]
"""Where cards lie; the common ones are the board, or the draw cards."""


class BetsClosed(Message, frozen=True, kw_only=True, tag_field="kind", tag="bets_closed"):
    """No more bets."""


class CardDealt(Message, frozen=True, kw_only=True, tag_field="kind", tag="card_dealt"):
    """A card was dealt; it is null if it is face down for the player."""

    lies: Lies
    seat: int | None = None
    hand: int | None = None
    position: int
    card: CardText | None = None


class CardCorrected(Message, frozen=True, kw_only=True, tag_field="kind", tag="card_corrected"):
    """A card that was scanned wrongly was corrected."""

    lies: Lies
    seat: int | None = None
    hand: int | None = None
    position: int
    card: CardText | None = None


class CardsTurned(Message, frozen=True, kw_only=True, tag_field="kind", tag="cards_turned"):
    """Cards were turned over: the dealer's, or all common cards so far; none for hands."""

    lies: Lies
    cards: list[CardText]
    seat: int | None = None
    """The seat of the one hand that was turned, null if all were turned together."""
    hand: int | None = None


class AntesReturned(Message, frozen=True, kw_only=True, tag_field="kind", tag="antes_returned"):
    """The dealer does not qualify: the Antes went back before any hand was turned."""


class DecisionMade(Message, frozen=True, kw_only=True, tag_field="kind", tag="decision_made"):
    """A hand has decided; another player's decision is null."""

    seat: int
    hand: int
    decision: DecisionView | None = None


class IrregularityDeclared(
    Message, frozen=True, kw_only=True, tag_field="kind", tag="irregularity_declared"
):
    """Something went wrong in the deal, and this followed from it."""

    irregularity: str
    about: str
    effect: str
    clause: str
    seat: int | None = None
    hand: int | None = None
    card: CardText | None = None


class RoundSettled(Message, frozen=True, kw_only=True, tag_field="kind", tag="round_settled"):
    """The round is settled, with the player's net result."""

    net_cents: int


class RoundVoided(Message, frozen=True, kw_only=True, tag_field="kind", tag="round_voided"):
    """The round is void."""

    reason: str
    code: str | None = None
    """The code of a standard reason, null if staff wrote their own."""


Happened = (
    BetsClosed
    | CardDealt
    | CardCorrected
    | CardsTurned
    | AntesReturned
    | DecisionMade
    | IrregularityDeclared
    | RoundSettled
    | RoundVoided
)


class ReplayStep(Message, frozen=True, kw_only=True):
    """One moment: what had just happened, and the table as its player saw it."""

    what: Happened
    text: str
    """The same as ``what``, as a sentence in English."""
    at_ms: int
    public: RoundView
    own: dict[Spot, OwnHandView]


class ReplayView(Message, frozen=True, kw_only=True):
    """A player's own round, card by card."""

    round: str
    number: int
    at_ms: int
    house: str
    fingerprint: str
    void: bool
    seat: int
    """The seat from which the round was played."""
    steps: list[ReplayStep]
    lines: list[LineView]
    """The result of each of the player's wagers."""
    staked_cents: int
    credit_change_cents: int
    """The change of the player's credit in the round, the collection included."""
    purged: bool = False
    """Whether the cards that were never shown, own mucked hands included, are no longer known."""
    replay: bool = True
    """Marks a replay, as opposed to a game in progress."""
