"""Secrets in a store: decks, data keys, proofs and codes, and the main keys that encrypt them."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Sequence

from openfelt.storage.door import Commit, Damaged, Forged, Head, KeyLost, KeyMissing, tell_damage
from openfelt.storage.keyring import Ciphertext, Keyring, decrypt_with
from openfelt.storage.secrecy.data_keys import DataKeys
from openfelt.storage.secrecy.envelopes import Envelope
from openfelt.storage.secrecy.secrets_door import LOST_KEYS_PREFIX
from openfelt.storage.shown_names import KEY_ID
from openfelt.storage.sql import rows, statements
from openfelt.storage.sql.rows import Row, intact

logger = logging.getLogger(__name__)

SECRETS_AT_ONCE: int = 500
"""How many secrets are encrypted again in one transaction."""


def lost_in(commit: Commit) -> tuple[str, ...]:
    """The ids of keys that a commit declares lost."""
    names = (append.stream for append in commit.appends if append.events)
    prefix = LOST_KEYS_PREFIX
    return tuple(name.removeprefix(prefix) for name in names if name.startswith(prefix))


class SecretQueries(ABC):
    """The queries of both stores about secrets."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring
        self._data_keys = DataKeys(self._secret)
        self._key_checked = False

    @abstractmethod
    def _read(self, statement: str, values: Sequence[object]) -> list[Row]:
        """Run one statement that only reads."""

    @abstractmethod
    def _write_many(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Run one statement with each of these rows, in one transaction."""

    @abstractmethod
    def check_head(self, stream: str, head: Head) -> None:
        """Raise Forged for a head that was not written with a key of the house, or KeyMissing."""

    @abstractmethod
    def _is_authenticated(self) -> bool:
        """Whether appends are authentic, and so all secrets encrypted."""

    # Secrets -----------------------------------------------------------------------

    def secrets(
        self, stream: str, prefix: str = "", *, encrypted_only: bool = False
    ) -> dict[str, str]:
        """A stream's secrets whose names have this prefix; raises KeyMissing or KeyLost."""
        names, values = statements.beginning_with("name", prefix)
        result = self._read(statements.SECRETS.format(names=names), (stream, *values))
        if encrypted_only and self._is_authenticated():
            for name, encrypted in map(rows.secret, result):
                if not encrypted.key:
                    raise Forged("secrets", f"{stream}/{name}")
        return {
            name: self._decrypted(stream, name, encrypted)
            for name, encrypted in map(rows.secret, result)
        }

    def _secret(self, stream: str, name: str) -> str | None:
        """One secret, or None."""
        result = self._read(statements.SECRETS.format(names="name = ?"), (stream, name))
        return self._decrypted(stream, *rows.secret(result[0])) if result else None

    def secret(self, stream: str, name: str) -> str | None:
        """One secret of a stream by its name, or None; raises as ``secrets``."""
        result = self._read(statements.SECRETS.format(names="name = ?"), (stream, name))
        return next((self._decrypted(stream, name, rows.secret(row)[1]) for row in result), None)

    def secret_names(self, stream: str, prefix: str = "") -> tuple[str, ...]:
        """The names of a stream's secrets with this prefix, which need no key."""
        names, values = statements.beginning_with("name", prefix)
        result = self._read(statements.NAMES_OF_SECRETS.format(names=names), (stream, *values))
        return rows.texts(result)

    def _encrypt(self, stream: str, name: str, body: str, *, packed: bool = False) -> Ciphertext:
        if not self._key_checked:
            self._check_own_key(stream)
        return self._keyring.encrypt(stream, name, body, packed=packed)

    def _decrypted(self, stream: str, name: str, encrypted: Ciphertext) -> str:
        if not encrypted.key:
            return encrypted.body
        try:
            return self._keyring.decrypt(stream, name, encrypted)
        except KeyMissing as error:
            raise self._lost(error) from None

    def _decrypt_json(self, stream: str, name: str, text: str) -> str:
        """The whole of a JSON object, of which a part is encrypted under this name."""
        envelope = Envelope.parse(text)
        if envelope is None:
            raise Damaged("events", f"{stream}/{name}", "its encrypted part cannot be read")
        if "/" in envelope.key:
            key = self._data_keys.get(stream, envelope.key)
            return envelope.opened(decrypt_with(key, stream, name, envelope.body))
        # An earlier version encrypted events and snapshots with the main key itself.
        return self._decrypted(stream, name, Ciphertext(envelope.key, envelope.body))

    # Keys --------------------------------------------------------------------------

    def encryption_keys(self) -> tuple[str, ...]:
        """The ids of the main keys with which the store's secrets are encrypted."""
        keys: list[str] = []
        while result := self._read(statements.NEXT_KEY, (keys[-1] if keys else "",)):
            keys += rows.key_ids(result)
        return tuple(keys)

    def keys_of_events(self) -> tuple[str, ...]:
        """The ids of the main keys with which an earlier version encrypted events themselves."""
        return rows.key_ids(self._read(statements.KEYS_OF_EVENTS, ()))

    def secrets_under(self, key: str, prefix: str = "") -> dict[str, tuple[str, ...]]:
        """By stream with this prefix, the names of the secrets that a main key has encrypted."""
        streams, values = statements.beginning_with("stream", prefix)
        result = self._read(statements.SECRETS_UNDER.format(streams=streams), (key, *values))
        names: dict[str, tuple[str, ...]] = {}
        for stream, name in intact(result, rows.secret_name, tell_damage):
            names[stream] = (*names.get(stream, ()), name)
        return names

    def prepare_keys(self) -> None:
        """Make the first key if there is none; raises KeyFailure or KeyMissing."""
        self._check_own_key("this database")
        self._keyring.current()

    def missing_keys(self) -> tuple[str, ...]:
        """The ids of keys in use that are not in the keyring and not declared lost."""
        accounted_for = {*self._keyring.ids, *self.lost_keys()}
        return tuple(key for key in self.encryption_keys() if key not in accounted_for)

    def lost_keys(self) -> tuple[str, ...]:
        """The ids of keys that have been declared lost.

        Only a record that was written with a key of the house is trusted: a row that any writer of
        the database could add must not make a key count as lost.
        """
        names, values = statements.beginning_with("name", LOST_KEYS_PREFIX)
        result = self._read(statements.HEADS.format(names=names), values)
        heads = intact(result, rows.stream_head, tell_damage)
        return tuple(
            stream.removeprefix(LOST_KEYS_PREFIX)
            for stream, head in heads
            if KEY_ID.fullmatch(stream.removeprefix(LOST_KEYS_PREFIX))
            and self._is_authentic(stream, head)
        )

    def _is_authentic(self, stream: str, head: Head) -> bool:
        try:
            self.check_head(stream, head)
        except Forged as error:
            logger.error("%s", error)
            return False
        except KeyMissing:
            return False
        return True

    def _lost(self, error: KeyMissing) -> KeyMissing | KeyLost:
        """The error for a missing key, according to what the record says about it."""
        if error.key in self.lost_keys():
            return KeyLost(error.key, stream=error.stream)
        return error

    def _check_own_key(self, stream: str) -> None:
        """Refuse to begin with a new key where others have encrypted: they would not have it."""
        lost = set(self.lost_keys())
        used = [key for key in self.encryption_keys() if key not in lost]
        if used and not set(used) & set(self._keyring.ids):
            raise KeyMissing(used[-1], stream=stream, where=self._keyring.where)
        self._key_checked = True

    def reencrypt(self, prefix: str, *, plain: bool = False) -> int:
        """Encrypt some secrets under this prefix with the newest key; returns how many."""
        lost = set(self.lost_keys()) - set(self._keyring.ids)
        keys = (
            ("",)
            if plain
            else tuple(
                key
                for key in self.encryption_keys()
                if key != self._keyring.current() and key not in lost
            )
        )
        for key in keys:
            streams, values = statements.beginning_with("stream", prefix)
            statement = statements.ENCRYPTED_WITH.format(streams=streams)
            result = self._read(statement, (key, *values, SECRETS_AT_ONCE))
            if result:
                self._write_many(
                    statements.HIDDEN_REENCRYPTED,
                    [self._reencrypted(*rows.secret_of_stream(row)) for row in result],
                )
                return len(result)
        return 0

    def _reencrypted(self, stream: str, name: str, before: Ciphertext) -> Row:
        """The values of an UPDATE that encrypts a secret with the newest key."""
        if before.key:
            after = self._keyring.reencrypt(stream, name, before)
        else:
            after = self._encrypt(stream, name, before.body)
        return after.body, after.key, stream, name, before.body
