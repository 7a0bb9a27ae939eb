"""Builds the wheel twice and checks what is in it: ``make check`` runs it.

A wheel holds the tracked files of the package, the built web terminal and its own metadata, and
nothing else: no tests, no source maps, no keys, no databases. Two builds are the same to the byte.
"""

import os
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from tools.building import ROOT

SITE: Final = "openfelt/server/static/"
SITE_SUFFIXES: Final = frozenset({".css", ".html", ".js", ".svg", ".txt", ".woff2"})
METADATA: Final = frozenset(
    ("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE", "licenses/NOTICE")
)
REQUIRED: Final = (
    *(f"{SITE}index.html", "openfelt/py.typed", "openfelt/catalog/houses/online.toml"),
    "openfelt/catalog/clauses/W.toml",
)
_FORBIDDEN_TEXT: Final = {
    "a private key": re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY"),
    "a link to a source map": re.compile(rb"sourceMappingURL="),
    "a path of one machine": re.compile(rb"(?<![\w.~)}/-])/(?:home|root|Users|work)/[\w.]"),
}


def problems(wheel: Path, tracked: frozenset[str]) -> Iterator[str]:
    """What is wrong with a wheel, given the names of the package's own files."""
    with zipfile.ZipFile(wheel) as files:
        names = frozenset(name for name in files.namelist() if not name.endswith("/"))
        for name in sorted(names):
            if not _belongs(name, tracked):
                yield f"{name} is in the wheel, but not in the repository or the built site."
            for what, pattern in _FORBIDDEN_TEXT.items():
                if pattern.search(files.read(name)):
                    yield f"{name} contains {what}."
    missing = (tracked | frozenset(REQUIRED)) - names
    yield from (f"{name} is missing in the wheel." for name in sorted(missing))


def _belongs(name: str, tracked: frozenset[str]) -> bool:
    folder, _, rest = name.partition("/")
    if folder.endswith(".dist-info"):
        return rest in METADATA
    if name.startswith(SITE):
        return PurePosixPath(name).suffix in SITE_SUFFIXES
    return name in tracked


def package_files() -> frozenset[str]:
    """The tracked files of the package, as a wheel names them."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "src/openfelt"], cwd=ROOT, capture_output=True, check=False
    )
    if listed.returncode == 0:
        names = listed.stdout.decode().split("\0")
        return frozenset(name.removeprefix("src/") for name in names if name)
    # Unpacked from an archive: there everything belongs that is no cache.
    source = ROOT / "src"
    files = (path for path in (source / "openfelt").rglob("*") if path.is_file())
    found = (path.relative_to(source).as_posix() for path in files if _is_source(path))
    return frozenset(name for name in found if not name.startswith(SITE))


def _is_source(path: Path) -> bool:
    return "__pycache__" not in path.parts and path.suffix not in (".pyc", ".nbi", ".nbc")


def build(folder: Path) -> Path:
    """Build a wheel with the site that is there already."""
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
        cwd=ROOT,
        env=os.environ | {"OPENFELT_SITE": "built"},
        capture_output=True,
        check=True,
    )
    return next(folder.glob("*.whl"))


def main() -> int:
    """Build and check; 1 where something is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        first, second = (build(Path(folder) / name) for name in ("first", "second"))
        wrong = list(problems(first, package_files()))
        if first.read_bytes() != second.read_bytes():
            wrong.append("Two builds of the wheel differ.")
    sys.stderr.write("".join(f"{line}\n" for line in wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    raise SystemExit(main())
