"""Forms of drafts read into drafts of the catalog, and houses shown as forms to be changed."""

from pathlib import Path
from typing import Final

from openfelt.cards import Category, Rank
from openfelt.catalog import Catalog, CatalogError
from openfelt.catalog.drafts.house_drafts import ANTE_BONUS, HouseDraft, RowDraft, WagerDraft
from openfelt.catalog.drafts.written_rules import paytable_form
from openfelt.catalog.files import HandForm, RowForm
from openfelt.catalog.wager_terms import row_words
from openfelt.protocol.draft_forms import (
    DraftFilesForm,
    DraftHand,
    DraftRow,
    DraftTable,
    DraftWager,
    DraftWagerView,
    HouseDraftForm,
    HouseDraftView,
)
from openfelt.rules.house import House, WagerRule
from openfelt.rules.paytable import Paytable, ProgressivePaytable
from openfelt.rules.wagers import WagerKind

UNNAMED: Final = "draft"
"""The id of a draft while its figures are tried out."""


def draft_of(form: HouseDraftForm, *, source: str = "A draft.") -> HouseDraft:
    """A form as a draft of the catalog; raises CatalogError for a wager that does not exist."""
    named = isinstance(form, DraftFilesForm)
    return HouseDraft(
        base=form.house,
        id=form.id if isinstance(form, DraftFilesForm) else UNNAMED,
        name=form.name if isinstance(form, DraftFilesForm) else UNNAMED,
        source=source if named else "A draft.",
        qualifying=HandForm(hand=form.qualifying.hand, at_least=form.qualifying.at_least),
        before_flop=form.before_flop,
        on_flop=form.on_flop,
        on_river=form.on_river,
        wagers=tuple(_wager(wager) for wager in form.wagers),
    )


def _wager(wager: DraftWager) -> WagerDraft:
    if wager.kind not in {*WagerKind, ANTE_BONUS}:
        raise CatalogError(Path("draft"), "wagers", f"there is no wager {wager.kind!r}")
    rows = wager.rows
    return WagerDraft(
        kind=wager.kind,
        min_cents=wager.min_cents,
        max_cents=wager.max_cents,
        step_cents=wager.step_cents,
        paytable=wager.paytable,
        rows=None
        if rows is None
        else tuple(RowDraft(pays=row.pays, envy=row.envy) for row in rows),
    )


def draft_view(house: House, catalog: Catalog, folder: Path | None) -> HouseDraftView:
    """The terms of a house as they are, to be changed."""
    play = house.play
    least = house.dealer_qualifies
    return HouseDraftView(
        house=house.id,
        name=house.name,
        game=house.game.value,
        hands=[category.words for category in reversed(Category)],
        ranks=[_rank(rank) for rank in reversed(Rank)],
        qualifying=DraftHand(
            hand=least.category.words, at_least=_rank(least.at_least) if least.at_least else None
        ),
        before_flop=list(play.before_flop) if play else [],
        on_flop=list(play.on_flop) if play else [],
        on_river=list(play.on_river) if play else [],
        wagers=[
            *(
                _wager_view(rule.kind, rule, rule.paytable, catalog, folder)
                for rule in house.wagers
            ),
            *_ante_bonus_view(house, catalog, folder),
        ],
    )


def _rank(rank: Rank) -> str:
    """A rank as house files write it."""
    return "10" if rank is Rank.TEN else rank.letter


def _ante_bonus_view(house: House, catalog: Catalog, folder: Path | None) -> list[DraftWagerView]:
    """The Ante Bonus, which has the limits of the Ante."""
    ante = house.wager(WagerKind.ANTE)
    if ante is None or house.ante_bonus is None:
        return []
    return [_wager_view(ANTE_BONUS, ante, house.ante_bonus, catalog, folder)]


def _wager_view(
    kind: str, limits: WagerRule, own: Paytable | None, catalog: Catalog, folder: Path | None
) -> DraftWagerView:
    tables = (
        []
        if own is None
        else [
            _table(table, folder)
            for (wager, _), table in catalog.paytables.items()
            if wager == kind and type(table) is type(own) and _same_reading(table, own)
        ]
    )
    return DraftWagerView(
        wager=DraftWager(
            kind=kind,
            min_cents=limits.min_cents,
            max_cents=limits.max_cents,
            step_cents=limits.multiple_of_cents,
            paytable=own.name if own is not None else None,
        ),
        tables=tables,
    )


def _same_reading(table: Paytable, own: Paytable) -> bool:
    """Whether two progressive tables read the same cards; other tables always do."""
    if isinstance(table, ProgressivePaytable) and isinstance(own, ProgressivePaytable):
        return table.reads is own.reads
    return True


def _table(table: Paytable, folder: Path | None) -> DraftTable:
    form = paytable_form(table.wager, table.name, folder)
    assert form is not None
    labels = (
        [row.label for row in table.rows]
        if isinstance(table, ProgressivePaytable)
        else [row_words(row) for row in table.rows]
    )
    return DraftTable(name=table.name, labels=labels, rows=[_row(row) for row in form.rows])


def _row(row: RowForm) -> DraftRow:
    pays = row.pays or row.share or str(row.for_one)
    return DraftRow(pays=pays, envy=row.envy)
