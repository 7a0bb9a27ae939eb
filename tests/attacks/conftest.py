"""What tests of attacks share: a real server in a process of its own.

``server`` is one server for all tests of a file, and ``shared_server`` one for all files whose
attacks leave nothing behind that another test could stumble over. ``start_server`` starts others,
for a test that needs options of its own or breaks what it attacks. Each of them has to end in
good order, and to have logged no error, or the test fails.
"""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.kit.attacks.server_under_attack import ServerUnderAttack, attacked_server
from tests.kit.fixtures import place, shift

__all__ = ["place", "shift"]


@pytest.fixture
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file of the keys, instead of the key in the environment."""
    monkeypatch.delenv("OPENFELT_KEYS")
    monkeypatch.setenv("OPENFELT_KEYS_FILE", str(tmp_path / "felt.keys"))
    return tmp_path / "felt.keys"


@pytest.fixture(scope="session")
def shared_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerUnderAttack]:
    """A starter floor on an empty file, for all tests that do not mind each other."""
    with attacked_server(tmp_path_factory.mktemp("attacked")) as server:
        yield server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerUnderAttack]:
    """A starter floor on an empty file, for all tests of a file."""
    with attacked_server(tmp_path_factory.mktemp("attacked")) as server:
        yield server


@pytest.fixture
def start_server(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Callable[..., ServerUnderAttack]]:
    """Starts servers for one test, each in a folder of its own and with these options."""
    with contextlib.ExitStack() as stack:

        def start(
            *arguments: str, folder: Path | None = None, may_log: str | None = None
        ) -> ServerUnderAttack:
            place = folder or tmp_path_factory.mktemp("attacked")
            return stack.enter_context(attacked_server(place, *arguments, may_log=may_log))

        yield start
