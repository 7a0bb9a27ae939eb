"""The answer of a page that says no: a status for browsers, a code for programs, a sentence."""

from http import HTTPStatus


class Denied(Exception):
    """The request is not carried out; nothing has changed.

    >>> Denied(HTTPStatus.NOT_FOUND, "no_such_page", "There is no such page.").sentence
    'There is no such page.'
    """

    def __init__(
        self, status: HTTPStatus, code: str, sentence: str, *, wait_ms: int | None = None
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.sentence = sentence
        self.wait_ms = wait_ms
        """After how long it is worth while to ask again."""


def signed_out() -> Denied:
    """Nobody has signed in."""
    return Denied(HTTPStatus.UNAUTHORIZED, "signed_out", "Sign in first.")


def not_allowed(sentence: str = "That is not for you.") -> Denied:
    """Whoever has signed in may not do that."""
    return Denied(HTTPStatus.FORBIDDEN, "not_allowed", sentence)


def not_found(sentence: str) -> Denied:
    """There is no such thing, or none that the visitor may know of."""
    return Denied(HTTPStatus.NOT_FOUND, "not_found", sentence)


def too_many(wait_ms: int) -> Denied:
    """Too much has been asked in too short a time."""
    return Denied(
        HTTPStatus.TOO_MANY_REQUESTS,
        "too_many_requests",
        "Too many requests; wait a moment.",
        wait_ms=wait_ms,
    )
