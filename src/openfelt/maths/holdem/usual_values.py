"""Values under the usual terms that are shipped with the program: first actions, and seen cards.

This module needs no compiled kernels. `tests/maths/holdem/test_adviser.py` and
`tests/maths/holdem/test_flashed_values.py` count the values again.
"""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Final

from openfelt.cards import Card
from openfelt.maths.hands.starting_hands import cell_name, cell_of
from openfelt.maths.holdem.questions import Advice, advice_of, unseen_cards
from openfelt.maths.holdem.terms import HoldemTerms

_FILE: Final = "usual_first_values.json"
_FLASHED_FILE: Final = "usual_flashed_values.json"


def usual_advice(
    hole: Sequence[Card], seen: Sequence[Card], dealer: Sequence[Card], terms: HoldemTerms
) -> Advice | None:
    """The first decision of a hand under the usual terms, with nothing seen; None otherwise.

    Raises ImpossibleQuestionError if cards are missing or repeated.
    """
    unseen_cards(hole, (), seen, dealer)
    if seen or dealer or terms != HoldemTerms.of():
        return None
    return advice_of(dict(usual_first_values()[cell_name(cell_of(hole))]))


@cache
def usual_first_values() -> Mapping[str, Mapping[str, Fraction]]:
    """The value of every action before the flop, by starting hand, with nothing seen."""
    text = files("openfelt.maths.holdem").joinpath(_FILE).read_text(encoding="utf-8")
    table = json.loads(text)
    return {
        name: {
            action: Fraction(value, table["divisor"])
            for action, value in zip(table["actions"], values, strict=True)
        }
        for name, values in table["values"].items()
    }


@cache
def usual_flashed_values() -> Mapping[str, Fraction]:
    """The expected result per Ante of a player who saw some cards first, by the name of these.

    >>> f"{float(usual_flashed_values()['dealer_card']):.4%}"
    '13.5922%'
    """
    text = files("openfelt.maths.holdem").joinpath(_FLASHED_FILE).read_text(encoding="utf-8")
    return {name: Fraction(value) for name, value in json.loads(text)["values"].items()}
