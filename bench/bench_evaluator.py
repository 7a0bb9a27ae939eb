"""Seven-card evaluators side by side: Openfelt, and the peers that are installed.

Contenders take turns in one run, and each keeps its best processor time, so that a busy
machine slows all of them alike. The peers are not dependencies: pip install eval7
phevaluator pokyr.
"""

import importlib
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from openfelt.cards import Card
from openfelt.maths import count_categories, evaluate_hands

HANDS = 500_000
PEER_HANDS = 20_000
ROUNDS = 15
SEQUENTIAL_HANDS = 133_784_560

Contender = tuple[int, Callable[[], object]]


def random_hands(count: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """Hands of seven different cards, the same in every run."""
    order = np.random.default_rng(7).random((count, 52)).argpartition(7, axis=1)
    return np.ascontiguousarray(order[:, :7].astype(np.uint8))


def eval7(numbers: list[list[int]]) -> Callable[[], object]:
    """The C extension eval7, with its cards made beforehand."""
    module: Any = importlib.import_module("eval7")
    hands = [[module.Card(str(Card(number))) for number in hand] for hand in numbers]
    evaluate = module.evaluate
    return lambda: [evaluate(hand) for hand in hands]


def phevaluator(numbers: list[list[int]]) -> Callable[[], object]:
    """The package phevaluator, which has the same card numbers."""
    evaluate: Any = importlib.import_module("phevaluator").evaluate_cards
    return lambda: [evaluate(*hand) for hand in numbers]


def pokyr(numbers: list[list[int]]) -> Callable[[], object]:
    """The C extension pokyr, which is imported as poker. Its ranks begin with the ace."""
    evaluate: Any = importlib.import_module("poker.cpoker").handvalue
    hands = [[4 * (12 - number // 4) + number % 4 for number in hand] for hand in numbers]
    return lambda: [evaluate(hand) for hand in hands]


def peers(numbers: list[list[int]]) -> dict[str, Contender]:
    """The peers that are installed."""
    installed: dict[str, Contender] = {}
    for peer in (eval7, phevaluator, pokyr):
        try:
            installed[peer.__name__] = (len(numbers), peer(numbers))
        except ImportError:
            print(f"{peer.__name__} is not installed: pip install {peer.__name__}")
    return installed


def main() -> None:
    """Print millions of hands a second, and how many times as many Openfelt evaluates."""
    cards = random_hands(HANDS)
    contenders: dict[str, Contender] = {
        "openfelt, random, cards checked": (HANDS, lambda: evaluate_hands(cards)),
        "openfelt, random": (HANDS, lambda: evaluate_hands(cards, check_repeats=False)),
        "openfelt, all C(52,7) in order": (SEQUENTIAL_HANDS, count_categories),
        **peers(cards[:PEER_HANDS].tolist()),
    }
    best = dict.fromkeys(contenders, float("inf"))
    for _ in range(ROUNDS):
        for name, (hands, run) in contenders.items():
            started = time.process_time()
            run()
            best[name] = min(best[name], (time.process_time() - started) / hands)
    print(f"{'':34}{'million/s':>10}  {'checked':>9}{'random':>9}   times as fast")
    for name, seconds in best.items():
        ratios = [seconds / ours for ours in list(best.values())[:2]]
        print(f"{name:34}{1e-6 / seconds:10.3f}  {ratios[0]:9.2f}{ratios[1]:9.2f}")


if __name__ == "__main__":
    main()
