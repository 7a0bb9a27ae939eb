"""The gateways of a cluster as attackers meet them: the same people may come through either."""

import contextlib
from collections.abc import Iterator

import httpx

from tests.kit.attacks.server_under_attack import ServerUnderAttack, post
from tests.kit.cluster.processes import Cluster, FloorProcess, cluster
from tests.kit.server.open_house import SUPERVISOR


class Gateway(ServerUnderAttack):
    """One gateway. A browser of another gateway is known here too: they share a host."""

    def __init__(self, process: FloorProcess) -> None:
        self._gateway = process
        self.folder = process.log.parent
        self._browsers = contextlib.ExitStack()
        self._supervisor: httpx.Client | None = None

    @property
    def address(self) -> str:
        """Where it listens."""
        return self._gateway.address

    def supervisor(self) -> httpx.Client:
        """The browser of the supervisor of the starter floor, signed in here."""
        if self._supervisor is None:
            self._supervisor = self.browser()
            post(self._supervisor, "/sign-in", SUPERVISOR)
        return self._supervisor

    def admit(self, supervisor: httpx.Client) -> None:
        """Let a supervisor who has signed in at another gateway act here too."""
        self._supervisor = self.twin(supervisor)

    def twin(self, browser: httpx.Client) -> httpx.Client:
        """The same browser, with the cookies that it has now, at this gateway."""
        twin = self.browser()
        for cookie in browser.cookies.jar:
            twin.cookies.set(cookie.name, cookie.value or "")
        return twin

    def log_lines(self) -> list[str]:
        """Everything that the gateway has logged."""
        return self._gateway.log.read_text("utf-8", "replace").splitlines()


class TwoGateways:
    """A cluster with two gateways, east and west."""

    def __init__(self, house: Cluster) -> None:
        self.house = house
        self.east, self.west = (Gateway(process) for process in house.gateways)
        # Staff have one session: to sign in at the other gateway would end it.
        self.west.admit(self.east.supervisor())

    @property
    def both(self) -> tuple[Gateway, Gateway]:
        """Either of them."""
        return self.east, self.west

    def faults_logged(self) -> list[str]:
        """What any process has logged as an error of its own."""
        return [
            line
            for process in self.house.processes
            for line in process.log.read_text("utf-8", "replace").splitlines()
            if "Traceback" in line or " ERROR " in line or " CRITICAL " in line
        ]


@contextlib.contextmanager
def two_gateways(*, tables: int = 1) -> Iterator[TwoGateways]:
    """A running cluster on a real PostgreSQL and a real NATS, which logs no error."""
    with cluster(tables=tables, gateways=2, warm=True) as house:
        gateways = TwoGateways(house)
        yield gateways
        for gateway in gateways.both:
            gateway.close()
        assert gateways.faults_logged() == []
