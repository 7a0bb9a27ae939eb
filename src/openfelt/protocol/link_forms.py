"""Progressive links as supervisors and auditors see them, and what supervisors do to them.

Amounts with fractions of a cent are texts, exact to the last digit: ``1000025.75`` is $10,000.25
and three quarters of a cent.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from openfelt.money import AMOUNT_MAX_CENTS
from openfelt.protocol.form_fields import Taken, TypedName, TypedReason

TypedPercent = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,3}(\.[0-9]{1,6})?$")]
"""A percentage with up to six decimals, such as ``25`` or ``12.5``."""
LinkEntryKind = Literal[
    "link_opened",
    "link_table_joined",
    "link_table_left",
    "link_round_counted",
    "link_rates_changed",
    "link_paused",
    "link_resumed",
    "link_retired",
    "link_received",
]
TypedCents = Annotated[int, Field(ge=0, le=AMOUNT_MAX_CENTS)]


class LinkRatesView(BaseModel):
    """How a meter grows, and where it begins again."""

    percent: str
    """The part of each wager that goes to the meter, such as ``12.5``."""
    seed_cents: int
    ceiling_cents: int | None


class MeterBooksView(BaseModel):
    """Income and payouts of a link's meter and reserve, exact to the fraction of a cent.

    Opening, contributions, seeds and what other links brought, less awards, Envy and what the house
    or another link took, is the closing; ``difference`` is what is missing, and is 0.
    """

    opening: str
    contributed: str
    seeded: str
    moved_in: str
    awarded: str
    envied: str
    handed_back: str
    moved_out: str
    closing: str
    difference: str
    opening_meter: str
    closing_meter: str
    opening_reserve: str
    closing_reserve: str


class ReconciliationView(BaseModel):
    """The link's own books beside the two accounts of the ledger, at one moment."""

    at_ms: int
    meter_cents: int
    """The meter according to the link's record."""
    meter_ledger_cents: int
    reserve_cents: int
    reserve_ledger_cents: int
    difference_cents: int
    """The ledger's excess over the record, meter and reserve without regard to sign: 0."""


class LinkBooksView(BaseModel):
    """A progressive link with its books."""

    link: str
    phase: Literal["open", "paused", "retired"]
    pause_reason: str | None
    tables: list[str]
    rates: LinkRatesView
    waiting: LinkRatesView | None
    """The rates that apply once a share of the meter has been won."""
    meter_cents: int
    meter_exact: str
    rounds: int
    wins: int
    """How many rounds won a share of the meter."""
    since_ms: int | None
    """From when on ``recent`` counts: midnight UTC, or when this server began to count; null for
    a link that was opened since."""
    recent: MeterBooksView
    whole: MeterBooksView
    """Since the link was opened."""
    reconciliation: ReconciliationView


class LinkAwardView(BaseModel):
    """The award of one hand from a link."""

    seat: int
    hand: int
    """The number of the hand at its seat."""
    player: str | None
    """The player's public name; null if the record does not say who played."""
    wager: Literal["progressive", "envy"]
    made: str | None
    """The hand that won; null if its cards are no longer known."""
    cents: int


class LinkEntryView(BaseModel):
    """One line of a link's record that a person reads: an award, or an act."""

    version: int
    at_ms: int
    by: str | None
    """Who did it; null for a round."""
    kind: LinkEntryKind
    """The name of the event."""
    reason: str
    table: str | None
    round: int | None
    rates: LinkRatesView | None
    """The rates that were set."""
    other_link: str | None
    """The link into which this one was retired, or which was retired into this one."""
    awarded_cents: int
    envied_cents: int
    from_meter_cents: int
    awards: list[LinkAwardView]
    """In the order in which they were settled; empty if the round cannot be read any more."""


class LinkEntriesView(BaseModel):
    """A part of a link's record, the newest line first."""

    entries: list[LinkEntryView]
    before: int | None
    """Where the next older part begins; null at the beginning of the record."""


class LinkRatesForm(Taken):
    """The rates of a meter."""

    percent: TypedPercent
    seed_cents: TypedCents
    ceiling_cents: TypedCents | None = None


class NewLink(LinkRatesForm):
    """A link to be opened."""

    link: TypedName
    reason: TypedReason


class LinkRatesChange(LinkRatesForm):
    """Rates that wait for the next win."""

    reason: TypedReason


class LinkAct(Taken):
    """Pauses or resumes a link."""

    reason: TypedReason


class LinkRetirement(Taken):
    """Ends a link."""

    reason: TypedReason
    into: TypedName | None = None
    """The link that takes meter and reserve; null for the house."""
