"""The keys from which the codes of vouchers come, encrypted like all secrets of the house.

A reader of the database alone has neither a key nor a code. If the key that encrypts them is
declared lost, the next voucher makes another one; the codes of earlier vouchers are then unknown,
and their holders are paid by hand.
"""

import hashlib
import secrets
import threading
from typing import Final

from openfelt.ledger.vouchers import VoucherKeyMade
from openfelt.runtime.causes import SYSTEM_CAUSE
from openfelt.runtime.clock import Clock
from openfelt.runtime.streams import VOUCHER_KEYS_STREAM
from openfelt.storage.door import Append, Commit, Conflict, Forged, KeyLost, NewSecret, Store
from openfelt.storage.event_forms import EventCodec

KEY_BYTES: Final = 32
SECRET_PREFIX: Final = "codes/"  # noqa: S105 (the beginning of a name, and not a secret)


def key_digest(secret: str) -> str:
    """The digest of a key for the record, so that a replaced key is noticed; the key is random."""
    return hashlib.sha256(f"openfelt.voucher-key/1 {secret}".encode()).hexdigest()


def secret_name(number: int) -> str:
    """The name of the secret that holds a key.

    >>> secret_name(1)
    'codes/1'
    """
    return f"{SECRET_PREFIX}{number}"


class VoucherKeys:
    """The keys of one house. Threads may share it, and all calls block."""

    def __init__(self, store: Store, codec: EventCodec, clock: Clock) -> None:
        self._store = store
        self._codec = codec
        self._clock = clock
        self._keys: dict[int, bytes] = {}
        """The keys that can be read, by number."""
        self._version = 0
        self._lock = threading.Lock()

    def newest(self) -> bytes:
        """The key for new codes; the first one is made here."""
        with self._lock:
            last = self._read()
            while last not in self._keys:
                self._make(last + 1)
                last = self._read()
            return self._keys[last]

    def all(self) -> tuple[bytes, ...]:
        """Every key that can be read, the newest first."""
        with self._lock:
            self._read()
            return tuple(self._keys[number] for number in sorted(self._keys, reverse=True))

    def _read(self) -> int:
        """Read keys that other processes have made; returns the number of the last one."""
        for stored in self._store.record(VOUCHER_KEYS_STREAM, after=self._version):
            event = self._codec.decode(stored)
            if isinstance(event, VoucherKeyMade):
                self._keep(event)
            self._version = stored.version
        return self._version

    def _keep(self, event: VoucherKeyMade) -> None:
        name = secret_name(event.number)
        try:
            stored = self._store.secrets(VOUCHER_KEYS_STREAM, name, encrypted_only=True)
        except KeyLost:
            return
        secret = stored.get(name)
        if secret is None or key_digest(secret) != event.digest:
            raise Forged("secrets", f"{VOUCHER_KEYS_STREAM}/{name}")
        self._keys[event.number] = bytes.fromhex(secret)

    def _make(self, number: int) -> None:
        secret = secrets.token_hex(KEY_BYTES)
        event = VoucherKeyMade(number, key_digest(secret))
        append = Append(
            stream=VOUCHER_KEYS_STREAM,
            expected_version=number - 1,
            events=(self._codec.encode(event, cause=SYSTEM_CAUSE),),
            secrets=(NewSecret(name=secret_name(number), body=secret, encrypted=True),),
        )
        try:
            self._store.commit(Commit(at_ms=self._clock.wall_ms(), appends=(append,)))
        except Conflict:
            # Another process has made one, which is read next.
            return
