"""The fingerprint of the rules that decide amounts."""

from openfelt.catalog import load_catalog, load_house
from openfelt.catalog.amounts_fingerprint import amounts_fingerprint
from tests.kit.own_houses import own_house

RULES_BEFORE_C_6 = "29cc2de3dc8e9a75aaf6b5ece5d409eb444573f8ddd303fffbc4f9434ea1a4c5"
"""The fingerprint of California before it left folded hands with losing wagers face down."""


def test_a_rule_about_what_is_shown_decides_no_amount() -> None:
    california = load_house("california")
    assert amounts_fingerprint(california) == RULES_BEFORE_C_6 != california.fingerprint
    for house in load_catalog().houses.values():
        same = amounts_fingerprint(house) == house.fingerprint
        assert same is not house.folds_face_down
    dearer = own_house("california", {"bank.cover": "payouts"})
    assert amounts_fingerprint(dearer) not in (dearer.fingerprint, RULES_BEFORE_C_6)
