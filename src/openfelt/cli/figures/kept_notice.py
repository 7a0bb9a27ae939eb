"""Notices about long computations that are stored on disk and continued by the next run."""

import sys

from openfelt.maths.kernels.kernel_cache import cache_root


class KeptNotice:
    """Says on stderr that a computation continues, and remembers how much was stored.

    It is called with the stored amount and the total amount.
    """

    def __init__(self, units: str) -> None:
        """The computation is measured in these units, such as rounds."""
        self._units = units
        self.done = 0

    def announce(self, how: str = "run the same command again") -> None:
        """Say before the computation begins how an interrupted one is continued."""
        sys.stderr.write(f"Results are saved on disk. If this is interrupted, {how} to continue.\n")

    def __call__(self, done: int, total: int) -> None:
        """Say how much is stored."""
        self.done = done
        if done == total:
            notice = f"All {total:,} {self._units} are saved from an earlier run in {cache_root()}."
        else:
            saved = f"{done:,} of {total:,} {self._units}"
            notice = f"Continuing: {saved} are saved from an earlier run."
        sys.stderr.write(f"{notice}\n")
