"""What the environment says of traces: whether there are any, under which name, and what is refused."""

import subprocess
import sys

import pytest

from kb_project.observability import tracing
from tests.collector import collecting, recording
from tests.kb_project.operations.test_checks import sentences
from tests.servers import PROJECT, subprocess_environment

OFF = """
import kb_project.asgi, kb_project.celery, sys
from kb_project.observability import tracing
with tracing.span("x") as span, tracing.start_span("y"), tracing.pipeline_span(2), tracing.suppressed():
    assert (tracing.traceparent(), tracing.ids(), span.headers()) == (None, {}, {})
from anthropic import AsyncAnthropic
import mcp, redis
print(type(kb_project.asgi.application).__name__)
parts = ("opentelemetry.sdk", "opentelemetry.exporter", "opentelemetry.proto")
print([name for name in sys.modules if name.startswith(parts) and sys.modules[name]])
"""


def test_without_traces_nothing_of_the_sdk_is_imported() -> None:
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_SDK_DISABLED": "true"}
    done = subprocess.run(
        [sys.executable, "-c", OFF],
        cwd=PROJECT,
        env=subprocess_environment(**environment),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ["Utf8Handler", "[]"]


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({}, False),
        ({"OTEL_SERVICE_NAME": "kb", "OTEL_TRACES_SAMPLER": "always_on"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://collector:4318/v1/traces"}, True),
        ({"OTEL_TRACES_EXPORTER": "otlp"}, True),
        ({"OTEL_TRACES_EXPORTER": "none", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, False),
        ({"OTEL_SDK_DISABLED": "True", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318"}, False),
    ],
)
def test_the_environment_switches_traces_on(
    monkeypatch: pytest.MonkeyPatch, environment: dict[str, str], wanted: bool
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert tracing.is_wanted() is wanted


def test_environment_names_service_and_chooses_what_is_recorded() -> None:
    named_by = {"OTEL_SERVICE_NAME": "library", "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=trial"}
    with collecting() as collector, recording(collector.url, **named_by):
        with tracing.span("one"):
            pass
        assert collector.named("one").service == "library"
        assert collector.resources[0]["deployment.environment.name"] == "trial"
    with collecting() as collector, recording(collector.url, OTEL_TRACES_SAMPLER="always_off"):
        with tracing.span("one"):
            assert tracing.ids()["trace_id"]
        tracing.stop()
        assert collector.spans == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_TRACES_EXPORTER", "zipkin"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://169.254.169.254"),
        ("OTEL_ATTRIBUTE_COUNT_LIMIT", "many"),
    ],
)
def test_a_variable_that_cannot_be_used_is_told(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    assert not sentences()
    monkeypatch.setenv(name, value)
    assert any("OTEL_" in sentence for sentence in sentences())


def test_propagators_that_are_not_installed_stop_the_start() -> None:
    environment = {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:9", "OTEL_PROPAGATORS": "b3"}
    done = subprocess.run(
        [sys.executable, "manage.py", "web", "--port", "0"],
        cwd=PROJECT,
        env=subprocess_environment(**environment),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1, done.stderr
    assert "b3" in done.stderr.strip().splitlines()[-1]
