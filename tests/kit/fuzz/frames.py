"""Bytes for a websocket, from valid frames to what no library would send, all from one seed."""

import json
import struct
from random import Random
from typing import Final, NamedTuple

from tests.kit.fuzz.messages import View, Words
from tests.kit.fuzz.mutations import mutated

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class Input(NamedTuple):
    """Something to be sent, and what kind of thing it is."""

    kind: str
    data: bytes


def frame(
    opcode: int,
    payload: bytes = b"",
    *,
    final: bool = True,
    reserved: int = 0,
    mask: bytes | None = b"felt",
    length: int | None = None,
) -> bytes:
    """One frame; ``length`` is what it declares, and no mask is what only a server may send."""
    declared = len(payload) if length is None else length
    head = bytes([(0x80 if final else 0) | reserved << 4 | opcode])
    masked = 0x80 if mask is not None else 0
    if declared < 126:
        head += bytes([masked | declared])
    elif declared < 65_536:
        head += bytes([masked | 126]) + struct.pack(">H", declared)
    else:
        head += bytes([masked | 127]) + struct.pack(">Q", declared & (2**64 - 1))
    if mask is None:
        return head + payload
    return head + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(payload))


class Frames:
    """Makes inputs for a socket."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._words = Words(rng)
        self._view = View()
        self._number = 0

    def next(self) -> Input:
        """The next input."""
        kinds, weights = zip(*_KINDS.items(), strict=True)
        kind: str = self._rng.choices(kinds, weights)[0]
        return Input(kind, getattr(self, f"_{kind.replace(' ', '_')}")())

    def _message(self) -> bytes:
        """A command as a terminal sends it; it need not make sense."""
        self._number += 1
        command = self._words.well_formed(self._view)
        approval = self._rng.choice((None, None, None, "x" * 32, ""))
        return self._words.message(command, f"fuzz {self._number}", approval).encode()

    # Whole frames --------------------------------------------------------------------------

    def _valid_command(self) -> bytes:
        return frame(TEXT, self._message())

    def _broken_command(self) -> bytes:
        self._number += 1
        command = self._words.broken(self._view)
        return frame(TEXT, self._words.message(command, f"fuzz {self._number}").encode())

    def _mutated_command(self) -> bytes:
        return frame(self._rng.choice((TEXT, TEXT, BINARY)), mutated(self._rng, self._message()))

    def _random_payload(self) -> bytes:
        data = self._rng.randbytes(self._rng.choice((0, 1, 5, 125, 126, 300, 4000)))
        return frame(self._rng.choice((TEXT, BINARY)), data)

    def _odd_message(self) -> bytes:
        words = self._words.garbage()
        return frame(TEXT, words.encode() if isinstance(words, str) else words)

    def _deep_message(self) -> bytes:
        return frame(TEXT, self._words.nested("deep").encode())

    def _long_message(self) -> bytes:
        return frame(TEXT, b'"' + b"x" * self._rng.choice((16_384, 20_000, 40_000)) + b'"')

    def _hello_again(self) -> bytes:
        return frame(TEXT, json.dumps(self._words.hello()).encode())

    def _pings_of_the_protocol(self) -> bytes:
        return frame(TEXT, b'{"type":"ping"}') * self._rng.randint(1, 5)

    # Control frames --------------------------------------------------------------------------

    def _control_frames(self) -> bytes:
        rng = self._rng
        frames = [
            frame(rng.choice((PING, PONG)), rng.randbytes(rng.choice((0, 4, 125))))
            for _ in range(rng.choice((1, 2, 10, 60)))
        ]
        return b"".join(frames)

    def _bad_control_frame(self) -> bytes:
        rng = self._rng
        opcode = rng.choice((PING, PONG, CLOSE))
        return rng.choice(
            (
                frame(opcode, b"x" * 126),
                frame(opcode, b"x" * 10, final=False),
                frame(opcode, reserved=rng.randint(1, 7)),
                frame(opcode, b"", length=2**63),
            )
        )

    def _close_frame(self) -> bytes:
        rng = self._rng
        code = rng.choice((0, 999, 1000, 1004, 1005, 1006, 1015, 2999, 3000, 4999, 5000, 65_535))
        payload = rng.choice(
            (b"", b"\x03", struct.pack(">H", code), struct.pack(">H", code) + b"ok")
        )
        return frame(CLOSE, payload + rng.choice((b"", b"\xff\xfe"))) * rng.choice((1, 2))

    # Fragments -------------------------------------------------------------------------------

    def _fragments(self) -> bytes:
        """A message in pieces, with control frames between them as the protocol allows."""
        rng, data = self._rng, self._message()
        cuts = sorted(rng.randint(0, len(data)) for _ in range(rng.randint(1, 6)))
        pieces = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
        frames = []
        for at, piece in enumerate(pieces):
            opcode = TEXT if at == 0 else CONTINUATION
            frames.append(frame(opcode, piece, final=at == len(pieces) - 1))
            if rng.random() < 0.3 and at < len(pieces) - 1:
                frames.append(frame(PING, b"between"))
        return b"".join(frames)

    def _empty_fragments(self) -> bytes:
        count = self._rng.choice((3, 30, 200))
        end = frame(CONTINUATION, b'{"type":"ping"}') if self._rng.random() < 0.5 else b""
        return frame(TEXT, final=False) + frame(CONTINUATION, final=False) * count + end

    def _bad_fragments(self) -> bytes:
        rng = self._rng
        return rng.choice(
            (
                frame(CONTINUATION, b"no beginning"),
                frame(TEXT, b"a", final=False) + frame(TEXT, b"b"),
                frame(TEXT, b"\xe2\x82", final=False) + frame(CONTINUATION, b"\xac\xff"),
                frame(TEXT, b"never ends", final=False),
                frame(TEXT, b"a" * 9000, final=False) + frame(CONTINUATION, b"b" * 30_000),
            )
        )

    # No frames at all ------------------------------------------------------------------------

    def _bad_frame(self) -> bytes:
        rng = self._rng
        return rng.choice(
            (
                frame(rng.choice((3, 4, 5, 6, 7, 11, 12, 13, 14, 15)), b"reserved"),
                frame(TEXT, b"{}", reserved=rng.randint(1, 7)),
                frame(TEXT, b'{"type":"ping"}', mask=None),
                frame(TEXT, b"short", length=rng.choice((6, 200, 70_000, 2**40, 2**63, 2**64 - 1))),
                b"\x81\xfe\x00\x05felt12345",
                b"\x81\xff" + b"\x00" * 7 + b"\x05felt12345",
            )
        )

    def _mutated_frame(self) -> bytes:
        return mutated(self._rng, self._fragments())

    def _random_bytes(self) -> bytes:
        return self._rng.randbytes(self._rng.choice((1, 2, 14, 200, 2000)))

    def _http_on_a_socket(self) -> bytes:
        return b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


_KINDS: Final = {
    "valid command": 20,
    "broken command": 12,
    "mutated command": 20,
    "random payload": 6,
    "odd message": 6,
    "deep message": 1,
    "long message": 1,
    "hello again": 2,
    "pings of the protocol": 4,
    "control frames": 5,
    "bad control frame": 3,
    "close frame": 2,
    "fragments": 6,
    "empty fragments": 2,
    "bad fragments": 3,
    "bad frame": 3,
    "mutated frame": 3,
    "random bytes": 2,
    "http on a socket": 1,
}
"""What is sent, and how often: most of it goes on where it is, and the rest ends the socket."""
