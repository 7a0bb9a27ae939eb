"""Codes of heads, for a process that remembers the heads that it has written."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from openfelt.storage.door import Forged, Head
from openfelt.storage.keyring import Keyring
from openfelt.storage.streams import append_keys
from openfelt.storage.streams.append_keys import AppendKeys

KEYRING = Keyring(Path("/nowhere"), content=f"00000001:{'ab' * 32}")
HEAD = Head(version=7, hash="cd" * 32, at_ms=5, fence=3)


@pytest.fixture
def keys() -> AppendKeys:
    return AppendKeys(KEYRING, "00" * 16)


@pytest.mark.parametrize(
    "change", [{"version": 8}, {"hash": "ef" * 32}, {"at_ms": 6}, {"code": ""}, {"code": "x"}]
)
def test_a_head_that_differs_from_the_remembered_one_is_forged(
    keys: AppendKeys, change: dict[str, Any]
) -> None:
    head = keys.authentic("table/1", HEAD)
    keys.check_head("table/1", head)
    with pytest.raises(Forged):
        keys.check_head("table/1", replace(head, **change))
    with pytest.raises(Forged):
        keys.check_head("table/2", head)
    keys.check_head("table/1", head)


def test_a_new_lease_does_not_change_what_is_genuine(keys: AppendKeys) -> None:
    head = keys.authentic("table/1", HEAD)
    keys.check_head("table/1", replace(head, fence=4))


def test_other_keys_remember_nothing_of_these(keys: AppendKeys) -> None:
    head = keys.authentic("table/1", HEAD)
    AppendKeys(KEYRING, "00" * 16).check_head("table/1", head)
    with pytest.raises(Forged):
        AppendKeys(KEYRING, "00" * 16, epoch="11" * 16).check_head("table/1", head)


def test_only_so_many_heads_are_remembered(
    keys: AppendKeys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(append_keys, "_GENUINE_MAX", 3)
    heads = {f"table/{number}": keys.authentic(f"table/{number}", HEAD) for number in range(10)}
    assert len(keys._genuine) <= 3
    for stream, head in heads.items():
        keys.check_head(stream, head)
