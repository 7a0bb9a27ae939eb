"""The adviser against plain enumeration, and against the solver where nothing is seen."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openfelt.cards import FULL_DECK, Card, Category, Rank, parse_cards
from openfelt.maths import HoldemSolution, HoldemTerms, advise, evaluate_hands
from openfelt.maths.hands.reading_tables import reading_tables
from openfelt.maths.hands.strengths import category_of, weakest_of
from openfelt.maths.holdem.adviser import (
    ImpossibleQuestionError,
    _check,
    _start_values,
    first_values,
)
from openfelt.maths.kernels import advice, early_advice
from openfelt.maths.kernels.records import new_record
from openfelt.rules.paytable import HandMinimum
from tests.kit.maths.games import MANY, NO_FIRST, OTHER_MULTIPLES
from tests.kit.maths.slow_holdem import Cards, best_hand, settle

USUAL = HoldemTerms.of()
ODD = HoldemTerms.of(
    {Category.PAIR: Fraction(1, 3), Category.STRAIGHT: 2, Category.FLUSH: Fraction(5, 4)},
    qualifying=HandMinimum(Category.PAIR, Rank.NINE),
    first_multiples=[3],
)
some_terms = st.sampled_from([USUAL, ODD, *OTHER_MULTIPLES])


def dealer_hands(unseen: Sequence[Card], known: Cards) -> Iterator[Cards]:
    for others in combinations(unseen, 2 - len(known)):
        yield known + others


class Plain:
    """The same questions, answered by dealing everything."""

    def __init__(self, terms: HoldemTerms, hole: Cards, unseen: Sequence[Card], dealer: Cards):
        self.terms, self.hole, self.unseen, self.dealer = terms, hole, unseen, dealer

    def showdown(self, board: Cards, multiple: int) -> Fraction:
        player = best_hand(frozenset(self.hole + board))
        rest = [card for card in self.unseen if card not in board]
        results = [
            settle(self.terms, player, best_hand(frozenset(hand + board)), multiple)
            for hand in dealer_hands(rest, self.dealer)
        ]
        return sum(results, Fraction(0)) / len(results)

    def river(self, board: Cards) -> dict[str, Fraction]:
        bets = {f"bet_{m}x": self.showdown(board, m) for m in self.terms.river_multiples}
        return {"fold": Fraction(-2), **bets}

    def flop(self, flop: Cards) -> dict[str, Fraction]:
        rest = [card for card in self.unseen if card not in flop]
        boards = [flop + pair for pair in combinations(rest, 2)]
        check = sum((max(self.river(board).values()) for board in boards), Fraction(0))
        values = {"check": check / len(boards)}
        for multiple in self.terms.flop_multiples:
            bet = sum((self.showdown(board, multiple) for board in boards), Fraction(0))
            values[f"bet_{multiple}x"] = bet / len(boards)
        return values

    def start(self) -> dict[str, Fraction]:
        flops = list(combinations(self.unseen, 3))
        check = sum((max(self.flop(flop).values()) for flop in flops), Fraction(0))
        values = {"check": check / len(flops)}
        boards = list(combinations(self.unseen, 5))
        for multiple in self.terms.first_multiples:
            bet = sum((self.showdown(board, multiple) for board in boards), Fraction(0))
            values[f"bet_{multiple}x"] = bet / len(boards)
        return values


def deal(seed: int, *sizes: int) -> list[Cards]:
    """Cut a shuffled deck into hands of these sizes; the last is what remains."""
    deck = list(FULL_DECK)
    Random(seed).shuffle(deck)
    hands = []
    for size in sizes:
        hands.append(tuple(deck[:size]))
        deck = deck[size:]
    return [*hands, tuple(sorted(deck))]


@given(st.integers(0, 10**6), st.integers(0, 30), st.integers(0, 2), some_terms)
@settings(deadline=None, max_examples=60)
def test_river(seed: int, seen: int, known: int, terms: HoldemTerms) -> None:
    hole, board, out, dealer, unseen = deal(seed, 2, 5, seen, known)
    advice = advise(hole, board, seen=out, dealer=dealer, terms=terms)
    assert dict(advice.values) == Plain(terms, hole, unseen, dealer).river(board)


@given(st.integers(0, 10**6), some_terms)
@settings(deadline=None, max_examples=40)
def test_river_where_a_flush_is_near(seed: int, terms: HoldemTerms) -> None:
    deck = list(FULL_DECK)
    Random(seed).shuffle(deck)
    suited = [card for card in deck if card.suit == seed % 4][: 3 + seed % 3]
    others = [card for card in deck if card not in suited]
    board = tuple((suited + others)[:5])
    hole, *_ = [tuple(card for card in deck if card not in board)[:2]]
    unseen = [card for card in deck if card not in board + hole]
    advice = advise(hole, board, terms=terms)
    assert dict(advice.values) == Plain(terms, hole, unseen, ()).river(board)


@given(st.integers(0, 10**6), st.integers(34, 40), st.integers(0, 2), some_terms)
@settings(deadline=None, max_examples=15)
def test_flop_with_much_seen(seed: int, seen: int, known: int, terms: HoldemTerms) -> None:
    hole, flop, dealer, out, unseen = deal(seed, 2, 3, known, seen)
    advice = advise(hole, flop, seen=out, dealer=dealer, terms=terms)
    assert dict(advice.values) == Plain(terms, hole, unseen, dealer).flop(flop)


@pytest.mark.parametrize(("seed", "known"), [(1, 0), (2, 0), (3, 1), (4, 2), (5, 0)])
@pytest.mark.parametrize("terms", [USUAL, ODD, MANY, NO_FIRST])
def test_start_with_nearly_everything_seen(seed: int, known: int, terms: HoldemTerms) -> None:
    hole, dealer, unseen, out = deal(seed, 2, known, 9)
    advice = advise(hole, seen=out, dealer=dealer, terms=terms)
    assert dict(advice.values) == Plain(terms, hole, unseen, dealer).start()


@pytest.mark.parametrize(
    ("hole", "flop", "seen"),
    [("7h 8h", "Ah Kc Qh", ""), ("As Ad", "Ac Kc Qc", "Ah 2d"), ("2c 3d", "4h 4s 4c", "Kh Kd Ks")],
)
def test_flop_against_every_deal(hole: str, flop: str, seen: str) -> None:
    """All turns, rivers and dealer hands through the batch evaluator."""
    known = parse_cards(hole) + parse_cards(flop) + parse_cards(seen)
    unseen = [card.number for card in FULL_DECK if card not in known]
    mine = [card.number for card in parse_cards(hole)]
    flop_numbers = [card.number for card in parse_cards(flop)]
    bet = check = deals = 0
    for pair in combinations(unseen, 2):
        board = [*flop_numbers, *pair]
        hands = list(combinations([card for card in unseen if card not in pair], 2))
        rows = np.array([board + mine, *(board + list(hand) for hand in hands)], dtype=np.uint8)
        player, *dealers = evaluate_hands(rows).tolist()
        blind = USUAL.blind_units[category_of(player)]
        qualifies = weakest_of(Category.PAIR)
        ante = sum(((player > d) - (player < d)) * (d >= qualifies) for d in dealers)
        won, lost = sum(player > d for d in dealers), sum(player < d for d in dealers)
        base = 2 * ante + blind * won - 2 * lost
        bet += base + 4 * (won - lost)
        check += max(base + 2 * (won - lost), -4 * len(dealers))
        deals += 2 * len(dealers)
    advice = advise(parse_cards(hole), parse_cards(flop), seen=parse_cards(seen))
    assert dict(advice.values) == {"check": Fraction(check, deals), "bet_2x": Fraction(bet, deals)}


def test_shipped_table_is_the_solver_s(usual: HoldemSolution) -> None:
    shipped = first_values(USUAL)
    assert {name: dict(values) for name, values in shipped.items()} == {
        name: dict(hand.values) for name, hand in usual.starting_hands.items()
    }


@pytest.mark.parametrize("seed", range(40))
def test_flop_is_the_solver_s(usual: HoldemSolution, seed: int) -> None:
    hole, flop, _ = deal(seed, 2, 3)
    assert dict(advise(hole, flop).values) == usual.flop_values(hole, flop)


@pytest.mark.slow
@pytest.mark.parametrize("hole", ["Kh 5d", "8c 8d", "Jh 8h"])
def test_start_is_the_solver_s(hole: str) -> None:
    # Asked without a table, as it is when cards were seen.
    cards = parse_cards(hole)
    counted = _start_values(_check(USUAL, cards, (), (), ()))
    assert counted == dict(advise(cards).values)


def test_other_terms_are_solved() -> None:
    advice = advise(parse_cards("Kh 5d"), terms=ODD)
    assert set(advice.values) == {"check", "bet_3x"}


def test_a_hand_alone_is_worth_what_the_whole_solution_says() -> None:
    hole = parse_cards("Kh 5d")
    assert advise(hole, terms=ODD, solve=False) == advise(hole, terms=ODD)


@pytest.mark.parametrize("workers", [1, 2])
def test_work_ends_with_what_its_progress_raises(workers: int) -> None:
    steps = []

    def stop(done: int, total: int, /) -> None:
        steps.append((done, total))
        raise InterruptedError

    with pytest.raises(InterruptedError):
        advise(parse_cards("Kh 5d"), seen=parse_cards("Ks"), workers=workers, progress=stop)
    # Each worker ends with the chunk that it was in.
    assert len(steps) <= workers
    assert steps[0][1] > 40


def test_seen_cards_change_the_best_play() -> None:
    assert advise(parse_cards("Kh 5d")).best == "bet_4x"
    assert advise(parse_cards("Kh 5d"), seen=parse_cards("Kd Ks 5h")).best == "check"
    # A dealer who shows a deuce is a dealer to bet against.
    assert advise(parse_cards("Kh 4d")).best == "check"
    assert advise(parse_cards("Kh 4d"), dealer=parse_cards("2c")).best == "bet_4x"


@pytest.mark.parametrize(
    ("hole", "board", "seen", "dealer", "complaint"),
    [
        ("As", "", "", "", "two hole cards, not 1"),
        ("As Ks Qs", "", "", "", "two hole cards, not 3"),
        ("As As", "", "", "", "As is given more than once"),
        ("As Ks", "As 2c 3c", "", "", "As is given more than once"),
        ("As Ks", "2c 3c", "", "", "0, 3 or 5 cards on the board, not 2"),
        ("As Ks", "2c 3c 4c 5c", "", "", "not 4"),
        ("As Ks", "", "Ad Ad", "", "Ad is given more than once"),
        ("2s Ks", "", "Ac Ad Ah As Ac Ad Ah", "", "Ac Ad Ah are given more than once"),
        ("As Ks", "", "2c", "2c", "2c is given more than once"),
        ("As Ks", "", "", "2c 2d 2h", "a dealer has two hole cards, not 3"),
    ],
)
def test_impossible_questions(
    hole: str, board: str, seen: str, dealer: str, complaint: str
) -> None:
    with pytest.raises(ImpossibleQuestionError, match=complaint):
        advise(
            parse_cards(hole),
            parse_cards(board),
            seen=parse_cards(seen),
            dealer=parse_cards(dealer),
        )


def test_a_deck_that_has_run_out() -> None:
    hole, unseen, out = deal(7, 2, 6)
    assert len(unseen) == 6
    with pytest.raises(ImpossibleQuestionError, match="44 cards seen the deck cannot deal the 7"):
        advise(hole, seen=out)


def test_uncompiled_kernels() -> None:
    hole, flop, dealer, out, _ = deal(11, 2, 3, 0, 38)
    question = _check(USUAL, hole, flop, out, dealer)
    compiled, plain = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
    early_advice.price_flop(question.board, question.unseen, *question.records, compiled)
    early_advice.price_flop.py_func(question.board, question.unseen, *question.records, plain)
    assert compiled.tolist() == plain.tolist()
    record = new_record(advice.QUESTION)
    record.hole[:] = 50, 47
    record.unseen[:] = [4] * 13 + [0x1FFF] * 4
    for suited in (0, 3, 4, 5):
        board = np.array([*range(0, 4 * suited, 4), *range(25, 25 + 3 * (5 - suited), 3)])
        dealers, plain_dealers = new_record(advice.DEALERS), new_record(advice.DEALERS)
        given_cards = (board, record, USUAL.qualifying_strength, reading_tables())
        strength = advice.count_dealers(*given_cards, dealers)
        assert advice.count_dealers.py_func(*given_cards, plain_dealers) == strength
        assert dealers.counts.tolist() == plain_dealers.counts.tolist()
        assert dealers.counts[advice.TOTAL] == 47 * 46 // 2
