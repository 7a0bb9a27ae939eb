"""Keys that encrypt secrets."""

import os
import stat
from pathlib import Path

import pytest

from openfelt.storage.door import Damaged, KeyFailure, KeyMissing
from openfelt.storage.keyring import Ciphertext, Keyring

CARDS = '{"cards":"AsKd2c"}'


@pytest.fixture
def keyring(tmp_path: Path) -> Keyring:
    return Keyring(tmp_path / "settings" / "secrets.keys")


def test_a_key_is_made_when_it_is_first_needed_and_is_private(keyring: Keyring) -> None:
    assert not keyring.ids
    assert not keyring.path.exists()
    encrypted = keyring.encrypt("table/a", "1/table", CARDS)
    assert keyring.ids == (encrypted.key,)
    assert stat.S_IMODE(keyring.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(keyring.path.parent.stat().st_mode) == 0o700


def test_what_is_encrypted_is_opened_by_another_process(keyring: Keyring) -> None:
    encrypted = keyring.encrypt("table/a", "1/table", CARDS)
    assert "AsKd" not in encrypted.body
    assert Keyring(keyring.path).decrypt("table/a", "1/table", encrypted) == CARDS


def test_the_same_text_is_never_encrypted_the_same(keyring: Keyring) -> None:
    assert len({keyring.encrypt("a", "1", CARDS).body for _ in range(20)}) == 20


def test_a_packed_text_is_shorter_and_comes_back(keyring: Keyring) -> None:
    text = CARDS * 100
    packed = keyring.encrypt("a", "1", text, packed=True)
    assert len(packed.body) < len(text) / 4
    assert keyring.decrypt("a", "1", packed) == text
    assert keyring.decrypt("a", "1", keyring.reencrypt("a", "1", packed)) == text


@pytest.mark.parametrize(
    ("stream", "name"), [("table/b", "1/table"), ("table/a", "2/table"), ("table/a", "1/seat-1")]
)
def test_an_encrypted_text_belongs_to_its_table_round_and_deck(
    keyring: Keyring, stream: str, name: str
) -> None:
    encrypted = keyring.encrypt("table/a", "1/table", CARDS)
    with pytest.raises(Damaged, match="not what was encrypted"):
        keyring.decrypt(stream, name, encrypted)


def test_a_changed_text_is_noticed_and_not_quoted(keyring: Keyring) -> None:
    encrypted = keyring.encrypt("table/a", "1/table", CARDS)
    for body in (
        encrypted.body[:-4],
        "A" + encrypted.body[1:],
        "",
        "no base64!",
        encrypted.body + "AAAA",
    ):
        if body == encrypted.body:
            continue
        with pytest.raises(Damaged) as caught:
            keyring.decrypt("table/a", "1/table", Ciphertext(encrypted.key, body))
        assert body[:10] not in str(caught.value) or not body


def test_after_a_rotation_new_texts_have_the_new_key_and_old_ones_still_open(
    keyring: Keyring,
) -> None:
    old = keyring.encrypt("a", "1", CARDS)
    reader = Keyring(keyring.path)
    assert reader.decrypt("a", "1", old) == CARDS
    added = keyring.rotate()
    new = keyring.encrypt("a", "1", CARDS)
    assert new.key == added != old.key
    assert keyring.ids == (old.key, added)
    for encrypted in (old, new):
        # A process that runs on finds a key that was added meanwhile.
        assert reader.decrypt("a", "1", encrypted) == CARDS
    assert keyring.reencrypt("a", "1", old).key == added


def test_a_missing_key_is_named_with_what_to_do(keyring: Keyring, tmp_path: Path) -> None:
    encrypted = keyring.encrypt("table/a", "1/table", CARDS)
    other = Keyring(tmp_path / "other.keys")
    with pytest.raises(
        KeyMissing, match=f"table/a .* key {encrypted.key}, which is not in .*other"
    ):
        other.decrypt("table/a", "1/table", encrypted)


def test_keys_stay_in_use_when_their_file_is_made_anew(
    keyring: Keyring, caplog: pytest.LogCaptureFixture
) -> None:
    """Another process makes a first key where the file is missing, and the server reads that."""
    encrypted = keyring.encrypt("a", "1", CARDS)
    keyring.path.unlink()
    other = Keyring(keyring.path).encrypt("a", "2", CARDS)
    for _ in range(2):
        assert keyring.decrypt("a", "2", other) == CARDS
        assert keyring.decrypt("a", "1", encrypted) == CARDS
        keyring.reload()
    assert keyring.ids == (encrypted.key, other.key)
    # New secrets are encrypted with a key that is in the file.
    assert keyring.encrypt("a", "3", CARDS).key == other.key
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert f"no longer has the keys {encrypted.key}" in caplog.text


def test_keys_that_cannot_be_read_again_stay_in_use(keyring: Keyring) -> None:
    encrypted = keyring.encrypt("a", "1", CARDS)
    stranger, away = Ciphertext("deadbeef", encrypted.body), keyring.path.with_name("away")
    keyring.path.chmod(0o644)
    with pytest.raises(KeyFailure, match="run chmod 600"):
        keyring.decrypt("a", "1", stranger)
    assert keyring.decrypt("a", "1", encrypted) == CARDS
    keyring.path.rename(away)
    with pytest.raises(KeyMissing):
        keyring.decrypt("a", "1", stranger)
    # The file is not replaced by one with another key, which would hide that it is gone.
    assert keyring.encrypt("a", "1", CARDS).key == encrypted.key
    assert keyring.decrypt("a", "1", encrypted) == CARDS
    assert not keyring.path.exists()


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o604])
def test_a_file_that_others_may_read_is_refused(keyring: Keyring, mode: int) -> None:
    keyring.rotate()
    keyring.path.chmod(mode)
    with pytest.raises(KeyFailure, match="run chmod 600"):
        Keyring(keyring.path).encrypt("a", "1", CARDS)


@pytest.mark.parametrize(
    "line", ["x", "0123:" + "a" * 64, "01234567:" + "a" * 63, "01234567 " + "a" * 64]
)
def test_a_line_that_is_no_key_is_refused_and_not_quoted(keyring: Keyring, line: str) -> None:
    keyring.rotate()
    with keyring.path.open("a") as file:
        file.write(line + "\n")
    with pytest.raises(KeyFailure, match="Line 3") as caught:
        Keyring(keyring.path).encrypt("a", "1", CARDS)
    assert line not in str(caught.value).replace("Line 3", "")


def test_two_keys_of_one_id_are_refused(keyring: Keyring) -> None:
    keyring.rotate()
    with keyring.path.open("a") as file:
        file.write(f"{keyring.ids[0]}:{'b' * 64}\n")
    with pytest.raises(KeyFailure, match="the id of another"):
        Keyring(keyring.path).ids  # noqa: B018 (reading it loads the file)


def test_keys_in_the_environment() -> None:
    one, two = f"00000001:{'a' * 64}", f"00000002:{'b' * 64}"
    keyring = Keyring.of({"OPENFELT_KEYS": f"{one},{two}", "HOME": "/nowhere"})
    encrypted = keyring.encrypt("a", "1", CARDS)
    assert encrypted.key == "00000002"
    assert Keyring.of({"OPENFELT_KEYS": two}).decrypt("a", "1", encrypted) == CARDS
    with pytest.raises(KeyFailure, match="OPENFELT_KEYS: add a key there"):
        keyring.rotate()


@pytest.mark.parametrize(
    ("environment", "path"),
    [
        ({"OPENFELT_KEYS_FILE": "/k/felt.keys"}, "/k/felt.keys"),
        ({"XDG_CONFIG_HOME": "/settings"}, "/settings/openfelt/secrets.keys"),
        ({}, f"{Path.home()}/.config/openfelt/secrets.keys"),
    ],
)
def test_the_usual_place_is_apart_from_the_data_folder(
    environment: dict[str, str], path: str
) -> None:
    assert Keyring.of(environment).path == Path(path)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyFailure, match="No key can be written"):
        Keyring(tmp_path / "file" / "secrets.keys").rotate()


def test_tests_have_keys_of_their_own() -> None:
    assert Keyring.of(os.environ).ids == ("00c0ffee",)
