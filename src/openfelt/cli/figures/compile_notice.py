"""The notice that the mathematics is being compiled, which happens once on a machine."""

import sys
import time
from functools import cache
from typing import Any

NOTICE = (
    "Compiling the mathematics. This happens once on this machine and takes from half a minute to "
    "three minutes, depending on how busy it is.\n"
)


@cache
def announce_compiling() -> None:
    """Print the notice on stderr when a kernel is compiled; not if all are read from the cache.

    A process announces it once.
    """
    from numba.core import event

    from openfelt.maths.kernels.kernel_cache import prune_kernels

    class Announcer(event.Listener):  # type: ignore[misc]
        """Prints the notice at the first compilation."""

        told = False

        def on_start(self, event: Any) -> None:  # noqa: ARG002
            if not self.told:
                self.told = True
                sys.stderr.write(NOTICE)
                sys.stderr.flush()
                # Kernels are compiled after their sources have changed, so old ones may be
                # obsolete.
                prune_kernels(time.time())

        def on_end(self, event: Any) -> None:
            """Nothing is printed when a kernel is ready."""

    event.register("numba:compile", Announcer())
