"""The value of every first action under the usual terms, shipped with the program.

This module needs no compiled kernels. `tests/maths/holdem/test_adviser.py` compares the values with
the solver's.
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
