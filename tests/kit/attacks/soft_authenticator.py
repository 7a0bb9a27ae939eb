"""An authenticator in Python, and the browser around it: makes passkeys and signs challenges.

A test may let either of them lie about anything that a real one would not.
"""

import hashlib
import json
import secrets
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256

from openfelt.server.credentials.passkey_answers import decoded, encoded

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
"""Flags: a person was there; it was the owner; the data contains a new key."""
Json = dict[str, Any]


class SoftAuthenticator:
    """A passkey on a device that a test holds in its hands."""

    def __init__(self, *, counts: bool = True) -> None:
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = encoded(secrets.token_bytes(24))
        self.count = 0
        self._step = int(counts)

    def created(self, options: Json, origin: str, **lies: Any) -> Json:
        """What a browser at this origin sends after it has made the passkey."""
        client_data = _client_data("webauthn.create", options, origin, lies)
        raw_id = decoded(self.id)
        attested = bytes(16) + len(raw_id).to_bytes(2) + raw_id + self._public_key()
        data = self._data(options, lies, flags=PRESENT | VERIFIED | ATTESTED) + attested
        form = {"fmt": lies.get("format", "none"), "attStmt": {}, "authData": data}
        return {
            "id": self.id,
            "client_data": encoded(client_data),
            "attestation": encoded(cbor2.dumps(form)),
        }

    def signed(self, options: Json, origin: str, **lies: Any) -> Json:
        """What a browser at this origin sends after the passkey has signed a challenge."""
        self.count = lies.get("count", self.count + self._step)
        client_data = _client_data("webauthn.get", options, origin, lies)
        data = self._data(options, lies, flags=PRESENT | VERIFIED)
        digest = hashlib.sha256(client_data).digest()
        return {
            "id": lies.get("id", self.id),
            "client_data": encoded(client_data),
            "authenticator_data": encoded(data),
            "signature": encoded(self.key.sign(data + digest, ec.ECDSA(SHA256()))),
        }

    def _data(self, options: Json, lies: Json, *, flags: int) -> bytes:
        rp_id: str = lies.get("rp_id") or options["rp_id"]
        name = hashlib.sha256(rp_id.encode()).digest()
        return name + bytes([lies.get("flags", flags)]) + self.count.to_bytes(4)

    def _public_key(self) -> bytes:
        numbers = self.key.public_key().public_numbers()
        x, y = numbers.x.to_bytes(32), numbers.y.to_bytes(32)
        return cbor2.dumps({1: 2, 3: -7, -1: 1, -2: x, -3: y})


def _client_data(kind: str, options: Json, origin: str, lies: Json) -> bytes:
    """What the browser has seen, which the passkey signs."""
    data = {
        "type": lies.get("type", kind),
        "challenge": lies.get("challenge", options["challenge"]),
        "origin": origin,
        "crossOrigin": lies.get("cross_origin", False),
    }
    return json.dumps(data).encode()
