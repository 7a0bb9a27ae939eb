"""The metrics of a server, for Prometheus."""

from collections.abc import Callable, Iterable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

_COMMIT_BUCKETS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
_REQUEST_BUCKETS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)

Measured = dict[str, float]
"""Values by the name of the gauge that shows them."""


class Metrics:
    """The metrics of one server, in its own registry: a process may run several servers."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "openfelt_requests",
            "Answered requests, by method, endpoint and status.",
            ["method", "page", "status"],
            registry=self.registry,
        )
        self.request_seconds = Histogram(
            "openfelt_request_seconds",
            "Duration of requests.",
            buckets=_REQUEST_BUCKETS,
            registry=self.registry,
        )
        self.sockets = Gauge("openfelt_sockets", "Open sockets.", registry=self.registry)
        self.commands = Counter("openfelt_commands", "Answered commands.", registry=self.registry)
        self.refusals = Counter(
            "openfelt_refusals",
            "Refused commands, by code.",
            ["code"],
            registry=self.registry,
        )
        self.turned_away = Counter(
            "openfelt_turned_away",
            "Commands refused before they reached the table, and sockets closed by the server, "
            "by code.",
            ["code"],
            registry=self.registry,
        )
        self.answer_seconds = Histogram(
            "openfelt_answer_seconds",
            "Duration of commands on sockets, until their answers were sent.",
            buckets=_REQUEST_BUCKETS,
            registry=self.registry,
        )
        self.commit_seconds = Histogram(
            "openfelt_commit_seconds",
            "Duration of commits to the store.",
            buckets=_COMMIT_BUCKETS,
            registry=self.registry,
        )
        self.commits_failed = Counter(
            "openfelt_commits_failed",
            "Failed commits, by reason.",
            ["reason"],
            registry=self.registry,
        )
        self.rounds = Counter(
            "openfelt_rounds", "Rounds, by state.", ["state"], registry=self.registry
        )
        self.seeds = Counter(
            "openfelt_seeds",
            "Seeds of players, by table (all private ones as one) and whether they were withheld.",
            ["table", "state"],
            registry=self.registry,
        )
        self.rounds_voided = Counter(
            "openfelt_rounds_voided",
            "Void rounds, by table. Private tables are counted together.",
            ["table"],
            registry=self.registry,
        )
        self.unfinished_refunds = Counter(
            "openfelt_unfinished_refunds",
            "Rounds that were cancelled and refunded because their player stayed away.",
            registry=self.registry,
        )
        self.sign_ins = Counter(
            "openfelt_sign_ins", "Sign-ins, by outcome.", ["outcome"], registry=self.registry
        )

    def watch(self, measure: Callable[[], Measured]) -> None:
        """Show gauges that are measured at each scrape."""
        self.registry.register(_Measured(measure))

    def text(self) -> bytes:
        """All metrics in the text format of Prometheus."""
        return generate_latest(self.registry)


class _Measured(Collector):
    """Gauges that are measured at each scrape."""

    def __init__(self, measure: Callable[[], Measured]) -> None:
        self._measure = measure

    def describe(self) -> Iterable[GaugeMetricFamily]:
        return []

    def collect(self) -> Iterable[GaugeMetricFamily]:
        for name, value in self._measure().items():
            yield GaugeMetricFamily(f"openfelt_{name}", _MEANINGS[name], value=value)


_MEANINGS = {
    "notary_failing": "1 while the notary cannot sign the record, 0 otherwise.",
    "checkpoint_age_seconds": "Time since the notary last signed everything that was unsigned.",
    "clock_jump_seconds": "How far the machine's clock was changed while the server ran.",
    "record_ahead_seconds": "How far the record was ahead of the clock at the start.",
    "tables_running": "Tables that this process runs.",
    "tables_stopped": "Tables of this process that have stopped after a failure.",
    "follow_lag_seconds": "How far the tables that are shown here are behind their records.",
    "viewers": "Viewers of all tables.",
    "players_flagged": "Players flagged for rounds that they left until they were refunded.",
}
