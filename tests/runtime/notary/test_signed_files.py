"""Signatures of whole files."""

import json

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from openfelt.runtime.notary.keys import public_key_of
from openfelt.runtime.notary.signed_files import SignatureError, check_file, sign_file

KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
OTHER = Ed25519PrivateKey.from_private_bytes(bytes(32))
CONTENT = b"a sheet"
LINE = sign_file(KEY, CONTENT, about={"house": "online"}, at_ms=5)


def test_a_signature_is_read_again() -> None:
    found = check_file(CONTENT, LINE, trusted=public_key_of(KEY))
    assert (found.about, found.at_ms) == ({"house": "online"}, 5)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"at_ms": 6}, "signature is wrong"),
        ({"body": '{"house":"other"}'}, "signature is wrong"),
        ({"signature": "00" * 64}, "signature is wrong"),
        ({"key": public_key_of(OTHER)}, "another key"),
        ({"sha256": "0" * 64}, "SHA-256 differs"),
        ({"format": "openfelt.checkpoint/1"}, "unknown form"),
        ({"body": "[]"}, "cannot be read"),
        ({"at_ms": -1}, "cannot be read"),
        ({"more": 1}, "cannot be read"),
    ],
)
def test_whatever_is_changed_is_found(changes: dict[str, object], said: str) -> None:
    line = json.dumps(json.loads(LINE) | changes)
    with pytest.raises(SignatureError, match=said):
        check_file(CONTENT, line, trusted=public_key_of(KEY))


def test_another_file_or_another_signer_is_found() -> None:
    with pytest.raises(SignatureError, match="not the one that was signed"):
        check_file(CONTENT + b" ", LINE, trusted=public_key_of(KEY))
    forged = sign_file(OTHER, CONTENT, about={"house": "online"}, at_ms=5)
    with pytest.raises(SignatureError, match="another key"):
        check_file(CONTENT, forged, trusted=public_key_of(KEY))
    with pytest.raises(SignatureError, match="cannot be read"):
        check_file(CONTENT, "nothing", trusted=public_key_of(KEY))
