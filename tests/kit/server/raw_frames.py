"""WebSocket frames byte by byte, and a connection that sends them, for clients that misbehave."""

import base64
import os
import socket
from collections.abc import Mapping

import httpx

from openfelt.protocol.messages import PROTOCOL

PATIENCE_SECONDS = 60
MASK = b"\0\0\0\0"
"""A mask that changes nothing."""

PING = bytes([0x89, 0x80]) + MASK
PONG = bytes([0x8A, 0x80]) + MASK
EMPTY_FRAGMENT = bytes([0x00, 0x80]) + MASK
"""A part of a message without content; another one follows."""
EMPTY_START = bytes([0x01, 0x80]) + MASK
"""The first part of a text message, empty."""


def frame(opcode: int, payload: bytes = b"", *, fin: bool = True) -> bytes:
    """A masked frame with a payload of up to 64 KiB."""
    head = bytes([opcode | (0x80 if fin else 0)])
    if len(payload) < 126:
        return head + bytes([0x80 | len(payload)]) + MASK + payload
    return head + bytes([0x80 | 126]) + len(payload).to_bytes(2, "big") + MASK + payload


def text_frame(text: str) -> bytes:
    """A whole text message."""
    return frame(0x1, text.encode())


def one_byte_fragments(count: int) -> bytes:
    """A text message that never ends, in parts of one byte."""
    return frame(0x1, b" ", fin=False) + frame(0x0, b" ", fin=False) * count


def connected(
    address: str, table: str, *, headers: Mapping[str, str] | None = None, hello: bool = True
) -> socket.socket:
    """A socket at a table, of a visitor unless the headers say who it is."""
    url = httpx.URL(address)
    connection = socket.create_connection((url.host, url.port), timeout=PATIENCE_SECONDS)
    lines = {
        "Host": f"{url.host}:{url.port}",
        "Origin": address,
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
        "Sec-WebSocket-Version": "13",
        **(headers or {}),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    connection.sendall(f"GET /ws/tables/{table} HTTP/1.1\r\n{head}\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        part = connection.recv(1)
        assert part, answer
        answer += part
    assert answer.startswith(b"HTTP/1.1 101"), answer
    if hello:
        connection.sendall(text_frame(f'{{"type":"hello","protocol":{PROTOCOL}}}'))
        # Wait for the first byte of the welcome, so that the server has taken the hello.
        assert connection.recv(1)
    return connection
