"""The real program in its own process."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping

from tests.kit.processes.warm_interpreter import ForkedProgram

WITHIN_S = 120


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
        timeout=WITHIN_S,
        check=False,
    )


def forked_openfelt(
    *arguments: str, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """The real program in a process that has imported everything already.

    It runs with the given variables besides those of this process.
    """
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        code = ForkedProgram(
            "from openfelt.cli import main\nmain()",
            *arguments,
            environment=os.environ | (environment or {}),
            output=output,
            errors=errors,
        ).wait(WITHIN_S)
        told = []
        for file in (output, errors):
            file.seek(0)
            told.append(file.read())
    return subprocess.CompletedProcess(arguments, code, *told)
