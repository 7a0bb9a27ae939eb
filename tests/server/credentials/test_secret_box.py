"""Sealed secrets: opened by their key and for their purpose alone."""

from pathlib import Path

import pytest

from openfelt.server.credentials.secret_box import (
    SealError,
    SecretBox,
    load_or_make_key,
    read_key,
)


def test_a_sealed_text_is_opened_by_its_key_for_its_purpose() -> None:
    box = SecretBox(bytes(32))
    sealed = box.seal("s3cr3t", "totp/1 of ann")
    assert "s3cr3t" not in sealed
    assert sealed != box.seal("s3cr3t", "totp/1 of ann")
    assert box.open(sealed, "totp/1 of ann") == "s3cr3t"
    for other, purpose, text in (
        (SecretBox(b"x" * 32), "totp/1 of ann", sealed),
        (box, "totp/1 of bob", sealed),
        (box, "totp/1 of ann", sealed[:-4] + "AAAA"),
        (box, "totp/1 of ann", "no seal at all"),
    ):
        with pytest.raises(SealError):
            other.open(text, purpose)


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "keys" / "felt.db.accounts.key"
    key = load_or_make_key(file)
    assert load_or_make_key(file) == key
    assert file.stat().st_mode & 0o077 == 0
    assert [path.name for path in file.parent.iterdir()] == [file.name]
    file.chmod(0o644)
    with pytest.raises(SealError, match="chmod 600"):
        load_or_make_key(file)


@pytest.mark.parametrize("text", ["", "short", "!" * 44, "QQ=="])
def test_what_is_no_key(text: str) -> None:
    with pytest.raises(SealError):
        read_key(text)
