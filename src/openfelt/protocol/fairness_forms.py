"""Actual results beside theory as supervisors and auditors see them, and the house's alerts."""

from typing import Literal

from pydantic import BaseModel

from openfelt.protocol.form_fields import Taken, TypedReason

SubjectKind = Literal["house", "table", "dealer"]


class WagerFairness(BaseModel):
    """One wager of the house, a table or a dealer: what the bank won, and what theory says."""

    kind: SubjectKind
    name: str
    wager: str
    """``game`` for Ante, Blind and Play together, by the Ante; ``draw_game`` for the Ante of draw
    poker with its Ante Bonus."""
    basis: Literal["exact", "best_play"] | None
    """``exact`` where no decision matters; ``best_play`` is what the house wins at least, on
    average. Null if nothing could be compared."""
    unknown: Literal["meter", "not_solved", "not_counted"] | None
    """Why rounds are missing in the comparison, null if none are."""
    left_out: int
    """How many rounds are missing in it."""
    rounds: int
    hands: int
    stakes_cents: int
    """Of the game, the Antes."""
    win_cents: int
    expected_cents: int
    """Rounded to the cent."""
    reach_cents: int
    """The band of 99.7% is the expected result plus or minus this."""
    p_value: float
    """The probability that chance alone goes so far: to either side, or with ``best_play`` in the
    players' favour."""
    flagged: bool
    """Whether it is below 0.3%."""


class DealtFairness(BaseModel):
    """How the hands that were dealt fit their exact probabilities."""

    kind: SubjectKind
    name: str
    test: Literal["dealer_hands", "draw_dealer_hands", "boards", "first_hand"]
    """Hands of the dealer, boards, or how often the first player's cards beat the dealer's."""
    rounds: int
    p_value: float | None
    """Null while there are too few."""
    flagged: bool


class ShuffleTest(BaseModel):
    """A test of the shuffled decks."""

    test: str
    p_value: float | None
    """Null while there are too few decks."""
    decks_min: int
    flagged: bool
    """Whether it is below 1%, the level of the bench."""


class PlayerFairness(BaseModel):
    """The evidence in a player's rounds against chance: the largest N such that at most one honest
    player in N ever shows so much."""

    player: str
    rounds: int
    wins_one_in: float
    follows_one_in: float


class FairnessView(BaseModel):
    """Real play beside theory."""

    at_ms: int
    since_ms: int | None
    """The first round that is counted."""
    rounds: int
    behind: int
    """Events that have not been read yet; the figures grow while there are any."""
    unreadable: list[str]
    wagers: list[WagerFairness]
    dealt: list[DealtFairness]
    decks: int
    terminal_decks: int
    """How many of these decks are terminals' own."""
    shuffles: list[ShuffleTest]
    shuffles_p_value: float | None
    """All tests together (Bonferroni)."""
    players: list[PlayerFairness]
    """Those with the most evidence, the highest first."""
    comparisons: int
    """How many figures are compared; of so many, chance alone puts about 0.3% outside."""


class FairnessPoint(BaseModel):
    """The state of a wager after some rounds, with its band."""

    rounds: int
    win_cents: int
    expected_cents: int
    reach_cents: int


class AlertView(BaseModel):
    """An alert with who saw it, who closed it and why."""

    number: int
    kind: str
    subject: str
    detail: str
    at_ms: int
    seen_by: str | None
    seen_ms: int | None
    closed_by: str | None
    closed_ms: int | None
    reason: str


class AlertSettingView(BaseModel):
    """A limit of the house's file."""

    name: str
    value: int
    """0 means never."""
    default: int
    tables: dict[str, int]
    """Tables with their own."""


class AlertsView(BaseModel):
    """The open alerts and the last closed ones, the newest first, and the limits."""

    alerts: list[AlertView]
    settings: list[AlertSettingView]


class AlertClosing(Taken):
    """Closes an alert."""

    reason: TypedReason
