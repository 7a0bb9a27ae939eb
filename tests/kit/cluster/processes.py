"""The processes of a cluster as an operator starts them, each with cables that can be cut."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.kit.cluster.wires import Place, Wire, wire
from tests.kit.nats_server import NatsServer, nats_server
from tests.kit.postgres_server import PostgresServer, postgres_server
from tests.kit.processes.orphan_guard import OrphanGuard, guarded
from tests.kit.processes.warm_interpreter import ForkedProgram
from tests.kit.server.open_house import PASSWORD
from tests.kit.server.real_server import MAIN, QUICK_HASHES, free_port

WITHIN_S = 120


class FloorProcess:
    """``openfelt serve`` of one role, with wires of its own to the database and the bus.

    A ``warm`` one is forked from an interpreter that has imported everything.
    """

    def __init__(
        self,
        folder: Path,
        name: str,
        role: str,
        *,
        database: str,
        bus: str | None = None,
        inside: Sequence[str] = (),
        warm: bool = False,
    ) -> None:
        """``inside`` is a command that starts others in another place."""
        self.name, self.role = name, role
        self._inside, self._warm = inside, warm
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.log = folder / f"{name}.log"
        self._program = f"{QUICK_HASHES}\n{MAIN}"
        self._words = ["serve", "--port", str(self.port)]
        self._words += ["--no-compile", "--log", "plain", "--role", role, "--name", name]
        data = folder / name
        data.mkdir(exist_ok=True)
        self._environment = os.environ | {
            "XDG_DATA_HOME": str(data),
            "OPENFELT_DATABASE": database,
            "OPENFELT_SUPERVISOR_PASSWORD": PASSWORD,
        }
        if bus is not None:
            self._environment["OPENFELT_BUS"] = bus
        self.process: subprocess.Popen[bytes] | ForkedProgram | None = None
        self._guard: OrphanGuard | None = None
        self.data_wire: Wire
        self.bus_wire: Wire

    @property
    def running(self) -> bool:
        """Whether there is such a process now."""
        return self.process is not None and self.process.poll() is None

    def start(self) -> None:
        """Start the process; it may not answer yet."""
        assert not self.running
        with self.log.open("ab") as log:
            if self._warm:
                self.process = ForkedProgram(
                    self._program,
                    *self._words,
                    environment=self._environment,
                    output=log,
                    errors=log,
                )
                return
            command = [*self._inside, sys.executable, "-c", self._program, *self._words]
            process = subprocess.Popen(command, stdout=log, stderr=log, env=self._environment)
        self.process, self._guard = process, guarded(process)

    def wait_until_open(self) -> None:
        """Wait until it answers."""
        wait_for(lambda: self.health() is not None or not self.running, f"{self.name} to answer")
        assert self.running, self.log.read_text(encoding="utf-8")[-4000:]

    def health(self) -> dict[str, Any] | None:
        """What it says of itself; None if it does not answer."""
        with contextlib.suppress(httpx.HTTPError):
            answer = httpx.get(f"{self.address}/healthz", timeout=5)
            if answer.status_code == 200:
                told: dict[str, Any] = answer.json()
                return told
        return None

    def send(self, number: int) -> None:
        """Send a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        """Kill the process immediately."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                self.process.kill()
            self._ended(self.process)

    def end(self) -> None:
        """Ask the process to end, and wait for it."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        self._ended(self.process)

    def _ended(self, process: subprocess.Popen[bytes] | ForkedProgram) -> None:
        process.wait(WITHIN_S)
        self.process = None
        if self._guard is not None:
            self._guard.release()


@dataclass
class Cluster:
    """Table processes and gateways on one database and one bus, and the address of them all."""

    postgres: PostgresServer
    nats: NatsServer
    database: str
    folder: Path
    tables: list[FloorProcess] = field(default_factory=list)
    gateways: list[FloorProcess] = field(default_factory=list)
    front: Wire | None = None

    @property
    def processes(self) -> list[FloorProcess]:
        """All of them."""
        return [*self.tables, *self.gateways]

    @property
    def address(self) -> str:
        """Where terminals connect: any gateway that answers."""
        assert self.front is not None
        return f"http://127.0.0.1:{self.front.port}"


@contextmanager
def cluster(
    *,
    tables: int = 3,
    gateways: int = 2,
    durable: bool = False,
    roles: tuple[str, str] = ("tables", "gateway"),
    warm: bool = False,
) -> Iterator[Cluster]:
    """A running cluster whose processes have these two roles."""
    folder = Path(tempfile.mkdtemp(prefix="openfelt-cl-"))
    with ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        postgres = stack.enter_context(postgres_server(durable=durable))
        nats = stack.enter_context(nats_server())
        house = Cluster(postgres, nats, postgres.fresh_database(), folder)
        for number in range(1, tables + 1):
            house.tables.append(_process(house, stack, f"t{number}", roles[0], warm=warm))
        for number in range(1, gateways + 1):
            house.gateways.append(_process(house, stack, f"g{number}", roles[1], warm=warm))
        house.front = stack.enter_context(wire(lambda: _open_ports(house.gateways)))
        for process in house.processes:
            process.start()
        for process in house.processes:
            process.wait_until_open()
        yield house


def _open_ports(processes: list[FloorProcess]) -> list[Place]:
    return [process.port for process in processes if process.running]


def _process(house: Cluster, stack: ExitStack, name: str, role: str, *, warm: bool) -> FloorProcess:
    """A process whose ways to the database and to the bus can be cut."""
    sockets = house.folder / f"pg-{name}"
    sockets.mkdir()
    data = stack.enter_context(
        wire(lambda: [house.postgres.socket], file=sockets / ".s.PGSQL.5432")
    )
    bus = stack.enter_context(wire(lambda: [house.nats.port]))
    name_of_database = house.database.partition(":///")[2].partition("?")[0]
    process = FloorProcess(
        house.folder,
        name,
        role,
        database=house.postgres.url_of(name_of_database, sockets=sockets),
        bus=f"nats://127.0.0.1:{bus.port}",
        warm=warm,
    )
    process.data_wire, process.bus_wire = data, bus
    stack.callback(process.kill)
    return process


def wait_for(condition: Callable[[], object], words: str, *, within_s: float = WITHIN_S) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + within_s
    while not condition():
        assert time.monotonic() < deadline, f"waited too long for {words}"
        time.sleep(0.05)
