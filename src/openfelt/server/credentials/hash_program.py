"""The program that checks passwords beside a server while many wait for it.

It reads a line of JSON with a stored hash and a password, and writes whether they match. It runs at
a lower priority than the server, and ends with it, when its input is closed.
"""

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from openfelt.server.limits.line_process import answer_lines


def main() -> None:
    """Answer line by line until the input ends."""
    hasher = PasswordHasher()

    def answer(asked: tuple[str, str]) -> bool:
        stored, password = asked
        return is_match(hasher, stored, password)

    answer_lines(answer)


def is_match(hasher: PasswordHasher, stored: str, password: str) -> bool:
    """Whether a password matches a stored hash, whose own parameters count."""
    try:
        return hasher.verify(stored, password)
    except (VerificationError, InvalidHashError):
        return False


if __name__ == "__main__":
    main()
