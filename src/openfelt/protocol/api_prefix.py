"""The prefix of all REST endpoints."""

from typing import Final

API: Final = "/api/v1"
"""The endpoints have their own version, beside that of the socket's messages."""
