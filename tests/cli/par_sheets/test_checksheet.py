"""``openfelt checksheet``."""

from pathlib import Path

import pytest

from tests.kit.cli.commands import complaint, output, with_findings


@pytest.mark.usefixtures("priced")
def test_a_signed_sheet_is_checked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sheet, key = tmp_path / "online.md", tmp_path / "house.key"
    output(capsys, "parsheet", "online", "--out", str(sheet), "--sign", str(key))
    public = str(key.with_name("house.key.pub"))
    printed = output(capsys, "checksheet", str(sheet), "--key", public)
    assert printed.startswith("online.md is as it was signed on 20")
    assert "house: online, version" in printed
    digest = printed.partition("figures: ")[2].split("\n")[0]
    assert f"| Fingerprint of the figures (SHA-256) | {digest} |" in sheet.read_text()

    sheet.write_text(sheet.read_text().replace("-0.0218497138", "-0.0118497138"))
    assert "its SHA-256 differs" in with_findings(capsys, "checksheet", str(sheet), "--key", public)
    other = tmp_path / "other.key"
    output(capsys, "parsheet", "online", "--out", str(sheet), "--sign", str(other))
    assert "another key" in with_findings(capsys, "checksheet", str(sheet), "--key", public)


@pytest.mark.parametrize(
    ("key", "said"), [("nothing.pub", "cannot be read"), ("sheet.md", "holds no public key")]
)
def test_what_cannot_be_checked(
    key: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "sheet.md").write_text("a sheet")
    arguments = ("checksheet", str(tmp_path / "sheet.md"), "--key", str(tmp_path / key))
    sentence, code = complaint(capsys, *arguments)
    assert said in sentence
    assert code == 2
