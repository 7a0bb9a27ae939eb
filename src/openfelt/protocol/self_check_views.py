"""What the program says of its check of its own files."""

from pydantic import BaseModel


class SoftwareCheckView(BaseModel):
    """A check of the program's own files, those of the rule data among them."""

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
