"""Par sheets: every line can be checked against the counts."""

import re
from dataclasses import replace
from fractions import Fraction
from math import comb

import pytest

from openfelt.catalog import load_catalog, load_house
from openfelt.catalog.clauses import clause_of_claim, load_documents
from openfelt.cli.par_sheets.draw_sheet import draw_sheet
from openfelt.cli.par_sheets.holdem_sheet import PROGRESSIVE_DEALS, SIDE_DEALS, holdem_sheet
from openfelt.cli.par_sheets.house_sections import house_sections
from openfelt.cli.par_sheets.rules_in_words import rules_in_words
from openfelt.cli.par_sheets.sheet import AwardTable, ParSheet, Section, spread_section
from openfelt.maths import HouseFigures
from openfelt.maths.draw import draw_figures
from openfelt.maths.draw.best_play import known_best_play, known_house_way
from openfelt.maths.draw.draw_figures import DrawFigures
from openfelt.maths.draw.draw_spread import TOLD_APART, DrawSpread, Outcomes
from openfelt.maths.draw.strategy_counts import HOUSE_WAY, DrawCounts, usual_counts
from openfelt.maths.wagers.house_figures import with_paytable
from openfelt.maths.wagers.pricers import PRICERS, price_side_bet
from openfelt.rules import House, WagerKind
from openfelt.rules.house import SeveralWinners
from openfelt.rules.paytable import Odds, ProgressiveReads


def section(sheet: ParSheet, title: str) -> Section:
    return next(part for part in sheet.sections if part.title == title)


def checked_mean(part: Section) -> Fraction:
    """The mean from the deals and nets of a table, which its last row must state too."""
    *lines, last = part.rows
    deals = [int(row[1].replace(",", "")) for row in lines]
    assert int(last[1].replace(",", "")) == sum(deals)
    mean = Fraction(0)
    for row, count in zip(lines, deals, strict=True):
        share = Fraction(count, sum(deals))
        assert row[2] == f"{float(share):.10%}"
        assert row[4] == f"{float(share * Fraction(row[3])):+.10f}"
        assert row[5] == f"{float(share * (1 + Fraction(row[3]))):+.10f}"
        mean += share * Fraction(row[3])
    assert last[4] == f"{float(mean):+.10f}"
    assert last[5] == f"{float(1 + mean):+.10f}"
    return mean


def test_results_of_the_game_and_of_side_bets_add_up(online: HouseFigures) -> None:
    sheet = holdem_sheet(online)
    game = checked_mean(section(sheet, "Results of a round, in Antes"))
    assert game == online.solution.ev_per_ante
    parts = [
        checked_mean(section(sheet, f"{wager} alone, in Antes"))
        for wager in ("Ante", "Blind", "Play")
    ]
    assert sum(parts, Fraction(0)) == game
    trips = checked_mean(section(sheet, "Trips with UTH-03"))
    assert trips == online.side_bets["trips"].expected
    figures = {row[0]: row[1:] for row in section(sheet, "The game: Ante, Blind and Play").rows}
    assert figures["Expected result per Ante"] == ("-0.0218497138", "-50643648973/2317817502000")
    assert figures["House advantage per three units"][0] == "0.0072832379"
    rounds = [figures[f"Rounds {end}"][1] for end in ("won (hit frequency)", "even", "lost")]
    assert sum(map(Fraction, rounds)) == 1
    identity = {row[0]: row[1] for row in section(sheet, "Identification").rows}
    assert identity["Fingerprint of the rule data (SHA-256)"] == online.house.fingerprint


def test_every_paytable_and_claim_of_the_house_is_on_the_sheet(online: HouseFigures) -> None:
    titles = [part.title for part in holdem_sheet(online).sections]
    assert {"Paytable: Blind · UTH-03", "Paytable: Trips · UTH-03"} <= set(titles)
    claims = section(holdem_sheet(online), "What the documents claim").rows
    assert ("Return of Trips", "O.return.trips", "96.5%", "96.5021%", "yes") in claims
    # The table of Trips has its own claim, which is that of another document.
    assert ("Trips UTH-03", "W.paytables.UTH-03", "3.50%", "3.4979%", "yes") in claims


@pytest.mark.parametrize("house", load_catalog().houses.values(), ids=lambda house: house.id)
def test_only_three_documents_claim_figures(house: House) -> None:
    """Every claim of the rule data is in a clause of W, O or D, and no clause is unused."""
    tables = [rule.paytable for rule in house.wagers if rule.paytable is not None]
    claims = {(table.name, table.claimed_advantage) for table in tables if table.claimed_advantage}
    claims |= set(house.claimed_returns.items())
    for subject, claim in claims:
        clause = clause_of_claim(subject, claim or "")
        assert clause.partition(".")[0] in {"W", "O", "D"}, subject
    for document in load_documents():
        if document.letter in {"S", "C"}:
            assert not [one.id for one in document.clauses if "claim" in one.text.lower()]
    assert clause_of_claim("UTH-01", "0.91%") == ""


def test_rules_and_strategy_are_told_in_words(online: HouseFigures) -> None:
    sheet = holdem_sheet(online)
    rules = " ".join(section(sheet, "Rules").sentences)
    assert "3x or 4x the Ante before the flop, 2x the Ante after" in rules
    assert "The dealer qualifies with: pair or better." in rules
    strategy = section(sheet, "Strategy")
    assert strategy.sentences[1].startswith("Bet 4x before the flop: 33+, ")
    costs = {row[0]: Fraction(row[2]) for row in strategy.rows}
    loss = costs["Expected result of that strategy"]
    assert loss + costs["Its cost"] == online.solution.ev_per_ante
    assert costs["Its cost"] > 0
    for house in load_catalog().houses.values():
        words = list(rules_in_words(house))
        assert len(words) > 5
        assert all(sentence.endswith((".", "!")) for sentence in words)


def even_money(chances: tuple[int, int], pays: int) -> AwardTable:
    """A wager of two results."""
    lost, won = chances
    awards = (("won", won, Fraction(pays)), ("lost", lost, Fraction(-1)))
    return AwardTable("Wager", "unit", awards, (("per unit", Fraction(1)),))


def test_bands_of_a_fair_coin_are_those_of_the_normal_approximation() -> None:
    table = even_money((1, 1), 1)
    part = spread_section("Spread", table)
    assert "1.644854 at 90%, 1.959964 at 95%, 2.575829 at 99%" in part.sentences[2]
    for row, rounds in zip(part.rows, (10**power for power in range(3, 9)), strict=True):
        assert row[0] == f"{rounds:,}"
        for cell, quantile in zip(row[1:], (1.644854, 1.959964, 2.575829), strict=True):
            low, high = (float(end.removesuffix("%")) / 100 for end in cell.split(" to "))
            # The sum is a whole number, so its quantile is up to two units further.
            assert low == pytest.approx(1 - quantile / rounds**0.5, abs=2.2 / rounds + 1e-6)
            assert high == pytest.approx(1 + quantile / rounds**0.5, abs=2.2 / rounds + 1e-6)


def test_bands_of_a_rare_award_are_not_below_what_is_possible() -> None:
    """One in 100,000 wins 80,000: nearly always, a thousand rounds lose everything."""
    table = even_money((99_999, 1), 79_999)
    row = spread_section("Spread", table).rows[0]
    assert row[1:3] == ("0.0000% to 0.0000%", "0.0000% to 0.0000%")
    # One win in a thousand rounds has a chance of 0.995%, more than the half percent left out.
    assert row[3] == "0.0000% to 8000.0000%"


def test_bands_that_cannot_be_convolved_are_marked_and_cut() -> None:
    awards = (
        ("won", 1, Fraction(10**7, 3)),
        ("even", 9, Fraction(0)),
        ("lost", 10**7, Fraction(-1)),
    )
    part = spread_section(
        "Spread", AwardTable("Wager", "unit", awards, (("per unit", Fraction(1)),))
    )
    assert part.rows[-1][0] == "100,000,000 *"
    assert "normal approximation" in part.sentences[-1]
    assert all(row[1].startswith("0.0000% to ") for row in part.rows[:1])


def test_the_sheet_of_ultimate_draw() -> None:
    figures = draw_figures.price_draw_house(load_house("draw"), ante=known_house_way())
    sheet = draw_sheet(figures)
    rows = {row[0]: row[2] for row in section(sheet, "The Ante, held the house way").rows}
    assert rows["Neither hand has a pair"] == "362373697626059851/4239140334401372400"
    assert Fraction(rows["Expected result per Ante"]) == figures.expected
    best = known_best_play(figures)
    assert best is not None
    rows = {row[0]: row[2] for row in section(sheet, "The Ante, held best").rows}
    assert Fraction(rows["Expected result per Ante"]) == best.value == figures.expected + best.gain
    assert Fraction(rows["The house way is not the best"]) == best.differs
    bonus = section(sheet, "Bonus with UDP-01, held best for the Bonus alone")
    assert checked_mean(bonus) == -Fraction(73589807, 9657572925)
    rows = {row[0]: row[2] for row in section(sheet, "The Ante with the Bonus").rows}
    assert Fraction(rows["Held the house way"]) == figures.together(Fraction(1))


def test_the_sheet_of_ultimate_draw_has_the_results_of_a_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the distribution of a round is kept; here a made one, of wins and losses alone."""
    usual = usual_counts()
    none = Outcomes(Fraction(0), Fraction(0), Fraction(0), Fraction(0))
    below = Outcomes(Fraction(3, 8), Fraction(1, 2), Fraction(0), Fraction(1, 8))
    spread = DrawSpread(below, dict.fromkeys(TOLD_APART, none))
    house_way = replace(usual.house_way, spread=spread)
    made = DrawCounts({HOUSE_WAY: house_way, "basic": house_way}, usual.best)
    monkeypatch.setattr("openfelt.cli.par_sheets.draw_sheet.usual_counts", lambda: made)
    figures = draw_figures.price_draw_house(load_house("draw"), ante=known_house_way())
    sheet = draw_sheet(figures)
    results = section(sheet, "Results of a round in Antes, held the house way")
    assert checked_mean(results) == Fraction(-1, 16)
    assert [row[0] for row in results.rows[:-1]] == ["-1.00", "+0.50", "+1.00"]
    told = " ".join(section(sheet, f"{results.title}: spread").sentences)
    assert f"exactly {Fraction(29, 32) - Fraction(1, 256)}." in told
    assert "volatility index" in told
    rows = {row[0]: row[2] for row in section(sheet, "The basic strategy").rows}
    assert Fraction(rows["More than by the house way"]) == 0


def test_charts_of_ultimate_draw_say_what_they_show(draw: DrawFigures) -> None:
    charts = draw_sheet(draw).charts
    kinds = [chart.kind for chart in charts]
    assert [kinds.count(kind) for kind in ("wagers", "results", "session", "bands")] == [1, 3, 3, 5]
    titles = [chart.title for chart in charts]
    assert len(set(titles)) == len(titles)
    assert "Return of the Ante, held best for the Ante alone" in titles
    wagers = {value["wager"]: value["result"] for value in charts[0].values}
    best = known_best_play(draw)
    assert best is not None
    assert wagers["Ante, held best"] == float(best.value)
    assert wagers["Ante, held the house way"] == float(draw.expected)
    for chart in charts:
        unit = chart.axis.removesuffix(", stake included").rpartition(" per unit ")[2]
        assert unit.rpartition("return ")[2].rpartition("result ")[2] in chart.caption


def test_what_the_document_claims_of_ultimate_draw() -> None:
    table = load_catalog().paytables["bonus", "UDP-04"]
    house = with_paytable(load_house("draw"), table)
    figures = draw_figures.price_draw_house(house, ante=known_house_way())
    claims = section(draw_sheet(figures), "What the documents claim").rows
    words = "House advantage of the Bonus with UDP-04"
    verdict = "no: it should read 5.47%"
    assert claims == ((words, "D.bonus.UDP-04", "5.48%", "5.4747%", verdict),)


def test_how_the_figures_were_obtained_names_commands(
    draw: DrawFigures, online: HouseFigures
) -> None:
    sheets = ((draw_sheet(draw), "draw", 14), (holdem_sheet(online), "online", 13))
    for sheet, house, figures in sheets:
        rows = section(sheet, "How the figures were obtained").rows
        commands = {row[2] for row in rows}
        assert {f"openfelt edge {house} --json", f"openfelt parsheet {house}"} <= commands
        assert len(rows) == figures


@pytest.mark.parametrize(
    ("house", "told"),
    [
        ("stadium", "dealer's cards and the board come from it and are common to all terminals"),
        ("stadium", "There are 2,000 seats, with up to 3 hands each."),
        ("online", "There is one seat, with one hand."),
        ("draw", "the worse one loses it (D.11), and a tie pushes (R.25)."),
        ("draw", "It may be bet without an Ante (R.29)."),
        ("washington", "The progressive reads the player's two cards with the three of the flop"),
        ("washington", "25% of each progressive wager goes to the meter. It begins at its seed of"),
        ("washington", "Envy: when a hand makes an award for which the table names an Envy"),
        ("washington", "Several hands that win a share in one round divide it evenly (R.24)."),
    ],
)
def test_rules_come_from_the_rule_data(house: str, told: str) -> None:
    assert told in " ".join(rules_in_words(load_house(house)))


def test_words_follow_the_data_and_not_the_house() -> None:
    washington, link = load_house("washington"), load_house("washington").progressive
    assert link is not None
    link = replace(
        link, contribution=Fraction(1, 8), several_winners=SeveralWinners.IN_ORDER, seed_cents=500
    )
    told = " ".join(rules_in_words(replace(washington, progressive=link, seats=1)))
    assert "12.5% of each progressive wager" in told
    assert "its seed of $5.00" in told
    assert "take it one after another, in the order of settlement (R.24)" in told
    assert "There is one seat, with one hand." in told


def test_notices_are_not_among_the_rules(draw: DrawFigures) -> None:
    sheet = draw_sheet(draw)
    notices = section(sheet, "Notices to players").sentences[1:]
    assert notices == draw.house.notices
    assert not set(notices) & set(section(sheet, "Rules").sentences)


def test_negative_contributions_and_terms_are_explained(
    online: HouseFigures, draw: DrawFigures
) -> None:
    sheet = holdem_sheet(online)
    told = section(sheet, "Results of a round, in Antes").sentences
    assert "loses more than one Ante makes a negative contribution" in told[2]
    assert (
        len(section(draw_sheet(draw), "Results of a round in Antes, held the house way").sentences)
        == 2
    )
    strategy = " ".join(section(sheet, "Strategy").sentences)
    assert "A dealer out is an unseen card" in strategy
    assert "A hidden pair is a pair that includes" in strategy


def product(formula: str) -> int:
    """The value of a formula such as ``C(52,2) · 3``."""
    number = 1
    for factor in formula.split(" · "):
        combination = re.fullmatch(r"C\((\d+),(\d+)\)", factor)
        number *= (
            comb(*map(int, combination.groups())) if combination else int(factor.replace(",", ""))
        )
    return number


def test_every_table_says_what_a_deal_is(draw: DrawFigures, online: HouseFigures) -> None:
    tables = [*draw_sheet(draw).award_tables, *holdem_sheet(online).award_tables]
    for table in tables:
        words, _, formula = table.deal.rpartition(". ")
        assert words
        assert product(formula) == sum(deals for _, deals, _ in table.awards), table.title


@pytest.mark.parametrize("kind", PRICERS)
def test_deals_of_every_side_bet(kind: WagerKind) -> None:
    name = "PRG-01" if kind is WagerKind.PROGRESSIVE else None
    tables = [
        table
        for (wager, paytable), table in load_catalog().paytables.items()
        if wager == kind and name in (None, paytable)
    ]
    priced = price_side_bet(tables[0])
    assert priced is not None
    deal = SIDE_DEALS.get(kind) or PROGRESSIVE_DEALS[ProgressiveReads.HOLE_AND_FLOP]
    assert product(deal.rpartition(". ")[2]) == priced.deals


def wagers_of(house: House) -> tuple[dict[str, tuple[str, ...]], str]:
    part = next(one for one in house_sections(house) if one.title == "Wagers")
    return {row[0]: row[1:] for row in part.rows}, " ".join(part.sentences)


def test_wagers_say_what_they_require_and_what_the_law_allows() -> None:
    washington = load_house("washington")
    rows, told = wagers_of(washington)
    assert rows["Bad Beat"] == ("$1.00", "$100.00", "$1.00", "Ante, Blind, Trips")
    assert rows["Blind"] == ("$5.00", "$100.00", "$1.00", "an equal Ante")
    assert rows["Play"] == ("1x the Ante", "4x the Ante", "", "Ante, Blind")
    assert "A hand carries at most 6 wagers, Play included." in told
    # Before 2023, a side bet was at most five dollars, and the Ante a quarter of 300.
    rows, told = wagers_of(replace(washington, limits=washington.limits[:1]))
    assert [rows[name][1] for name in ("Ante", "Trips")] == ["$75.00", "$5.00"]
    assert "from 2009-01-01 on" in told
    rows, told = wagers_of(load_house("draw"))
    assert rows["Bonus"][-1] == "nothing"
    assert "Play" not in rows
    assert told == ""
    assert "Wagers for the dealer are $1.00 to $100.00" in wagers_of(load_house("stadium"))[1]


def test_what_an_unqualified_dealer_pays_is_that_of_the_rules(
    draw: DrawFigures, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = load_house("draw")
    pays = draw.terms.unqualified_pays
    told = f"An unqualified dealer pays every Ante {pays.numerator} to {pays.denominator} (D.10)."
    assert told in " ".join(rules_in_words(house))
    monkeypatch.setattr("openfelt.cli.par_sheets.rules_in_words.UNQUALIFIED_PAYS", Odds(2, 3))
    assert "pays every Ante 2 to 3 (D.10)" in " ".join(rules_in_words(house))
