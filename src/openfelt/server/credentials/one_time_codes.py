"""One-time codes by RFC 6238, as authenticator apps show them, and recovery codes on paper."""

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable
from typing import Final

import pyotp
import segno

STEP_SECONDS: Final = 30
STEPS_AROUND: Final = 1
"""How many steps a clock may be slow or fast."""
RECOVERY_CODES: Final = 10
ISSUER: Final = "Openfelt"
_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_RECOVERY_LENGTH: Final = 16
_NOT_LETTERS: Final = re.compile(r"[^a-z0-9]")


def new_secret() -> str:
    """A new random secret, in base32 as apps take it when it is typed."""
    return pyotp.random_base32()


def otpauth_uri(secret: str, *, name: str, house: str) -> str:
    """The address from which an app imports the secret."""
    return pyotp.TOTP(secret).provisioning_uri(name=f"{name} ({house})", issuer_name=ISSUER)


def qr_image(uri: str) -> str:
    """A QR code as an image address, which is shown without another request."""
    return str(segno.make(uri, error="m").svg_data_uri(scale=4, border=3, light="#fff"))


def code_step(secret: str, code: str, *, now_ms: int, after: int) -> int | None:
    """The step whose code this is, None if it is not valid now or was used before.

    >>> code = pyotp.TOTP("JBSWY3DPEHPK3PXP").at(60)
    >>> code_step("JBSWY3DPEHPK3PXP", code, now_ms=61_000, after=0)
    2
    >>> code_step("JBSWY3DPEHPK3PXP", code, now_ms=61_000, after=2) is None
    True
    """
    typed = code.replace(" ", "")
    now = now_ms // 1000 // STEP_SECONDS
    totp = pyotp.TOTP(secret)
    matching = [
        step
        for step in range(now - STEPS_AROUND, now + STEPS_AROUND + 1)
        if hmac.compare_digest(totp.generate_otp(max(step, 0)).encode(), typed.encode())
    ]
    fresh = [step for step in matching if step > after]
    return fresh[-1] if fresh else None


def new_recovery_codes() -> list[str]:
    """Codes for when the app is lost; each takes 2 to the power of 79 guesses."""
    return [_recovery_code() for _ in range(RECOVERY_CODES)]


def _recovery_code() -> str:
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_RECOVERY_LENGTH))
    return "-".join(letters[at : at + 4] for at in range(0, _RECOVERY_LENGTH, 4))


def recovery_hash(code: str) -> str:
    """The hash of a recovery code as it is typed, which is all that is stored of it.

    >>> recovery_hash("abcd-efgh-jkmn-pqrs") == recovery_hash("ABCD EFGH JKMN PQRS")
    True
    """
    return hashlib.sha256(_NOT_LETTERS.sub("", code.lower()).encode()).hexdigest()


def matching_recovery(code: str, hashes: Iterable[str]) -> str | None:
    """The stored hash that a typed recovery code has, or None."""
    typed = recovery_hash(code)
    matching = [stored for stored in hashes if hmac.compare_digest(stored, typed)]
    return matching[0] if matching else None
