"""What tests of the client share: a running server."""

from tests.kit.server.fixtures import hall

__all__ = ["hall"]
