"""One address for several servers, as a proxy gives it: each new line leads to the next server."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from itertools import cycle


class ChangingLines:
    """Listens on its own port; ``cut`` ends all lines as a dying server does."""

    def __init__(self, ports: list[int]) -> None:
        self._next = cycle(ports)
        self._ends: set[asyncio.StreamWriter] = set()
        self.port = 0
        self.lines = 0
        """How many lines there have been."""

    def cut(self) -> None:
        """End every line at once, without a farewell."""
        for end in tuple(self._ends):
            end.transport.abort()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.lines += 1
        there, back = await asyncio.open_connection("127.0.0.1", next(self._next))
        self._ends |= {writer, back}
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_pass_on(reader, back))
                group.create_task(_pass_on(there, writer))
        finally:
            self._ends -= {writer, back}


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    with contextlib.suppress(OSError, RuntimeError):
        writer.close()


@contextlib.asynccontextmanager
async def changing_lines(*ports: int) -> AsyncIterator[ChangingLines]:
    """Lines to these ports by turns."""
    lines = ChangingLines(list(ports))
    server = await asyncio.start_server(lines._serve, "127.0.0.1", 0)
    lines.port = server.sockets[0].getsockname()[1]
    try:
        yield lines
    finally:
        server.close()
        lines.cut()
