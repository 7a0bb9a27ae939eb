"""A draft is checked as its files would be, and its files are that house."""

from dataclasses import replace
from pathlib import Path

import pytest

from openfelt.catalog import CatalogError, load_catalog
from openfelt.catalog.drafts.house_drafts import (
    ANTE_BONUS,
    HouseDraft,
    RowDraft,
    WagerDraft,
    draft_house,
)
from openfelt.catalog.files import HandForm
from openfelt.rules.house import House
from openfelt.rules.wagers import WagerKind
from tests.kit.cases import with_variants

HOUSES = ["washington", "draw", "california", "online", "stadium"]


def draft_of(house: House) -> HouseDraft:
    """A house under another name, with the same terms."""
    least, play, ante_bonus = house.dealer_qualifies, house.play, house.ante_bonus
    wagers = [(rule.kind.value, rule, rule.paytable) for rule in house.wagers]
    if ante_bonus is not None:
        wagers.append((ANTE_BONUS, house.wagers[0], ante_bonus))
    return HouseDraft(
        base=house.id,
        id="mine",
        name="Mine",
        source="Written for a test.",
        qualifying=HandForm(
            hand=least.category.words, at_least=least.at_least.letter if least.at_least else None
        ),
        before_flop=play.before_flop if play else (),
        on_flop=play.on_flop if play else (),
        on_river=play.on_river if play else (),
        wagers=tuple(
            WagerDraft(
                kind=kind,
                min_cents=rule.min_cents,
                max_cents=rule.max_cents,
                step_cents=rule.multiple_of_cents,
                paytable=table.name if table else None,
            )
            for kind, rule, table in wagers
        ),
    )


@pytest.mark.parametrize("name", with_variants(HOUSES))
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


def changed(draft: HouseDraft, kind: str, **terms: object) -> HouseDraft:
    wagers = [
        replace(wager, **terms) if wager.kind == kind else wager  # type: ignore[arg-type]
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
        ({"base": "draw"}, "wagers.blind"),
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


def test_the_ante_bonus_of_a_draft_is_in_its_files(tmp_path: Path) -> None:
    catalog = load_catalog()
    house = catalog.house("draw")
    assert house.ante_bonus is not None
    rows = [RowDraft(pays=f"{place + 2} to 1") for place in range(len(house.ante_bonus.rows))]
    draft = changed(draft_of(house), ANTE_BONUS, rows=tuple(reversed(rows)))
    drafted = draft_house(draft, catalog)
    for path, text in drafted.files:
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    loaded = load_catalog(tmp_path).house("mine")
    assert loaded.ante_bonus is not None
    assert loaded.ante_bonus.name == "MINE"
    assert loaded.ante_bonus.rows[-1].odds.ratio == 2
    assert loaded.wagers == house.wagers


def test_terms_that_a_game_does_not_have_are_refused() -> None:
    catalog = load_catalog()
    draw, online = (draft_of(catalog.house(name)) for name in ("draw", "online"))
    bonus = next(wager for wager in draw.wagers if wager.kind == ANTE_BONUS)
    cases = [
        (replace(draw, on_flop=(2,)), "play", "this game has no Play wager"),
        (replace(online, wagers=(bonus,)), "ante_bonus", "is not offered by this house"),
    ]
    for draft, where, problem in cases:
        with pytest.raises(CatalogError) as raised:
            draft_house(draft, catalog)
        assert (raised.value.where, raised.value.problem) == (where, problem)
