"""What Prometheus is told about a server."""

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

_COMMIT_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
_REQUEST_BUCKETS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)

Measured = dict[str, int]
"""Values by the name of the gauge that shows them."""


class Metrics:
    """The counters of one server. Each server has its own, so that several fit in one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "openfelt_requests",
            "Answered requests, by method, page and status.",
            ["method", "page", "status"],
            registry=self.registry,
        )
        self.request_seconds = Histogram(
            "openfelt_request_seconds",
            "How long requests took.",
            buckets=_REQUEST_BUCKETS,
            registry=self.registry,
        )
        self.sockets = Gauge("openfelt_sockets", "Open sockets.", registry=self.registry)
        self.commands = Counter(
            "openfelt_commands", "Commands that have been answered.", registry=self.registry
        )
        self.refusals = Counter(
            "openfelt_refusals",
            "Commands that have been refused, by code.",
            ["code"],
            registry=self.registry,
        )
        self.turned_away = Counter(
            "openfelt_turned_away",
            "Commands that were answered before the table looked at them, and sockets that "
            "were let go, by code.",
            ["code"],
            registry=self.registry,
        )
        self.answer_seconds = Histogram(
            "openfelt_answer_seconds",
            "How long a command on a socket took until its answer was on its way.",
            buckets=_REQUEST_BUCKETS,
            registry=self.registry,
        )
        self.commit_seconds = Histogram(
            "openfelt_commit_seconds",
            "How long it took until something was safely written.",
            buckets=_COMMIT_BUCKETS,
            registry=self.registry,
        )
        self.commits_failed = Counter(
            "openfelt_commits_failed",
            "Writes that came to nothing, by reason.",
            ["reason"],
            registry=self.registry,
        )
        self.rounds = Counter(
            "openfelt_rounds", "Rounds, by how far they came.", ["state"], registry=self.registry
        )
        self.sign_ins = Counter(
            "openfelt_sign_ins", "Sign-ins, by how they ended.", ["outcome"], registry=self.registry
        )

    def watch(self, measure: Callable[[], Measured]) -> None:
        """Show gauges that are measured whenever somebody asks."""
        self.registry.register(_Measured(measure))

    def text(self) -> bytes:
        """Everything in the form that Prometheus reads."""
        return generate_latest(self.registry)


class _Measured(Collector):
    """Gauges that are read when they are asked for."""

    def __init__(self, measure: Callable[[], Measured]) -> None:
        self._measure = measure

    def describe(self) -> Iterable[GaugeMetricFamily]:
        return []

    def collect(self) -> Iterable[GaugeMetricFamily]:
        for name, value in self._measure().items():
            yield GaugeMetricFamily(f"openfelt_{name}", _MEANINGS[name], value=value)


_MEANINGS = {
    "tables_running": "Tables that this process runs.",
    "tables_stopped": "Tables of this process that do nothing because something has failed.",
    "viewers": "Places taken in the rooms of all tables.",
}
