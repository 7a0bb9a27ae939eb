"""Enrolled devices, as two processes see them."""

import pytest

from openfelt.rules.refusal import Refusal
from openfelt.runtime.audit import audit
from openfelt.server.accounts import devices as devices_module
from openfelt.server.accounts.account_audit import ACCOUNT_AUDITS
from openfelt.server.accounts.devices import Devices
from openfelt.server.accounts.events import DeviceState
from openfelt.storage.sqlite import SqliteStore
from tests.kit.floors import StandingClock


def test_a_device_is_enrolled_by_its_token_until_it_is_removed(store: SqliteStore) -> None:
    devices = Devices(store, StandingClock())
    token = devices.enrol("Stadium 17", by="eve")
    assert devices.is_enrolled(token)
    for wrong in (token[:-1], "terminal.", "nonsense", "", f"eve.{token.partition('.')[2]}"):
        assert not devices.is_enrolled(wrong)
    (only,) = devices.all()
    assert only.label == "Stadium 17"
    assert only.id not in token
    assert devices.remove(only.id, by="eve")
    assert not devices.remove(only.id, by="eve")
    assert not devices.is_enrolled(token)


def test_a_device_is_renamed_locked_and_put_into_service_again(store: SqliteStore) -> None:
    devices = Devices(store, StandingClock())
    token = devices.enrol("Stadium 17", by="eve")
    (device,) = devices.all()
    assert devices.rename(device.id, "Stadium 18", by="eve")
    assert not devices.rename(device.id, "Stadium 18", by="eve")
    for state, stopped in (
        (DeviceState.LOCKED, "A spill."),
        (DeviceState.OUT_OF_SERVICE, "A spill."),
        (DeviceState.IN_SERVICE, ""),
    ):
        assert devices.set_state(device.id, state, reason="A spill.", by="eve")
        assert not devices.set_state(device.id, state, reason="A spill.", by="eve")
        found = Devices(store, StandingClock()).find(token)
        assert found is not None
        assert (found.label, found.state, found.stopped) == ("Stadium 18", state, stopped)
    assert not devices.rename("ab" * 32, "Nothing", by="eve")
    assert not devices.set_state("ab" * 32, DeviceState.LOCKED, reason="A spill.", by="eve")
    report = audit(store, others=ACCOUNT_AUDITS)
    assert report.clean


def test_another_process_hears_of_it_within_a_second(store: SqliteStore) -> None:
    clock = StandingClock()
    first, other = Devices(store, clock), Devices(store, clock)
    assert other.all() == []
    token = first.enrol("T1", by="eve")
    clock.pass_ms(1001)
    assert other.is_enrolled(token)
    assert other.enrol("T2", by="eve") != token
    assert first.enrol("T3", by="eve") != token
    clock.pass_ms(1001)
    assert [device.label for device in first.all()] == ["T1", "T2", "T3"]


def test_there_is_a_limit(store: SqliteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices_module, "DEVICES_MAX", 1)
    devices = Devices(store, StandingClock())
    devices.enrol("T1", by="eve")
    with pytest.raises(Refusal, match="too many"):
        devices.enrol("T2", by="eve")
