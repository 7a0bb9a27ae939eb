"""Secret decks in the store."""

from openfelt.cards import FULL_DECK
from openfelt.runtime.shuffle.deck_secrets import deck_secret, stored_decks
from openfelt.runtime.shuffle.entropy import SeededEntropy
from openfelt.runtime.shuffle.shuffler import SecretDeck, Shuffler
from openfelt.storage.door import Append, Commit
from tests.kit.floors import Shift


def deck(number: int, name: str) -> SecretDeck:
    return Shuffler(SeededEntropy(number)).shuffle(f"table-1/{number}", name, FULL_DECK)


def test_the_names_of_secrets_never_change() -> None:
    # These names are in every database, so they are written out here.
    assert deck_secret(31, deck(31, "table")).name == "31/table"
    assert deck_secret(31, deck(31, "seat-17")).name == "31/seat-17"


def test_the_decks_of_one_round_are_read_by_name(shift: Shift) -> None:
    decks = [deck(1, "table"), deck(1, "seat-17"), deck(11, "table")]
    secrets = tuple(map(deck_secret, (1, 1, 11), decks))
    append = Append(stream="table/table-1", expected_version=0, secrets=secrets)
    shift.store.commit(Commit(at_ms=1, appends=(append,)))
    stored = stored_decks(shift.store, "table/table-1", 1)
    assert {name: SecretDeck.from_json(body) for name, body in stored.items()} == {
        "table": decks[0],
        "seat-17": decks[1],
    }
    assert list(stored_decks(shift.store, "table/table-1", 11)) == ["table"]
    assert stored_decks(shift.store, "table/table-1", 2) == {}
