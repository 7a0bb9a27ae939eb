"""The files in ops/ are the ones that run: each is checked by its own program, and started."""

import asyncio
import os
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
import typer
import yaml

from openfelt.cli.app import app
from openfelt.client import Casino
from openfelt.runtime.bus.nats_bus import NatsAddress, NatsBus
from openfelt.server.settings import Settings
from tests.kit.certificates import Certificates, certificates
from tests.kit.repository import ROOT
from tests.kit.server.open_house import settings_in
from tests.kit.server.real_server import free_port, served

OPS = ROOT / "ops"
PASSWORD = "correct-horse-battery"


def program(name: str) -> str:
    """The path of a program; the test is skipped where it is not installed."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed")
    return found


@pytest.fixture
def own(tmp_path: Path) -> Certificates:
    return certificates(tmp_path)


@contextmanager
def running(*command: str, folder: Path, **variables: str) -> Iterator[None]:
    """A program that runs until the block ends."""
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            command, stdout=log, stderr=log, env=os.environ | variables, cwd=folder
        )
    try:
        yield
        assert process.poll() is None, (folder / "log").read_text(encoding="utf-8")
    finally:
        process.terminate()
        process.wait(60)


async def play_a_hand(address: str) -> None:
    """Enter, sit down, bet and leave, by HTTP and a websocket."""
    async with Casino(address) as casino:
        await casino.guest()
        async with casino.table(await casino.private_table()) as table:
            await table.sit(buy_in_cents=50_000)
            await table.bet(ante=1000)
            await table.deal()
            assert table.public.round is not None


def wait_for(address: str, authority: Path) -> None:
    """Wait until a proxy has found its gateway."""
    deadline, trusted = time.monotonic() + 60, ssl.create_default_context(cafile=authority)
    while True:
        try:
            if httpx.get(f"{address}/healthz", verify=trusted).status_code == 200:
                return
        except httpx.TransportError:
            pass
        assert time.monotonic() < deadline, "the proxy does not answer"
        time.sleep(0.1)


def gateway_settings(folder: Path) -> Settings:
    """A server that is reached through a proxy, under its name and that of this machine."""
    hosts = frozenset({"felt.example", "localhost"})
    return settings_in(folder, port=0, hosts=hosts, compile_ahead=False)


def test_terminals_play_through_haproxy(
    tmp_path: Path, own: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    haproxy, port = program("haproxy"), free_port()
    monkeypatch.setenv("SSL_CERT_FILE", str(own.authority))
    with served(gateway_settings(tmp_path)) as behind:
        text = (OPS / "haproxy.cfg").read_text(encoding="utf-8")
        text = changed(text, "    bind :80\n", "")
        text = changed(text, "maxconn 100000", "maxconn 500")
        text = changed(text, ":443", f"127.0.0.1:{port}")
        text = changed(text, "/etc/haproxy/felt.example.pem", str(own.joined))
        text = changed(text, "    server gateway-2 10.0.0.12:8080 cookie gateway-2\n", "")
        text = changed(text, "10.0.0.11:8080", behind.removeprefix("http://"))
        (tmp_path / "haproxy.cfg").write_text(text, encoding="utf-8")
        check = [haproxy, "-c", "-f", "haproxy.cfg"]
        subprocess.run(check, cwd=tmp_path, check=True, capture_output=True)
        with running(haproxy, "-db", "-f", "haproxy.cfg", folder=tmp_path):
            address = f"https://localhost:{port}"
            wait_for(address, own.authority)
            asyncio.run(play_a_hand(address))


def test_terminals_play_through_caddy(
    tmp_path: Path, own: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    caddy, port = program("caddy"), free_port()
    monkeypatch.setenv("SSL_CERT_FILE", str(own.authority))
    with served(gateway_settings(tmp_path)) as behind:
        options = "{\n\tadmin off\n\tauto_https disable_redirects\n}\n"
        text = (OPS / "Caddyfile").read_text(encoding="utf-8")
        # A name that no authority of the internet signs has a certificate of the test's own.
        tls = f"felt.example}} {{\n\ttls {own.certificate} {own.key}\n"
        text = options + changed(text, "felt.example} {\n", tls)
        (tmp_path / "Caddyfile").write_text(text, encoding="utf-8")
        names = {
            "OPENFELT_SITE": f"localhost:{port}",
            "OPENFELT_GATEWAYS": behind.removeprefix("http://"),
            "HOME": str(tmp_path),
        }
        with running(caddy, "run", "--config", "Caddyfile", folder=tmp_path, **names):
            address = f"https://localhost:{port}"
            wait_for(address, own.authority)
            asyncio.run(play_a_hand(address))


def test_the_configuration_of_the_bus_asks_for_certificate_and_password(
    tmp_path: Path, own: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("openfelt.runtime.bus.nats_bus.CONNECTED_WITHIN_SECONDS", 1)
    nats, port = program("nats-server"), free_port()
    text = (OPS / "nats-server.conf").read_text(encoding="utf-8")
    text = changed(text, "0.0.0.0:4222", f"127.0.0.1:{port}")
    text = changed(text, "http: 127.0.0.1:8222", f"http: 127.0.0.1:{free_port()}")
    for name, file in (("server.crt", own.certificate), ("server.key", own.key)):
        text = changed(text, f"/etc/openfelt/bus/{name}", str(file))
    text = changed(text, "/etc/openfelt/bus/ca.crt", str(own.authority))
    (tmp_path / "nats.conf").write_text(text, encoding="utf-8")
    secret = {"OPENFELT_BUS_PASSWORD": PASSWORD}

    async def reached(password: str, certificate: Path | None) -> bool:
        bus = NatsBus(
            NatsAddress(
                url=f"tls://openfelt:{password}@localhost:{port}",
                ca=own.authority,
                certificate=certificate,
                key=own.key if certificate else None,
            ),
            name="one",
        )
        await bus.open()
        try:
            return bus.connected
        finally:
            await bus.close()

    with running(nats, "-c", "nats.conf", folder=tmp_path, **secret):
        deadline = time.monotonic() + 60
        while not asyncio.run(reached(PASSWORD, own.certificate)):
            assert time.monotonic() < deadline, "the bus does not answer"
        assert not asyncio.run(reached("a-guess", own.certificate))
        assert not asyncio.run(reached(PASSWORD, None))


@pytest.mark.parametrize("unit", sorted(path.name for path in (OPS / "systemd").iterdir()))
def test_units_are_whole(unit: str, tmp_path: Path) -> None:
    analyze = program("systemd-analyze")
    text = (OPS / "systemd" / unit).read_text(encoding="utf-8")
    command = text.partition("ExecStart=")[2].splitlines()[0].split()
    assert_known_options(command[2:])
    (tmp_path / unit).write_text(changed(text, command[0], "/bin/true"), encoding="utf-8")
    checked = subprocess.run(
        [analyze, "verify", str(tmp_path / unit)], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")


def test_the_compose_file_starts_what_there_is() -> None:
    house = yaml.safe_load((OPS / "compose.yaml").read_text(encoding="utf-8"))
    services = house["services"]
    roles = [services[name]["command"] for name in ("tables", "gateway")]
    for command in roles:
        assert command[0] == "serve"
        assert_known_options(command[1:])
    assert (ROOT / services["tables"]["build"]["dockerfile"]).is_file()
    assert all(service.get("restart") == "always" for service in services.values())
    volumes = {
        line.partition(":")[0] for one in services.values() for line in one.get("volumes", ())
    }
    assert house["volumes"].keys() == {name for name in volumes if not name.startswith(".")}


def assert_known_options(words: list[str]) -> None:
    """Every option of a command line is one of ``openfelt serve``."""
    serve = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    known = {option for parameter in serve.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known


def changed(text: str, old: str, new: str) -> str:
    """A text with one thing replaced, which must be there."""
    assert old in text, old
    return text.replace(old, new)
