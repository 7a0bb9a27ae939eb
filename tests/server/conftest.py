"""What tests of the server share: a process at work on an empty store, and running servers."""

from tests.kit.fixtures import place, shift
from tests.kit.server.fixtures import hall, house

__all__ = ["hall", "house", "place", "shift"]
