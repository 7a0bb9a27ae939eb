"""Secret decks in the store: one secret of the table's stream for each deck of a round.

The store seals them. After a while they are purged, and only proofs of shown cards are kept, as
secrets of the table's purge stream.
"""

import msgspec

from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.runtime.streams import purge_stream
from openfelt.storage.door import NewSecret, Store


def deck_secret(number: int, deck: SecretDeck) -> NewSecret:
    """A deck of the round with this number, ready to be stored."""
    return NewSecret(name=round_prefix(number) + deck.deck, body=deck.to_json(), sealed=True)


def stored_decks(store: Store, stream: str, number: int) -> dict[str, str]:
    """The stored decks of a round, as JSON by the name of the deck."""
    prefix = round_prefix(number)
    secrets = store.secrets(stream, prefix)
    return {name.removeprefix(prefix): body for name, body in secrets.items()}


def round_prefix(number: int) -> str:
    """How the secrets of a round are named; the names are stored and never change."""
    return f"{number}/"


# Purged rounds ---------------------------------------------------------------------


def kept_proofs_secret(number: int, proofs: dict[str, str]) -> NewSecret:
    """The proofs that a purged round keeps: ``public``, and one for each seat by its number."""
    body = msgspec.json.encode(proofs).decode()
    return NewSecret(name=_kept_name(number), body=body, sealed=True, packed=True)


def kept_proof(store: Store, table: str, number: int, *, seat: int | None) -> str | None:
    """A proof that a purged round keeps, public or for a seat; None where there is none."""
    name = _kept_name(number)
    body = store.secrets(purge_stream(table), name).get(name)
    if body is None:
        return None
    proofs = msgspec.json.decode(body, type=dict[str, str])
    return proofs.get("public" if seat is None else str(seat))


def kept_proof_bodies(store: Store, table: str, first: int, last: int) -> list[str]:
    """The proofs of purged rounds as they are stored, in the order of the rounds."""
    stream, bodies = purge_stream(table), []
    for number in range(first, last + 1):
        name = _kept_name(number)
        bodies += [body for found, body in store.secrets(stream, name).items() if found == name]
    return bodies


def _kept_name(number: int) -> str:
    return f"{number}/proofs"
