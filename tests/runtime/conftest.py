"""A process at work on an empty store, for every test that wants one."""

from tests.kit.fixtures import shift

__all__ = ["shift"]
