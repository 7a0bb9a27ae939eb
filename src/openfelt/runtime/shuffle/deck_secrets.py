"""Secret decks in the store: one secret of the table's stream for each deck of a round."""

from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.storage.door import NewSecret, Store


def deck_secret(number: int, deck: SecretDeck) -> NewSecret:
    """A deck of the round with this number, ready to be stored."""
    return NewSecret(name=_prefix(number) + deck.deck, body=deck.to_json())


def stored_decks(store: Store, stream: str, number: int) -> dict[str, str]:
    """The stored decks of a round, as JSON by the name of the deck."""
    prefix = _prefix(number)
    secrets = store.secrets(stream, prefix)
    return {name.removeprefix(prefix): body for name, body in secrets.items()}


def _prefix(number: int) -> str:
    """How the secrets of a round are named; the names are stored and never change."""
    return f"{number}/"
