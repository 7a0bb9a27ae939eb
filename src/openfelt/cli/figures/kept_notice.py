"""What a command says of long work that is kept on disk, and of what an earlier run has kept."""

import sys

from openfelt.maths.kernels.kernel_cache import cache_root


class KeptNotice:
    """Says on stderr that work goes on where it stopped, and remembers how much was kept.

    It is called with the amount that is kept and the whole amount.
    """

    def __init__(self, things: str) -> None:
        """The work is counted in these things, such as rounds."""
        self._things = things
        self.done = 0

    def announce(self, how: str = "run the same command again") -> None:
        """Say before the work begins how it would go on."""
        sys.stderr.write(f"Results are kept on disk. If this is interrupted, {how} to go on.\n")

    def __call__(self, done: int, total: int) -> None:
        """Say what is kept."""
        self.done = done
        if done == total:
            said = f"All {total:,} {self._things} are kept from an earlier run in {cache_root()}."
        else:
            said = f"Going on: {done:,} of {total:,} {self._things} are kept from an earlier run."
        sys.stderr.write(f"{said}\n")
