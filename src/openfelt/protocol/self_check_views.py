"""The result of the program's check of its own files."""

from typing import Annotated

from pydantic import BaseModel, Field

from openfelt.protocol.form_fields import Taken, TypedName, TypedReason


class HeldHouseView(BaseModel):
    """A house whose file is not the accepted one; no round begins at its tables."""

    house: str
    why: str
    accepted: str
    """The hash that was accepted, empty if the removal of the file was."""
    found: str
    """The hash of the file as it is now; empty if there is none."""


class HouseAcceptance(Taken):
    """A supervisor accepts the files of some houses as they are now."""

    houses: Annotated[list[TypedName], Field(min_length=1, max_length=100)]
    reason: TypedReason


class SoftwareCheckView(BaseModel):
    """A check of the program's own files, including the rule data."""

    at_ms: int
    why: str
    """``start``, ``daily`` or ``asked``."""
    version: str
    fingerprint: str
    """A hash over the names and contents of all files."""
    files: int
    listed: bool
    """Whether the installed package has a list to compare the files with."""
    houses: str
    """A hash over the operator's own house files; empty where there are none."""
    faults: int
    named: list[str]
    """The first of the faults, each as a sentence."""
    held: list[HeldHouseView]
    """Own houses whose files have changed since they were accepted."""
