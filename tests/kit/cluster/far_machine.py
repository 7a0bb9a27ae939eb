"""Another machine: a namespace with a network of its own, whose cable to this one can be pulled.

Packets then go nowhere and no connection is closed, as when a switch loses its power. Only root may
make one, on a system that allows it.
"""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from uuid import uuid4

import pytest

from tests.kit.cluster.processes import Cluster, FloorProcess
from tests.kit.cluster.wires import wire

HERE, THERE = "10.231.77.1", "10.231.77.2"


class FarMachine:
    """A namespace that is connected to this machine by one cable."""

    def __init__(self) -> None:
        token = uuid4().hex[:8]
        self._name = f"openfelt-{token}"
        self._near, self._far = f"of{token}n", f"of{token}f"

    @property
    def inside(self) -> list[str]:
        """The command that starts another one there."""
        return [_ip(), "netns", "exec", self._name]

    def pull_the_cable(self) -> None:
        """Lose every packet from now on, in both directions."""
        _run("link", "set", self._near, "down")

    def plug_it_in(self) -> None:
        """Carry packets again."""
        _run("link", "set", self._near, "up")

    def make(self) -> None:
        """Make the namespace and its cable; skips the test where the system does not allow it."""
        try:
            _run("netns", "add", self._name)
            pair = ("type", "veth", "peer", "name", self._far, "netns", self._name)
            _run("link", "add", self._near, *pair)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"no network of its own can be made here: {error.stderr.strip()}")
        _run("address", "add", f"{HERE}/30", "dev", self._near)
        self.plug_it_in()
        _run("-n", self._name, "address", "add", f"{THERE}/30", "dev", self._far)
        for name in ("lo", self._far):
            _run("-n", self._name, "link", "set", name, "up")

    def remove(self) -> None:
        """Remove both, if they are there."""
        for words in (("link", "delete", self._near), ("netns", "delete", self._name)):
            subprocess.run([_ip(), *words], check=False, capture_output=True)


def _ip() -> str:
    found = shutil.which("ip") or shutil.which("ip", path="/usr/sbin:/sbin")
    if found is None:
        pytest.skip("ip, of iproute2, is not installed")
    return found


def _run(*words: str) -> None:
    subprocess.run([_ip(), *words], check=True, capture_output=True, text=True)


@contextmanager
def far_machine() -> Iterator[FarMachine]:
    """Another machine, gone in the end."""
    machine = FarMachine()
    try:
        machine.make()
        yield machine
    finally:
        machine.remove()


@contextmanager
def table_process_at(machine: FarMachine, house: Cluster) -> Iterator[FloorProcess]:
    """A table process of a house that runs on another machine."""
    with ExitStack() as stack:
        data = stack.enter_context(wire(lambda: [house.postgres.socket], host=HERE))
        bus = stack.enter_context(wire(lambda: [house.nats.port], host=HERE))
        database = house.database.partition(":///")[2].partition("?")[0]
        process = FloorProcess(
            house.folder,
            "far",
            "tables",
            database=f"postgresql://postgres@{HERE}:{data.port}/{database}",
            bus=f"nats://{HERE}:{bus.port}",
            inside=machine.inside,
        )
        process.data_wire, process.bus_wire = data, bus
        stack.callback(process.kill)
        process.start()
        yield process
