"""The saved profile: credit, and what each table remembers between sessions. Versioned JSON."""

from collections.abc import Iterable
from datetime import date
from fractions import Fraction

import msgspec

from openfelt.cli.play.saved_round import SavedRound, SavedWager
from openfelt.rules import House
from openfelt.rules.progressive import Meter

VERSION = 1
STANDARD_CREDIT_CENTS = 100_000
"""What a new profile and a seeded session begin with."""
GAMES_COUNTED = 5
"""The results panel covers the last five games (S.screen.results.games)."""
HISTORY_MAX = 50


class GameResult(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One finished game of the player, for the results panel and the history."""

    number: int
    staked_cents: int
    returned_cents: int
    words: str
    """How it went, in one line."""
    wins: dict[str, int]
    """By wager, how many hands won it."""
    stand_offs: dict[str, int]
    void: bool = False


class SavedMeter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A progressive meter with its books, as exact fractions of a cent."""

    amount: str
    reserve: str
    seeded: str
    contributed: str
    awarded: str
    envied: str


class TableRecord(msgspec.Struct, forbid_unknown_fields=True):
    """What one table remembers."""

    rounds: int = 0
    stacks_cents: dict[int, int] = {}
    """The computer players' chips, by seat."""
    opponents: int | None = None
    """How many computer players sat there when a round was left unfinished."""
    tips_cents: int = 0
    meter: SavedMeter | None = None
    bank_seat: int | None = None
    bank_rounds: int = 0
    last_wagers: list[SavedWager] = []
    games: list[GameResult] = []
    unfinished: SavedRound | None = None


class Profile(msgspec.Struct, forbid_unknown_fields=True):
    """One player's saved state."""

    version: int = VERSION
    credit_cents: int = STANDARD_CREDIT_CENTS
    last_house: str | None = None
    tables: dict[str, TableRecord] = {}

    def table(self, house_id: str) -> TableRecord:
        """A table's record, begun where there is none."""
        return self.tables.setdefault(house_id, TableRecord())


class DamagedProfileError(Exception):
    """The text is no profile; the message says why."""


class NewerProfileError(Exception):
    """The profile was written by a newer version of Openfelt."""


def encode(profile: Profile) -> bytes:
    """The profile as JSON that people can read."""
    return msgspec.json.format(msgspec.json.encode(profile), indent=2) + b"\n"


def decode(text: bytes) -> Profile:
    """Read a profile back, or say what is wrong with it.

    >>> decode(encode(Profile(credit_cents=500))).credit_cents
    500
    """
    try:
        version = msgspec.json.decode(text, type=dict[str, msgspec.Raw]).get("version")
        if version is not None and msgspec.json.decode(version, type=int) > VERSION:
            raise NewerProfileError
        profile = msgspec.json.decode(text, type=Profile)
        _check(profile)
    except (msgspec.MsgspecError, ValueError, ArithmeticError) as error:
        raise DamagedProfileError(str(error)) from error
    return profile


def _check(profile: Profile) -> None:
    """Amounts are not negative, and what is exact reads as fractions."""
    if profile.version < 1:
        raise ValueError("the version is less than 1")
    amounts = [profile.credit_cents]
    for table in profile.tables.values():
        amounts += [table.rounds, table.tips_cents, *table.stacks_cents.values()]
        if table.meter is not None:
            load_meter(table.meter)
        if table.unfinished is not None:
            amounts += [*table.unfinished.staked_cents.values(), table.unfinished.cover_cents]
            amounts += table.unfinished.dues_cents.values()
    if min(amounts) < 0:
        raise ValueError("an amount is negative")


_METER_FIELDS = ("amount", "reserve", "seeded", "contributed", "awarded", "envied")


def save_meter(meter: Meter) -> SavedMeter:
    """A meter on its way to disk."""
    return SavedMeter(**{name: str(getattr(meter, name)) for name in _METER_FIELDS})


def load_meter(saved: SavedMeter) -> Meter:
    """A meter back from disk, exact to the last fraction."""
    return Meter(**{name: Fraction(getattr(saved, name)) for name in _METER_FIELDS})


def refund(profile: Profile, house_id: str, *, seat: int) -> int:
    """Call a table's unfinished round off: everything goes back. Gives the player's part."""
    table = profile.table(house_id)
    saved = table.unfinished
    if saved is None:
        return 0
    for at, cents in saved.staked_cents.items():
        if at == seat:
            profile.credit_cents += cents
        else:
            table.stacks_cents[at] = table.stacks_cents.get(at, 0) + cents
    table.unfinished = None
    table.rounds = max(table.rounds, saved.number)
    return saved.staked_cents.get(seat, 0)


def refund_stale(
    profile: Profile, houses: Iterable[House], *, today: date, seat: int
) -> list[tuple[House, SavedRound, int]]:
    """Cancel rounds that their house keeps no longer (O.unfinished); gives what was refunded."""
    found = []
    for house in houses:
        table = profile.tables.get(house.id)
        saved = table.unfinished if table else None
        if saved is None or house.unfinished_days is None:
            continue
        if (today - saved.day).days > house.unfinished_days:
            found.append((house, saved, refund(profile, house.id, seat=seat)))
    return found
