"""Text that is written to a socket at once, where the server offers that.

An ASGI application sends through a coroutine for each message. The server of this program offers a
plain function besides, as an extension of the ASGI scope; under another server, or in a test
without one, every message takes the usual way.
"""

from collections.abc import Callable
from typing import Final

from fastapi import WebSocket

DIRECT_TEXT: Final = "openfelt.direct_text"
"""The name of the extension."""

WriteText = Callable[[str], bool]
"""Writes a message; False if it was not written, because the client is slow or gone."""


def direct_text_of(socket: WebSocket) -> WriteText | None:
    """What writes text to a socket at once, None if its server does not offer it."""
    extension = (socket.scope.get("extensions") or {}).get(DIRECT_TEXT)
    return None if extension is None else extension["write"]
