"""The fingerprint of the rules of a house that decide amounts."""

from openfelt.catalog.clauses import LOST_FACE_DOWN
from openfelt.rules.fingerprints import house_with
from openfelt.rules.house import House


def amounts_fingerprint(house: House) -> str:
    """The fingerprint of the rules without those that decide only which hands are shown.

    Houses for which it is the same settle every round alike, to the cent. For a house without such
    rules, it is the house's fingerprint.

    >>> from openfelt.catalog import load_house
    >>> california = load_house("california")
    >>> amounts_fingerprint(california) == california.fingerprint
    False
    """
    if not house.folds_face_down:
        return house.fingerprint
    clauses = {
        outcome: clause
        for outcome, clause in house.clauses.items()
        if outcome not in LOST_FACE_DOWN
    }
    return house_with(house, folds_face_down=False, clauses=clauses).fingerprint
