"""The forms of drafts of houses: terms that a supervisor tries out, and the figures that follow."""

from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from openfelt.protocol.change_forms import LimitCents
from openfelt.protocol.form_fields import PublicName, Taken, TypedName, TypedReason

HouseId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,63}$")]
Payment = Annotated[str, StringConstraints(max_length=20)]
Multiples = Annotated[list[Annotated[int, Field(ge=1, le=100)]], Field(max_length=10)]


class DraftHand(Taken):
    """The least hand with which the dealer qualifies."""

    hand: TypedName
    at_least: TypedName | None = None
    """For a pair, its lowest rank."""


class DraftRow(Taken):
    """The payout of one row of a paytable; an empty text removes the row."""

    pays: Payment
    """Odds such as ``3 to 2``; in a progressive a share such as ``10%``, or a number for one."""
    envy: Annotated[int, Field(ge=0, le=1_000_000)] = 0


class DraftWager(Taken):
    """The terms of one wager."""

    kind: TypedName
    """The wager, or ``ante_bonus`` for the paytable of the Ante, whose limits are the Ante's."""
    min_cents: LimitCents
    max_cents: LimitCents
    step_cents: LimitCents
    paytable: TypedName | None = None
    """The paytable by which it pays, or with whose rows the changes began."""
    rows: Annotated[list[DraftRow], Field(max_length=30)] | None = None
    """New payouts of its rows; null to leave them unchanged."""


class HouseDraftForm(Taken):
    """The terms of a house, some of them changed."""

    house: TypedName
    """The house that the changes began with."""
    qualifying: DraftHand
    before_flop: Multiples
    """The multiples of the Play wager; empty in a game without one."""
    on_flop: Multiples
    on_river: Multiples
    wagers: Annotated[list[DraftWager], Field(max_length=20)]


class DraftFilesForm(HouseDraftForm):
    """A draft that becomes a house file."""

    id: HouseId
    """The name of the new house, and of its files."""
    name: PublicName
    """Its title."""
    reason: TypedReason


class DraftTable(BaseModel):
    """A paytable with which changes may begin."""

    name: str
    labels: list[str]
    rows: list[DraftRow]


class DraftWagerView(BaseModel):
    """A wager of a house, and the paytables that it may have."""

    wager: DraftWager
    tables: list[DraftTable]


class HouseDraftView(BaseModel):
    """The terms of a house as they are, to be changed."""

    house: str
    name: str
    game: str
    hands: list[str]
    """The hands with which a dealer may qualify, the best first."""
    ranks: list[str]
    """The ranks of a pair, the highest first."""
    qualifying: DraftHand
    before_flop: list[int]
    on_flop: list[int]
    on_river: list[int]
    wagers: list[DraftWagerView]


class ExactFigure(BaseModel):
    """A figure as a decimal number and, where it has one, as the exact fraction."""

    decimal: str
    fraction: str | None


class FigureLine(BaseModel):
    """One figure of a house: of the draft, of the house that it began with, and the difference."""

    of: str
    """``game`` for the wagers of the game itself together, or the wager."""
    measure: str
    unit: str
    """``percent``, ``number`` or ``dollars``."""
    multiple: int | None
    """For how often a bet is best, its Play wager in Antes."""
    draft: ExactFigure | None
    """Null until it is counted."""
    published: ExactFigure | None
    difference: str | None
    claimed: str | None
    """The claim in the document of the unchanged house."""


class DraftProblem(BaseModel):
    """Why terms cannot be offered."""

    where: str
    """The key of the house file, such as ``wagers.trips.rows[1].pays``."""
    sentence: str


class CountingView(BaseModel):
    """How far the count has come of terms that change the best play."""

    done: int
    steps: int
    """Zero while the count waits for its turn."""


class DraftFiguresView(BaseModel):
    """Every figure of a draft beside those of the house that it began with."""

    problem: DraftProblem | None
    counting: CountingView | None
    best_play: bool
    """False while the game's figures are of the old decisions at the new odds; of Ultimate Draw
    Poker, if the best holds for these terms have not been counted."""
    lines: list[FigureLine]


class DraftFile(BaseModel):
    """A file for an operator's folder of houses."""

    path: str
    text: str


class DraftFilesView(BaseModel):
    """The files of a drafted house."""

    files: list[DraftFile]
