"""The forms of card readers: their tokens, what they send, and what they are told."""

from typing import Annotated, Literal

from pydantic import BaseModel, StringConstraints

from openfelt.protocol.form_fields import DeviceLabel, Taken, TypedName

ScanId = Annotated[str, StringConstraints(min_length=1, max_length=64)]
ScannedText = Annotated[str, StringConstraints(min_length=1, max_length=64)]


class NewReader(Taken):
    """A shuffler or card reader that a supervisor admits to one table."""

    table: TypedName
    label: DeviceLabel


class ReaderToken(BaseModel):
    """The token of a new card reader. It is shown once."""

    id: str
    token: str


class ReaderView(BaseModel):
    """A card reader of the house."""

    id: str
    table: str
    label: str
    by: str
    at_ms: int


class CardScan(Taken):
    """One card, as a reader has read it."""

    id: ScanId
    """Chosen by the reader for this one card, and sent again with every retry."""
    card: ScannedText
    """Rank and suit (``As``, ``TH``, ``10d``), or a code of the table's code table."""
    round: int | None = None
    place: ScannedText | None = None
    """The place that the reader has seen to be due, such as ``dealer card 1``. If it is given, the
    card is taken there or not at all."""


class CardsDue(BaseModel):
    """The step that a table waits for, as its card readers need to know it."""

    round: int | None
    """The round in progress, null between rounds."""
    step: Literal["bets", "card", "turn", "decisions", "seeds", "confirm"] | None
    place: str | None
    """Where the next card goes, null while no card is due."""
    sentence: str


class CardTaken(BaseModel):
    """A card that the table has taken; it is in the record."""

    card: str
    place: str
    due: CardsDue
    """The step that the table waits for after it."""


class CardCodesView(BaseModel):
    """The codes that scanners send for cards at a table."""

    codes: dict[str, str]
    """The card of each code; empty if scanners send rank and suit."""
