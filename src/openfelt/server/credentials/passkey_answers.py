"""Passkeys by the W3C's Web Authentication: checks of a browser's responses.

A passkey signs a challenge of the server together with the address of the page. So an answer that
was made for another site, for another challenge or without its owner's fingerprint or PIN is
refused, and the data that the server stores cannot be used to sign in.

The library that checks signatures takes a third of a second to load, as long as half of the rest
of the server. It is loaded when the first passkey is used, in the thread that checks it.
"""

import base64
import binascii
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from webauthn.helpers.structs import RegistrationCredential

ALGORITHMS: Final = (-8, -7, -257)
"""Signature algorithms for passkeys in order of preference, by COSE's numbers: EdDSA, ECDSA with
SHA-256, and RSA with SHA-256.
"""
ID_BYTES_MAX: Final = 1023
"""The longest id that the standard allows."""
PUBLIC_KEY_BYTES_MAX: Final = 1100
"""An RSA key of 8,192 bits; longer ones would only fill the record."""

_FORMATS: Final = ("none", "packed")
"""No attestation is asked for. A browser then sends none, or one that the passkey itself signed."""


class BadPasskey(Exception):
    """The browser's response is not a valid answer to the challenge."""


@dataclass(frozen=True, slots=True)
class Site:
    """The site for which passkeys are made and used, by the name that the operator has given."""

    name: str
    """The host name, which is the standard's id of the relying party."""
    origin: str
    """The origin that the browser must have seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attestation:
    """The answer of a browser that has made a new passkey. Bytes are in base64url."""

    id: str
    client_data: str
    attestation: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Assertion:
    """The answer of a browser whose passkey has signed a challenge. Bytes are in base64url."""

    id: str
    client_data: str
    authenticator_data: str
    signature: str


@dataclass(frozen=True, slots=True)
class VerifiedKey:
    """A new passkey whose answer was valid."""

    id: str
    public_key: str
    sign_count: int


def encoded(value: bytes) -> str:
    """Bytes in base64url without padding, as browsers exchange them.

    >>> encoded(b"felt?")
    'ZmVsdD8'
    """
    return base64.urlsafe_b64encode(value).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """The bytes in base64url; raises BadPasskey for another text or another way to write them.

    >>> decoded("ZmVsdD8")
    b'felt?'
    """
    try:
        value = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadPasskey(str(error)) from error
    if encoded(value) != text:
        raise BadPasskey("This is not base64url.")
    return value


def user_handle(name: str, opened_ms: int) -> str:
    """The id of an account for authenticators, which does not reveal its name."""
    return encoded(hashlib.sha256(f"passkeys of {name} {opened_ms}".encode()).digest())


def verify_new(attestation: Attestation, challenge: bytes, site: Site) -> VerifiedKey:
    """Check a new passkey; raises BadPasskey."""
    from webauthn import verify_registration_response
    from webauthn.helpers import decode_credential_public_key, decoded_public_key_to_cryptography
    from webauthn.helpers.cose import COSEAlgorithmIdentifier

    with _hostile_bytes():
        credential = _new_credential(attestation)
        verified = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=site.origin,
            require_user_verification=True,
            supported_pub_key_algs=list(map(COSEAlgorithmIdentifier, ALGORITHMS)),
        )
        # A key that cannot be used is refused now, and not at the first sign-in.
        decoded_public_key_to_cryptography(
            decode_credential_public_key(verified.credential_public_key)
        )
    if len(verified.credential_public_key) > PUBLIC_KEY_BYTES_MAX:
        raise BadPasskey("The public key is too long.")
    if verified.credential_id != credential.raw_id:
        raise BadPasskey("The id of the passkey differs from that in the answer.")
    return VerifiedKey(attestation.id, encoded(verified.credential_public_key), verified.sign_count)


def _new_credential(attestation: Attestation) -> "RegistrationCredential":
    from webauthn.helpers import parse_attestation_object
    from webauthn.helpers.structs import (
        AuthenticatorAttestationResponse,
        RegistrationCredential,
    )

    raw_id, client_data = decoded(attestation.id), decoded(attestation.client_data)
    attested = decoded(attestation.attestation)
    if not 1 <= len(raw_id) <= ID_BYTES_MAX:
        raise BadPasskey("The id of the passkey is too long.")
    _check_frame(client_data)
    # Checked before the library follows chains of certificates, which would prove nothing here.
    if parse_attestation_object(attested).fmt not in _FORMATS:
        raise BadPasskey("An attestation was not asked for.")
    return RegistrationCredential(
        id=attestation.id,
        raw_id=raw_id,
        response=AuthenticatorAttestationResponse(
            client_data_json=client_data, attestation_object=attested
        ),
    )


def verify_use(assertion: Assertion, challenge: bytes, site: Site, *, public_key: str) -> int:
    """Check a use of a passkey, and return its sign count; raises BadPasskey.

    Whether the count has gone back is for the caller to say: only a valid signature shows that.
    """
    from webauthn import verify_authentication_response
    from webauthn.helpers.structs import AuthenticationCredential, AuthenticatorAssertionResponse

    with _hostile_bytes():
        client_data = decoded(assertion.client_data)
        _check_frame(client_data)
        response = AuthenticatorAssertionResponse(
            client_data_json=client_data,
            authenticator_data=decoded(assertion.authenticator_data),
            signature=decoded(assertion.signature),
        )
        return verify_authentication_response(
            credential=AuthenticationCredential(
                id=assertion.id, raw_id=decoded(assertion.id), response=response
            ),
            expected_challenge=challenge,
            expected_rp_id=site.name,
            expected_origin=site.origin,
            credential_public_key=decoded(public_key),
            credential_current_sign_count=0,
            require_user_verification=True,
        ).new_sign_count


def count_went_back(before: int, now: int) -> bool:
    """Whether a sign count shows that two devices use one passkey. Some never count.

    >>> count_went_back(7, 8), count_went_back(0, 0), count_went_back(7, 7), count_went_back(7, 0)
    (False, False, True, True)
    """
    return max(before, now) > 0 and now <= before


def _check_frame(client_data: bytes) -> None:
    """Refuse an answer from a frame within a page of another site."""
    from webauthn.helpers import parse_client_data_json

    if parse_client_data_json(client_data).cross_origin:
        raise BadPasskey("The answer was given within a page of another site.")


@contextmanager
def _hostile_bytes() -> Iterator[None]:
    """The libraries raise errors of many kinds for bytes that no browser made."""
    try:
        yield
    except Exception as error:
        raise BadPasskey(str(error)) from error
