"""The schemas of the TOML files, and the function that reads one.

msgspec checks names and types here. The other modules of this package check the
values when they build houses, paytables and clauses from them.
"""

import re
import tomllib
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from openfelt.catalog.errors import CatalogError


class TomlTable(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of a TOML file. Unknown keys are rejected."""


class HandForm(TomlTable, frozen=True, kw_only=True):
    hand: str
    at_least: str | None = None


class RowForm(TomlTable, frozen=True, kw_only=True):
    pays: str | None = None
    hand: str | None = None
    at_least: str | None = None
    label: str | None = None
    hole: list[str] | None = None
    dealer: list[str] = []
    share: str | None = None
    for_one: int | None = None
    envy: int = 0


class PaytableForm(TomlTable, frozen=True, kw_only=True):
    name: str
    wager: str
    clause: str
    rows: list[RowForm]
    claimed_advantage: str | None = None
    claimed_game_advantage: str | None = None
    reads: str | None = None


class PaytableFile(TomlTable, frozen=True, kw_only=True):
    version: int
    source: str
    paytable: list[PaytableForm]


class ClauseLimitForm(TomlTable, frozen=True, kw_only=True):
    key: str
    at_most: int | None = None
    within: list[str] | None = None
    equals: bool | int | str | list[str | int] | None = None
    required: bool = False


class ClauseForm(TomlTable, frozen=True, kw_only=True):
    id: str
    text: str
    settles: list[str] = []
    procedure: str | None = None
    not_software: str | None = None
    limits: list[ClauseLimitForm] = []


class ClauseFile(TomlTable, frozen=True, kw_only=True):
    document: str
    title: str
    version: int
    clause: list[ClauseForm]


class TableForm(TomlTable, frozen=True, kw_only=True):
    seats: int
    hands_per_seat: int
    procedure: str
    procedures: list[str]
    deck: str
    turns: str = "together"
    player_cards_face_up: bool
    dealer: str
    remote_play: bool
    settlement_order: str
    refund_antes_first: bool = False
    showdown: str = "together"
    folds_face_down: bool = False
    chips_cents: list[int]


class WagerForm(TomlTable, frozen=True, kw_only=True):
    min_cents: int | None = None
    max_cents: int | None = None
    multiple_of_cents: int | None = None
    requires: list[str] = []
    paytable: str | None = None


class DealerWagersForm(TomlTable, frozen=True, kw_only=True):
    min_cents: int
    max_cents: int
    multiple_of_cents: int


class PlayForm(TomlTable, frozen=True, kw_only=True):
    before_flop: list[int]
    on_flop: list[int]
    on_river: list[int]
    reserve_play: bool = True


class CollectionForm(TomlTable, frozen=True, kw_only=True):
    ante_up_to_cents: int
    player_cents: int
    banker_cents: int


class BankForm(TomlTable, frozen=True, kw_only=True):
    kind: str = "house"
    cover: str = "action"
    rounds_in_a_row_max: int = 2
    folds_first: bool = False
    collection: list[CollectionForm] = []
    wager_min_cents: int | None = None


class LimitsForm(TomlTable, frozen=True, kw_only=True):
    since: date
    source: str
    single_wager_max_cents: int | None = None
    optional_wager_max_cents: int | None = None
    wagers_per_hand_max: int | None = None
    table_aggregate_max_cents: int | None = None
    payout_aggregates: dict[str, int] = {}


class ProgressiveForm(TomlTable, frozen=True, kw_only=True):
    contribution: str
    seed_cents: int
    several_winners: str = "split"


class ClockForm(TomlTable, frozen=True, kw_only=True):
    wager_seconds: int
    decision_seconds: int


class AnteBonusForm(TomlTable, frozen=True, kw_only=True):
    paytable: str


class DepartureForm(TomlTable, frozen=True, kw_only=True):
    clause: str
    reason: str


class IrregularityForm(TomlTable, frozen=True, kw_only=True):
    irregularity: str
    about: list[str]
    moments: list[str]
    effect: str
    supervisor: bool = True
    voids_again: bool = False
    clause: str = "R.37"


class HouseFile(TomlTable, frozen=True, kw_only=True):
    id: str
    version: int
    name: str
    source: str
    document: str
    game: str
    dealer_qualifies: HandForm
    rounding_unit_cents: int = 1
    notices: list[str] = []
    claimed_returns: dict[str, str] = {}
    unfinished_days: int | None = None
    unfinished: str = "refund"
    table: TableForm
    wagers: dict[str, WagerForm]
    play: PlayForm | None = None
    bank: BankForm = BankForm()
    ante_bonus: AnteBonusForm | None = None
    dealer_wagers: DealerWagersForm | None = None
    progressive: ProgressiveForm | None = None
    clock: ClockForm | None = None
    limits: list[LimitsForm] = []
    departures: list[DepartureForm] = []
    irregularities: list[IrregularityForm] = []


_Form = TypeVar("_Form", bound=TomlTable)
_AT = re.compile(r" - at `(?:key in )?\$\.?(.*)`$")


def read_file(file: Path, form: type[_Form]) -> _Form:
    """Read a TOML file of the given form; CatalogError says where it is invalid."""
    try:
        document: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise CatalogError(file, "", error.strerror or "cannot be read") from error
    except UnicodeDecodeError as error:
        raise CatalogError(file, f"byte {error.start}", "is not UTF-8 text") from error
    except tomllib.TOMLDecodeError as error:
        problem, _, where = str(error).rstrip(")").partition(" (at ")
        raise CatalogError(file, where, problem) from error
    except (ValueError, RecursionError) as error:
        # A number with thousands of digits, or brackets nested as deeply.
        raise CatalogError(file, "", f"is not a file of rules: {error}") from error
    _check_texts(file, document)
    try:
        return msgspec.convert(document, form)
    except msgspec.ValidationError as error:
        message = str(error)
        at = _AT.search(message)
        where = _named(document, form, message, at.group(1)) if at else ""
        problem = _AT.sub("", message).replace("Object", "The table")
        raise CatalogError(file, where, problem) from error


def _named(document: dict[str, Any], form: type[TomlTable], message: str, where: str) -> str:
    """The location with its key: msgspec writes ``wagers[...]`` for every wager."""
    table, dots, rest = where.partition("[...]")
    if not dots:
        return where
    for key, value in document[table].items():
        try:
            msgspec.convert({**document, table: {key: value}}, form)
        except msgspec.ValidationError as error:
            if str(error) == message:
                return f"{table}.{key}{rest}"
    return where


def _check_texts(file: Path, value: object, key: str = "") -> None:
    """Reject empty texts, and control characters, which a terminal would interpret."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if not name.strip() or not name.isprintable():
                raise CatalogError(file, key, f"has an unprintable key: {name!r}")
            _check_texts(file, inner, f"{key}.{name}".lstrip("."))
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            _check_texts(file, inner, f"{key}[{number}]")
    elif isinstance(value, str) and (not value.strip() or not value.isprintable()):
        raise CatalogError(file, key, "is empty or contains unprintable characters")
