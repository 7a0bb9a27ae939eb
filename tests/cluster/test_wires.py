"""The cables of the trial itself: in order, cut and hung."""

import socket
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.kit.cluster.wires import Wire, wire


def echo(server: socket.socket) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        threading.Thread(target=_answer, args=(connection,), daemon=True).start()


def _answer(connection: socket.socket) -> None:
    with connection:
        while chunk := connection.recv(100):
            connection.sendall(chunk)


def test_a_wire_carries_and_is_cut_and_hangs() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        threading.Thread(target=echo, args=(server,), daemon=True).start()
        with wire(lambda: [server.getsockname()[1]]) as cable:
            with closing(_plugged(cable)) as plug:
                assert _said(plug, b"one") == b"one"
                cable.hang()
                plug.settimeout(0.2)
                with pytest.raises(TimeoutError):
                    _said(plug, b"two")
                cable.mend()
                plug.settimeout(30)
                assert plug.recv(100) == b"two"
                cable.cut()
                assert _ended(plug)
            with pytest.raises(ConnectionRefusedError):
                _plugged(cable)
            cable.mend()
            with closing(_plugged(cable)) as plug:
                assert _said(plug, b"three") == b"three"
        server.shutdown(socket.SHUT_RDWR)


def test_a_wire_takes_the_next_address_that_answers(tmp_path: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        threading.Thread(target=echo, args=(server,), daemon=True).start()
        with wire(lambda: [tmp_path / "nothing", server.getsockname()[1]]) as cable:
            for _ in range(2):
                with closing(_plugged(cable)) as plug:
                    assert _said(plug, b"one") == b"one"
        server.shutdown(socket.SHUT_RDWR)


def _plugged(cable: Wire) -> socket.socket:
    return socket.create_connection(("127.0.0.1", cable.port), timeout=30)


def _said(plug: socket.socket, words: bytes) -> bytes:
    plug.sendall(words)
    return plug.recv(100)


def _ended(plug: socket.socket) -> bool:
    try:
        return plug.recv(100) == b""
    except OSError:
        return True
