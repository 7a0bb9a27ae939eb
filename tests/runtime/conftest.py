"""A process at work on an empty store, and an empty database of each kind."""

from tests.kit.fixtures import place, shift

__all__ = ["place", "shift"]
