"""A package with a known hole, or a file that is no part of Openfelt, gets into a release.

The checks that ``make check`` makes are given what they must find. Nothing here needs a network.
"""

import json
import re
import zipfile
from pathlib import Path

import pytest

from tests.kit.repository import ROOT
from tools import bill_of_materials, package_audit, wheel_contents

TRACKED = frozenset({"openfelt/__init__.py"})


# Wheels ----------------------------------------------------------------------------------


def wheel(folder: Path, **more: str) -> Path:
    """A wheel as it should be, with more files in it."""
    named = [*TRACKED, *wheel_contents.REQUIRED, *(f"x.dist-info/{n}" for n in ("METADATA",))]
    files = dict.fromkeys(named, "") | more
    path = folder / "made.whl"
    with zipfile.ZipFile(path, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    return path


def wrong_with(folder: Path, **more: str) -> list[str]:
    tracked = TRACKED | frozenset(wheel_contents.REQUIRED[1:])
    return list(wheel_contents.problems(wheel(folder, **more), tracked))


def test_a_wheel_as_it_should_be_is_accepted(tmp_path: Path) -> None:
    assert wrong_with(tmp_path) == []


@pytest.mark.parametrize(
    "name",
    [
        "tests/attacks/conftest.py",
        "openfelt/forgotten.py",
        "openfelt/notary.key",
        "openfelt/felt.db",
        "openfelt/__pycache__/app.cpython-311.pyc",
        "openfelt/server/static/assets/index-1.js.map",
        "openfelt/server/static/.env",
        "x.dist-info/direct_url.json",
        "evil.pth",
    ],
)
def test_a_file_that_is_no_part_of_openfelt_is_found(tmp_path: Path, name: str) -> None:
    assert any(said.startswith(name) for said in wrong_with(tmp_path, **{name: ""}))


@pytest.mark.parametrize(
    "text",
    ["-----BEGIN " + "PRIVATE KEY-----", "//# source" + "MappingURL=x.js.map", "see /ro" + "ot/x"],
)
def test_a_secret_in_a_file_is_found(tmp_path: Path, text: str) -> None:
    assert len(wrong_with(tmp_path, **{"openfelt/__init__.py": text})) == 1


def test_a_wheel_without_the_web_terminal_is_found(tmp_path: Path) -> None:
    path = tmp_path / "empty.whl"
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("openfelt/__init__.py", "")
    assert f"{wheel_contents.SITE}index.html is missing in the wheel." in set(
        wheel_contents.problems(path, TRACKED)
    )


# Holes -----------------------------------------------------------------------------------


HOLE = {"id": "PYSEC-1", "aliases": ["CVE-1"], "fix_versions": [], "description": ""}
NPM_HOLE = {"name": "left", "url": "https://example.com/GHSA-1", "title": "It falls over."}


def test_a_known_hole_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    packages = [{"name": "felt", "version": "1.0", "vulns": [HOLE]}, {"name": "x", "version": "1"}]
    python = json.dumps({"dependencies": packages})
    assert package_audit.read_pip_audit(python).findings == ["felt 1.0 has PYSEC-1"]
    node = json.dumps({"vulnerabilities": {"left": {"via": [NPM_HOLE, "right"]}}})
    assert package_audit.read_npm_audit("web", node).findings == ["left has GHSA-1: It falls over."]
    for accepted in ("CVE-1", "GHSA-1"):
        monkeypatch.setitem(package_audit.ACCEPTED, accepted, "It is never called.")
    assert package_audit.read_pip_audit(python).findings == []
    assert package_audit.read_npm_audit("web", node).findings == []


def test_a_registry_that_does_not_answer_is_told_and_fails_nothing() -> None:
    skipped = json.dumps({"dependencies": [{"name": "felt", "skip_reason": "not found"}]})
    for text in ("", "no JSON", "[]", '{"statusCode": 405}', skipped):
        audited = package_audit.read_pip_audit(text)
        assert audited.findings == []
        assert "not audited" in audited.lines()[0]
    assert "not audited" in package_audit.read_npm_audit("web", "").lines()[0]
    clean = package_audit.read_npm_audit("web", '{"vulnerabilities": {}}')
    assert clean.lines() == ["npm packages of web: no known holes"]


# The bill of materials and what installs packages --------------------------------------------


def test_the_bill_lists_every_package_that_a_server_needs() -> None:
    made = bill_of_materials.bill()
    assert list(bill_of_materials.problems(made)) == []
    scopes = {part["name"]: part.get("scope") for part in made["components"]}
    assert scopes["starlette"] == "required"
    assert scopes["pytest"] == "excluded"
    assert "svelte" in scopes
    made["components"] = [part for part in made["components"] if part["name"] != "starlette"]
    assert list(bill_of_materials.problems(made)) != []


def test_no_package_runs_a_script_of_its_own_when_it_is_installed() -> None:
    texts = [(ROOT / name).read_text("utf-8") for name in ("Makefile", "hatch_build.py")]
    installs = [line for text in texts for line in re.findall(r".*\bci\b\W+--.*", text)]
    assert len(installs) == 3
    assert all("--ignore-scripts" in line for line in installs)
