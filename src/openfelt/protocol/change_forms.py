"""The forms with which a supervisor changes a table from the next round on, each with a reason."""

from typing import Annotated

from pydantic import BaseModel, Field

from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.protocol.cage_forms import CageCommand
from openfelt.protocol.form_fields import Taken, TypedName, TypedReason

Seconds = Annotated[int, Field(ge=1, le=3600)]
LimitCents = Annotated[int, Field(gt=0, le=AMOUNT_MAX_CENTS)]


class ReasonedChange(CageCommand):
    """The id of a change, and its reason, for the players and the record."""

    reason: TypedReason


class OfferedWager(Taken):
    """A wager that the table offers."""

    kind: TypedName
    min_cents: LimitCents
    max_cents: LimitCents
    paytable: TypedName | None = None
    """Its paytable by name; null for the one that it has."""


class RulesChange(ReasonedChange):
    """Other rules from the next round on."""

    house: TypedName
    """The house by which the table plays, or another one of the same game."""
    wagers: Annotated[list[OfferedWager], Field(max_length=20)] | None = None
    """All wagers that are offered: others of the house are withdrawn. Null for those of the
    house as they are."""


class ClockTimes(Taken):
    """How long bets and decisions are open."""

    wager_seconds: Seconds
    decision_seconds: Seconds


class ClockChange(ReasonedChange):
    """Another clock from the next round on; null for none."""

    clock: ClockTimes | None


class LinkChange(ReasonedChange):
    """Another progressive link from the next round on; null for none."""

    link: TypedName | None


class TableWagerView(BaseModel):
    """A wager of a table, or one that it could offer."""

    kind: str
    offered: bool
    optional: bool
    """Whether it may be withdrawn."""
    min_cents: int
    max_cents: int
    step_cents: int
    paytable: str | None
    paytables: list[str]
    """The paytables that it may have."""


class TableTermsView(BaseModel):
    """The terms of a table's next round, and what they may be changed to."""

    table: str
    house: str
    fingerprint: str
    houses: list[str]
    """Houses of the same game, bank and deck."""
    wagers: list[TableWagerView]
    clock: ClockTimes | None
    link: str | None
    links: list[str]
    """The links that take tables; empty where the house has no progressive wager."""
