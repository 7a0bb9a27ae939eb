"""The notary's key file: made once, for its owner alone, and never half."""

import os
import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)

from openfelt.runtime.notary.keys import (
    KeyFileError,
    load_or_make_key,
    public_key_of,
    read_public_key,
)


def test_a_key_is_made_once_with_its_public_key_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "keys" / "notary.key"
    made = load_or_make_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert public_key_of(load_or_make_key(path)) == public_key_of(made)
    assert read_public_key(tmp_path / "keys" / "notary.key.pub") == public_key_of(made)
    assert sorted(one.name for one in path.parent.iterdir()) == ["notary.key", "notary.key.pub"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660, 0o644])
def test_a_key_that_other_users_may_read_is_refused(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "notary.key"
    load_or_make_key(path)
    path.chmod(mode)
    with pytest.raises(KeyFileError, match=f"its mode is {mode:04o}"):
        load_or_make_key(path)


def test_raw_bytes_are_a_key_too(tmp_path: Path) -> None:
    path = tmp_path / "raw"
    path.write_bytes(bytes(range(32)))
    path.chmod(0o600)
    assert len(public_key_of(load_or_make_key(path))) == 64


@pytest.mark.parametrize(
    "content", [b"", b"nothing", b"-----BEGIN PRIVATE KEY-----\nAAAA\n", b"x" * 20_000]
)
def test_an_invalid_key_is_refused_without_being_quoted(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notary.key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(KeyFileError) as caught:
        load_or_make_key(path)
    assert str(path) in str(caught.value)
    assert "AAAA" not in str(caught.value)
    with pytest.raises(KeyFileError):
        read_public_key(path)


def test_keys_of_another_kind_are_refused(tmp_path: Path) -> None:
    other = generate_private_key(SECP256R1())
    path, public = tmp_path / "notary.key", tmp_path / "notary.key.pub"
    path.write_bytes(other.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    path.chmod(0o600)
    public.write_bytes(
        other.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    )
    with pytest.raises(KeyFileError, match="not an Ed25519 key"):
        load_or_make_key(path)
    with pytest.raises(KeyFileError, match="not an Ed25519 key"):
        read_public_key(public)


def test_a_public_key_may_be_hexadecimal_digits(tmp_path: Path) -> None:
    key = public_key_of(load_or_make_key(tmp_path / "notary.key"))
    written = tmp_path / "hex"
    written.write_text(f"{key}\n", encoding="utf-8")
    assert read_public_key(written) == key


def test_missing_and_unwritable_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(KeyFileError, match="cannot be read"):
        read_public_key(tmp_path / "nowhere")
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(KeyFileError, match="No key can be written"):
        load_or_make_key(tmp_path / "file" / "notary.key")


def test_the_second_process_takes_the_first_ones_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "notary.key"
    link = os.link

    def slower(source: Path, target: Path) -> None:
        monkeypatch.setattr(os, "link", link)
        first.append(public_key_of(load_or_make_key(path)))
        link(source, target)

    first: list[str] = []
    monkeypatch.setattr(os, "link", slower)
    assert [public_key_of(load_or_make_key(path))] == first
    assert read_public_key(tmp_path / "notary.key.pub") == first[0]
