"""A collector of the tests: an OTLP/HTTP server that decodes the spans it is sent, and shows them as trees."""

from __future__ import annotations

import http.server
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span as SentSpan

from kb_project.observability import tracing
from tests.local_server import LocalServer
from tests.waiting import wait_until

PATH = "/v1/traces"
ERROR = 2


@dataclass(frozen=True)
class CollectedSpan:
    """A span as it arrived; ids in hexadecimal, `parent` empty for the first of a trace."""

    name: str
    service: str
    trace: str
    id: str
    parent: str
    kind: str
    attributes: dict[str, Any]
    links: tuple[str, ...]
    """The ids of the traces that it is linked to."""
    is_failed: bool
    begin_ns: int
    end_ns: int

    @property
    def ms(self) -> float:
        return (self.end_ns - self.begin_ns) / 1e6


class Collector:
    """What was collected so far; `sent` is every byte of it."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.sent = b""
        self.spans: list[CollectedSpan] = []
        self.resources: list[dict[str, Any]] = []
        self._lock = threading.Lock()

    def take(self, body: bytes) -> None:
        request = ExportTraceServiceRequest.FromString(body)
        with self._lock:
            self.sent += body
            for of_resource in request.resource_spans:
                resource = _values(of_resource.resource.attributes)
                self.resources.append(resource)
                for scope in of_resource.scope_spans:
                    self.spans += [_span(span, str(resource["service.name"])) for span in scope.spans]

    def named(self, name: str) -> CollectedSpan:
        """The last span of that name, which is waited for."""
        return wait_until(lambda: next((span for span in reversed(self.spans) if span.name == name), None))

    def trace(self, trace: str) -> list[CollectedSpan]:
        """The spans of a trace in the order in which they began."""
        return sorted((span for span in self.spans if span.trace == trace), key=lambda span: span.begin_ns)

    def parent(self, span: CollectedSpan) -> CollectedSpan | None:
        return next((one for one in self.spans if one.id == span.parent and one.trace == span.trace), None)

    def path(self, span: CollectedSpan) -> list[str]:
        """The names of the spans around it, outermost first, and its own."""
        around = self.parent(span)
        return [*(self.path(around) if around else []), span.name]

    def tree(self, trace: str) -> str:
        """A trace as lines: name, service, milliseconds, what it says."""
        spans = self.trace(trace)
        known = {span.id for span in spans}

        def lines(parent: CollectedSpan | None, depth: int) -> Iterator[str]:
            for span in spans:
                if span.parent == parent.id if parent else span.parent not in known:
                    said = " ".join(f"{name}={value}" for name, value in span.attributes.items())
                    mark = f" linked to {len(span.links)}" if span.links else ""
                    yield f"{'  ' * depth}{span.name} [{span.service}] {span.ms:.1f} ms{mark} {said}".rstrip()
                    yield from lines(span, depth + 1)

        return "\n".join(lines(None, 0))


@contextmanager
def collecting(*, status: int = 200) -> Iterator[Collector]:
    """A collector that listens until the end of the block, and answers so."""

    class Call(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            if self.path == PATH and status == 200:
                collector.take(body)
            self.send_response(status if self.path == PATH else 404)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = LocalServer(Call)
    collector = Collector(server.url)
    server.start()
    try:
        yield collector
    finally:
        server.stop()


def _span(span: SentSpan, service: str) -> CollectedSpan:
    return CollectedSpan(
        name=span.name,
        service=service,
        trace=span.trace_id.hex(),
        id=span.span_id.hex(),
        parent=span.parent_span_id.hex(),
        kind=SentSpan.SpanKind.Name(span.kind).removeprefix("SPAN_KIND_"),
        attributes=_values(span.attributes),
        links=tuple(link.trace_id.hex() for link in span.links),
        is_failed=span.status.code == ERROR,
        begin_ns=span.start_time_unix_nano,
        end_ns=span.end_time_unix_nano,
    )


def _values(attributes: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value") or "string_value") for one in attributes}


@contextmanager
def recording(url: str, **environment: str) -> Iterator[None]:
    """This process records spans and sends them there, until the end of the block."""
    steered = {"OTEL_EXPORTER_OTLP_ENDPOINT": url, "OTEL_BSP_SCHEDULE_DELAY": "50", **environment}
    before = {name: os.environ.get(name) for name in steered}
    os.environ.update(steered)
    tracing._forget()
    tracing.start("tests")
    try:
        yield
    finally:
        tracing.stop()
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
        tracing._forget()
