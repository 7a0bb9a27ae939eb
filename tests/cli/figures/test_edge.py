"""``openfelt edge``."""

from fractions import Fraction

import pytest

from openfelt.cards import Category
from openfelt.catalog import load_house
from openfelt.cli.figures.edge import tell_aggregates
from openfelt.maths import draw_terms_of, solve_draw
from openfelt.maths.draw import best_play, draw_figures
from openfelt.maths.draw.best_play import known_house_way
from openfelt.maths.draw.strategy_counts import usual_counts
from tests.kit.cli.commands import complaint, facts, output
from tests.kit.maths.games import small_deck
from tests.kit.own_houses import own_house

BEST = "65446310657744017/4239140334401372400"
"""The value of the Ante under the best holds."""


def test_json_has_every_figure_of_the_game(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "edge", "online")
    game = found["base_game"]
    assert game["ev_per_ante_fraction"] == "-50643648973/2317817502000"
    assert game["ev_per_ante"] == pytest.approx(-0.02185, abs=5e-6)
    assert game["std_dev"] == pytest.approx(4.94, abs=5e-3)
    assert game["units_staked"] == pytest.approx(4.152, abs=5e-4)
    assert game["element_of_risk"] == pytest.approx(0.00526, abs=5e-6)
    assert {"bet_4x", "bet_2x", "bet_1x", "fold"} <= set(game["decisions"])
    assert sum(one["deals"] for one in game["distribution"]) == found["deals"]
    trips = found["side_bets"]["trips"]
    assert trips["house_advantage"] == pytest.approx(0.035, abs=5e-5)
    assert {"hit_frequency", "variance", "std_dev", "covariance_with_game"} <= set(trips)
    assert found["together"]["stakes"] == {"game": 1.0, "trips": 1.0}


@pytest.mark.variant
@pytest.mark.usefixtures("solved_game")
def test_another_paytable_and_a_smaller_bet(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "edge", "online", "--paytable", "trips=uth-04", "--bet", "trips=0.5")
    assert found["side_bets"]["trips"]["paytable"] == "UTH-04"
    assert found["side_bets"]["trips"]["house_advantage"] == pytest.approx(0.0618, abs=5e-5)
    assert found["base_game"]["blind"] == "UTH-03"
    assert found["fingerprint"] != load_house("online").fingerprint
    assert [one["claim"] for one in found["claims"]] == ["Trips UTH-04"]
    assert found["terms"]["blind"]["flush"] == "3/2"
    assert found["together"]["stakes"]["trips"] == 0.5


@pytest.mark.clause("O.return.game")
@pytest.mark.usefixtures("solved_game")
def test_the_report_says_which_claims_agree(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [" ".join(line.split()) for line in output(capsys, "edge", "online").splitlines()]
    assert "Return of the game, per three units O 99.27% 99.2717% yes" in lines
    assert "Return of Trips O 96.5% 96.5021% yes" in lines
    assert "Trips UTH-03 W 3.50% 3.4979% yes" in lines
    assert not any("Whole game" in line for line in lines)
    assert "House advantage per Ante 2.1850%" in lines


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "no house called 'nowhere'"),
        (("online", "--what-if", "unqualified=1"), "for Ultimate Draw only"),
        (("online", "--best-play"), "for Ultimate Draw only"),
        (("draw", "--what-if", "unqualified"), "--what-if unqualified: write TERM=VALUE"),
        (("draw", "--what-if", "unqualified=abc"), "a number of Antes, such as unqualified=1/4"),
        (("draw", "--what-if", "unqualified=1e999999999"), "a number of Antes"),
        (("draw", "--what-if", "unqualified=1/0"), "denominator is zero"),
        (("draw", "--what-if", "flush=-1"), "cannot have a negative payout"),
        (("draw", "--what-if", "dealer=1"), "neither 'unqualified' nor a hand"),
        (("draw", "--paytable", "UTH-01"), "It can use UDP-01"),
        (("online", "--paytable", "UTH-99"), "UTH-99"),
        (("online", "--paytable", "bonus=UDP-01"), "UDP-01"),
        (("online", "--paytable", "UTH-01", "--paytable", "trips=UTH-02"), "are both paytables"),
        (("online", "--paytable", "UTH-01", "--paytable", "UTH-01"), "are both paytables of trips"),
        (("online", "--meter", "100"), "no progressive meter"),
        (("washington", "--meter", "lots"), "--meter: 'lots' is not an amount"),
    ],
)
def test_what_cannot_be_is_refused_before_any_work(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence, code = complaint(capsys, "edge", *arguments)
    assert said in sentence
    assert code == 2


@pytest.mark.clause("D.10", "D.12")
def test_ultimate_draw_and_what_changes_would_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    house_way = known_house_way()
    found = facts(capsys, "edge", "draw", "--paytable", "UDP-02", "--bet", "bonus=2")
    ante, bonus = found["ante"], found["bonus"]
    pays = {Category(9 - row): Fraction(multiple) for row, multiple in enumerate((50, 25, 6, 2, 1))}
    assert pays[Category.FLUSH] == 1
    assert Fraction(ante["ev_per_ante_fraction"]) == house_way.expected(pays)
    assert Fraction(ante["fair_unqualified_pays_fraction"]) == house_way.fair_share(pays)
    assert bonus["best"]["house_advantage_fraction"] == "360282613/19315145850"
    together = house_way.expected(pays) - 2 * Fraction(
        bonus["house_way"]["house_advantage_fraction"]
    )
    assert Fraction(found["together"]["ev_per_ante_fraction"]) == together
    assert not found["terms"]["changed"]
    changes = ("--what-if", "unqualified=1/4", "--what-if", "full house=0")
    changed = facts(capsys, "edge", "draw", *changes)
    assert changed["terms"]["changed"]
    without = {**pays, Category.FULL_HOUSE: Fraction(0)}
    assert Fraction(changed["ante"]["ev_per_ante_fraction"]) == house_way.expected(
        without, unqualified_pays=Fraction(1, 4)
    )


def test_ultimate_draw_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    told = [" ".join(line.split()) for line in output(capsys, "edge", "draw").splitlines()]
    assert "The Ante, held the house way" in told
    assert "Held best for the Bonus alone UDP-01 0.7620% 23.9661% 3.6825" in told
    assert not any("changed" in line for line in told)
    changed = output(capsys, "edge", "draw", "--what-if", "flush=0")
    assert "not the figures of the house" in " ".join(changed.split())
    assert "The kept counts leave many hands of the Ante open with this Ante Bonus" in " ".join(
        changed.split()
    )
    assert "Held best for both -0.03741410 -0.01870705 2.336356 4.313341" in told
    half = " ".join(output(capsys, "edge", "draw", "--bet", "bonus=0.5").split())
    assert "The kept counts leave many hands of the Ante and the Bonus together open" in half


def test_another_ante_bonus_is_priced_for_every_way_to_hold(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Kept strategies exactly, and the best holds from their candidates."""
    changed = ("--what-if", "full_house=1")
    found = facts(capsys, "edge", "draw", *changed)["alone"]["strategies"]
    named = {name: Fraction(value) for name, value in found.items() if isinstance(value, str)}
    terms = draw_terms_of(load_house("draw")).changed("full_house", Fraction(1))
    kept = usual_counts().strategies
    assert named["Held the house way_fraction"] == kept["house_way"].value(terms)
    assert named["Held by the basic strategy_fraction"] == kept["basic"].value(terms)
    usual = named["Held best for the usual Ante Bonus_fraction"]
    assert usual == kept["best"].value(terms)
    assert not any("Held best for the Ante and" in name for name in named)
    assert max(one.value(terms) for one in kept.values()) < named["Held best_fraction"]
    assert f"{float(named['Held best_fraction']):.4%}" == "0.4200%"
    bounded = facts(capsys, "edge", "draw", "--what-if", "flush=0")["alone"]["strategies"]
    assert bounded["Held best, at least"] < bounded["Held best, at most"]
    usual_terms = facts(capsys, "edge", "draw")["alone"]["strategies"]
    assert usual_terms["Held best_fraction"] == BEST
    assert not any("at most" in name for name in usual_terms)


def test_the_report_says_why_there_is_no_standard_deviation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    told = " ".join(output(capsys, "edge", "draw", "--what-if", "pair=1").split())
    assert "There is no standard deviation with an Ante Bonus for pair" in told
    assert "Standard deviation per Ante" not in told
    told = " ".join(output(capsys, "edge", "draw", "--what-if", "straight=1").split())
    assert "Standard deviation per Ante" in told


def test_an_ante_and_a_bonus_vary_together(capsys: pytest.CaptureFixture[str]) -> None:
    """The units that are bet count once in the covariance, and squared in the variance."""
    one = facts(capsys, "edge", "draw")["together"]["spreads"]
    two = facts(capsys, "edge", "draw", "--bet", "bonus=2")["together"]["spreads"]
    ante = Fraction(facts(capsys, "edge", "draw")["ante"]["variance_fraction"])
    for held in ("Held the house way", "Held best for the Ante alone"):
        covariance = Fraction(one[held]["covariance_fraction"])
        assert Fraction(two[held]["covariance_fraction"]) == 2 * covariance > 0
        assert one[held]["std_dev"] == pytest.approx(one[held]["variance"] ** 0.5)
    house_way = [Fraction(many["Held the house way"]["variance_fraction"]) for many in (one, two)]
    covariance = Fraction(one["Held the house way"]["covariance_fraction"])
    bonus = house_way[0] - ante - 2 * covariance
    assert house_way[1] == ante + 4 * covariance + 4 * bonus
    assert set(facts(capsys, "edge", "draw")["together"]["strategies"]) >= set(one)
    told = output(capsys, "edge", "draw")
    assert f"{float(covariance):.6f}" in told
    assert f"{one['Held the house way']['std_dev']:.6f}" in told


def test_an_ante_and_a_bonus_by_how_the_player_holds(capsys: pytest.CaptureFixture[str]) -> None:
    """Counts that are kept price every ratio: exactly, or between a least and a most."""
    for asked in ((), ("--bet", "bonus=1/2"), ("--what-if", "flush=2")):
        found = facts(capsys, "edge", "draw", *asked)
        named = {
            name: Fraction(value)
            for name, value in found["together"]["strategies"].items()
            if isinstance(value, str)
        }
        house_way = Fraction(found["together"]["ev_per_ante_fraction"])
        assert named["Held the house way_fraction"] == house_way
        both = [value for name, value in named.items() if name.startswith("Held best for both")]
        # No other way to hold is better for both wagers together.
        assert both
        assert min(both) == max(value for value in named.values() if value not in both[1:])


def test_best_play_of_ultimate_draw(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With 15 cards; the same counts with 52 take a quarter of an hour or more."""
    deck = [card.number for card in small_deck("23JKA", 3)]
    solved = solve_draw(deck, workers=1)
    monkeypatch.setattr(draw_figures, "count_house_way_ante", lambda **_: solved.house_way_ante)
    monkeypatch.setattr(best_play, "solve_draw", lambda **_: solved)
    asked = ("edge", "draw", "--count-again", "--paytable", "UDP-02", "--bet", "bonus=2")
    found = facts(capsys, *asked)
    alone, together = found["best_play"]
    terms = draw_terms_of(load_house("draw"))
    best = solved.best(terms, workers=1)
    assert Fraction(alone["ev_per_ante_fraction"]) == solved.value(best.holds, terms)
    gain = Fraction(alone["gain_on_house_way_fraction"])
    assert gain == best.gain > 0
    ante = Fraction(found["ante"]["ev_per_ante_fraction"])
    assert Fraction(alone["ev_per_ante_fraction"]) == ante + gain
    assert (alone["bonus_units"], together["bonus_units"]) == (0, 2)
    assert together["ev_per_ante_fraction"] != alone["ev_per_ante_fraction"]
    changed = facts(capsys, *asked[:3], "--bet", "bonus=0", "--what-if", "unqualified=0")
    assert Fraction(changed["best_play"][0]["gain_on_house_way_fraction"]) == gain
    told = [" ".join(line.split()) for line in output(capsys, *asked).splitlines()]
    assert "The Ante, held best" in told
    assert "The Ante with 2 units of the Bonus, held best" in told
    assert f"exactly {alone['ev_per_ante_fraction']}" in told


@pytest.mark.clause("R.36")
def test_payouts_that_the_table_may_cut_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    tell_aggregates(own_house("washington", {"limits.1.payout_aggregates": {"trips": 500_000}}))
    told = capsys.readouterr()
    assert told.err == (
        "Payouts are counted in full. The table pays at most $5,000.00 on all Trips wagers of a "
        "round together (R.36).\n"
    )
    tell_aggregates(load_house("washington"))
    assert capsys.readouterr() == ("", "")
