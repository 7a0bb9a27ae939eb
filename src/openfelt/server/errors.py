"""Refused HTTP requests: a status for browsers, a code for programs, a sentence for people."""

from http import HTTPStatus
from typing import Final

RETRY_MS: Final = 1000
"""How long a caller is told to wait while the server is busy."""


class Denied(Exception):
    """The request is refused; nothing has changed.

    >>> Denied(HTTPStatus.NOT_FOUND, "not_found", "There is no such endpoint.").sentence
    'There is no such endpoint.'
    """

    def __init__(
        self, status: HTTPStatus, code: str, sentence: str, *, wait_ms: int | None = None
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.sentence = sentence
        self.wait_ms = wait_ms
        """How long to wait before another attempt."""


def signed_out() -> Denied:
    """The caller has not signed in."""
    return Denied(HTTPStatus.UNAUTHORIZED, "signed_out", "Sign in first.")


def not_allowed(sentence: str) -> Denied:
    """The caller has signed in, but may not do that."""
    return Denied(HTTPStatus.FORBIDDEN, "not_allowed", sentence)


def not_found(sentence: str) -> Denied:
    """It does not exist, or the caller may not know of it."""
    return Denied(HTTPStatus.NOT_FOUND, "not_found", sentence)


def too_many(wait_ms: int) -> Denied:
    """The caller is over a rate limit."""
    return Denied(
        HTTPStatus.TOO_MANY_REQUESTS,
        "too_many_requests",
        "Too many requests; wait a moment.",
        wait_ms=wait_ms,
    )


def busy() -> Denied:
    """The server has too much to do, or holds too much, at the moment."""
    return Denied(
        HTTPStatus.SERVICE_UNAVAILABLE,
        "busy",
        "The server is busy; try again.",
        wait_ms=RETRY_MS,
    )
