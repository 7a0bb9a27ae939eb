"""The files in ops/ are the ones that run: each is checked by its own program, and started."""

import asyncio
import subprocess
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import pytest
import typer
import yaml

from openfelt.cli.app import app
from openfelt.runtime.bus.nats_bus import NatsAddress, NatsBus
from openfelt.server.settings import Settings
from tests.kit.certificates import Certificates, certificates
from tests.kit.cluster.operations_files import (
    OPS,
    Unit,
    changed,
    play_a_hand,
    program,
    running,
    wait_for,
)
from tests.kit.postgres_server import PostgresServer
from tests.kit.repository import ROOT
from tests.kit.server.open_house import settings_in
from tests.kit.server.real_server import free_port, served

PASSWORD = "correct-horse-battery"


@pytest.fixture
def own(tmp_path: Path) -> Certificates:
    return certificates(tmp_path)


def gateway_settings(folder: Path) -> Settings:
    """A server that is reached through a proxy, under its name and that of this machine."""
    hosts = frozenset({"felt.example", "localhost"})
    return settings_in(folder, port=0, hosts=hosts, compile_ahead=False)


def write_haproxy(folder: Path, own: Certificates, port: int, *, gateway: str) -> None:
    """HAProxy's file, for one gateway and the test's certificate."""
    text = (OPS / "haproxy.cfg").read_text(encoding="utf-8")
    text = changed(text, "    bind :80\n", "")
    text = changed(text, "maxconn 100000", "maxconn 500")
    text = changed(text, ":443", f"127.0.0.1:{port}")
    text = changed(text, "/etc/haproxy/felt.example.pem", str(own.joined))
    text = changed(text, "    server gateway-2 10.0.0.12:8080 cookie gateway-2\n", "")
    text = changed(text, "10.0.0.11:8080", gateway)
    (folder / "haproxy.cfg").write_text(text, encoding="utf-8")


def write_bus(folder: Path, own: Certificates, port: int) -> None:
    """The bus's file, with the test's certificates."""
    text = (OPS / "nats-server.conf").read_text(encoding="utf-8")
    text = changed(text, "0.0.0.0:4222", f"127.0.0.1:{port}")
    text = changed(text, "http: 127.0.0.1:8222", f"http: 127.0.0.1:{free_port()}")
    for name, file in (("server.crt", own.certificate), ("server.key", own.key)):
        text = changed(text, f"/etc/openfelt/bus/{name}", str(file))
    text = changed(text, "/etc/openfelt/bus/ca.crt", str(own.authority))
    (folder / "nats.conf").write_text(text, encoding="utf-8")


def test_terminals_play_through_haproxy(
    tmp_path: Path, own: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    haproxy, port = program("haproxy"), free_port()
    monkeypatch.setenv("SSL_CERT_FILE", str(own.authority))
    with served(gateway_settings(tmp_path)) as behind:
        write_haproxy(tmp_path, own, port, gateway=behind.removeprefix("http://"))
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
    write_bus(tmp_path, own, port)
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
    whole = Unit(unit)
    assert_known_options(whole.command[2:])
    text = changed(whole.text, whole.command[0], "/bin/true")
    (tmp_path / unit).write_text(text, encoding="utf-8")
    checked = subprocess.run(
        [analyze, "verify", str(tmp_path / unit)], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.variant
def test_a_house_of_these_files_is_played_at_through_haproxy(
    postgres: PostgresServer, tmp_path: Path, own: Certificates, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bus, a table process, a gateway and HAProxy, each as its file starts it."""
    haproxy, nats = program("haproxy"), program("nats-server")
    monkeypatch.setenv("SSL_CERT_FILE", str(own.authority))
    monkeypatch.delenv("OPENFELT_SUPERVISOR_PASSWORD", raising=False)
    bus_port, front_port = free_port(), free_port()
    write_bus(tmp_path, own, bus_port)
    text = (OPS / "server.env").read_text(encoding="utf-8")
    address = text.partition("OPENFELT_DATABASE=")[2].splitlines()[0]
    text = changed(text, address, postgres.fresh_database())
    text = changed(
        text, "openfelt:change-this@10.0.0.31:4222", f"openfelt:{PASSWORD}@localhost:{bus_port}"
    )
    text = changed(text, "/etc/openfelt/bus/ca.crt", str(own.authority))
    text = changed(text, "/etc/openfelt/bus/client.crt", str(own.certificate))
    text = changed(text, "/etc/openfelt/bus/client.key", str(own.key))
    text = changed(text, "=felt.example", "=felt.example localhost")
    text = changed(text, "10.0.0.5", "127.0.0.1")

    def started(file: str, instance: str, port: int) -> AbstractContextManager[None]:
        unit = Unit(file, instance=instance)
        files = {
            "/etc/openfelt/server.env": text,
            f"/etc/openfelt/{instance}.env": f"OPENFELT_PORT={port}",
        }
        variables = unit.variables(files)
        (state,) = unit.settings("StateDirectory")
        assert variables["XDG_DATA_HOME"] == f"/var/lib/{state}"
        assert variables["XDG_CONFIG_HOME"] in unit.settings("ReadWritePaths")
        places = {"XDG_DATA_HOME": str(tmp_path / state), "XDG_CONFIG_HOME": str(tmp_path / "keys")}
        return unit.started(tmp_path / instance, variables | places | {"OPENFELT_COMPILE": "false"})

    with ExitStack() as stack:
        secret = {"OPENFELT_BUS_PASSWORD": PASSWORD}
        stack.enter_context(running(nats, "-c", "nats.conf", folder=tmp_path, **secret))
        stack.enter_context(started("openfelt-tables@.service", "tables-1", free_port()))
        gateway_port = free_port()
        stack.enter_context(started("openfelt-gateway@.service", "gateway-1", gateway_port))
        # Another machine reaches the gateway: this address is not the one of a local server.
        write_haproxy(tmp_path, own, front_port, gateway=f"127.0.0.2:{gateway_port}")
        stack.enter_context(running(haproxy, "-db", "-f", "haproxy.cfg", folder=tmp_path))
        front = f"https://localhost:{front_port}"
        wait_for(front, own.authority)
        asyncio.run(play_a_hand(front))


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
    # What a process has to find again in a new container is on a volume.
    common = house["x-openfelt"]
    places = {line.partition(":")[2] for line in common["volumes"]}
    assert {common["environment"][name] for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME")} == places
    image = (OPS / "Dockerfile").read_text(encoding="utf-8")
    assert all(f" {place}" in image for place in places)
    assert_known_variables(common["environment"])
    assert house["volumes"].keys() == {name for name in volumes if not name.startswith(".")}


def assert_known_variables(names: Iterable[str]) -> None:
    """Every variable is one that ``openfelt serve`` reads."""
    serve = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    options = {parameter.envvar for parameter in serve.params}
    others = {"OPENFELT_SUPERVISOR_PASSWORD", "FORWARDED_ALLOW_IPS"}
    assert {name for name in names if not name.startswith("XDG_")} <= options | others


def assert_known_options(words: list[str]) -> None:
    """Every option of a command line is one of ``openfelt serve``."""
    serve = typer.main.get_command(app).commands["serve"]  # type: ignore[attr-defined]
    known = {option for parameter in serve.params for option in parameter.opts}
    assert {word for word in words if word.startswith("--")} <= known
