"""Ends what a killed run of the tests would leave behind: servers, and the folders of their data.

A fixture stops its server at the end of its block. A run that is killed never gets there, and a
server in its own session does not notice.
"""

import subprocess
from typing import Final

_WATCH: Final = "read -r released || {\n%s\n}"
_KILL: Final = 'kill -KILL "$0"'


class OrphanGuard:
    """A shell that outlives this process for as long as it takes to run a script.

    The shell reads from a pipe whose other end only this process has. It reads a line when the
    guard is released, and the end of the pipe when this process has died, however that happened.
    """

    def __init__(self, script: str, *arguments: str) -> None:
        """Guards with a shell script, which has its arguments as ``$0``, ``$1`` and so on."""
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", _WATCH % script, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            start_new_session=True,
        )

    def release(self) -> None:
        """Let the shell end without running its script; a second call does nothing."""
        if self._shell.returncode is None:
            self._shell.communicate(b"released\n")


def guarded(process: subprocess.Popen[bytes]) -> OrphanGuard:
    """A guard that kills a process; release it once the process has ended."""
    return OrphanGuard(_KILL, str(process.pid))
