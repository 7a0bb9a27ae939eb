"""The forms of a house of a player's own: what may be chosen, and what was."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

from openfelt.protocol.form_fields import Taken, TypedName


class OwnRules(Taken):
    """A player's changes to a house, for practice at a private table."""

    paytables: dict[TypedName, TypedName] = Field(default_factory=dict, max_length=12)
    """The names of the paytables that were chosen, by wager."""
    hands: Annotated[int, Field(ge=1, le=3)] | None = None


class WagerTables(BaseModel):
    """The paytables of which a player may choose one for a wager."""

    wager: str
    usual: str
    """The paytable of the house itself."""
    names: list[str]


class OwnRulesChoices(BaseModel):
    """The parts of a house that a player may change."""

    house: str
    hands: int
    """How many hands the house itself has."""
    hands_max: int
    wagers: list[WagerTables]


class RuleChange(BaseModel):
    """A difference between a table and the house that it is named after."""

    what: Literal["hands", "paytable"]
    wager: str | None
    """The wager whose paytable is another one."""
    value: str
    usual: str
