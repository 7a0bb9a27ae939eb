"""Where the repository's own files are, for tests that read them."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
KNOWN_VALUES: Final = ROOT / "tests" / "known_values"
"""Published figures, with their sources."""
