"""The time to count every hold of a hand of Ultimate Draw, and what the best holds gain.

Random hands are counted exactly. What the best hold gains on the house way is averaged over them,
in strata by what the house way holds, because the gain depends on little else. The share of each
stratum is exact. `OPENFELT_BENCH_HANDS` multiplies the number of hands.
"""

import os
import resource
import time

import numpy as np
import numpy.typing as npt

from openfelt.cards import FULL_DECK, Card, Rank
from openfelt.catalog import load_house
from openfelt.maths import DrawTerms, advise_draw, draw_terms_of
from openfelt.maths.draw.dealer_groups import DealerHands, dealer_hands
from openfelt.maths.holdem.deck_classes import FULL_DECK_NUMBERS
from openfelt.rules.ultimate_draw import house_way

TIMES = int(os.environ.get("OPENFELT_BENCH_HANDS", "1"))
CLASSES = 134_459
SEED = 18
PAIR_IN_A_SUIT = "with a pair, four of a suit"
PAIR_TO_A_STRAIGHT_FLUSH = "with a pair, four to a straight flush"
HANDS = {
    "four in sequence": 24,
    "four of a suit": 16,
    "pair": 10,
    PAIR_IN_A_SUIT: 16,
    PAIR_TO_A_STRAIGHT_FLUSH: 10,
}
"""How many hands are drawn of the strata that differ most; of the others, two."""


def stratum_names(hands: DealerHands) -> list[str]:
    """By kind of hands, what the house way holds of them, in words; `pair` is tens or better."""
    names = []
    for ranks, hold in zip(hands.ranks.tolist(), hands.holds.tolist(), strict=True):
        held = [rank for place, rank in enumerate(ranks) if hold >> place & 1]
        if len(held) == 5:
            names.append("all")
        elif len(set(ranks)) < 5:
            twos = f"with two {Rank(held[0] + 2).letter}s"
            pair = twos if held[0] < Rank.TEN - 2 else "pair"
            names.append({2: pair, 3: "three of a kind", 4: "two pair"}[len(held)])
        elif len(held) == 4:
            low = sorted((rank + 1) % 13 for rank in held)
            run = held[3] - held[0] == 3 or low[3] - low[0] == 3
            names.append("four in sequence" if run else "four of a suit")
        else:
            names.append(" ".join(Rank(rank + 2).letter for rank in held) or "nothing")
    return names


def stratum_of(hands: DealerHands) -> npt.NDArray[np.str_]:
    """The stratum of each hand; a pair with four cards of a suit is one of its own."""
    names = np.array(stratum_names(hands), dtype="<U40")[hands.kind_of]
    masks = np.zeros((len(names), 4), dtype=np.int64)
    for suit in range(4):
        bits = np.where(hands.cards & 3 == suit, 1 << (hands.cards >> 2).astype(np.int64), 0)
        masks[:, suit] = bits.sum(axis=1)
    suited = np.bitwise_count(masks) == 4
    four = np.where(suited, masks, 0).max(axis=1)
    straights = [0b1_0000_0000_1111, *(0b11111 << low for low in range(9))]
    close = np.any([four & ~straight == 0 for straight in straights], axis=0)
    two = np.char.startswith(names, "with two") | (names == "pair")
    paired = two & suited.any(axis=1)
    names[paired & ~close] = PAIR_IN_A_SUIT
    names[paired & close] = PAIR_TO_A_STRAIGHT_FLUSH
    return names


def gain(hand: list[Card], terms: DrawTerms) -> float:
    """What the best hold gains on the house way, in Antes."""
    values = advise_draw(hand, terms, workers=1)
    held = set(house_way(tuple(hand)))
    own = next(hold.value for hold in values if set(hold.held) == held)
    return float(values[0].value - own)


def sample(cards: npt.NDArray[np.uint8], count: int, terms: DrawTerms, seed: int) -> list[float]:
    """The gains of some random hands."""
    rows = np.random.default_rng(seed).choice(len(cards), size=min(count, len(cards)))
    return [gain([FULL_DECK[number] for number in cards[row]], terms) for row in rows]


def main() -> None:
    """Count random hands, and print time, memory and the gain with its interval."""
    terms = draw_terms_of(load_house("draw"))
    hands = dealer_hands(FULL_DECK_NUMBERS)
    gain([FULL_DECK[place] for place in (0, 5, 11, 22, 40)], terms)
    names = stratum_of(hands)
    began, counted, mean, error = time.process_time(), 0, 0.0, 0.0
    print(f"{'the house way holds':38}{'share':>10}{'hands':>7}{'mean gain':>12}{'spread':>10}")
    for place, name in enumerate(sorted(set(names.tolist()))):
        cards = hands.cards[names == name]
        gains = sample(cards, TIMES * HANDS.get(name, 2), terms, SEED + place)
        share, average = len(cards) / len(names), float(np.mean(gains))
        spread = float(np.std(gains, ddof=1))
        counted += len(gains)
        mean += share * average
        error += share**2 * spread**2 / len(gains)
        print(f"{name:38}{share:10.4%}{len(gains):7}{average:12.4%}{spread:10.4%}", flush=True)
    each = (time.process_time() - began) / counted
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{counted} hands, {each:.2f} s of one processor each, peak memory {peak:.0f} MB")
    print(f"all {CLASSES:,} classes would take {each * CLASSES / 3600:.0f} hours of one processor")
    print(
        f"the best holds gain {mean:.4%} of the Ante on the house way, "
        f"give or take {1.96 * error**0.5:.4%}"
    )


if __name__ == "__main__":
    main()
