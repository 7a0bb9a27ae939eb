"""Rule sets: every house comes back as it was, and a changed one is noticed."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given

from openfelt.catalog import load_catalog, load_house
from openfelt.rules.fingerprints import fingerprint
from openfelt.rules.house import House
from openfelt.storage.codec import CodecError
from openfelt.storage.door import Commit, RuleSet, Store
from openfelt.storage.rulebook import Rulebook
from openfelt.storage.sqlite import SqliteStore
from tests.kit.storage.golden_events import FOLDER
from tests.kit.strategies import few, houses


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with closing(SqliteStore(tmp_path / "felt.db")) as store:
        yield store


def keep(store: Store, *rule_sets: RuleSet) -> None:
    """Store rule sets."""
    store.commit(Commit(at_ms=1, appends=(), rule_sets=rule_sets))


@pytest.mark.parametrize("name", load_catalog().houses)
def test_every_house_of_the_catalog_survives(store: Store, name: str) -> None:
    house = load_house(name)
    keep(store, Rulebook(store).rule_set(house))
    found = Rulebook(store).house(house.fingerprint)
    assert found == house
    assert found is not None
    assert fingerprint(found) == house.fingerprint
    kept = store.rule_set(house.fingerprint)
    assert kept is not None
    assert (kept.house, kept.fingerprint) == (name, house.fingerprint)


@few
@given(houses())
def test_houses_that_no_document_describes_survive(house: House) -> None:
    codec = Rulebook(None).codec  # type: ignore[arg-type]
    found = codec.house_from_json(codec.house_to_json(house))
    assert found == house
    assert fingerprint(found) == house.fingerprint


def test_a_house_that_was_never_stored_is_not_found(store: Store) -> None:
    assert Rulebook(store).house("0" * 64) is None


def test_a_house_that_is_about_to_be_stored_is_known(store: Store) -> None:
    rulebook, house = Rulebook(store), load_house("draw")
    rulebook.rule_set(house)
    assert rulebook.house(house.fingerprint) is house
    assert Rulebook(store).house(house.fingerprint) is None


def test_a_house_is_read_from_the_store_once(store: Store) -> None:
    house = load_house("draw")
    keep(store, Rulebook(store).rule_set(house))
    rulebook = Rulebook(store)
    assert rulebook.house(house.fingerprint) is rulebook.house(house.fingerprint)


def changed(house: House, was: str, now: str) -> RuleSet:
    """The rule set of a house that was changed in the store."""
    rule_set = Rulebook(None).rule_set(house)  # type: ignore[arg-type]
    assert was in rule_set.body
    return replace(rule_set, body=rule_set.body.replace(was, now, 1))


@pytest.mark.parametrize(
    ("was", "now"),
    [
        ('"max_cents":50000', '"max_cents":60000'),
        ('"pays":500', '"pays":501'),
        ('"unfinished_days":30', '"unfinished_days":31'),
        ('"id":"online"', '"id":"offline"'),
    ],
)
def test_a_changed_rule_set_is_noticed(store: Store, was: str, now: str) -> None:
    house = load_house("online")
    keep(store, changed(house, was, now))
    with pytest.raises(CodecError, match=f"The rule set {house.fingerprint[:12]} of .* changed"):
        Rulebook(store).house(house.fingerprint)


def test_a_rule_set_under_another_fingerprint_is_noticed(store: Store) -> None:
    house, other = load_house("online"), load_house("draw")
    keep(store, replace(Rulebook(store).rule_set(other), fingerprint=house.fingerprint))
    with pytest.raises(CodecError, match="has been changed"):
        Rulebook(store).house(house.fingerprint)


def test_a_rule_set_that_says_another_fingerprint_is_noticed(store: Store) -> None:
    house = load_house("online")
    keep(store, changed(house, house.fingerprint, "0" * 64))
    with pytest.raises(CodecError, match="has been changed"):
        Rulebook(store).house(house.fingerprint)


@pytest.mark.parametrize("body", ["", "{}", "[]", "null"])
def test_an_invalid_rule_set_is_refused(store: Store, body: str) -> None:
    keep(store, RuleSet(fingerprint="0" * 64, house="online", body=body))
    with pytest.raises(CodecError):
        Rulebook(store).house("0" * 64)


def test_rules_that_were_changed_by_hand_are_not_stored(store: Store) -> None:
    forged = replace(load_house("online"), seats=3)
    with pytest.raises(ValueError, match="the fingerprint of online is not that of its rules"):
        Rulebook(store).rule_set(forged)
    assert Rulebook(store).house(forged.fingerprint) is None


OLD_RULE_SETS = sorted((FOLDER / "rule_sets").glob("*.json"))


@pytest.mark.parametrize("file", OLD_RULE_SETS, ids=lambda file: file.stem)
def test_an_old_rule_set_can_always_be_read(store: Store, file: Path) -> None:
    """Databases hold rule sets like these, and their tables cannot be taken up without them."""
    house, name = file.stem.split(".")
    body = file.read_text(encoding="utf-8").removesuffix("\n")
    keep(store, RuleSet(fingerprint=name, house=house, body=body))
    found = Rulebook(store).house(name)
    assert found is not None
    assert found.id == house
    assert Rulebook(store).rule_set(found).body == body


def test_there_are_old_rule_sets_of_both_games() -> None:
    assert {file.stem.split(".")[0] for file in OLD_RULE_SETS} >= {"washington", "draw"}
