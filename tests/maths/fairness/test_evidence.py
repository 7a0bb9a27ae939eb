"""Evidence against players: honest ones are left alone at the stated rate, a cheat is found."""

from itertools import product
from math import exp
from random import Random

import pytest

from openfelt.cards import FULL_DECK, parse_cards
from openfelt.maths.fairness.evidence import RATES, Evidence, together
from openfelt.maths.fairness.unseen_cards import FOLD_WEIGHT, PLAY_WEIGHT, showdowns
from tests.kit.maths.holdem_players import play_hand

ONE_IN = 10_000
HONEST = 40
ROUNDS = 400
CHEATS = 6
FOUND_WITHIN = 2500


def evidence_of(seed: int, rounds: int, *, sees_a_card: bool) -> tuple[Evidence, int | None]:
    """The evidence of a player's decisions, and after how many rounds it was enough."""
    random, evidence = Random(seed), Evidence()
    for number in range(1, rounds + 1):
        hand = play_hand(random, sees_a_card=sees_a_card)
        evidence.add(*hand.showdowns.followed([hand.played]))
        if evidence.one_in >= ONE_IN:
            return evidence, number
    return evidence, None


def test_a_bet_against_chance_has_the_expectation_one() -> None:
    """Over all results of three rounds of a coin with a tie, the average bet is at most 1."""
    chances = {1: 0.45, -1: 0.45, 0: 0.1}
    mean = 0.0
    for results in product(chances, repeat=3):
        evidence, chance = Evidence(), 1.0
        for result in results:
            evidence.add_symmetric(result, 0.7)
            chance *= chances[result]
        mean += chance * evidence.one_in
    assert mean <= 1


def test_decisions_without_a_view_of_the_dealer_have_the_expectation_one() -> None:
    """Over all cards that the dealer may have, the average of exp(rate * X) is 1, by definition of
    the bet; two hands of one player count together."""
    cards = parse_cards("As Kd 7h 7c 2c 9d Th Js 3s")
    hands, board = [cards[:2], cards[2:4]], cards[4:9]
    dealers = [card for card in FULL_DECK if card not in cards]
    sums = [0.0] * len(RATES)
    pairs = [(one, other) for one in dealers for other in dealers if one < other]
    for pair in pairs[:: len(pairs) // 40]:
        met = showdowns(hands, board, pair)
        statistic, log_means = met.followed([True, False])
        centred = PLAY_WEIGHT * met.signs[0] + FOLD_WEIGHT * met.signs[1]
        assert statistic == pytest.approx(float(centred[met.dealt_pair] - centred.mean()))
        sums = [sum(exp(rate * float(one - centred.mean())) for one in centred) for rate in RATES]
        assert [exp(one) * len(centred) for one in log_means] == pytest.approx(sums)


def test_honest_players_are_not_reported() -> None:
    """The average bet against honest players is 1 at most, so few of them reach even 1 in 20."""
    reached = 0
    for seed in range(HONEST):
        evidence, found = evidence_of(seed, ROUNDS, sees_a_card=False)
        assert found is None
        reached += evidence.one_in >= 20
    assert reached <= HONEST // 10


def test_a_player_who_sees_a_card_of_the_dealer_is_found() -> None:
    found = [evidence_of(1000 + seed, FOUND_WITHIN, sees_a_card=True)[1] for seed in range(CHEATS)]
    assert all(one is not None for one in found), found


def test_a_hand_that_wins_too_often_is_found_and_one_that_loses_is_not() -> None:
    lucky, unlucky, random = Evidence(), Evidence(), Random(5)
    for _ in range(600):
        lucky.add_symmetric(1 if random.random() < 0.62 else -1)
        unlucky.add_symmetric(-1)
    assert lucky.one_in >= ONE_IN
    assert unlucky.one_in < 1
    assert together(lucky, unlucky) == pytest.approx(lucky.one_in / 2)


def test_a_showdown_needs_its_cards() -> None:
    cards = parse_cards("As Kd 7h 7c 2c 9d Th Js 3s")
    for hands, board, dealer in (
        ([], cards[2:7], cards[7:9]),
        ([cards[:2]], cards[2:6], cards[7:9]),
        ([cards[:2]], cards[2:7], cards[:2]),
        ([cards[:3]], cards[2:7], cards[7:9]),
    ):
        with pytest.raises(ValueError, match="showdown"):
            showdowns(hands, board, dealer)
