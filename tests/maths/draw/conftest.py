"""What tests of the derivation of Ultimate Draw share: a folder of their own for kept counts."""

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Counts are made anew, and kernels are compiled no more often than elsewhere."""
    folder = tmp_path_factory.mktemp("counts")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("openfelt.maths.stored_counts.cache_root", lambda: folder)
        yield folder
