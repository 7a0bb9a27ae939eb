"""A process at work on an empty store."""

from tests.kit.fixtures import shift

__all__ = ["shift"]
