"""A saved game of an earlier Openfelt, ``profile.json``, and how it is taken over.

Its credit goes to the player's wallet, with the wagers of rounds that were not finished: such a
round was dealt by a program that kept no record of it. A progressive meter continues where it was.
"""

import hashlib
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Final

import msgspec

from openfelt.catalog import Catalog
from openfelt.cli.complaint import Complaint
from openfelt.cli.play.saved_game import SavedGame
from openfelt.money import AMOUNT_MAX_CENTS, format_cents

FILE_NAME: Final = "profile.json"
VERSION: Final = 1
"""The only version that Openfelt has written."""
_SEAT: Final = 1
"""The player's seat in every profile."""

_Cents = Annotated[int, msgspec.Meta(ge=0, le=10**14)]


class _Meter(msgspec.Struct):
    amount: str
    """An exact number of cents, such as ``1000150`` or ``4000601/4``."""


class _Round(msgspec.Struct):
    number: int
    staked_cents: dict[int, _Cents]
    """By seat: everything that goes back if the round is cancelled."""


class _Table(msgspec.Struct):
    meter: _Meter | None = None
    unfinished: _Round | None = None


class EarlierProfile(msgspec.Struct):
    """The imported part of a profile; the file holds more."""

    version: Annotated[int, msgspec.Meta(ge=1)] = VERSION
    credit_cents: _Cents = 100_000
    last_house: str | None = None
    tables: dict[str, _Table] = {}


class DamagedProfileError(Exception):
    """The text is not a profile; the message says why."""


class NewerProfileError(Exception):
    """The profile has a version that this Openfelt does not know."""


@dataclass(slots=True)
class TakenOver:
    """The message to the player about the profile, if there was one."""

    notes: list[str] = field(default_factory=list)
    last_house: str | None = None


def decode(text: bytes) -> EarlierProfile:
    """Read a profile.

    >>> decode(b'{"credit_cents": 500}').credit_cents
    500
    """
    try:
        version = msgspec.json.decode(text, type=dict[str, msgspec.Raw]).get("version")
        if version is not None and msgspec.json.decode(version, type=int) > VERSION:
            raise NewerProfileError
        profile = msgspec.json.decode(text, type=EarlierProfile)
        for table in profile.tables.values():
            _meter_cents(table)
    except (msgspec.MsgspecError, ValueError, ArithmeticError) as error:
        raise DamagedProfileError(str(error)) from error
    return profile


def _meter_cents(table: _Table) -> int | None:
    return int(Fraction(table.meter.amount)) if table.meter else None


def take_over(folder: Path, saved: SavedGame, catalog: Catalog) -> TakenOver:
    """Take over the profile in a folder where there is one; raises Complaint.

    The file is set aside afterwards. It is never taken over twice, even where the program was
    killed before that: the deposit carries a hash of the file as its id.
    """
    file = folder / FILE_NAME
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        return TakenOver()
    except OSError as error:
        raise Complaint(f"{file}: cannot be read: {error.strerror}") from error
    try:
        profile = decode(text)
    except NewerProfileError:
        raise Complaint(
            f"{file}: was written by a newer version of Openfelt, "
            "and is left as it is. Use another folder with --data."
        ) from None
    except DamagedProfileError as error:
        aside = set_aside(file, "damaged")
        return TakenOver(
            [f"Your saved profile is damaged ({error}). It was set aside as {aside.name}."]
        )
    notes = _write(profile, saved, catalog, payment=hashlib.sha256(text).hexdigest()[:32])
    aside = set_aside(file, "taken-over")
    notes.append(f"The old file was set aside as {aside.name}.")
    return TakenOver(notes, profile.last_house)


def _write(
    profile: EarlierProfile, saved: SavedGame, catalog: Catalog, *, payment: str
) -> list[str]:
    """Bring the profile's money and meters into the saved game; returns notes for the player."""
    credit = format_cents(profile.credit_cents)
    notes = [f"Your saved game is from an earlier version: its credit of {credit} is taken over."]
    cents = profile.credit_cents
    for name, table in profile.tables.items():
        house = catalog.houses.get(name)
        if house is not None and table.meter is not None:
            saved.link_of(house, meter_cents=_meter_cents(table))
        if table.unfinished is not None:
            refund_cents = table.unfinished.staked_cents.get(_SEAT, 0)
            cents += refund_cents
            notes.append(
                f"Game #{table.unfinished.number} at {house.name if house else name} cannot be "
                f"continued. {format_cents(refund_cents)} are refunded."
            )
    if cents:
        saved.deposit(min(cents, AMOUNT_MAX_CENTS), payment=payment)
    return notes


def set_aside(file: Path, why: str) -> Path:
    """Rename a file to a name that is still free."""
    number = 1
    while (aside := file.with_name(f"{file.name}.{why}-{number}")).exists():
        number += 1
    file.rename(aside)
    return aside
