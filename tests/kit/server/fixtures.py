"""Servers for tests as fixtures; a conftest.py imports those that its tests need."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.kit.server.halls import Hall, open_hall
from tests.kit.server.open_house import OpenHouse, open_house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """A whole server in memory, on an empty file."""
    async with open_house(tmp_path) as house:
        yield house


@pytest.fixture
async def hall(tmp_path: Path) -> AsyncIterator[Hall]:
    """A server on a loopback port that has sockets only, on an empty file."""
    async with open_hall(tmp_path) as hall:
        yield hall
