"""Strict parsing of request heads: ambiguous requests are refused.

h11 is lenient: it accepts lines that end with a bare line feed, folded headers, repeated lengths
and a length beside a transfer encoding. A proxy in front of the server may read such a request
differently, and so let a second request through inside the first (request smuggling). h11 has no
setting for this, so its buffer is replaced by one that checks the bytes of every head before h11
sees them.
"""

import re
from typing import Final

from h11 import RemoteProtocolError
from h11._receivebuffer import ReceiveBuffer

HEAD_BYTES_MAX: Final = 16_384
HEADERS_MAX: Final = 64
CHUNKS_MAX: Final = 1024
"""How many chunks a body may have. Every chunk costs time, however short it is."""

_END: Final = b"\r\n\r\n"
_LOOSE: Final = re.compile(rb"(?<!\r)\n|\r(?=[^\n])|\n[ \t]|\x00")
"""A bare line feed, a bare carriage return, a folded line, or a zero byte."""


class StrictHeads(ReceiveBuffer):
    """h11's buffer of received bytes, which refuses ambiguous and oversized heads."""

    def __init__(self) -> None:
        super().__init__()
        self._chunks = 0

    def maybe_extract_lines(self) -> list[bytearray] | None:
        """The lines of a head, once it is complete; an empty list at the end of a chunked body."""
        if self._data[:2] == b"\r\n":
            self._chunks = 0
            self._extract(2)
            return []
        start = max(0, self._multiple_lines_search - len(_END))
        end = self._data.find(_END, start)
        length = len(self._data) if end < 0 else end + len(_END)
        if length > HEAD_BYTES_MAX:
            raise RemoteProtocolError("The head is too long.", error_status_hint=431)
        if _LOOSE.search(self._data, start, length):
            raise RemoteProtocolError("Header lines must end with CR LF and must not be folded.")
        if end < 0:
            self._multiple_lines_search = length
            return None
        if self._chunks:
            raise RemoteProtocolError("Trailers after the body are not supported.")
        lines = self._extract(length)[: -len(_END)].split(b"\r\n")
        _check_head(lines)
        return lines

    def maybe_extract_next_line(self) -> bytearray | None:
        """The line with the length of a chunk."""
        line = super().maybe_extract_next_line()
        if line is not None:
            self._chunks += 1
            if self._chunks > CHUNKS_MAX:
                raise RemoteProtocolError("The body has too many chunks.")
        return line


def _check_head(lines: list[bytearray]) -> None:
    """Refuse another protocol, too many headers, and any doubt about where the body ends."""
    if not lines[0].endswith((b" HTTP/1.1", b" HTTP/1.0")):
        raise RemoteProtocolError("The protocol must be HTTP/1.0 or HTTP/1.1.")
    if len(lines) > HEADERS_MAX + 1:
        raise RemoteProtocolError("There are too many headers.", error_status_hint=431)
    headers = [line.partition(b":") for line in lines[1:]]
    lengths = [value.strip() for name, _, value in headers if name.lower() == b"content-length"]
    codings = [value.strip() for name, _, value in headers if name.lower() == b"transfer-encoding"]
    if len(lengths) + len(codings) > 1:
        raise RemoteProtocolError("The request gives the length of its body more than once.")
    if lengths and not lengths[0].isdigit():
        raise RemoteProtocolError("Content-Length must be a number.")
    if codings and (codings[0].lower() != b"chunked" or not lines[0].endswith(b"HTTP/1.1")):
        raise RemoteProtocolError("The only transfer encoding supported is chunked, with HTTP/1.1.")
