"""The mathematics compiled in the background of a server's first start.

Compiling holds Python's interpreter lock for a minute or so. A separate process does it, so that
the server keeps answering, and the first figures of the help and of ``openfelt edge`` are available
immediately.
"""

import asyncio
import contextlib
import logging
import sys
import time
from typing import Final

from openfelt.maths.kernels.kernel_cache import compiled_mark
from openfelt.server.compilation_program import COMPILING

PROGRAM: Final = ("-P", "-m", "openfelt.server.compilation_program")

logger = logging.getLogger(__name__)


class Compilation:
    """The compilation of one server; figures wait for its end."""

    def __init__(self, *, wanted: bool) -> None:
        self._wanted = wanted
        self._ended = asyncio.Event()
        if not wanted:
            self._ended.set()

    async def ended(self) -> None:
        """Wait until the compilation is finished."""
        await self._ended.wait()

    async def run(self) -> None:
        """Compile the mathematics, unless that has been done on this machine."""
        try:
            if self._wanted and not await asyncio.to_thread(_is_compiled):
                await self._compile()
        except OSError as error:
            logger.warning("the mathematics is not precompiled: %s", error)
        finally:
            self._ended.set()

    async def _compile(self) -> None:
        began = time.monotonic()
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *PROGRAM,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            assert process.stdout is not None
            line = await process.stdout.readline()
            if line.decode().strip() == COMPILING:
                logger.info(
                    "compiling the mathematics in the background; this happens once on this machine"
                )
            code = await process.wait()
        except asyncio.CancelledError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
            raise
        seconds = round(time.monotonic() - began, 1)
        if code:
            logger.warning("the mathematics is not precompiled: exit code %d", code)
        else:
            logger.info("the mathematics is compiled", extra={"fields": {"seconds": seconds}})


def _is_compiled() -> bool:
    return compiled_mark().exists()
