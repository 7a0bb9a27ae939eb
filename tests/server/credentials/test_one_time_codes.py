"""One-time codes by the published examples, and recovery codes."""

import base64

import pytest

from openfelt.server.credentials.one_time_codes import (
    code_step,
    matching_recovery,
    new_recovery_codes,
    new_secret,
    otpauth_uri,
    qr_image,
    recovery_hash,
)

RFC_6238 = base64.b32encode(b"12345678901234567890").decode()


@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "287082"),
        (1_111_111_109, "081804"),
        (1_234_567_890, "005924"),
        (2_000_000_000, "279037"),
    ],
)
def test_the_examples_of_rfc_6238(seconds: int, code: str) -> None:
    step = seconds // 30
    assert code_step(RFC_6238, code, now_ms=seconds * 1000, after=0) == step
    assert code_step(RFC_6238, f"{code[:3]} {code[3:]}", now_ms=seconds * 1000, after=0) == step
    # A clock may be half a minute slow or fast, and no more.
    for late, found in ((30, step), (-30, step), (90, None), (-90, None)):
        assert code_step(RFC_6238, code, now_ms=(seconds + late) * 1000, after=0) == found
    assert code_step(RFC_6238, code, now_ms=seconds * 1000, after=step) is None


@pytest.mark.parametrize("code", ["", "0", "00592", "0059244", "abcdef", "٠٠٥٩٢٤", "\x00"])
def test_what_is_no_code(code: str) -> None:
    assert code_step(RFC_6238, code, now_ms=1_234_567_890_000, after=0) is None


def test_a_secret_is_shown_as_a_picture() -> None:
    uri = otpauth_uri(new_secret(), name="ann", house="felt.example")
    assert uri.startswith("otpauth://totp/Openfelt:ann")
    assert qr_image(uri).startswith("data:image/svg+xml")


def test_recovery_codes_are_told_apart_however_they_are_typed() -> None:
    codes = new_recovery_codes()
    hashes = [recovery_hash(code) for code in codes]
    assert len(set(hashes)) == 10
    assert matching_recovery(codes[3].upper().replace("-", " "), hashes) == hashes[3]
    assert matching_recovery("", hashes) is None
    assert matching_recovery(codes[0][:-1], hashes) is None
