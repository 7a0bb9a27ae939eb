"""Tokens: random words that open a session or show a terminal to be the house's own.

A token is a name, a point and 256 random bits. Only its SHA-256 is kept, so whoever reads
the database cannot use it. The name says where to look, and proves nothing.
"""

import hashlib
import secrets
from typing import Final

from openfelt.table.permissions import NAME

TOKEN_BYTES: Final = 32
TOKEN_LENGTH_MAX: Final = 200


def new_token(name: str) -> str:
    """A token that nobody can guess."""
    return f"{name}.{secrets.token_urlsafe(TOKEN_BYTES)}"


def token_name(token: str) -> str | None:
    """The name in a token, None where it is no token.

    >>> token_name("ann.s3cr3t"), token_name("nonsense")
    ('ann', None)
    """
    name, point, secret = token.rpartition(".")
    if not point or not secret or len(token) > TOKEN_LENGTH_MAX or not NAME.fullmatch(name):
        return None
    return name


def token_hash(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode()).hexdigest()
