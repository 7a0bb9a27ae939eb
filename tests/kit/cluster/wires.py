"""Cables between processes of a cluster, which can be cut and left hanging.

A wire listens on a port or a socket file, and carries bytes to one of several addresses. It runs in
its own thread. Cut, it closes every connection and refuses new ones; hung, it keeps all of them
open and carries nothing, as a network does that loses every packet.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Place = int | Path
"""A port of this machine, or the file of a socket."""
_CHUNK = 65_536


class Wire:
    """One cable. It is in order until it is cut or hung."""

    def __init__(
        self,
        targets: Callable[[], list[Place]],
        *,
        file: Path | None = None,
        host: str = "127.0.0.1",
    ) -> None:
        """Without the file of a socket to listen on, it takes a free port of an address."""
        self._targets = targets
        self._file, self._host = file, host
        self.port = 0
        self._turn = 0
        self._cut = False
        self._loop = asyncio.new_event_loop()
        self._flows = asyncio.Event()
        self._open: set[asyncio.Task[None]] = set()
        self._server: asyncio.Server | None = None
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._do(self._listen())

    def cut(self) -> None:
        """Close every connection, and refuse new ones."""
        self._do(self._set(cut=True, flows=True))

    def hang(self) -> None:
        """Carry nothing more, with every connection open."""
        self._do(self._set(cut=False, flows=False))

    def mend(self) -> None:
        """Be in order again; what was held back is carried now."""
        self._do(self._set(cut=False, flows=True))

    def close(self) -> None:
        """End everything."""
        self._do(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        done: Future[None] = asyncio.run_coroutine_threadsafe(work, self._loop)
        done.result(30)

    async def _listen(self) -> None:
        self._flows.set()
        if self._file is not None:
            self._server = await asyncio.start_unix_server(self._carry, str(self._file))
            self._file.chmod(0o777)
            return
        self._server = await asyncio.start_server(self._carry, self._host, self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def _end(self) -> None:
        await self._set(cut=True, flows=True)
        # Let the transports close.
        await asyncio.sleep(0.01)

    async def _set(self, *, cut: bool, flows: bool) -> None:
        if self._cut and not cut:
            await self._listen()
        self._cut = cut
        (self._flows.set if flows else self._flows.clear)()
        if cut:
            # A client of NATS leaks a connection that is taken and closed at once.
            assert self._server is not None
            self._server.close()
            for task in tuple(self._open):
                task.cancel()
            await asyncio.gather(*self._open, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        far: asyncio.StreamWriter | None = None
        try:
            if self._cut:
                return
            await self._flows.wait()
            beyond, far = await self._reached()
            ways = (self._pump(reader, far), self._pump(beyond, writer))
            tasks = [asyncio.create_task(way) for way in ways]
            try:
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            finally:
                for each in tasks:
                    each.cancel()
        except (OSError, asyncio.CancelledError):
            pass
        finally:
            self._open.discard(task)
            for end in (writer, far):
                if end is not None:
                    with contextlib.suppress(RuntimeError):
                        end.transport.abort()

    async def _reached(self) -> Streams:
        """The next of the addresses that answers, each in turn."""
        targets = self._targets()
        self._turn += 1
        for number in range(len(targets)):
            place = targets[(self._turn + number) % len(targets)]
            with contextlib.suppress(OSError):
                if isinstance(place, Path):
                    return await asyncio.open_unix_connection(str(place))
                return await asyncio.open_connection("127.0.0.1", place)
        raise ConnectionRefusedError

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while chunk := await reader.read(_CHUNK):
                await self._flows.wait()
                writer.write(chunk)
                await writer.drain()


@contextmanager
def wire(
    targets: Callable[[], list[Place]], *, file: Path | None = None, host: str = "127.0.0.1"
) -> Iterator[Wire]:
    """A wire that is gone in the end."""
    cable = Wire(targets, file=file, host=host)
    try:
        yield cable
    finally:
        cable.close()
