"""The forms of a player's limits and exclusion.

A limit is in cents, or in minutes for the time of play. Every command carries an id of the caller's
own, which makes it safe to send again.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.protocol.cage_forms import CageCommand
from openfelt.protocol.form_fields import TypedReason

KindName = Literal["deposit", "loss", "time"]
PeriodName = Literal["day", "week", "month"]
TermName = Literal["day", "week", "month", "half_year", "year", "five_years", "for_good"]


class LimitForm(CageCommand):
    """Sets a limit of the caller; null removes it."""

    kind: KindName
    period: PeriodName
    most: Annotated[int, Field(ge=0, le=AMOUNT_MAX_CENTS)] | None = None


class HouseLimitForm(LimitForm):
    """Sets a limit of a player for the house."""

    reason: TypedReason


class ExclusionForm(CageCommand):
    """Excludes the caller from play for a term, which nothing shortens."""

    term: TermName


class HouseExclusionForm(ExclusionForm):
    """Excludes a player at the player's wish, or for the house."""

    reason: TypedReason


class LimitSetting(BaseModel):
    """A limit of one side: the player's own, or that of the house."""

    most: int | None
    next_most: int | None
    """The looser limit that waits, if ``next_ms`` is set; null for none."""
    next_ms: int | None
    """When it is in force."""


class LimitLine(BaseModel):
    """The subject of a limit in a period, and how much of it is used."""

    kind: KindName
    period: PeriodName
    own: LimitSetting
    house: LimitSetting
    most: int | None
    """The tightest limit in force; null for none."""
    used: int
    """In cents, or in minutes. What was won is negative."""


class LimitsView(BaseModel):
    """The limits of a player, what is used of them, and whether the player is excluded."""

    player: str
    lines: list[LimitLine]
    excluded: bool
    excluded_until_ms: int | None
    """The end of the exclusion; null if it has none."""
