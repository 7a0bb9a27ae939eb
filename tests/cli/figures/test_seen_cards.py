"""``openfelt edge --seen-by``."""

from fractions import Fraction
from functools import partial
from pathlib import Path

import pytest

from openfelt.cli import main
from openfelt.cli.figures import edge, seen_cards, shared_hands_report
from openfelt.maths import stored_counts
from openfelt.maths.holdem import shared_hands
from openfelt.maths.holdem.flashed_values import flashed_values
from tests.kit.cli.commands import complaint, facts, output
from tests.kit.cli.few_deals import estimate_from_few_deals


def test_what_a_flashed_card_is_worth(capsys: pytest.CaptureFixture[str]) -> None:
    found = facts(capsys, "edge", "washington", "--seen-by", "dealer_card")
    worth = Fraction(found["ev_per_ante_fraction"]) - Fraction(found["without_fraction"])
    assert Fraction(found["worth_fraction"]) == worth
    assert found["published"] == f"{found['ev_per_ante']:.4%}"
    assert found["without_fraction"] == "-50643648973/2317817502000"
    printed = output(capsys, "edge", "washington", "--seen-by", "dealer_card")
    assert "one card of the dealer" in printed
    assert "the same" in printed


def test_two_hands_that_see_each_other_are_priced_exactly(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = facts(capsys, "edge", "stadium", "--seen-by", "two_hands")
    one_card = facts(capsys, "edge", "stadium", "--seen-by", "other_card")
    blind, one, two = (
        Fraction(text)
        for text in (
            found["without_fraction"],
            one_card["ev_per_ante_fraction"],
            found["ev_per_ante_fraction"],
        )
    )
    assert blind < one < two < 0
    # 3,000 sampled deals with seed 1 give this interval, as the guide to exact figures says.
    assert Fraction("-0.020393") < two < Fraction("-0.019258")
    assert "interval_95" not in found


@pytest.fixture
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    estimate_from_few_deals(monkeypatch)


@pytest.mark.usefixtures("few_deals")
def test_hands_that_see_each_other_are_estimated(capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--seen-by", "six_players", "--samples", "1000", "--seed", "3")
    found = facts(capsys, "edge", "washington", *options)
    assert (found["samples"], found["seed"], found["seen_by"]) == (10, 3, "six_players")
    low, high = found["interval_95"]
    assert low < found["ev_per_ante"] < high
    assert found["without_fraction"] == "-50643648973/2317817502000"
    assert found["ev_per_ante"] == pytest.approx(found["without"] + found["worth"])
    assert Fraction(found["at_least_fraction"]) > Fraction(found["without_fraction"])


@pytest.mark.parametrize(
    ("house", "seen_by", "said"),
    [
        ("washington", "two_hands", "washington cannot play 2 hands"),
        ("washington", "three_hands", "washington cannot play 3 hands"),
        ("stadium", "six_players", "stadium does not have six seats dealt from one deck"),
        ("online", "six_players", "online does not have six seats"),
        ("draw", "two_hands", "draw is Ultimate Draw: openfelt advise --game draw"),
    ],
)
def test_what_players_of_a_house_cannot_see_is_refused(
    house: str, seen_by: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence, code = complaint(capsys, "edge", house, "--seen-by", seen_by)
    assert said in " ".join(sentence.split())
    assert code == 2


def test_too_few_samples_make_no_interval() -> None:
    assert shared_hands.SAMPLES_MIN == edge.SAMPLES_MIN == 1_000


@pytest.mark.usefixtures("few_deals")
@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        (("online", "--seen-by", "dealer_card", "--count-again"), "classes of hands"),
        (("stadium", "--seen-by", "three_hands", "--samples", "1000"), "10 deals"),
    ],
)
def test_what_was_counted_is_kept(
    asked: tuple[str, ...],
    kept: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(stored_counts, "cache_root", lambda: tmp_path)
    small = partial(flashed_values, deck=range(36, 48))
    monkeypatch.setattr(seen_cards, "flashed_values", small)
    monkeypatch.setattr(shared_hands_report, "KEPT_SAMPLES", 10)
    told = []
    for _ in range(2):
        with pytest.raises(SystemExit) as left:
            main(["edge", *asked, "--json"])
        assert not left.value.code
        told.append(capsys.readouterr())
    assert told[0].out == told[1].out
    assert "run the same command again to continue" in told[0].err
    assert "from an earlier run" not in told[0].err
    assert f"{kept} are saved from an earlier run" in told[1].err


def test_only_the_game_of_holdem_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    sentence, code = complaint(capsys, "edge", "draw", "--seen-by", "dealer_card")
    assert "--seen-by is for Ultimate Texas Hold'em" in sentence
    assert code == 2
