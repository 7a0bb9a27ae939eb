"""Secrets of rounds in the store: each deck, and the key of the cards that were dealt face down.

They are secrets of the table's stream, which the store encrypts. After a while they are purged, and
only what was shown is kept, as secrets of the table's purge stream.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Final

import msgspec

from openfelt.runtime.shuffle.shuffler import SecretDeck
from openfelt.runtime.streams import purge_stream
from openfelt.storage.door import KeyLost, NewSecret, Store
from openfelt.storage.secrecy.data_keys import DATA_KEYS_PREFIX
from openfelt.table.deck import is_deck_name


def deck_secret(number: int, deck: SecretDeck) -> NewSecret:
    """A deck of the round with this number, ready to be stored."""
    return NewSecret(name=round_prefix(number) + deck.deck, body=deck.to_json(), encrypted=True)


def stored_decks(
    store: Store, stream: str, number: int, *, names: Iterable[str] | None = None
) -> dict[str, str]:
    """The stored decks of a round, as JSON by the name of the deck; all, or only those named."""
    prefix = round_prefix(number)
    if names is None:
        secrets = store.secrets(stream, prefix)
        return {name.removeprefix(prefix): body for name, body in secrets.items()}
    bodies = {name: store.secret(stream, prefix + name) for name in names}
    return {name: body for name, body in bodies.items() if body is not None}


def round_prefix(number: int) -> str:
    """The prefix of the names of a round's secrets; the names are stored and never change."""
    return f"{number}/"


def round_key(number: int) -> str:
    """The name of the data key that encrypts the hidden cards of a round. It never changes."""
    return f"{DATA_KEYS_PREFIX}{number}"


def is_round_key(name: str) -> bool:
    """Whether a secret of a table is the key of a round, and not a deck."""
    return name.startswith(DATA_KEYS_PREFIX)


def is_secret_up_to(number: int, name: str) -> bool:
    """Whether a secret is a deck or the key of a round, and of none after this one.

    >>> [is_secret_up_to(31, name) for name in ("31/seat-2", "key/31", "32/table", "31/seat-02")]
    [True, True, False, False]
    """
    if is_round_key(name):
        of_round = name.removeprefix(DATA_KEYS_PREFIX)
    else:
        of_round, _, deck = name.partition("/")
        if not is_deck_name(deck):
            return False
    return _ROUND_NUMBER.fullmatch(of_round) is not None and int(of_round) <= number


_ROUND_NUMBER: Final = re.compile(r"[0-9]{1,18}")


# Purged rounds ---------------------------------------------------------------------


_SHOWN = "shown"


def kept_proofs_secret(
    number: int, proofs: dict[str, str], *, shown: Mapping[int, str]
) -> NewSecret:
    """The remains of a purged round: its proofs, ``public`` or by seat, and hidden parts of events.

    ``shown`` has the hidden parts of events that were shown in the end, by their versions.
    """
    kept = {**proofs, _SHOWN: msgspec.json.encode(shown).decode()} if shown else proofs
    body = msgspec.json.encode(kept).decode()
    return NewSecret(name=_kept_name(number), body=body, encrypted=True, packed=True)


def shown_secret(number: int, body: str) -> NewSecret | None:
    """The remains of a purged round once its proofs are dropped."""
    shown = msgspec.json.decode(body, type=dict[str, str]).get(_SHOWN)
    if shown is None:
        return None
    left = msgspec.json.encode({_SHOWN: shown}).decode()
    return NewSecret(name=_shown_name(number), body=left, encrypted=True, packed=True)


def kept_proofs(store: Store, table: str, number: int) -> dict[str, str]:
    """The proofs that a purged round keeps, ``public`` and by seat; none if there are none."""
    return {name: body for name, body in _kept(store, table, number).items() if name != _SHOWN}


class ShownParts:
    """The parts hidden by the events of a purged round that were shown in the end."""

    def __init__(self, store: Store, table: str, number: int) -> None:
        self._store = store
        self._table = table
        self._number = number
        self._parts: dict[int, str] | None = None

    @property
    def asked(self) -> bool:
        """Whether an event of the round could not be read."""
        return self._parts is not None

    def __call__(self, version: int) -> str | None:
        """The hidden part of the event with this version, None if it was not shown."""
        if self._parts is None:
            self._parts = {}
            with suppress(KeyLost):
                kept = _kept(self._store, self._table, self._number)
                self._parts = msgspec.json.decode(kept.get(_SHOWN, "{}"), type=dict[int, str])
        return self._parts.get(version)


def kept_body(store: Store, table: str, number: int) -> str | None:
    """The remains of a purged round as they are stored; None if the round is not purged."""
    stream = purge_stream(table)
    body = store.secret(stream, _kept_name(number))
    return store.secret(stream, _shown_name(number)) if body is None else body


def _kept(store: Store, table: str, number: int) -> dict[str, str]:
    body = kept_body(store, table, number)
    return {} if body is None else msgspec.json.decode(body, type=dict[str, str])


def kept_proof_bodies(store: Store, table: str, first: int, last: int) -> dict[int, str]:
    """The proofs of purged rounds as they are stored, in the order of the rounds."""
    return _bodies(store, table, {number: _kept_name(number) for number in range(first, last + 1)})


def shown_bodies(store: Store, table: str, first: int, last: int) -> dict[int, str]:
    """The shown cards of rounds without proofs as they are stored, in the order of the rounds."""
    return _bodies(store, table, {number: _shown_name(number) for number in range(first, last + 1)})


def _bodies(store: Store, table: str, names: Mapping[int, str]) -> dict[int, str]:
    stream = purge_stream(table)
    bodies = ((number, store.secret(stream, name)) for number, name in names.items())
    return {number: body for number, body in bodies if body is not None}


def kept_names(numbers: Iterable[int]) -> list[str]:
    """The names of the secrets in which rounds keep their proofs."""
    return [_kept_name(number) for number in numbers]


def _kept_name(number: int) -> str:
    return f"{number}/proofs"


def _shown_name(number: int) -> str:
    return f"{number}/shown"


def is_kept_up_to(number: int, name: str) -> bool:
    """Whether a secret of a purge stream is what a round has kept, and of none after this one."""
    digits = name.partition("/")[0]
    if not digits.isdecimal():
        return False
    kept = int(digits)
    return kept <= number and name in (_kept_name(kept), _shown_name(kept))
