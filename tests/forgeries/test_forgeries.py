"""Every forgery in this folder is found by the audit, in both kinds of database."""

import importlib

import pytest

from tests.forgeries.conftest import ForgedHouse
from tests.kit.audit.tamperer import EXPLAINED
from tests.kit.repository import ROOT

NAMES = sorted(
    path.stem
    for path in (ROOT / "tests" / "forgeries").glob("*.py")
    if path.stem not in {"conftest", "test_forgeries", "__init__"}
)


def test_an_honest_house_is_in_order(copied: ForgedHouse) -> None:
    house, _ = copied
    report = house.audited()
    assert [str(finding) for finding in report.findings] == []
    assert report.counts.heads_authentic == report.counts.streams > 10


@pytest.mark.parametrize("name", NAMES)
def test_the_audit_finds(name: str, copied: ForgedHouse) -> None:
    forgery = importlib.import_module(f"tests.forgeries.{name}")
    house, forger = copied
    forgery.forge(forger)
    report = house.audited()
    assert forgery.FOUND in "\n".join(str(finding) for finding in report.findings)


def test_what_the_tamperer_need_not_find_is_explained_on_the_page() -> None:
    page = (ROOT / "docs" / "internals" / "durability.md").read_text("utf-8")
    assert [reason for reason in EXPLAINED.values() if f"| {reason} |" not in page] == []
