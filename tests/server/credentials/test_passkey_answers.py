"""Passkeys as a browser sends them, made and signed by an authenticator in Python."""

import pytest

from openfelt.server.credentials.passkey_answers import (
    Assertion,
    Attestation,
    BadPasskey,
    Site,
    VerifiedKey,
    decoded,
    encoded,
    verify_new,
    verify_use,
)
from tests.kit.attacks.soft_authenticator import Json, SoftAuthenticator

SITE = Site("felt.example", "https://felt.example")
CHALLENGE = bytes(range(32))
OPTIONS: Json = {"challenge": encoded(CHALLENGE), "rp_id": SITE.name}


def new_key(device: SoftAuthenticator, **lies: str) -> VerifiedKey:
    made = device.created(OPTIONS, SITE.origin, **lies)
    return verify_new(Attestation(**made), CHALLENGE, SITE)


@pytest.mark.parametrize("counts", [True, False])
def test_a_key_is_made_and_used(counts: bool) -> None:
    device = SoftAuthenticator(counts=counts)
    key = new_key(device)
    assert (key.id, key.sign_count) == (device.id, 0)
    for use in (1, 2):
        signed = Assertion(**device.signed(OPTIONS, SITE.origin))
        count = verify_use(signed, CHALLENGE, SITE, public_key=key.public_key)
        assert count == (use if counts else 0)


def test_the_key_of_another_passkey_does_not_verify() -> None:
    device, other = SoftAuthenticator(), new_key(SoftAuthenticator())
    signed = Assertion(**device.signed(OPTIONS, SITE.origin))
    with pytest.raises(BadPasskey):
        verify_use(signed, CHALLENGE, SITE, public_key=other.public_key)


@pytest.mark.parametrize("form", ["tpm", "android-safetynet", "apple", "fido-u2f", "own"])
def test_no_attestation_is_looked_at(form: str) -> None:
    with pytest.raises(BadPasskey):
        new_key(SoftAuthenticator(), format=form)


def test_an_answer_names_the_id_that_the_device_has_signed() -> None:
    made = SoftAuthenticator().created(OPTIONS, SITE.origin)
    with pytest.raises(BadPasskey, match="differs from that in the answer"):
        verify_new(Attestation(**made | {"id": SoftAuthenticator().id}), CHALLENGE, SITE)


@pytest.mark.parametrize("text", ["a", "a=", "YQ==", "YR", "Y Q", "é", "++//"])
def test_bytes_have_one_text(text: str) -> None:
    with pytest.raises(BadPasskey):
        decoded(text)
