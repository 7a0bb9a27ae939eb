"""The program that checks passwords beside a server while many wait for it.

It reads a line of JSON with a stored hash and a password, and writes whether they match. It gives
way to the server, and ends with it: the server's end closes its input.
"""

import json
import os
import sys
from contextlib import suppress
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

NICE: Final = 10
"""How much the program gives way to the server and its tables."""


def main() -> None:
    """Answer line by line until the input ends."""
    with suppress(OSError):
        os.nice(NICE)
    hasher = PasswordHasher()
    for line in sys.stdin.buffer:
        stored, password = json.loads(line)
        sys.stdout.buffer.write(json.dumps(is_match(hasher, stored, password)).encode() + b"\n")
        sys.stdout.buffer.flush()


def is_match(hasher: PasswordHasher, stored: str, password: str) -> bool:
    """Whether a password matches a stored hash, whose own parameters count."""
    try:
        return hasher.verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False


if __name__ == "__main__":
    main()
