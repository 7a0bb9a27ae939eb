"""Tokens of sessions, of enrolled devices and of card readers.

A token is a name, a dot and 256 random bits. Only its SHA-256 is stored, so a reader of the
database cannot use it. The name says where to look the token up, and proves nothing.
"""

import hashlib
import secrets
from typing import Final

from openfelt.table.permissions import NAME

TOKEN_BYTES: Final = 32
TOKEN_LENGTH_MAX: Final = 200


def new_token(name: str) -> str:
    """A new random token."""
    return f"{name}.{secrets.token_urlsafe(TOKEN_BYTES)}"


def token_name(token: str) -> str | None:
    """The name in a token, None for a text that is not a token.

    >>> token_name("ann.s3cr3t"), token_name("nonsense")
    ('ann', None)
    """
    name, point, secret = token.rpartition(".")
    if not point or not secret or len(token) > TOKEN_LENGTH_MAX or not NAME.fullmatch(name):
        return None
    return name


def token_hash(token: str) -> str:
    """The hash of a token, which is all that is stored of it."""
    return hashlib.sha256(token.encode()).hexdigest()
