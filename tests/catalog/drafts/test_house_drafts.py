"""A draft is checked as its files would be, and its files are that house."""

from dataclasses import replace
from pathlib import Path

import pytest

from openfelt.catalog import CatalogError, load_catalog
from openfelt.catalog.drafts.house_drafts import HouseDraft, RowDraft, WagerDraft, draft_house
from openfelt.catalog.files import HandForm
from openfelt.rules.house import House
from openfelt.rules.wagers import WagerKind
from tests.kit.cases import with_variants

HOLDEM = ["washington", "california", "online", "stadium"]


def draft_of(house: House) -> HouseDraft:
    """A house under another name, with the same terms."""
    assert house.play is not None
    least = house.dealer_qualifies
    return HouseDraft(
        base=house.id,
        id="mine",
        name="Mine",
        source="Written for a test.",
        qualifying=HandForm(
            hand=least.category.words, at_least=least.at_least.letter if least.at_least else None
        ),
        before_flop=house.play.before_flop,
        on_flop=house.play.on_flop,
        on_river=house.play.on_river,
        wagers=tuple(
            WagerDraft(
                kind=rule.kind,
                min_cents=rule.min_cents,
                max_cents=rule.max_cents,
                step_cents=rule.multiple_of_cents,
                paytable=rule.paytable.name if rule.paytable else None,
            )
            for rule in house.wagers
        ),
    )


@pytest.mark.parametrize("name", with_variants(HOLDEM))
def test_a_draft_without_changes_is_the_house_under_another_name(name: str, tmp_path: Path) -> None:
    catalog = load_catalog()
    house = catalog.house(name)
    drafted = draft_house(draft_of(house), catalog)
    for path, text in drafted.files:
        (tmp_path / path).write_text(text, encoding="utf-8")
    loaded = load_catalog(tmp_path).house("mine")
    assert loaded == drafted.house
    same = replace(
        loaded,
        id=house.id,
        version=house.version,
        name=house.name,
        source=house.source,
        fingerprint=house.fingerprint,
        claimed_returns=house.claimed_returns,
        departures=house.departures,
    )
    assert same == house


def changed(draft: HouseDraft, kind: WagerKind, **terms: object) -> HouseDraft:
    wagers = [
        replace(wager, **terms) if wager.kind is kind else wager  # type: ignore[arg-type]
        for wager in draft.wagers
    ]
    return replace(draft, wagers=tuple(wagers))


def test_a_progressive_pays_a_share_or_a_number() -> None:
    catalog = load_catalog()
    draft = draft_of(catalog.house("washington"))
    table = catalog.house("washington").progressive_table()
    rows = [RowDraft(pays="100", envy=7) for _ in table.rows]
    rows[0] = RowDraft(pays="50%")
    drafted = draft_house(changed(draft, WagerKind.PROGRESSIVE, rows=tuple(rows)), catalog)
    paid = drafted.house.progressive_table().rows
    assert (paid[0].share_text, paid[0].envy_for_one) == ("50%", 0)
    assert (paid[1].for_one, paid[1].envy_for_one) == (100, 7)
    rows[0] = RowDraft(pays="half")
    with pytest.raises(CatalogError, match="neither a share"):
        draft_house(changed(draft, WagerKind.PROGRESSIVE, rows=tuple(rows)), catalog)


def test_an_empty_row_at_the_bottom_is_left_out() -> None:
    catalog = load_catalog()
    draft = draft_of(catalog.house("online"))
    table = catalog.house("online").hand_table(WagerKind.TRIPS)
    rows = [RowDraft(pays=f"{row.odds.pays} to {row.odds.per}") for row in table.rows]
    rows[-1] = RowDraft(pays=" ")
    drafted = draft_house(changed(draft, WagerKind.TRIPS, rows=tuple(rows)), catalog)
    assert len(drafted.house.hand_table(WagerKind.TRIPS).rows) == len(rows) - 1
    assert [path for path, _ in drafted.files] == ["mine.toml", "paytables/mine.toml"]


@pytest.mark.parametrize(
    ("change", "where"),
    [
        ({"id": "online"}, "id"),
        ({"id": "My House"}, "id"),
        ({"base": "draw"}, "game"),
        ({"qualifying": HandForm(hand="luck")}, "dealer_qualifies.hand"),
        ({"before_flop": [4, 3]}, "play.before_flop"),
    ],
)
def test_what_the_loader_refuses_is_refused(change: dict[str, object], where: str) -> None:
    catalog = load_catalog()
    draft = replace(draft_of(catalog.house("online")), **change)  # type: ignore[arg-type]
    with pytest.raises(CatalogError) as caught:
        draft_house(draft, catalog)
    assert caught.value.where == where
