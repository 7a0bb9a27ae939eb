"""A line to PostgreSQL that breaks in the middle of a COMMIT."""

import socket
import threading
from contextlib import suppress
from pathlib import Path


class LossyLine:
    """Listens on its own socket and passes everything on, until it is told to break.

    The next COMMIT is then lost on its way to the server, or its answer on the way back.
    """

    def __init__(self, folder: Path, server: Path) -> None:
        self.url = ""
        """The address of a database through this line."""
        self.breaks: str | None = None
        """``before`` or ``after`` the server has the COMMIT, or ``meanwhile``: then the server has
        it, and learns nothing of the end of the line. None while the line is good."""
        self._server = server
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / server.name))
        self._listener.listen()
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def close(self) -> None:
        """Stop listening, and wait for the last line to end."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(str(self._server))
            back = threading.Thread(target=_pass_on, args=(server, client))
            there = threading.Thread(target=self._watch, args=(client, server))
            self._threads += [back, there]
            back.start()
            there.start()

    def _watch(self, client: socket.socket, server: socket.socket) -> None:
        with client, server:
            while data := _received(client):
                if self.breaks and b"COMMIT\0" in data:
                    # The line breaks once; a retry may come while the server still answers.
                    breaks, self.breaks = self.breaks, None
                    if breaks != "before":
                        # The client's end is closed first, so that no answer reaches it.
                        client.shutdown(socket.SHUT_RDWR)
                        server.sendall(data)
                        if breaks == "after":
                            server.shutdown(socket.SHUT_WR)
                        while _received(server):
                            pass
                    break
                server.sendall(data)
            for end in (client, server):
                _shut(end)


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    while data := _received(source):
        try:
            target.sendall(data)
        except OSError:
            break
    _shut(target)


def _received(source: socket.socket) -> bytes:
    try:
        return source.recv(65536)
    except OSError:
        return b""


def _shut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
