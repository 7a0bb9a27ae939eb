"""Generated files are current, and a stale one is noticed and written again."""

from pathlib import Path

import pytest

from tests.kit.repository import ROOT
from tools import generated

PATHS = list(generated.paths())


@pytest.mark.parametrize("path", PATHS, ids=[path.name for path in PATHS])
def test_a_generated_file_is_current(path: Path) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == generated.current(path)


def test_a_stale_file_is_named_and_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = Path("page.md")
    monkeypatch.setattr(generated, "ROOT", tmp_path)
    monkeypatch.setattr(generated, "FILES", {Path("types.ts"): lambda: "new\n"})
    monkeypatch.setattr(generated, "SECTIONS", {(page, "list"): lambda: "- new\n"})
    (tmp_path / "types.ts").write_text("old\n")
    (tmp_path / page).write_text(
        "Before\n<!-- generated: list -->\nold\n<!-- end of list -->\nAfter\n"
    )
    assert generated.main(["--check"]) == 1
    assert capsys.readouterr().err == (
        "types.ts is stale. Run: make docs\npage.md is stale. Run: make docs\n"
    )
    assert generated.main([]) == 0
    assert generated.main(["--check"]) == 0
    text = (tmp_path / page).read_text()
    assert text.startswith("Before\n")
    assert "- new" in text
    assert "old" not in text
    assert text.endswith("After\n")


def test_a_page_without_its_section_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(generated, "ROOT", tmp_path)
    monkeypatch.setattr(generated, "SECTIONS", {(Path("page.md"), "list"): lambda: ""})
    (tmp_path / "page.md").write_text("Nothing here.\n")
    with pytest.raises(ValueError, match="no section 'list'"):
        generated.current(Path("page.md"))
