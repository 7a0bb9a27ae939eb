"""The files of the program with their hashes, and whether they are those that were installed.

The package as it was installed has a list of its files, in which each has its hash. A program that
is run from its source has no such list, but still has a fingerprint of its files.
"""

import base64
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Final

NAME: Final = "openfelt"
PACKAGE: Final = Path(__file__).parents[2]
_CHUNK_BYTES: Final = 1 << 20
_MADE_LATER: Final = "__pycache__"
"""Files that Python itself writes beside its sources, and never runs in place of a changed one."""


@dataclass(frozen=True, slots=True)
class Software:
    """The program as installed on this machine."""

    version: str
    fingerprint: str
    """A hash over the names and hashes of all files, including the rule data."""
    files: int
    listed: bool
    """Whether the installed package has a list to compare the files with."""
    faults: tuple[str, ...]
    """Differences between the files and that list, each as a sentence."""
    hashes: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The SHA-256 of every file, by its path in the package."""


def software_now() -> Software:
    """The program as it is on this machine now; every file is read."""
    hashes, listed = file_hashes(PACKAGE), listed_hashes()
    return Software(
        version=version(NAME),
        fingerprint=fingerprint_of(hashes),
        files=len(hashes),
        listed=bool(listed),
        faults=tuple(differences(listed, hashes)) if listed else (),
        hashes=hashes,
    )


@cache
def software_at_start() -> Software:
    """The program as it was when this process asked first."""
    return software_now()


def file_hashes(folder: Path) -> dict[str, str]:
    """The SHA-256 of every file in a folder, by its path there."""
    return {
        path.relative_to(folder).as_posix(): _sha256(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file() and _MADE_LATER not in path.parts
    }


def fingerprint_of(hashes: Mapping[str, str]) -> str:
    """One hash over files, whose names and contents it covers.

    >>> fingerprint_of({"a.py": "1", "b.py": "2"}) == fingerprint_of({"b.py": "2", "a.py": "1"})
    True
    >>> fingerprint_of({"a.py": "1"}) == fingerprint_of({"b.py": "1"})
    False
    """
    digest = hashlib.sha256()
    for path, file_hash in sorted(hashes.items()):
        digest.update(f"{len(path)}:{path} {file_hash}\n".encode())
    return digest.hexdigest()


def listed_hashes() -> dict[str, str]:
    """The hashes in the list of the installed package; empty where it is run from its source."""
    try:
        files = distribution(NAME).files or ()
    except PackageNotFoundError:
        return {}
    return {
        "/".join(file.parts[1:]): _hexadecimal(file.hash.value)
        for file in files
        if file.hash is not None and file.parts[0] == NAME and _MADE_LATER not in file.parts
    }


def differences(listed: Mapping[str, str], actual: Mapping[str, str]) -> Iterator[str]:
    """Differences between files and a list, each as a sentence.

    >>> list(differences({"a.py": "1", "b.py": "2"}, {"b.py": "3", "c.py": "4"}))
    ['a.py is missing.', 'b.py was changed.', 'c.py was added.']
    """
    for path in sorted(listed.keys() | actual.keys()):
        if path not in actual:
            yield f"{path} is missing."
        elif path not in listed:
            yield f"{path} was added."
        elif listed[path] != actual[path]:
            yield f"{path} was changed."


def _hexadecimal(text: str) -> str:
    """A hash as the list has it, in hexadecimal digits."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).hex()


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()
