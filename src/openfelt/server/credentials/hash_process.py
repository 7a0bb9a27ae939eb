"""The process that checks passwords beside a server while many wait for it.

A hash takes a processor for some hundredths of a second. A thread of the server would compete for
it with the tables; a thread of a lower priority would hold Python's interpreter lock while it waits
for a processor. A separate process does neither.
"""

from typing import Final

from openfelt.server.limits.line_process import LineProcess

PROGRAM: Final = "openfelt.server.credentials.hash_program"


class HashProcess(LineProcess):
    """A process that starts when it is first used. Calls block; one thread calls at a time."""

    def __init__(self) -> None:
        super().__init__(PROGRAM)

    def matches(self, stored: str, password: str) -> bool | None:
        """Whether a password matches a stored hash; None if the process cannot be used."""
        try:
            return self.ask([stored, password]) is True
        except (OSError, ValueError):
            return None
