"""Random hands, and the plain evaluator's strength of them."""

from random import Random

from openfelt.maths.hands.strengths import hand_tables


def plain_strength(strength: int) -> int:
    """The plain evaluator's strength for one of the kernels'."""
    return int(hand_tables().plain_strengths[strength])


def random_cards(random: Random, count: int) -> list[int]:
    """Card numbers, often of few suits, so that flushes come up."""
    suits = random.sample(range(4), random.choice((1, 2, 4)))
    deck = [number for number in range(52) if number % 4 in suits]
    return random.sample(deck, count)
