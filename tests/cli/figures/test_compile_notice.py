"""The first command that calculates says that it compiles, and the next one does not."""

from pathlib import Path

import pytest

from openfelt.cli.figures.compile_notice import NOTICE
from tests.kit.cli.program import openfelt


@pytest.mark.sweep
def test_compiling_is_announced_once_and_never_from_the_cache(tmp_path: Path) -> None:
    # On the river, one small kernel does all the work.
    asked = ("advise", "--hole", "Ah Kd", "--board", "2c 7h 9d 9s 3c")
    environment = {"NUMBA_CACHE_DIR": str(tmp_path)}
    first, second = (openfelt(*asked, environment=environment) for _ in range(2))
    assert first.returncode == second.returncode == 0
    assert first.stderr == NOTICE
    assert second.stderr == ""
    assert first.stdout == second.stdout
