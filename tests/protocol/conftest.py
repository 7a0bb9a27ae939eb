"""What tests of the protocol share: a running server."""

from tests.kit.server.fixtures import house

__all__ = ["house"]
