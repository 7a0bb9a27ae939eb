"""The program's files: hashed one by one, and compared with the list of the installed package."""

import hashlib
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from openfelt.server.self_check.installed_files import (
    PACKAGE,
    file_hashes,
    fingerprint_of,
    software_now,
)


def test_every_file_of_the_program_is_hashed() -> None:
    hashes = file_hashes(PACKAGE)
    for path in ("rules/referee.py", "catalog/houses/washington.toml", "__init__.py"):
        assert hashes[path] == hashlib.sha256((PACKAGE / path).read_bytes()).hexdigest()
    assert not [path for path in hashes if "__pycache__" in path]
    now = software_now()
    assert (now.files, now.fingerprint) == (len(hashes), fingerprint_of(hashes))


@pytest.mark.parametrize("deed", ["change", "add", "remove", "rename"])
def test_a_fingerprint_covers_names_and_contents(tmp_path: Path, deed: str) -> None:
    for name in ("a.py", "b.toml"):
        (tmp_path / name).write_text(name)
    before = fingerprint_of(file_hashes(tmp_path))
    match deed:
        case "change":
            (tmp_path / "b.toml").write_text("c")
        case "add":
            (tmp_path / "new").mkdir()
            (tmp_path / "new" / "c.py").write_text("")
        case "remove":
            (tmp_path / "a.py").unlink()
        case "rename":
            (tmp_path / "a.py").rename(tmp_path / "c.py")
    assert fingerprint_of(file_hashes(tmp_path)) != before


@pytest.mark.sweep
def test_an_installed_package_knows_its_own_files(tmp_path: Path) -> None:
    """The real wheel in an environment of its own: clean at first, and every change is found."""
    venv.create(tmp_path / "own", with_pip=True, system_site_packages=False)
    python = tmp_path / "own" / "bin" / "python"
    root = Path(__file__).parents[3]
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-deps", root], check=True, timeout=600
    )
    packages = next((tmp_path / "own" / "lib").glob("python*/site-packages"))
    (packages / "rest.pth").write_text(next(path for path in sys.path if "site-packages" in path))

    def said() -> str:
        ran = subprocess.run(
            [python, "-m", "openfelt", "software"],
            check=False,
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
        return f"{ran.returncode}\n{ran.stdout}"

    assert said().endswith("Every file is the one that was installed.\n")
    house = packages / "openfelt" / "catalog" / "houses" / "washington.toml"
    kept = house.read_text()
    house.write_text(kept.replace("1", "2", 1))
    assert said().startswith("4\n")
    assert "FOUND: catalog/houses/washington.toml was changed." in said()
    house.write_text(kept)
    (packages / "openfelt" / "extra.py").write_text("")
    assert "FOUND: extra.py was added." in said()
    (packages / "openfelt" / "extra.py").unlink()
    assert said().startswith("0\n")
