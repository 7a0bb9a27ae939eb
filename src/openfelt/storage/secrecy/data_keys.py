"""Data keys: each encrypts some events of one stream, such as those of one round.

A data key is itself a secret of its stream, encrypted with a main key. Once it is removed, nothing
that it has encrypted can be read, although the hashes of the events remain valid; and when the main
key is replaced, only data keys are encrypted again.
"""

import secrets
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from openfelt.storage.door import Append, Commit, Damaged, NewSecret, Purged, SecretKey
from openfelt.storage.keyring import KEY_BYTES, encrypt_with
from openfelt.storage.secrecy.envelopes import Envelope

DATA_KEYS_PREFIX: Final = "key/"
"""The prefix of the names of secrets that are data keys."""
KEPT_MAX: Final = 1000
"""How many data keys a process remembers."""


class DataKeys:
    """The data keys of one store."""

    def __init__(self, secret: Callable[[str, str], str | None]) -> None:
        """``secret`` reads a secret of a stream by its name, or returns None."""
        self._secret = secret
        self._kept: OrderedDict[SecretKey, bytes] = OrderedDict()

    def get(self, stream: str, name: str) -> bytes:
        """A data key; raises Purged if it was removed, KeyMissing or KeyLost."""
        key = self._get(stream, name)
        if key is None:
            raise Purged(stream, name)
        return key

    def prepare(self, commit: Commit) -> tuple[Commit, Mapping[SecretKey, bytes]]:
        """The keys that a commit needs; missing ones are created and written with it."""
        keys: dict[SecretKey, bytes] = {}
        appends = [self._prepared(append, keys) for append in commit.appends]
        return (replace(commit, appends=tuple(appends)), keys) if keys else (commit, keys)

    def _prepared(self, append: Append, keys: dict[SecretKey, bytes]) -> Append:
        names = dict.fromkeys(event.key for event in append.events if event.hidden)
        if append.snapshot is not None and append.snapshot_key:
            names[append.snapshot_key] = None
        for name in names:
            key = self._get(append.stream, name)
            if key is None:
                key = secrets.token_bytes(KEY_BYTES)
                secret = NewSecret(name=name, body=key.hex(), encrypted=True)
                append = replace(append, secrets=(*append.secrets, secret))
            keys[append.stream, name] = key
        return append

    def keep(self, commit: Commit, keys: Mapping[SecretKey, bytes]) -> None:
        """Remember the keys of a commit that has been written, and forget those it removed."""
        self._kept.update(keys)
        for append in commit.appends:
            for removed in append.removed_secrets:
                self._kept.pop(removed, None)
        while len(self._kept) > KEPT_MAX:
            self._kept.popitem(last=False)

    def forget(self) -> None:
        """Read all keys again when they are next needed."""
        self._kept.clear()

    def _get(self, stream: str, name: str) -> bytes | None:
        key = self._kept.get((stream, name))
        if key is None:
            stored = self._secret(stream, name)
            if stored is None:
                return None
            key = self._kept[stream, name] = _key_in(stored, f"{stream}/{name}")
            while len(self._kept) > KEPT_MAX:
                self._kept.popitem(last=False)
        return key


def _key_in(stored: str, row: str) -> bytes:
    try:
        return bytes.fromhex(stored)
    except ValueError:
        raise Damaged("secrets", row, "it is not a key") from None


def enveloped(
    keys: Mapping[SecretKey, bytes],
    stream: str,
    binding: str,
    hidden: str,
    *,
    key: str,
    open_json: str = "{}",
    packed: bool = False,
) -> str:
    """A JSON object whose hidden fields are encrypted with the data key of this name."""
    body = encrypt_with(keys[stream, key], stream, binding, hidden, packed=packed)
    return Envelope(key, body, open_json[1:-1]).to_json()
