"""The limits from which alerts are raised: a TOML file of the house, with others for single tables.

    idle_minutes = 15
    voids = 3
    corrections = 10
    cash_log_dollars = 3000
    cash_report_dollars = 10000
    dealer_voids = 5
    dealer_corrections = 15
    hold_one_in = 1000000
    drop_one_in = 20
    evidence_one_in = 10000
    shuffle_one_in = 100000

    [tables.pit-3]
    idle_minutes = 30

What is not named has its default; 0 turns an alert off.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from openfelt.server.settings import SettingsError

LIMIT_MAX: Final = 1_000_000_000
_TABLES: Final = "tables"


@dataclass(frozen=True, slots=True, kw_only=True)
class AlertLimits:
    """The limits of one table; an alert whose limit is 0 is off."""

    idle_minutes: int = 15
    """How long players sit at an open table without a round being over."""
    voids: int = 3
    """How many rounds of a day are void."""
    corrections: int = 10
    """How many cards of a day are corrected."""
    cash_log_dollars: int = 3000
    """From which sum of cash in or out, by person and day, the multiple transaction log has it."""
    cash_report_dollars: int = 10_000
    """Above which sum of cash in or out, by person and day, a currency transaction report is due.
    Both apply to the whole house; a table cannot override them."""
    dealer_voids: int = 5
    """How many rounds of a dealer are void on a day, at all tables together."""
    dealer_corrections: int = 15
    """How many cards of a dealer are corrected on a day."""
    hold_one_in: int = 1_000_000
    """A wager's result is outside its band if chance alone deviates as far at most once in this
    many times."""
    drop_one_in: int = 20
    """A table's win to drop of a day, month or year is outside the band of the year before if
    chance alone deviates as far at most once in this many times; 20 is the band of 95%."""
    evidence_one_in: int = 10_000
    """A player's luck or decisions are reported if chance alone ever gives this much evidence for
    at most one honest player in this many."""
    shuffle_one_in: int = 100_000
    """The shuffles are reported if a fair shuffler fails all tests together this rarely."""


@dataclass(frozen=True, slots=True)
class HouseAlerts:
    """The limits of the house, and those of tables with their own."""

    house: AlertLimits = field(default_factory=AlertLimits)
    tables: Mapping[str, AlertLimits] = field(default_factory=dict)

    def at(self, table: str) -> AlertLimits:
        """The limits of a table."""
        return self.tables.get(table, self.house)


def load_alerts(path: Path | None) -> HouseAlerts:
    """Read the limits, the defaults for None; raises SettingsError with what is wrong."""
    if path is None:
        return HouseAlerts()
    try:
        plain = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"The alerts {path} cannot be read: {error.strerror}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"The alerts {path} are not valid TOML: {error}.") from error
    tables = plain.pop(_TABLES, {})
    if not isinstance(tables, dict):
        raise SettingsError(f"The alerts {path}: write [{_TABLES}.NAME] for a table.")
    house = _limits(str(path), AlertLimits(), plain)
    return HouseAlerts(
        house,
        {
            name: _limits(f"[{_TABLES}.{name}] of {path}", house, own)
            for name, own in tables.items()
        },
    )


def _limits(where: str, before: AlertLimits, plain: Any) -> AlertLimits:
    """The limits with what one part of the file changes."""
    names = [each.name for each in fields(AlertLimits)]
    if not isinstance(plain, dict):
        raise SettingsError(f"{where}: write one line for each limit, such as voids = 3.")
    if unknown := sorted(plain.keys() - set(names)):
        raise SettingsError(
            f"{where}: there is no alert {unknown[0]!r}; the alerts are {', '.join(names)}."
        )
    for name, value in plain.items():
        if type(value) is not int or not 0 <= value <= LIMIT_MAX:
            raise SettingsError(
                f"{where}: {name} must be a whole number from 0, which is off, to {LIMIT_MAX}."
            )
    return replace(before, **plain)
