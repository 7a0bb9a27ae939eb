"""Text that is written to a socket immediately, where the server offers that.

An ASGI application sends through a coroutine for each message. This program's server also offers a
plain function, as an extension of the ASGI scope; under another server, or in a test without one,
every message is sent in the usual way.
"""

from collections.abc import Callable
from typing import Final

from fastapi import WebSocket

DIRECT_TEXT: Final = "openfelt.direct_text"
"""The name of the extension."""

WriteText = Callable[[str], bool]
"""Writes a message; False if it was not written, because the client is slow or gone."""


def direct_text_of(socket: WebSocket) -> WriteText | None:
    """The function that writes text to a socket immediately, None if it is not offered."""
    extension = (socket.scope.get("extensions") or {}).get(DIRECT_TEXT)
    return None if extension is None else extension["write"]
