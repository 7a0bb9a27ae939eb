"""Traces of commands with OpenTelemetry, if the operator has named a collector.

The environment variables are those of OpenTelemetry. Spans contain names of tables, but no cards,
amounts or names of people.
"""

import contextlib
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from openfelt.runtime import command_spans
from openfelt.server.settings import SettingsError

if TYPE_CHECKING:
    from opentelemetry.context import Context
    from opentelemetry.sdk.trace import TracerProvider

ENDPOINTS: Final = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
"""The environment variables that name a collector of traces."""
COMMANDS_MAX: Final = 10_000
"""How many commands in progress are tracked by their spans."""


@contextlib.contextmanager
def exported_traces(environment: Mapping[str, str], *, version: str) -> Iterator[None]:
    """Send traces to the collector that the environment names, if any; raises SettingsError."""
    if not any(environment.get(name) for name in ENDPOINTS):
        yield
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError as error:
        raise SettingsError(
            "Traces need the packages of OpenTelemetry: pip install 'openfelt[telemetry]'"
        ) from error
    name = environment.get("OTEL_SERVICE_NAME", "openfelt")
    resource = Resource.create({"service.name": name, "service.version": version})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    command_spans.use(CommandTracer(provider))
    try:
        yield
    finally:
        command_spans.use(None)
        provider.shutdown()


class CommandTracer:
    """Makes spans of OpenTelemetry."""

    def __init__(self, provider: "TracerProvider") -> None:
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._tracer = provider.get_tracer("openfelt")
        self._propagator = TraceContextTextMapPropagator()
        self._commands: OrderedDict[str, Context] = OrderedDict()
        """The innermost spans of commands in progress."""

    @contextlib.contextmanager
    def span(
        self, name: str, *, carried: str | None, command: str | None, table: str
    ) -> Iterator[None]:
        """A span within the current one, or within one of another process."""
        from opentelemetry.context import get_current

        context = self._propagator.extract({"traceparent": carried}) if carried else None
        attributes = {"openfelt.table": table}
        with self._tracer.start_as_current_span(name, context=context, attributes=attributes):
            if command is None:
                yield
                return
            outer = self._commands.get(command)
            self._commands[command] = get_current()
            while len(self._commands) > COMMANDS_MAX:
                self._commands.popitem(last=False)
            try:
                yield
            finally:
                if outer is None:
                    self._commands.pop(command, None)
                else:
                    self._commands[command] = outer

    @contextlib.contextmanager
    def commit(self, commands: Iterable[str]) -> Iterator[None]:
        """The span of a commit: within the first of its commands, with links to the others."""
        from opentelemetry.trace import Link, get_current_span

        contexts = [self._commands[name] for name in commands if name in self._commands]
        if not contexts:
            yield
            return
        first, *others = contexts
        links = [Link(get_current_span(context).get_span_context()) for context in others]
        with self._tracer.start_as_current_span("commit", context=first, links=links):
            yield

    def carried(self) -> str | None:
        """The W3C trace context of the current span."""
        carrier: dict[str, str] = {}
        self._propagator.inject(carrier)
        return carrier.get("traceparent")
