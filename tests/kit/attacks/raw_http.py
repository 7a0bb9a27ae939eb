"""HTTP by hand, for requests that no decent client would send."""

import socket
from collections.abc import Mapping
from typing import NamedTuple


class RawAnswer(NamedTuple):
    """An answer as it came over the line."""

    status: int
    """0 where the line was closed without an answer."""
    headers: dict[str, str]
    body: bytes


def exchange(
    line: socket.socket, request: str, headers: Mapping[str, str], body: bytes = b""
) -> RawAnswer:
    """Send a request, and read its answer; the line stays open for the next one."""
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    line.sendall(f"{request}\r\n{head}\r\n".encode() + body)
    return read_answer(line)


def read_answer(line: socket.socket) -> RawAnswer:
    """The next answer on a line."""
    data = b""
    while b"\r\n\r\n" not in data:
        if not (more := _received(line)):
            return RawAnswer(0, {}, data)
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    pairs = (text.partition(":") for text in rest)
    headers = {name.strip().lower(): value.strip() for name, _, value in pairs}
    length = int(headers.get("content-length", "0"))
    while len(body) < length and (more := _received(line)):
        body += more
    return RawAnswer(int(first.split()[1]), headers, body)


def _received(line: socket.socket) -> bytes:
    try:
        return line.recv(65_536)
    except ConnectionResetError:
        return b""
