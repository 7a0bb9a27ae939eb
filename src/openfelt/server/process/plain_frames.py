"""Plain frames: a whole message as one masked text frame in, or as one text frame out.

Nearly all messages of terminals are plain. Reading and writing them here costs a fraction of what
the library's state machine takes; all other frames, and doubtful ones, are left to the library.
"""

from functools import lru_cache
from typing import Final, NamedTuple

try:
    from websockets.speedups import apply_mask
except ImportError:  # a platform without the library's compiled part
    from websockets.utils import apply_mask

PLAIN_BYTES_MAX: Final = 1024
"""The longest plain frame; a terminal's command has two to three hundred bytes."""

_TEXT: Final = 0x81  # the only part of a message, with no reserved bit
_MASKED: Final = 0x80
_CONTROL: Final = 0x08
_MASK_BYTES: Final = 4


class FrameHead(NamedTuple):
    """The header of a client's frame."""

    payload_at: int
    """The offset of the payload."""
    end: int
    """The offset of the next frame."""
    plain: bool
    begins_or_goes_on: bool
    """Whether more parts of its message follow."""
    control: bool


def frame_head(data: bytearray) -> FrameHead | None:
    """The head of the frame at the start of these bytes; None if it is incomplete.

    >>> frame_head(bytearray(b"\\x81\\x82abcd12"))
    FrameHead(payload_at=6, end=8, plain=True, begins_or_goes_on=False, control=False)
    """
    if len(data) < 2:
        return None
    first, second = data[0], data[1]
    length, at = second & 0x7F, 2
    if length >= 126:
        at = 4 if length == 126 else 10
        if len(data) < at:
            return None
        length = int.from_bytes(data[2:at], "big")
    masked = second & _MASKED
    at += _MASK_BYTES if masked else 0
    control = bool(first & _CONTROL)
    plain = first == _TEXT and bool(masked) and at + length <= PLAIN_BYTES_MAX
    return FrameHead(at, at + length, plain, not control and not first & 0x80, control)


def plain_text(data: bytearray, head: FrameHead) -> str:
    """The text of a plain frame; raises UnicodeDecodeError.

    >>> data = bytearray(b"\\x81\\x82" + bytes(4) + b"hi")
    >>> plain_text(data, frame_head(data))
    'hi'
    """
    at = head.payload_at
    mask = bytes(data[at - _MASK_BYTES : at])
    return apply_mask(bytes(data[at : head.end]), mask).decode()


@lru_cache(maxsize=1)
def text_frame(message: str) -> bytes:
    """A message of the server as one frame. A message to a whole room is encoded once.

    >>> text_frame("hi")
    b'\\x81\\x02hi'
    """
    payload = message.encode()
    length = len(payload)
    if length < 126:
        return bytes((_TEXT, length)) + payload
    if length < 65_536:
        return bytes((_TEXT, 126)) + length.to_bytes(2, "big") + payload
    return bytes((_TEXT, 127)) + length.to_bytes(8, "big") + payload
