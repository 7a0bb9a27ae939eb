"""Messages as they come off a socket: measured and decoded, or said to be none."""

from typing import Final

import msgspec
from fastapi import WebSocket, WebSocketDisconnect

from openfelt.protocol.messages import MESSAGE_BYTES_MAX, FromClient

_TOO_LONG: Final = 1009


class Bad(Exception):
    """What ends a socket, with the code to close it by."""

    def __init__(self, code: int, problem: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.problem = problem
        self.sentence = sentence


class Unreadable(Exception):
    """A message that is none. A command may still have an id to answer it under."""

    def __init__(self, sentence: str, command: str | None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.command = command


class _Envelope(msgspec.Struct):
    """As much of a message as is needed to answer it, whatever else is wrong with it."""

    type: str = ""
    id: str = ""


_decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)
_envelope: msgspec.json.Decoder[_Envelope] = msgspec.json.Decoder(_Envelope)


async def receive(socket: WebSocket) -> bytes:
    """The next message as it came; raises Bad for one that is too long."""
    raw = await socket.receive()
    if raw["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(raw.get("code") or 1000)
    text = raw.get("text")
    data = text.encode() if text is not None else raw.get("bytes") or b""
    if len(data) > MESSAGE_BYTES_MAX:
        raise Bad(_TOO_LONG, "too_long", f"A message has at most {MESSAGE_BYTES_MAX} bytes.")
    return data


def decode(data: bytes) -> FromClient:
    """A message of a client; raises Unreadable."""
    try:
        return _decoder.decode(data)
    except msgspec.DecodeError as error:
        sentence = f"That is not a message: {error}."
    except RecursionError:
        sentence = "That is not a message: it is nested too deeply."
    try:
        envelope = _envelope.decode(data)
    except (msgspec.DecodeError, RecursionError):
        envelope = _Envelope()
    command = envelope.id if envelope.type == "command" and envelope.id else None
    raise Unreadable(sentence, command)
