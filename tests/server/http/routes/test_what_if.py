"""Drafts of houses over REST: figures follow the terms, and files of a draft can be loaded."""

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from httpx import AsyncClient

from openfelt.cards import Category, Rank
from openfelt.catalog import load_catalog, load_house
from openfelt.maths import HoldemSolution, HoldemTerms
from openfelt.maths.draw.draw_figures import draw_terms_of
from openfelt.maths.draw.strategy_counts import final_pays, usual_counts
from openfelt.maths.holdem import solver
from openfelt.maths.holdem.terms import USUAL_BLIND
from openfelt.maths.wagers.pricers import price_side_bet
from openfelt.rules.paytable import HandMinimum
from openfelt.server.draft_desk.draft_counts import DraftCounts
from tests.kit.floors import until
from tests.kit.maths.solution import usual_solution
from tests.kit.server.open_house import OpenHouse

FIGURES = "/api/v1/drafts/figures"
FILES = "/api/v1/drafts/files"


async def draft_of(eve: AsyncClient, house: str = "online") -> dict[str, Any]:
    """The unchanged terms of a house as a form."""
    answer = await eve.get(f"/api/v1/houses/{house}/draft")
    assert answer.status_code == 200, answer.text
    view = answer.json()
    kept = ("house", "qualifying", "before_flop", "on_flop", "on_river")
    return {key: view[key] for key in kept} | {"wagers": [one["wager"] for one in view["wagers"]]}


def wager(form: dict[str, Any], kind: str) -> dict[str, Any]:
    found = next(one for one in form["wagers"] if one["kind"] == kind)
    assert isinstance(found, dict)
    return found


async def rows_of(eve: AsyncClient, house: str, kind: str) -> list[dict[str, Any]]:
    """The rows of the paytable that a wager has."""
    view = (await eve.get(f"/api/v1/houses/{house}/draft")).json()
    found = next(one for one in view["wagers"] if one["wager"]["kind"] == kind)
    table = next(one for one in found["tables"] if one["name"] == found["wager"]["paytable"])
    assert len(table["labels"]) == len(table["rows"])
    return [dict(row) for row in table["rows"]]


async def counted(house: OpenHouse, eve: AsyncClient, form: dict[str, Any]) -> dict[str, Any]:
    """The figures of a draft, once they are counted."""
    answer = await eve.post(FIGURES, json=form)
    counts = house.services.draft_counts
    await until(lambda: not counts.busy)
    answer = await eve.post(FIGURES, json=form)
    assert answer.status_code == 200, answer.text
    view = answer.json()
    assert isinstance(view, dict)
    return view


def line(view: dict[str, Any], of: str, measure: str) -> dict[str, Any]:
    found = next(one for one in view["lines"] if (one["of"], one["measure"]) == (of, measure))
    assert isinstance(found, dict)
    return found


async def test_a_side_bet_is_priced_at_once_and_the_game_when_it_is_counted(
    house: OpenHouse,
) -> None:
    eve = await house.supervisor()
    form = await draft_of(eve)
    rows = await rows_of(eve, "online", "trips")
    rows[-1]["pays"] = "4 to 1"
    wager(form, "trips")["rows"] = rows
    first = (await eve.post(FIGURES, json=form)).json()
    # The unchanged game is counted in the background; what Trips pays does not wait for it.
    assert (first["problem"], first["best_play"]) == (None, False)
    assert first["counting"] is not None
    trips = line(first, "trips", "advantage")
    usual = price_side_bet(load_catalog().paytables["trips", wager(form, "trips")["paytable"]])
    assert usual is not None
    assert trips["published"]["fraction"] == str(usual.house_advantage)
    more = next(award.deals for award in usual.awards if award.label == "Three of a kind")
    expected = usual.house_advantage - Fraction(more, usual.deals)
    assert trips["draft"]["fraction"] == str(expected)
    assert trips["draft"]["decimal"] == f"{float(100 * expected):.4f}"
    view = await counted(house, eve, form)
    game = line(view, "game", "advantage_per_ante")
    assert view["best_play"]
    assert (
        game["draft"]["fraction"] == game["published"]["fraction"] == ("50643648973/2317817502000")
    )
    assert game["difference"] == "+0.0000"
    assert line(view, "game", "on_flop")["multiple"] == 2
    assert line(view, "game", "std_dev")["draft"] == {"decimal": "4.939299", "fraction": None}


@pytest.fixture
def solutions(monkeypatch: pytest.MonkeyPatch) -> dict[HoldemTerms, HoldemSolution]:
    """The games that the server has solved, by their terms; the usual one is shared by all tests.

    In the test above the server solves that one too.
    """
    solved: dict[HoldemTerms, HoldemSolution] = {}
    own = solver.solve_holdem

    def solve(terms: HoldemTerms, **options: Any) -> HoldemSolution:
        usual = terms == HoldemTerms.of()
        solved[terms] = usual_solution() if usual else own(terms, **options)
        return solved[terms]

    monkeypatch.setattr(solver, "solve_holdem", solve)
    return solved


async def test_other_odds_of_the_blind_are_shown_for_the_old_decisions_first(
    house: OpenHouse, solutions: dict[HoldemTerms, HoldemSolution]
) -> None:
    eve = await house.supervisor()
    form = await draft_of(eve)
    unchanged = await counted(house, eve, form)
    rows = await rows_of(eve, "online", "blind")
    rows[-1]["pays"] = "2 to 1"
    wager(form, "blind")["rows"] = rows
    first = (await eve.post(FIGURES, json=form)).json()
    assert (first["best_play"], first["counting"]["done"]) == (False, 0)
    before = Fraction(line(first, "game", "advantage_per_ante")["draft"]["fraction"])
    best = await counted(house, eve, form)
    assert best["best_play"]
    after = Fraction(line(best, "game", "advantage_per_ante")["draft"]["fraction"])
    # A player who adapts loses no more than one who does not, and here a little less.
    published = line(unchanged, "game", "advantage_per_ante")["draft"]["fraction"]
    assert after <= before < Fraction(published)
    odds = {**USUAL_BLIND, Category.STRAIGHT: Fraction(2)}
    assert after == -solutions[HoldemTerms.of(odds)].ev_per_ante


async def test_draw_is_priced_from_its_kept_counts(house: OpenHouse) -> None:
    eve = await house.supervisor()
    form = await draft_of(eve, "draw")
    as_it_is = (await eve.post(FIGURES, json=form)).json()
    assert (as_it_is["problem"], as_it_is["counting"], as_it_is["best_play"]) == (None, None, True)
    terms, counts = draw_terms_of(load_house("draw")), usual_counts()
    best, own = counts.best_for(final_pays(terms)), counts.house_way
    assert best is not None
    expected = {
        "advantage_best_holds": -own.value(terms) - best.gain,
        "advantage_house_way": -own.value(terms),
        "unqualified": own.unqualified,
    }
    for measure, value in expected.items():
        shown = line(as_it_is, "game", measure)
        assert shown["draft"]["fraction"] == shown["published"]["fraction"] == str(value)
    assert line(as_it_is, "bonus", "advantage")["claimed"] == "0.76%"
    rows = await rows_of(eve, "draw", "ante_bonus")
    rows[0]["pays"] = "60 to 1"
    wager(form, "ante_bonus")["rows"] = rows
    changed = (await eve.post(FIGURES, json=form)).json()
    # Best holds depend on what hands pay: for these they are not counted, only limited.
    assert (changed["problem"], changed["best_play"]) == (None, False)
    richer = terms.changed("royal_flush", Fraction(60))
    shown = line(changed, "game", "advantage_house_way")
    assert shown["draft"]["fraction"] == str(-own.value(richer))
    most = line(changed, "game", "advantage_best_holds_most")["draft"]["fraction"]
    assert Fraction(most) == -max(one.value(richer) for one in counts.strategies.values())
    assert Fraction(most) <= -own.value(richer) < -own.value(terms)


async def test_a_draw_dealer_who_qualifies_otherwise_is_priced(house: OpenHouse) -> None:
    eve = await house.supervisor()
    form = await draft_of(eve, "draw") | {"qualifying": {"hand": "pair", "at_least": "10"}}
    view = (await eve.post(FIGURES, json=form)).json()
    assert (view["problem"], view["best_play"]) == (None, False)
    least = HandMinimum(Category.PAIR, Rank.TEN)
    terms, counts = draw_terms_of(load_house("draw")).requiring(least), usual_counts()
    expected = {
        "advantage_house_way": -counts.house_way.value(terms),
        "advantage_basic": -counts.strategies["basic"].value(terms),
        "advantage_best_holds_most": -max(s.value(terms) for s in counts.strategies.values()),
        "unqualified": counts.house_way.against(least).unqualified,
    }
    for measure, value in expected.items():
        assert line(view, "game", measure)["draft"]["fraction"] == str(value)
    assert line(view, "game", "std_dev")["draft"] is None


async def test_a_draw_dealer_who_always_qualifies_is_priced_for_the_house_way(
    house: OpenHouse,
) -> None:
    eve = await house.supervisor()
    form = await draft_of(eve, "draw") | {"qualifying": {"hand": "high card", "at_least": None}}
    view = (await eve.post(FIGURES, json=form)).json()
    own = usual_counts().house_way
    value = own.paid(draw_terms_of(load_house("draw")).ante_bonus)
    shown = line(view, "game", "advantage_house_way")
    assert shown["draft"]["fraction"] == str(-value)
    assert line(view, "game", "advantage_basic")["draft"] is None


async def test_a_draw_dealer_who_needs_a_flush_has_no_figures(house: OpenHouse) -> None:
    eve = await house.supervisor()
    form = await draft_of(eve, "draw") | {"qualifying": {"hand": "flush", "at_least": None}}
    view = (await eve.post(FIGURES, json=form)).json()
    assert "qualifies with flush or better is not counted" in view["problem"]["sentence"]
    assert view["lines"] == []


async def test_what_cannot_be_offered_is_said_and_not_counted(house: OpenHouse) -> None:
    eve = await house.supervisor()
    form = await draft_of(eve)
    rows = await rows_of(eve, "online", "trips")
    cases: list[tuple[dict[str, Any], str, str]] = [
        ({"wagers": [wager(form, "trips") | {"rows": [rows[0] | {"pays": "much"}, *rows[1:]]}]},
         "wagers.trips.rows[0].pays", "'much' are not odds such as '3 to 2'"),
        ({"wagers": [wager(form, "trips") | {"rows": [rows[0] | {"pays": ""}, *rows[1:]]}]},
         "wagers.trips.rows[0]", "the row above it, royal flush, is missing"),
        ({"wagers": [wager(form, "trips") | {"rows": rows[1:]}]},
         "wagers.trips.paytable", "its rows are not those of a paytable of this wager"),
        ({"wagers": [wager(form, "ante") | {"min_cents": 700, "step_cents": 500}]},
         "wagers.ante.multiple_of_cents", "min_cents and max_cents must be multiples of it"),
        ({"wagers": [{"kind": "luck", "min_cents": 1, "max_cents": 1, "step_cents": 1}]},
         "wagers", "there is no wager 'luck'"),
        ({"on_river": []}, "play.on_river", "needs a multiple, or every hand must fold"),
    ]  # fmt: skip
    for change, where, sentence in cases:
        view = (await eve.post(FIGURES, json=form | change)).json()
        assert (view["problem"], view["lines"]) == ({"where": where, "sentence": sentence}, [])
    assert (await eve.get("/api/v1/houses/nowhere/draft")).status_code == 404
    assert (await eve.post(FIGURES, json=form | {"house": "nowhere"})).status_code == 404


async def test_the_files_of_a_draft_are_a_house(house: OpenHouse, tmp_path: Path) -> None:
    eve = await house.supervisor()
    form = await draft_of(eve, "washington")
    form["qualifying"] = {"hand": "pair", "at_least": "4"}
    wager(form, "ante")["max_cents"] = 5_000
    for kind in ("trips", "ultimate_pairs", "progressive"):
        rows = await rows_of(eve, "washington", kind)
        rows[-1]["pays"] = "9" if kind == "progressive" else "2 to 1"
        wager(form, kind)["rows"] = rows
    form |= {"id": "riverside", "name": "Riverside", "reason": "A quieter room."}
    answer = await eve.post(FILES, json=form)
    assert answer.status_code == 200, answer.text
    files = {one["path"]: one["text"] for one in answer.json()["files"]}
    assert sorted(files) == ["paytables/riverside.toml", "riverside.toml"]
    for path, text in files.items():
        tomllib.loads(text)
        target = tmp_path / path
        target.parent.mkdir(exist_ok=True)
        target.write_text(text, encoding="utf-8")
    riverside = load_house("riverside", folder=tmp_path)
    assert riverside.dealer_qualifies == HandMinimum(Category.PAIR, Rank.FOUR)
    assert riverside.source.endswith(": A quieter room.")
    assert [departure.clause for departure in riverside.departures] == ["W.10"]
    ante, *_ = riverside.wagers
    assert (ante.max_cents, riverside.seats) == (5_000, load_house("washington").seats)
    again = await eve.post(FILES, json=form | {"id": "online"})
    assert (again.status_code, again.json()["code"]) == (409, "bad_rules")


async def test_a_caller_who_types_on_drops_the_count_before() -> None:
    counts = DraftCounts()
    usual, other = HoldemTerms.of(), HoldemTerms.of(first_multiples=[3])
    first = counts.want([usual], caller="eve")
    assert first is not None
    assert counts.want([usual], caller="ann") is first
    counts.want([other], caller="eve")
    assert not first.dropped
    counts.want([other], caller="ann")
    assert counts.want([usual], caller="eve") is not first
    await counts.close()
