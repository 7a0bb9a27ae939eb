"""Frames as they come off a socket: their length is checked, and they are decoded."""

import msgspec
from fastapi import WebSocket, WebSocketDisconnect

from openfelt.protocol.close_codes import CloseCode
from openfelt.protocol.messages import MESSAGE_BYTES_MAX, FromClient


class CloseSocket(Exception):
    """The socket is to be closed, with this close code, problem code and sentence."""

    def __init__(self, code: int, problem: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.problem = problem
        self.sentence = sentence


class Unreadable(Exception):
    """An invalid message. If it is a command, it may still have an id to answer it by."""

    def __init__(self, sentence: str, command: str | None) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.command = command


class _Envelope(msgspec.Struct):
    """The part of an invalid message that is needed to answer it."""

    type: str = ""
    id: str = ""


_decoder: msgspec.json.Decoder[FromClient] = msgspec.json.Decoder(FromClient)
_envelope: msgspec.json.Decoder[_Envelope] = msgspec.json.Decoder(_Envelope)


async def receive(socket: WebSocket) -> bytes:
    """The next frame as bytes; raises CloseSocket if it is too long."""
    raw = await socket.receive()
    if raw["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(raw.get("code") or 1000)
    text = raw.get("text")
    data = text.encode() if text is not None else raw.get("bytes") or b""
    if len(data) > MESSAGE_BYTES_MAX:
        raise CloseSocket(
            CloseCode.TOO_LONG, "too_long", f"A message may have at most {MESSAGE_BYTES_MAX} bytes."
        )
    return data


def decode(data: bytes) -> FromClient:
    """Decode a client's message; raises Unreadable."""
    try:
        return _decoder.decode(data)
    except UnicodeDecodeError:
        sentence = "That is not a valid message: it is not UTF-8."
    except msgspec.DecodeError as error:
        sentence = f"That is not a valid message: {error}."
    except RecursionError:
        sentence = "That is not a valid message: it is nested too deeply."
    try:
        envelope = _envelope.decode(data)
    except (UnicodeDecodeError, msgspec.DecodeError, RecursionError):
        envelope = _Envelope()
    command = envelope.id if envelope.type == "command" and envelope.id else None
    raise Unreadable(sentence, command)
