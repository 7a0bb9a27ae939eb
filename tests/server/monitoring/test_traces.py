"""Traces: off without a collector, and their context from one process to another."""

import builtins
from typing import Any

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from openfelt.runtime import command_spans
from openfelt.server.monitoring.traces import CommandTracer, exported_traces
from openfelt.server.settings import SettingsError


def test_without_a_collector_nothing_is_traced() -> None:
    with exported_traces({}, version="1"):
        assert not command_spans.active()
        assert command_spans.span("command", table="a") is command_spans.span("bus", table="b")
        assert command_spans.carried() is None


def test_a_collector_is_named_by_the_environment() -> None:
    with exported_traces({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}, version="1"):
        assert command_spans.active()
    assert not command_spans.active()


def test_a_collector_needs_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("opentelemetry"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with (
        pytest.raises(SettingsError, match=r"openfelt\[telemetry\]"),
        exported_traces({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9"}, version="1"),
    ):
        pass


def test_a_commit_of_several_commands_is_in_the_trace_of_the_first_and_linked_to_the_others() -> (
    None
):
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = CommandTracer(provider)
    with tracer.span("command", carried=None, command="ann 1", table="a"):
        carried = tracer.carried()
    with (
        tracer.span("table", carried=carried, command="ann 1", table="a"),
        tracer.span("table", carried=None, command="bob 1", table="a"),
        tracer.commit(["ann 1", "bob 1", "eve 1"]),
    ):
        pass
    with tracer.commit(["ann 1"]):
        pass
    spans = {(span.name, number): span for number, span in enumerate(exporter.get_finished_spans())}
    (first, _), (commit, _) = (
        (each, number)
        for (name, number), each in sorted(spans.items(), key=lambda item: item[0][1])
        if name in ("command", "commit")
    )
    assert [span.name for span in exporter.get_finished_spans()].count("commit") == 1
    assert commit.context is not None
    assert first.context is not None
    assert commit.context.trace_id == first.context.trace_id
    assert len(commit.links) == 1
