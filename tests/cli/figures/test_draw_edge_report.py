"""Another qualifying hand of Ultimate Draw, in every command that prices a house."""

from fractions import Fraction
from pathlib import Path

import pytest

from openfelt.cards import Category, Rank
from openfelt.catalog import load_house
from openfelt.maths.draw.draw_figures import draw_terms_of
from openfelt.maths.draw.qualifying_hands import ALWAYS
from openfelt.maths.draw.strategy_counts import usual_counts
from openfelt.rules.paytable import HandMinimum
from tests.kit.cli.commands import complaint, facts, output

USUAL = draw_terms_of(load_house("draw"))
TENS = USUAL.requiring(HandMinimum(Category.PAIR, Rank.TEN))
COUNTS = usual_counts().strategies


@pytest.fixture
def tens(tmp_path: Path) -> str:
    """A folder with a house whose dealer needs a pair of tens."""
    return own_draw(tmp_path, 'hand = "pair", at_least = "10"')


def own_draw(folder: Path, hand: str) -> str:
    text = (Path(__file__).parents[3] / "src/openfelt/catalog/houses/draw.toml").read_text(
        encoding="utf-8"
    )
    text = text.replace('{ hand = "pair" }', f"{{ {hand} }}").replace('"draw"', '"own"', 1)
    departure = '\n[[departures]]\nclause = "D.9"\nreason = "It is a test."\n'
    (folder / "own.toml").write_text(text + departure, encoding="utf-8")
    return str(folder)


def lines_of(told: str) -> list[str]:
    return [" ".join(line.split()) for line in told.splitlines()]


def test_a_change_prices_every_strategy(capsys: pytest.CaptureFixture[str]) -> None:
    changed = ("--what-if", "qualifies=pair of tens")
    priced = facts(capsys, "edge", "draw", *changed)
    assert priced["terms"]["dealer_qualifies"] == "pair of tens or better"
    assert priced["terms"]["changed"]
    house_way = COUNTS["house_way"]
    assert Fraction(priced["ante"]["ev_per_ante_fraction"]) == house_way.value(TENS)
    unqualified = house_way.against(TENS.qualifying).unqualified
    assert Fraction(priced["ante"]["unqualified_fraction"]) == unqualified
    strategies = priced["alone"]["strategies"]
    for name, title in (
        ("house_way", "Held the house way"),
        ("basic", "Held by the basic strategy"),
        ("best", "Held best for the usual game"),
    ):
        assert Fraction(strategies[f"{title}_fraction"]) == COUNTS[name].value(TENS)
    assert "Held best, at most" not in strategies
    assert "variance" not in priced["ante"]
    assert "do not tell the player's final hands apart" in priced["ante"]["no_variance"]
    together = priced["together"]["strategies"]
    assert "Held best for both, at least" in together
    assert "Held best for both, at most" not in together


def test_it_is_changed_together_with_payouts(capsys: pytest.CaptureFixture[str]) -> None:
    changes = ("qualifies=two pair", "unqualified=1/4", "flush=0")
    texts = [text for change in changes for text in ("--what-if", change)]
    priced = facts(capsys, "edge", "draw", *texts)
    terms = USUAL.requiring(HandMinimum(Category.TWO_PAIR))
    terms = terms.changed("unqualified", Fraction(1, 4)).changed("flush", Fraction(0))
    value = Fraction(priced["ante"]["ev_per_ante_fraction"])
    assert value == COUNTS["house_way"].value(terms)


def test_the_report_says_what_is_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    told = output(capsys, "edge", "draw", "--what-if", "qualifies=pair of tens")
    lines = lines_of(told)
    assert "Dealer qualifies with pair of tens or better" in lines
    assert any(line.startswith("Neither hand qualifies ") for line in lines)
    words = " ".join(told.split())
    assert "There is no standard deviation for a dealer who qualifies with pair of tens" in words
    assert "The best holds are not counted for a dealer who qualifies with pair of tens" in words


def test_a_dealer_who_always_qualifies(capsys: pytest.CaptureFixture[str]) -> None:
    priced = facts(capsys, "edge", "draw", "--what-if", "qualifies=high card")
    value = COUNTS["house_way"].value(USUAL.requiring(ALWAYS))
    assert value == COUNTS["house_way"].paid(USUAL.ante_bonus)
    assert Fraction(priced["ante"]["ev_per_ante_fraction"]) == value
    assert priced["ante"]["fair_unqualified_pays"] is None
    assert {name for name in priced["alone"]["strategies"] if "_fraction" not in name} == {
        "Held the house way",
        "Held best, at least",
    }
    assert "basic_strategy" not in priced


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--what-if", "qualifies=pear"), "is not a hand with which a dealer qualifies"),
        (("--what-if", "qualifies=flush"), "qualifies with flush or better is not counted"),
        (("--what-if", "qualifies=two pair", "--best-play"), "only for a dealer who qualifies"),
        (("--what-if", "qualifies=two pair", "--count-again"), "only for a dealer who qualifies"),
    ],
)
def test_what_is_not_counted_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], sentence: str
) -> None:
    told, _ = complaint(capsys, "edge", "draw", *arguments)
    assert sentence in told


def test_a_house_of_ones_own_is_priced(capsys: pytest.CaptureFixture[str], tens: str) -> None:
    priced = facts(capsys, "edge", "own", "--houses", tens)
    assert not priced["terms"]["changed"]
    assert Fraction(priced["ante"]["ev_per_ante_fraction"]) == COUNTS["house_way"].value(TENS)


def test_it_is_compared_with_the_usual_house(capsys: pytest.CaptureFixture[str], tens: str) -> None:
    told = facts(capsys, "compare", "draw", "own", "--houses", tens)
    rows = {row["figure"]: row for row in told["figures"]}
    value = rows["Expected result per Ante, held the house way"]
    usual = COUNTS["house_way"]
    assert [Fraction(value[f"{side}_fraction"]) for side in ("first", "second")] == [
        usual.value(USUAL),
        usual.value(TENS),
    ]


def test_its_strategies_are_priced(capsys: pytest.CaptureFixture[str], tens: str) -> None:
    told = facts(capsys, "strategy", "own", "--houses", tens)
    assert Fraction(told["ev_per_ante_fraction"]) == COUNTS["basic"].value(TENS)
    best = output(capsys, "strategy", "own", "--houses", tens, "--name", "perfect")
    assert "not counted with pair of tens or better to qualify" in " ".join(best.split())
    assert "openfelt advise" not in best
    refused, _ = complaint(capsys, "strategy", "own", "--houses", tens, "--spread")
    assert "only for a dealer who qualifies with a pair" in refused


def test_advice_is_refused(capsys: pytest.CaptureFixture[str], tens: str) -> None:
    hand = ("--hand", "7s Ts Qs Kc Ad")
    told, _ = complaint(
        capsys, "advise", "--game", "draw", "--house", "own", *hand, "--houses", tens
    )
    assert "not with pair of tens or better" in told
