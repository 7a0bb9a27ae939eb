"""The forms of second factors: one-time codes, recovery codes and passkeys."""

from pydantic import BaseModel

from openfelt.protocol.form_fields import (
    EncodedBytes,
    Problem,
    PublicName,
    Taken,
    TypedCode,
    TypedPassword,
)


class PasskeyRequest(BaseModel):
    """The data that a browser needs to have a passkey sign a challenge."""

    challenge: str
    rp_id: str
    """The host name for which the passkeys were made."""
    passkeys: list[str]
    """The ids of the passkeys that may sign."""
    timeout_ms: int


class PasskeyProblem(Problem):
    """The password is right; a passkey, or a code where the account has codes, is needed too."""

    passkey: PasskeyRequest | None
    """None if no passkey of the account was made for this address."""
    codes: bool
    """Whether a one-time code or a recovery code is accepted as well."""


class PasskeyAssertion(Taken):
    """A challenge that a passkey has signed."""

    id: EncodedBytes
    client_data: EncodedBytes
    authenticator_data: EncodedBytes
    signature: EncodedBytes


class FactorForm(Taken):
    """The second factor of an account: a code, or a challenge that a passkey has signed."""

    code: TypedCode | None = None
    passkey: PasskeyAssertion | None = None


class SecondFactorBegin(FactorForm):
    """The beginning of a set-up. Some minutes after the sign-in the password is needed; for an
    account that has a second factor, both at any time."""

    password: TypedPassword | None = None


class SecondFactorSecret(BaseModel):
    """The secret for an authenticator app, to be scanned or typed."""

    secret: str
    uri: str
    """The address by which an app takes the secret over."""
    qr: str
    """The same address as a QR code, an image in a ``data:`` address."""


class CodeForm(Taken):
    """A code of the second factor."""

    code: TypedCode


class OwnerForm(FactorForm):
    """The password and the second factor, for what only the owner may do."""

    password: TypedPassword


class PasskeyCreation(BaseModel):
    """The data that a browser needs to create a passkey."""

    challenge: str
    rp_id: str
    rp_name: str
    user_id: str
    user_name: str
    algorithms: list[int]
    """Numbers of COSE, the preferred one first."""
    passkeys: list[str]
    """The ids of passkeys that the account has: their devices need not make another one."""
    timeout_ms: int


class NewPasskey(Taken):
    """A passkey that a browser has made."""

    name: PublicName
    """The owner's name for it."""
    id: EncodedBytes
    client_data: EncodedBytes
    attestation: EncodedBytes


class PasskeyView(BaseModel):
    """A passkey of the caller's account."""

    id: str
    name: str
    site: str
    """The host name for which it was made."""
    added_ms: int
    used_ms: int | None


class RecoveryCodes(BaseModel):
    """Codes for the day when the app is lost; they are shown once, and each counts once."""

    recovery_codes: list[str]
