"""Where all streams end, at one moment."""

from pathlib import Path

import pytest

from openfelt.runtime import heads
from openfelt.runtime.heads import heads_at_one_moment, read_heads
from openfelt.storage.door import Head
from tests.runtime.audited_floors import Floor


def test_a_store_that_stands_still(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    found, at_one_moment = heads_at_one_moment(floor.store)
    assert at_one_moment
    assert {name: head.version for name, head in found.items()} == {
        "table/net-1": 3,
        "wallet/net-1-p1": 1,
    }


def test_a_store_that_moves_once_and_one_that_never_rests(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    writes = 1

    def read_while_written(store: object) -> dict[str, Head]:
        nonlocal writes
        found = read_heads(floor.store)
        if writes:
            writes -= 1
            floor.cashier.deposit("ann", 100, id=f"{writes}")
        return found

    monkeypatch.setattr(heads, "read_heads", read_while_written)
    found, at_one_moment = heads_at_one_moment(floor.store)
    assert at_one_moment
    assert found["wallet/ann"].version == 1
    writes = 1000
    assert not heads_at_one_moment(floor.store)[1]
