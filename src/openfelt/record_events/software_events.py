"""The events of the program's check of itself: of its own files, and of house files."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftwareChecked:
    """The program's own files were read and compared."""

    why: str
    """``start``, ``daily`` or ``asked``."""
    version: str
    fingerprint: str
    """A hash over the names and contents of all files."""
    files: int
    listed: bool
    """Whether there was a list of the installed files to compare them with."""
    houses: str
    """A hash over the operator's own house files; empty where there are none."""
    faults: int
    named: tuple[str, ...]
    """The first of the faults, each as a sentence."""


@dataclass(frozen=True, slots=True)
class HouseFilesAccepted:
    """House files of the operator are those that count from now on."""

    houses: Mapping[str, str]
    """By house, a hash over its file and the paytables beside it; empty for one that is gone."""
    by: str
    """The supervisor, empty at the first load of a house."""
    reason: str


@dataclass(frozen=True, slots=True)
class HouseFilesChanged:
    """The set of houses that differ from the accepted files has changed."""

    houses: Mapping[str, str]
    """By house, what has changed, as a sentence; empty once all are as they were accepted."""


HouseFilesEvent = HouseFilesAccepted | HouseFilesChanged
