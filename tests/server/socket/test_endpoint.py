"""The door of the sockets: who comes in, from which page, and how long."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from openfelt.protocol.close_codes import CloseCode
from openfelt.protocol.messages import PROTOCOL
from openfelt.runtime.remote.house_tables import OwnTables
from openfelt.server.accounts.sessions import Sessions, SignedIn
from openfelt.server.limits.rates import Rate
from openfelt.server.limits.refused_sites import RefusedSites
from openfelt.server.settings import Limits
from openfelt.server.socket import endpoint
from openfelt.server.tables.lobby import Lobby
from openfelt.storage.door import Unavailable
from tests.kit.server.open_house import settings_in
from tests.kit.server.real_server import served

HELLO = json.dumps({"type": "hello", "protocol": PROTOCOL})
EVIL = "https://evil.example"


@pytest.fixture
def address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(endpoint, "CHECK_SECONDS", 0.05)
    limits = Limits(sockets_per_account=2)
    with served(settings_in(tmp_path, port=0, limits=limits)) as address:
        yield address


@pytest.fixture
def unchecked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A server that asks for a session so seldom that only being told of its end closes a socket
    within a test."""
    monkeypatch.setattr(endpoint, "CHECK_SECONDS", 3600)
    with served(settings_in(tmp_path, port=0)) as address:
        yield address


@contextmanager
def guest(address: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address) as client:
        assert client.post("/api/v1/guest").status_code == 200
        yield client


def bearer(client: httpx.Client) -> dict[str, str]:
    return {"Authorization": f"Bearer {client.cookies['openfelt_session']}"}


def cookie(client: httpx.Client) -> dict[str, str]:
    return {"Cookie": f"openfelt_session={client.cookies['openfelt_session']}"}


async def welcome(address: str, table: str, **options: Any) -> dict[str, Any]:
    """What a socket says first; raises ConnectionClosed or InvalidStatus where it is refused."""
    async with connect(f"{address.replace('http', 'ws')}/ws/tables/{table}", **options) as socket:
        await socket.send(HELLO)
        first: dict[str, Any] = json.loads(await socket.recv())
        return first


async def refused(address: str, table: str, **options: Any) -> int:
    """The code by which a socket is closed, or the status by which it is refused."""
    try:
        await welcome(address, table, **options)
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 0
    except InvalidStatus as status:
        return status.response.status_code
    raise AssertionError("it was let in")


async def test_a_browser_comes_in_with_its_cookie_and_a_script_with_its_token(address: str) -> None:
    with guest(address) as client:
        name = client.get("/api/v1/me").json()["name"]
        for options in (
            {"origin": address, "additional_headers": cookie(client)},
            {"additional_headers": bearer(client)},
            {"origin": address, "additional_headers": bearer(client)},
        ):
            first = await welcome(address, "draw-1", **options)
            assert (first["type"], first["private"]["name"]) == ("welcome", name)


async def test_who_opens_sockets_in_a_loop_is_turned_away_and_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every socket is sent the whole table, so opening them is limited, by account where there is
    one: a hall of terminals behind one address may come back all at once. An address that goes on
    all the same is dropped unread, as it is for requests."""
    turned_away: list[str] = []
    monkeypatch.setattr(RefusedSites, "count", lambda _, address: turned_away.append(address))
    limits = Limits(spare_loopback=False, socket_openings=Rate(per_minute=1, burst=2))
    with served(settings_in(tmp_path, port=0, limits=limits)) as address, guest(address) as ann:
        for _ in range(2):
            await welcome(address, "draw-1", origin=address)
        assert await refused(address, "draw-1", origin=address) == 403
        stolen = {"Cookie": "openfelt_session=no-such-session"}
        assert await refused(address, "draw-1", origin=address, additional_headers=stolen) == 403
        for _ in range(2):
            await welcome(address, "draw-1", additional_headers=bearer(ann))
        assert await refused(address, "draw-1", additional_headers=bearer(ann)) == 403
        assert turned_away == ["127.0.0.1"] * 3
        with guest(address) as bob:
            await welcome(address, "draw-1", additional_headers=bearer(bob))


async def test_a_page_of_another_site_and_a_cookie_without_a_page_are_refused(address: str) -> None:
    with guest(address) as client:
        own = cookie(client)
        assert await refused(address, "draw-1", origin=EVIL, additional_headers=own) == 403
        assert await refused(address, "draw-1", origin="null", additional_headers=own) == 403
        assert await refused(address, "draw-1", additional_headers=own) == 403
        assert await refused(address, "draw-1") == 403


async def test_a_visitor_may_watch_a_public_table_and_no_private_one(address: str) -> None:
    first = await welcome(address, "draw-1", origin=address)
    assert first["private"]["name"] is None
    with guest(address) as ann, guest(address) as bob:
        table = ann.post("/api/v1/tables/private", json={"house": "online"}).json()["table"]
        own = await welcome(address, table, additional_headers=bearer(ann))
        assert own["public"]["private"] is True
        other = bearer(bob)
        assert await refused(address, table, additional_headers=other) == CloseCode.NO_SUCH_TABLE
        assert await refused(address, table, origin=address) == CloseCode.NO_SUCH_TABLE
        assert await refused(address, "nowhere", origin=address) == CloseCode.NO_SUCH_TABLE


async def test_a_terminal_comes_back_to_a_table_that_is_being_rebuilt(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def not_ready(*_: object) -> bool:
        return False

    monkeypatch.setattr(Lobby, "_is_ready", not_ready)
    monkeypatch.setattr(OwnTables, "access_if_followed", lambda *_: None)
    assert await refused(address, "draw-1", origin=address) == CloseCode.STOPPED


async def test_a_forged_token_makes_a_visitor(address: str) -> None:
    headers = {"Authorization": "Bearer supervisor.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}
    first = await welcome(address, "draw-1", additional_headers=headers)
    assert first["private"]["name"] is None


async def opened(address: str, client: httpx.Client) -> ClientConnection:
    socket = await connect(
        f"{address.replace('http', 'ws')}/ws/tables/draw-1", additional_headers=bearer(client)
    )
    await socket.send(HELLO)
    await socket.recv()
    return socket


async def _all_messages(socket: ClientConnection) -> None:
    while True:
        await socket.recv()


async def closed_with(socket: ClientConnection) -> int:
    """The code by which the server closes a socket."""
    with pytest.raises(ConnectionClosed) as closed:
        async with asyncio.timeout(30):
            await _all_messages(socket)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


async def test_a_socket_is_closed_when_its_session_ends(address: str) -> None:
    with guest(address) as client:
        socket = await opened(address, client)
        assert client.post("/api/v1/sign-out").status_code == 200
        assert await closed_with(socket) == CloseCode.SIGNED_OUT


async def test_a_socket_does_not_wait_to_learn_that_its_session_has_ended(
    unchecked: str,
) -> None:
    with guest(unchecked) as client, guest(unchecked) as other_guest:
        sockets = [await opened(unchecked, client) for _ in range(2)]
        stays = await opened(unchecked, other_guest)
        assert client.post("/api/v1/sign-out").status_code == 200
        for socket in sockets:
            assert await closed_with(socket) == CloseCode.SIGNED_OUT
        await stays.send(json.dumps({"type": "ping"}))
        assert json.loads(await stays.recv())["type"] == "pong"
        await stays.close()


async def test_a_socket_of_a_guest_who_has_stayed_is_closed_and_the_account_is_let_in(
    unchecked: str,
) -> None:
    with guest(unchecked) as client:
        name = client.get("/api/v1/me").json()["name"]
        socket = await opened(unchecked, client)
        body = {"name": "ann", "password": "correct horse"}
        assert client.post("/api/v1/sign-up", json=body).status_code == 200
        assert await closed_with(socket) == CloseCode.SIGNED_OUT
        again = await welcome(unchecked, "draw-1", additional_headers=bearer(client))
        assert again["private"]["name"] == name


async def test_a_socket_on_which_nobody_plays_is_closed_when_its_session_is_idle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(endpoint, "CHECK_SECONDS", 0.05)
    limits = Limits(guest_idle_ms=1500)
    with served(settings_in(tmp_path, port=0, limits=limits)) as here, guest(here) as client:
        socket = await opened(here, client)
        assert await closed_with(socket) == CloseCode.SIGNED_OUT
        assert client.get("/api/v1/me").json()["name"] is None


async def test_a_terminal_that_is_dismissed_loses_its_socket_and_comes_back_as_any_other(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    of_the_house = True

    async def enrolled(*_: object) -> bool:
        return of_the_house

    monkeypatch.setattr(endpoint, "enrolled", enrolled)

    with guest(address) as client:
        first = await welcome(address, "stadium-1", additional_headers=bearer(client))
        assert first["private"]["may"] == ["take_seat"]
        socket = await opened(address, client)
        of_the_house = False
        assert await closed_with(socket) == CloseCode.TERMINAL_CHANGED
        again = await welcome(address, "stadium-1", additional_headers=bearer(client))
        assert again["private"]["may"] == []


async def test_nobody_is_put_out_while_the_store_cannot_be_asked(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with guest(address) as client:
        socket = await opened(address, client)
        with monkeypatch.context() as broken:
            asked = asyncio.Event()

            async def gone(*_: object, **__: object) -> None:
                loop.call_soon_threadsafe(asked.set)
                raise Unavailable("The disk is gone.")

            loop = asyncio.get_running_loop()
            broken.setattr("openfelt.server.accounts.sessions.Sessions.find", gone)
            await asked.wait()
        await socket.send(json.dumps({"type": "ping"}))
        assert json.loads(await socket.recv())["type"] == "pong"
        await socket.close()


@pytest.mark.parametrize(
    ("message", "in_use"),
    [
        (json.dumps({"type": "ping"}), False),
        (json.dumps({"type": "ping"}).encode(), False),
        ("this is not a message", False),
        (json.dumps({"type": "command", "id": "1", "command": {"type": "take_bank"}}), True),
        (json.dumps({"type": "command", "id": "1"}), True),
        (json.dumps({"type": "command", "id": "1"}).encode(), True),
    ],
)
async def test_only_commands_keep_a_session_in_use(
    address: str, monkeypatch: pytest.MonkeyPatch, message: str | bytes, in_use: bool
) -> None:
    uses: list[bool] = []
    find = Sessions.find

    async def watched(self: Sessions, token: str, *, use: bool = True) -> SignedIn | None:
        uses.append(use)
        return await find(self, token, use=use)

    with guest(address) as client:
        socket = await opened(address, client)
        monkeypatch.setattr(Sessions, "find", watched)
        await socket.send(message)
        await socket.recv()
        checks = len(uses)
        while len(uses) < checks + 2:  # noqa: ASYNC110 (a check has no bell)
            await asyncio.sleep(0.01)
        await socket.close()
    assert any(uses) is in_use


async def test_an_account_has_so_many_sockets_and_no_more(address: str) -> None:
    with guest(address) as client:
        first, second = await opened(address, client), await opened(address, client)
        with pytest.raises(ConnectionClosed) as closed:
            await opened(address, client)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == CloseCode.TOO_MANY
        await first.close()
        await asyncio.sleep(0.2)
        third = await opened(address, client)
        for socket in (second, third):
            await socket.close()


async def test_sockets_are_counted(address: str) -> None:
    with guest(address) as client:
        socket = await opened(address, client)
        assert "openfelt_sockets 1.0" in client.get("/metrics").text
        await socket.close()
