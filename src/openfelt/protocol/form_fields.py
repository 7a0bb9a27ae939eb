"""Fields and bases of the forms that REST endpoints accept and return."""

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, StringConstraints

from openfelt.rules.action_checks import REASON_LENGTH_MAX, is_reason

TypedName = Annotated[str, StringConstraints(min_length=1, max_length=100)]
TypedPassword = Annotated[str, StringConstraints(min_length=1, max_length=200)]
TypedCode = Annotated[str, StringConstraints(min_length=1, max_length=40)]
"""A one-time code or a recovery code."""
EncodedBytes = Annotated[
    str, StringConstraints(min_length=1, max_length=8000, pattern=r"^[A-Za-z0-9_-]+$")
]
"""Bytes in base64url without padding, as Web Authentication exchanges them."""


def _one_line(text: str) -> str:
    if not is_reason(text):
        raise ValueError("write one line of printable characters")
    return text


PublicName = Annotated[
    str, StringConstraints(min_length=1, max_length=40), AfterValidator(_one_line)
]
DeviceLabel = Annotated[
    str, StringConstraints(min_length=1, max_length=60), AfterValidator(_one_line)
]
TypedReason = Annotated[
    str,
    StringConstraints(min_length=1, max_length=REASON_LENGTH_MAX),
    AfterValidator(_one_line),
]


class Taken(BaseModel):
    """A form that a client sends; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Problem(BaseModel):
    """Why a request was refused."""

    code: str
    sentence: str
