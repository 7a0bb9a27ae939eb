"""The part of the door to storage that leads to secrets and to the keys that encrypt them."""

from typing import Final, Protocol

LOST_KEY_KIND: Final = "lost_key"
"""The kind of the streams that record the loss of a key; the rest of the name is its id."""
LOST_KEYS_PREFIX: Final = f"{LOST_KEY_KIND}/"


class SecretsDoor(Protocol):
    """The part of every store's interface that concerns secrets. All calls block."""

    def secrets(
        self, stream: str, prefix: str = "", *, encrypted_only: bool = False
    ) -> dict[str, str]:
        """A stream's secrets whose names have this prefix; raises KeyMissing or KeyLost.

        With ``encrypted_only`` one that is not encrypted raises Forged: since appends are
        authentic every secret is, so this one was written without a key of the house.
        """
        ...

    def secret(self, stream: str, name: str) -> str | None:
        """One secret of a stream by its name, or None; raises as ``secrets``."""
        ...

    def secret_names(self, stream: str, prefix: str = "") -> tuple[str, ...]:
        """The names of a stream's secrets with this prefix, which need no key."""
        ...

    def encryption_keys(self) -> tuple[str, ...]:
        """The ids of the main keys with which the store's secrets are encrypted."""
        ...

    def keys_of_events(self) -> tuple[str, ...]:
        """The ids of the main keys with which an earlier version encrypted events themselves.

        It reads all events.
        """
        ...

    def secrets_under(self, key: str, prefix: str = "") -> dict[str, tuple[str, ...]]:
        """By stream with this prefix, the names of the secrets that a main key has encrypted."""
        ...

    def prepare_keys(self) -> None:
        """Create the first key if there is none, so that problems with keys show at the start.

        Raises KeyFailure, and KeyMissing if others have encrypted with keys that are not there.
        """
        ...

    def missing_keys(self) -> tuple[str, ...]:
        """The ids of keys in use that are not in the store's keyring and not declared lost."""
        ...

    def lost_keys(self) -> tuple[str, ...]:
        """The ids of keys that have been declared lost, each in a stream of ``LOST_KEY_KIND``."""
        ...

    def reencrypt(self, prefix: str, *, plain: bool = False) -> int:
        """Encrypt some secrets of streams with this prefix with the newest key.

        It takes those that are encrypted with another key or, if ``plain``, those that are not
        encrypted, a few hundred at a time; returns how many, so 0 if none are left. What a lost
        key has encrypted stays as it is. Raises KeyMissing.
        """
        ...

    def scrub(self, *, thoroughly: bool = False) -> None:
        """Overwrite what removed or reencrypted secrets have left behind in files.

        ``thoroughly`` rewrites the database, which may take minutes.
        """
        ...
