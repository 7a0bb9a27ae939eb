"""The real program in a process of its own."""

import os
import subprocess
import sys


def openfelt(
    *arguments: str, typed: str = "", environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    plain = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("OPENFELT") or name == "OPENFELT_KEYS"
    }
    return subprocess.run(
        [sys.executable, "-W", "error", "-m", "openfelt", *arguments],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=plain | {"PYTHONUTF8": "1"} | (environment or {}),
        timeout=120,
        check=False,
    )
