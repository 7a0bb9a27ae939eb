"""The strategy on a par sheet: perfect play before the flop, and a practical one with its cost."""

from openfelt.cli.figures.edge_report import decision_words
from openfelt.cli.figures.number_format import percent
from openfelt.cli.par_sheets.sheet import FIGURE, Section, exact_rows
from openfelt.maths.hands.starting_hands import write_starting_hands
from openfelt.maths.strategy.figures import StrategyFigures, known_figures
from openfelt.maths.strategy.prices import price_strategy
from openfelt.maths.strategy.strategies import STRATEGIES, HoldemStrategy
from openfelt.maths.wagers.house_figures import HouseFigures

PRACTICAL = "basic"
TERMS = {
    "dealer outs": "A dealer out is an unseen card that beats the player if the dealer holds it "
    "together with a card that does not help.",
    "hidden pair": "A hidden pair is a pair that includes a card of the player's own.",
}
"""The terms that lines of a strategy use, each with its definition."""


def strategy_section(figures: HouseFigures) -> Section:
    """Which starting hands bet at once, and the practical strategy with its exact cost."""
    strategy = STRATEGIES[PRACTICAL]
    assert isinstance(strategy, HoldemStrategy)
    sentences = [
        "The figures of this sheet are for perfect play: the best decision at every step.",
        *_first_decisions(figures),
        "Later decisions compare the exact values of betting, checking and folding.",
    ]
    try:
        strategy.check_playable(figures.house)
    except ValueError:
        return Section("Strategy", tuple(sentences))
    priced = _priced(strategy, figures)
    sentences.append(
        f"A practical strategy ({strategy.title}) loses {percent(-priced.ev_per_ante)} of an Ante, "
        f"which is {percent(priced.cost)} more:"
    )
    lines = strategy.describe()
    sentences += lines
    sentences += [told for word, told in TERMS.items() if any(word in line for line in lines)]
    rows = [("Expected result of that strategy", priced.ev_per_ante), ("Its cost", priced.cost)]
    return Section("Strategy", tuple(sentences), FIGURE, exact_rows(rows))


def _first_decisions(figures: HouseFigures) -> list[str]:
    hands = figures.solution.starting_hands.values()
    lines = []
    terms = figures.solution.terms
    for action, multiple in zip(terms.first_actions, terms.first_multiples, strict=True):
        names = [hand.name for hand in hands if hand.best == action]
        if names:
            words = decision_words("before_flop", multiple)
            lines.append(f"{words}: {write_starting_hands(names)}.")
    rest = "The other starting hands check." if lines else "Every starting hand checks."
    return [*lines, rest]


def _priced(strategy: HoldemStrategy, figures: HouseFigures) -> StrategyFigures:
    """The figures that are kept for the usual terms; under other terms they are counted."""
    solution = figures.solution
    stored = known_figures(PRACTICAL, solution.terms)
    if stored is not None:
        return stored
    price = price_strategy(strategy, solution)
    return StrategyFigures.of(PRACTICAL, price, solution.ev_per_ante)
