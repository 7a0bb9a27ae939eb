"""The stored summary of history that has been moved to a file."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """History that has been moved to a file, and the state at its end."""

    number: int
    at_ms: int
    """When the checkpoint was signed at which history is cut."""
    checkpoint: int
    """The last checkpoint whose heads are all in the file."""
    transfer: int
    """The last transfer that was moved."""
    balances: Mapping[str, int]
    """The balances of accounts after it, in cents."""
    sha256: str
    """The hash of the file."""
    state: str
    """The state of an audit of the file, from which an audit of the database continues; empty if
    it was not asked for."""
