"""``openfelt keys``."""

from contextlib import closing
from pathlib import Path

import pytest

from openfelt.storage.keyring import Keyring
from openfelt.storage.sqlite import SqliteStore
from tests.kit.audit.audited_floors import Floor
from tests.kit.cli.commands import complaint, output, with_findings


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A floor whose keys are in a file."""
    monkeypatch.delenv("OPENFELT_KEYS")
    monkeypatch.setenv("OPENFELT_KEYS_FILE", str(tmp_path / "felt.keys"))
    floor = Floor(tmp_path / "floor.db")
    floor.open("net-1", "online")
    floor.play("net-1", 2)
    floor.store.close()
    return floor.path


def test_keys_are_shown_rotated_and_applied(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keyring = Keyring(tmp_path / "felt.keys")
    (first,) = keyring.ids
    shown = output(capsys, "keys", "show", str(path))
    assert f"Keys that the database needs: {first}." in shown
    assert "encrypts from now on" in output(capsys, "keys", "rotate")
    keyring.reload()
    second = keyring.ids[1]
    assert f"{first}, {second}" in output(capsys, "keys", "show", str(path))
    assert "5 secrets encrypted with the newest key." in output(
        capsys, "keys", "reencrypt", str(path)
    )
    assert f"Keys that the database needs: {second}." in output(capsys, "keys", "show", str(path))
    assert "Everything is in order" in output(capsys, "audit", str(path))
    with closing(SqliteStore(path)) as store:
        assert store.encryption_keys() == (second,)


def test_a_missing_key_is_complained_about(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (first,) = Keyring(tmp_path / "felt.keys").ids
    monkeypatch.setenv("OPENFELT_KEYS_FILE", str(tmp_path / "other.keys"))
    assert f"Missing keys: {first}." in with_findings(capsys, "keys", "show", str(path))
    assert f"encrypted with the key {first}" in complaint(capsys, "keys", "reencrypt", str(path))[0]
