"""The floor as supervisors and auditors see it: every table with its figures and alerts.

An unknown figure is null, never zero.
"""

from typing import Literal

from pydantic import BaseModel

from openfelt.protocol.form_fields import Taken, TypedReason


class AccountView(BaseModel):
    """An account as a supervisor sees it, without anything that its owner alone knows."""

    name: str
    role: str
    guest: bool
    public_name: str
    opened_ms: int
    barred: str | None
    """Why the account is barred, null if it is not."""
    wrong_passwords: int
    """Wrong passwords in a row; the account waits longer after each of them."""
    wrong_pins: int
    has_pin: bool
    second_factor: bool
    signed_in: bool
    """Whether a session of the account is open."""


class FloorFiguresView(BaseModel):
    """The figures of a table on the day of the view, UTC, counted from its record."""

    rounds: int
    """Rounds that were settled."""
    rounds_voided: int
    stakes_cents: int
    """The stakes of settled rounds, without progressive wagers."""
    progressive_cents: int
    win_cents: int | None
    """The win of the house's bank, less payouts; null if only players have banked."""
    corrections: int
    """Cards that were corrected."""
    holds: int
    """How often the floor was called."""
    hour_rounds: int
    """Rounds that were settled in the last hour."""
    hour_covers_ms: int
    """How much of the last hour the table has been there for; less than an hour makes a rate an
    estimate."""


class FloorAlert(BaseModel):
    """A condition at a table that needs a supervisor."""

    kind: Literal[
        "stopped",
        "unreadable",
        "house_held",
        "on_hold",
        "felt_differs",
        "stub_differs",
        "adjustments",
        "mispayments",
        "no_dealer",
        "idle",
        "voids",
        "corrections",
    ]
    count: int | None = None
    """How many, where that is counted."""
    since_ms: int | None = None
    """Since when; null if that is not recorded."""


class FloorTable(BaseModel):
    """One table of the floor."""

    table: str
    house: str
    house_name: str
    dealer_mode: str
    phase: str
    round_phase: Literal["wagering", "playing"] | None
    round: int
    """The number of the round in progress or of the last one."""
    dealer: str | None
    """The account of the dealer who is signed on."""
    dealer_since_ms: int | None
    """Since when the dealer deals there; null if no dealer does, or an old record does not say."""
    players: int
    seats: int
    min_cents: int
    max_cents: int
    felt_cents: int
    """The wagers on the felt now."""
    link: str | None
    meter_cents: int | None
    player_banked: bool
    figures: FloorFiguresView | None
    """Null while they are being counted, or if the record cannot be read."""
    alerts: list[FloorAlert]


class FloorTotals(BaseModel):
    """The figures of all tables together."""

    rounds: int
    stakes_cents: int
    win_cents: int
    players: int
    alerts: int
    tables_missing: int
    """How many tables have no figures, and are not in these sums."""


class AlertLimitsView(BaseModel):
    """The limits at which the house raises alerts; 0 means never. Tables may have others."""

    idle_minutes: int
    voids: int
    corrections: int


class CheckpointForm(Taken):
    """Keeps the figures of the floor."""

    note: TypedReason


class CheckpointTable(BaseModel):
    """The figures of a table on the day of a checkpoint, up to it."""

    rounds: int
    stakes_cents: int
    win_cents: int
    players: int


class FloorCheckpointView(BaseModel):
    """The figures of the floor as they were kept."""

    number: int
    at_ms: int
    by: str
    note: str
    day: str
    tables: dict[str, CheckpointTable]
    """By name; tables whose figures were not known then are missing."""


class FloorView(BaseModel):
    """The whole floor at one moment."""

    at_ms: int
    day: str
    """The day in UTC, such as 2026-01-01, whose figures these are, up to the moment."""
    supervisors: list[str]
    """Supervisors whose session was in use in the last quarter of an hour."""
    live_tables: int
    """Tables with a live dealer that are open, which is what supervisors are counted against."""
    vouchers_open: int | None
    """How many vouchers are open, as counted within the last ten seconds; null before that."""
    vouchers_cents: int | None
    """The house's debt to their holders."""
    tables: list[FloorTable]
    totals: FloorTotals
    unreadable: list[str]
    """Tables whose record cannot be opened at all."""
    alert_limits: AlertLimitsView
    alerts_open: int
    """How many alerts no supervisor has closed, as this server has last looked."""
