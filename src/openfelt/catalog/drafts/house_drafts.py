"""Drafts of houses: another house with some of its terms changed, before any table uses it.

A draft is checked as its files would be, so what has figures can also be loaded. The files say
from which house they come, and why.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import msgspec

from openfelt.catalog import Catalog
from openfelt.catalog.departures import broken_limits
from openfelt.catalog.drafts.toml_text import toml_text
from openfelt.catalog.drafts.written_rules import house_form, paytable_form
from openfelt.catalog.field_values import Reader
from openfelt.catalog.files import (
    AnteBonusForm,
    DepartureForm,
    HandForm,
    HouseFile,
    PaytableFile,
    PaytableForm,
    PlayForm,
    RowForm,
    WagerForm,
)
from openfelt.catalog.houses import build_house
from openfelt.catalog.paytables import build_paytable
from openfelt.rules.house import House
from openfelt.rules.paytable import Paytable
from openfelt.rules.wagers import WagerKind

ANTE_BONUS: Final = "ante_bonus"
"""The Ante Bonus among the wagers of a draft: a paytable of the Ante, without limits of its own."""
_FIRST_VERSION: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class RowDraft:
    """The payout of one row of a paytable; an empty text removes the row."""

    pays: str
    envy: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WagerDraft:
    """The terms of one wager."""

    kind: str
    """The wager's kind, or ``ante_bonus``."""
    min_cents: int
    max_cents: int
    step_cents: int
    paytable: str | None = None
    """The paytable by which it pays, or with whose rows the changes began."""
    rows: tuple[RowDraft, ...] | None = None
    """The new payouts of its rows, from the top of the table down; None to leave them unchanged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseDraft:
    """A house with other terms."""

    base: str
    id: str
    name: str
    source: str
    """Who has written it, and why; also the reason of its departures from the document."""
    qualifying: HandForm
    before_flop: Sequence[int]
    """The multiples of the Play wager; none in Ultimate Draw Poker, which has no such wager."""
    on_flop: Sequence[int]
    on_river: Sequence[int]
    wagers: tuple[WagerDraft, ...]


@dataclass(frozen=True, slots=True)
class DraftedHouse:
    """A draft as a house, and as the files of an operator's folder of houses."""

    house: House
    files: tuple[tuple[str, str], ...]
    """Paths in the folder, and texts."""


def draft_house(draft: HouseDraft, catalog: Catalog, folder: Path | None = None) -> DraftedHouse:
    """Check a draft and write its files; CatalogError says what is wrong with which key."""
    file = Path(f"{draft.id}.toml")
    read = Reader(file)
    if draft.id in catalog.houses:
        read.refuse("id", f"a house called {draft.id!r} exists already")
    form = house_form(draft.base, folder)
    own: list[PaytableForm] = []
    paytables = dict(catalog.paytables)
    wagers, ante_bonus = dict(form.wagers), form.ante_bonus
    for wager in draft.wagers:
        if wager.kind == ANTE_BONUS:
            ante_bonus = _ante_bonus(read, draft, wager, ante_bonus)
        elif wager.kind not in wagers:
            read.refuse(_key(wager.kind), "is not offered by this house")
        else:
            wagers[wager.kind] = _wager(read, draft, wager, wagers[wager.kind])
        if wager.rows is not None:
            table = _own_table(read, draft, wager, folder)
            paytables[table.wager, table.name] = _built(draft, len(own), table)
            own.append(table)
    form = msgspec.structs.replace(
        form,
        id=draft.id,
        version=_FIRST_VERSION,
        name=draft.name,
        source=draft.source,
        dealer_qualifies=draft.qualifying,
        claimed_returns={},
        play=_play(read, draft, form.play),
        ante_bonus=ante_bonus,
        wagers=wagers,
        departures=[],
    )
    form = _with_departures(file, form, paytables, house_form(draft.base, folder).departures)
    house = build_house(file, form, paytables)
    files = [(str(file), toml_text(_plain(form)))]
    if own:
        content = _paytable_file(draft, own)
        files.append((f"paytables/{file}", toml_text(_plain(content))))
    return DraftedHouse(house, tuple(files))


def _key(kind: str) -> str:
    """Where the house file has the terms of a wager."""
    return ANTE_BONUS if kind == ANTE_BONUS else f"wagers.{kind}"


def _play(read: Reader, draft: HouseDraft, form: PlayForm | None) -> PlayForm | None:
    streets = {
        "before_flop": list(draft.before_flop),
        "on_flop": list(draft.on_flop),
        "on_river": list(draft.on_river),
    }
    if form is not None:
        return msgspec.structs.replace(form, **streets)
    if any(streets.values()):
        read.refuse("play", "this game has no Play wager")
    return None


def _ante_bonus(
    read: Reader, draft: HouseDraft, wager: WagerDraft, form: AnteBonusForm | None
) -> AnteBonusForm:
    if form is None or wager.paytable is None:
        read.refuse(ANTE_BONUS, "is not offered by this house")
    return AnteBonusForm(paytable=_paytable(draft, wager))


def _paytable(draft: HouseDraft, wager: WagerDraft) -> str:
    """The paytable that a wager has in the draft: one of the draft's own if rows are changed."""
    if wager.rows is not None or wager.paytable is None:
        return _own_name(draft)
    return wager.paytable


def _wager(read: Reader, draft: HouseDraft, wager: WagerDraft, form: WagerForm) -> WagerForm:
    if (wager.paytable is None) != (form.paytable is None):
        read.refuse(f"{_key(wager.kind)}.paytable", "every wager but the Ante has a paytable")
    paytable = None if form.paytable is None else _paytable(draft, wager)
    if wager.kind == WagerKind.BLIND:
        # The Blind always equals the Ante, so it has no limits of its own.
        return msgspec.structs.replace(form, paytable=paytable)
    return msgspec.structs.replace(
        form,
        min_cents=wager.min_cents,
        max_cents=wager.max_cents,
        multiple_of_cents=wager.step_cents,
        paytable=paytable,
    )


def _own_name(draft: HouseDraft) -> str:
    return draft.id.upper()


def _own_table(
    read: Reader, draft: HouseDraft, wager: WagerDraft, folder: Path | None
) -> PaytableForm:
    """The paytable with other payments; rows without one are left out."""
    key = _key(wager.kind)
    base = None if wager.paytable is None else paytable_form(wager.kind, wager.paytable, folder)
    if base is None or wager.rows is None or len(wager.rows) != len(base.rows):
        read.refuse(f"{key}.paytable", "its rows are not those of a paytable of this wager")
    rows = [
        _row(read, f"{key}.rows[{place}]", row, change)
        for place, (row, change) in enumerate(zip(base.rows, wager.rows, strict=True))
        if change.pays.strip()
    ]
    return msgspec.structs.replace(
        base,
        name=_own_name(draft),
        clause=f"{draft.name}, from {base.name}",
        rows=rows,
        claimed_advantage=None,
        claimed_game_advantage=None,
    )


def _row(read: Reader, key: str, row: RowForm, change: RowDraft) -> RowForm:
    text = change.pays.strip()
    if row.pays is not None:
        # A label that says how much the row pays, such as 50x, no longer does.
        says_pay = row.hand is not None and row.label is not None and row.label[0].isdecimal()
        label = None if says_pay else row.label
        return msgspec.structs.replace(row, pays=text, label=label)
    if text.endswith("%"):
        return msgspec.structs.replace(row, share=text, for_one=None, envy=change.envy)
    if not text.isascii() or not text.isdecimal() or len(text) > 9:
        read.refuse(key, f"{text!r} is neither a share such as '10%' nor a whole number for one")
    return msgspec.structs.replace(row, share=None, for_one=int(text), envy=change.envy)


def _paytable_file(draft: HouseDraft, tables: list[PaytableForm]) -> PaytableFile:
    return PaytableFile(version=_FIRST_VERSION, source=draft.source, paytable=tables)


def _built(draft: HouseDraft, place: int, table: PaytableForm) -> Paytable:
    file = Path("paytables", f"{draft.id}.toml")
    # Errors name the wager, since a wager has one table of the draft's own.
    content = _paytable_file(draft, [table] * (place + 1))
    return build_paytable(file, _key(table.wager), table, content)


def _with_departures(
    file: Path,
    form: HouseFile,
    paytables: dict[tuple[str, str], Paytable],
    named: Sequence[DepartureForm],
) -> HouseFile:
    """The house with its departures named: those of the base that stay, and new ones."""
    house = build_house(file, form, paytables, departures=False)
    reasons = {departure.clause: departure.reason for departure in named}
    return msgspec.structs.replace(
        form,
        departures=[
            DepartureForm(clause=clause, reason=reasons.get(clause, form.source))
            for clause in broken_limits(house)
        ],
    )


def _plain(form: HouseFile | PaytableFile) -> dict[str, Any]:
    """The keys of a file, without those that have their default."""
    plain: dict[str, Any] = _without_defaults(form)
    return plain


def _without_defaults(value: object) -> Any:
    if isinstance(value, msgspec.Struct):
        kept = {
            field.name: _without_defaults(inner)
            for field in msgspec.structs.fields(value)
            if (inner := getattr(value, field.name)) != _default(field)
        }
        # A row begins with its hand, and ends with what it pays.
        return dict(sorted(kept.items(), key=lambda entry: entry[0] == "pays"))
    if isinstance(value, dict):
        return {name: _without_defaults(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_without_defaults(inner) for inner in value]
    return value


def _default(field: msgspec.structs.FieldInfo) -> object:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default
