"""The forms of dealer's terminals: devices, badges and PINs, handovers and approvals."""

from typing import Annotated, Literal

from pydantic import BaseModel, StringConstraints

from openfelt.protocol.form_fields import (
    DeviceLabel,
    Taken,
    TypedCode,
    TypedName,
    TypedPassword,
    TypedReason,
)

BadgeNumber = Annotated[str, StringConstraints(pattern=r"^[0-9]{1,12}$")]
TypedPin = Annotated[str, StringConstraints(min_length=1, max_length=12, pattern=r"^[0-9]+$")]

TypedToken = Annotated[str, StringConstraints(min_length=1, max_length=64)]
CommandText = Annotated[str, StringConstraints(min_length=2, max_length=2000)]


class TerminalLabel(Taken):
    """The label of a device that is enrolled."""

    label: DeviceLabel
    table: TypedName | None = None
    """The live table of which the device is the dealer's terminal."""


class TerminalView(BaseModel):
    """An enrolled device of the house."""

    id: str
    label: str
    by: str
    at_ms: int
    table: str | None = None
    """The table of which it is the dealer's terminal."""
    state: Literal["in_service", "locked", "out_of_service"] = "in_service"
    reason: str = ""
    """Why it takes no wagers."""


class TerminalName(Taken):
    """Another label of a device."""

    label: DeviceLabel


class TerminalState(Taken):
    """Locks a device, takes it out of service, or puts it into service again."""

    state: Literal["in_service", "locked", "out_of_service"]
    reason: TypedReason


class BadgeForm(Taken):
    """The badge of an account, with a PIN that its owner changes at the first use."""

    badge: BadgeNumber
    pin: TypedPin


class PinForm(Taken):
    """The number of a badge and the PIN of its owner."""

    badge: BadgeNumber
    pin: TypedPin
    new_pin: TypedPin | None = None
    """The PIN that takes its place, which a PIN set by a supervisor needs."""


class SignOnForm(PinForm):
    """Signs a dealer on at the table of the terminal."""

    approval: TypedToken | None = None
    """A supervisor's approval of ``change_dealer``, where the table's dealer is gone."""


class ShiftView(BaseModel):
    """A dealer's time at one table, with its tips: the winnings of wagers for the dealer (S.5)."""

    table: str
    began_ms: int
    ended_ms: int | None
    """Null while the dealer is signed on."""
    tips_cents: int
    tips: int
    """How many wagers for the dealer have won."""


class HandoverView(BaseModel):
    """A handover that the outgoing dealer has still to confirm."""

    outgoing: str
    incoming: str
    """Both as players see them."""
    approval: str
    """The incoming dealer's agreement, which the outgoing dealer sends to confirm."""
    seconds: int
    """For how long it may be confirmed."""


class HandoverConfirm(Taken):
    """The outgoing dealer hands the table over."""

    approval: TypedToken


class ApprovalForm(Taken):
    """A supervisor approves one act of a dealer: by name and password, or by badge and PIN."""

    act: TypedName
    """The kind of command, such as ``void_round``."""
    table: TypedName
    command: CommandText | None = None
    """The command as JSON, where the approval covers its content too: an irregularity, or what is
    done about an adjustment."""
    name: TypedName | None = None
    password: TypedPassword | None = None
    code: TypedCode | None = None
    """A one-time code or a recovery code, of an account that has a second factor."""
    badge: BadgeNumber | None = None
    pin: TypedPin | None = None
    new_pin: TypedPin | None = None


class ApprovalView(BaseModel):
    """A one-time approval."""

    approval: str
    """The token that the command carries as ``approval``."""
    by: str
    """The supervisor."""
    act: str
    seconds: int
    """For how long it may be used."""
