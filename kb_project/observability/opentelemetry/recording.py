"""Recording spans with OpenTelemetry's SDK, which its own environment variables steer, and sending them over OTLP.

The SDK's provider is not made the process's global one: so only what is recorded here leaves, and no library adds spans
with attributes that nobody here has looked at.
"""

from __future__ import annotations

import os
import socket
from collections.abc import AsyncGenerator, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any, TypeVar

from django.http import HttpRequest
from opentelemetry import context as contexts
from opentelemetry import propagate
from opentelemetry import trace as api
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import SpanLimits, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from kb_project.observability.opentelemetry import spans
from kb_project.observability.opentelemetry.spans import ServedRequests, known_method
from kb_project.observability.tracing import CLIENT, MAX_TRACEPARENT_LENGTH, Attributes, Span

T = TypeVar("T")
STOPS_WITHIN_MS = 3_000  # what was not sent by then is lost
MAX_VALUE_LENGTH = 256  # characters of an attribute, where the environment sets no limit
MAX_CODE_LENGTH = 60
MAX_SPANS = 200  # of one request or job in a process; what is beyond is counted
MAX_STATEMENTS = 100  # of the database, besides those
_UNIT = contexts.create_key("kb.unit")
_W3C = TraceContextTextMapPropagator()
_END: Any = object()


class TraceBudget:
    """A request, a job or what else a process does as a whole: how much of it has been recorded."""

    def __init__(self) -> None:
        self.spans = self.statements = 0

    def admits_span(self) -> bool:
        self.spans += 1
        return self.spans <= MAX_SPANS

    def admits_statement(self) -> bool:
        self.statements += 1
        return self.statements <= MAX_STATEMENTS

    @property
    def totals(self) -> dict[str, int]:
        """What the span of the whole says at its end."""
        left_out = max(0, self.spans - MAX_SPANS) + max(0, self.statements - MAX_STATEMENTS)
        return {"kb.db.statements": self.statements, **({"kb.spans_left_out": left_out} if left_out else {})}


class Recorded(Span):
    """A span of the SDK. With a `unit` the one that is the whole of it."""

    def __init__(self, span: api.Span, *, unit: TraceBudget | None = None) -> None:
        self.span, self.unit = span, unit

    def set(self, attributes: Attributes) -> None:
        self.span.set_attributes(attributes)

    def fail(self, code: str) -> None:
        self.span.set_attribute("error.type", code)
        self.span.set_status(api.StatusCode.ERROR)

    def headers(self) -> dict[str, str]:
        carrier: dict[str, str] = {}
        propagate.inject(carrier, self.context())
        return carrier

    def context(self, around: Context | None = None) -> Context:
        """The context in which it is the current one. Of what is around it only `around` counts."""
        context = api.set_span_in_context(self.span, Context() if around is None else around)
        return context if self.unit is None else contexts.set_value(_UNIT, self.unit, context)

    def end(self) -> None:
        if self.span.is_recording():
            if self.unit is not None:
                self.set(self.unit.totals)
            self.span.end()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None and not isinstance(error, GeneratorExit):
            self.fail(_code(error))
        self.end()


class Recorder:
    """Records the spans of this process."""

    def __init__(self, process: str) -> None:
        """Raises what the SDK raises of variables that it cannot use."""
        self._processor = BatchSpanProcessor(OTLPSpanExporter())
        self.provider = TracerProvider(resource=_resource(process), span_limits=_limits(), shutdown_on_exit=False)
        self.provider.add_span_processor(self._processor)
        self._tracer = self.provider.get_tracer("kb")
        spans.watch(self._statement)

    def stop(self) -> None:
        spans.watch(None)
        # The processor's own `shutdown` has no time limit, and waits half a minute for a collector that hangs.
        self._processor._batch_processor.shutdown(timeout_millis=STOPS_WITHIN_MS)

    @contextmanager
    def span(self, name: str, attributes: Attributes, *, kind: str, parent: str | None) -> Iterator[Span]:
        if parent is None:
            recorded = self.begin(name, attributes, kind=kind)
        else:
            carrier = {"traceparent": parent[:MAX_TRACEPARENT_LENGTH]}
            recorded = self._begun(name, attributes, kind, _W3C.extract(carrier, Context()), TraceBudget())
        with recorded, _within(recorded):
            yield recorded

    def begin(self, name: str, attributes: Attributes, *, kind: str) -> Span:
        unit = _unit()
        if unit is not None and not unit.admits_span():
            return Span()
        return self._begun(name, attributes, kind, contexts.get_current(), TraceBudget() if unit is None else None)

    def _begun(
        self, name: str, attributes: Attributes, kind: str, context: Context, unit: TraceBudget | None
    ) -> Recorded:
        span = self._tracer.start_span(name, context, api.SpanKind[kind], attributes, record_exception=False)
        return Recorded(span, unit=unit)

    async def inside(self, span: Span, items: AsyncGenerator[T]) -> AsyncGenerator[T]:
        try:
            while True:
                with _within(span):
                    item = await anext(items, _END)
                if item is _END:
                    return
                yield item
        finally:
            with _within(span):
                await items.aclose()

    @contextmanager
    def together(self, count: int) -> Iterator[Span]:
        attributes: Attributes = {"db.operation.name": "BATCH SELECT", "db.operation.batch.size": count}
        with self._statement("BATCH SELECT", attributes), self.unseen():
            yield Span()

    def _statement(self, name: str, attributes: Attributes) -> Span:
        unit = _unit()
        if unit is None or not unit.admits_statement():
            return Span()
        return self._begun(name, {**spans.DATABASE, **attributes}, CLIENT, contexts.get_current(), None)

    @contextmanager
    def unseen(self) -> Iterator[None]:
        token = contexts.attach(contexts.set_value(_UNIT, None))
        try:
            yield
        finally:
            contexts.detach(token)

    def fail(self, code: str) -> None:
        Recorded(api.get_current_span()).fail(code)

    def link(self, traceparent: str) -> None:
        other = api.get_current_span(_W3C.extract({"traceparent": traceparent}, Context())).get_span_context()
        current = api.get_current_span()
        if other.is_valid and other.trace_id != current.get_span_context().trace_id:
            current.add_link(other)

    def traceparent(self) -> str | None:
        of = api.get_current_span().get_span_context()
        return f"00-{of.trace_id:032x}-{of.span_id:016x}-{of.trace_flags:02x}" if of.is_valid else None

    def ids(self) -> dict[str, str]:
        of = api.get_current_span().get_span_context()
        return {"trace_id": f"{of.trace_id:032x}", "span_id": f"{of.span_id:016x}"} if of.is_valid else {}

    def served(self, application: Any) -> ServedRequests:
        return ServedRequests(application, self._request)

    @contextmanager
    def _request(self, name: str, attributes: Attributes, context: Context) -> Iterator[Span]:
        """The span of a request, below what its client says in the context."""
        recorded = self._begun(name, attributes, "SERVER", context, TraceBudget())
        with recorded, _within(recorded):
            yield recorded

    def name_request(self, request: HttpRequest, *, request_id: str) -> None:
        span = api.get_current_span()
        span.set_attribute("kb.request_id", request_id)
        if request.resolver_match is not None:
            route = f"/{request.resolver_match.route}"
            span.set_attribute("http.route", route)
            span.update_name(f"{known_method(request.method)} {route}")


def try_settings() -> None:
    """Read the SDK's variables as a recorder does, and start nothing. Raises what the SDK raises."""
    OTLPSpanExporter().shutdown()
    TracerProvider(resource=_resource(""), span_limits=_limits(), shutdown_on_exit=False)


@contextmanager
def _within(span: Span) -> Iterator[None]:
    """The span is the current one. One that is left out leaves that as it is."""
    token = contexts.attach(span.context(contexts.get_current())) if isinstance(span, Recorded) else None
    try:
        yield
    finally:
        if token is not None:
            contexts.detach(token)


def _unit() -> TraceBudget | None:
    unit: Any = contexts.get_value(_UNIT)
    return unit


def _code(error: BaseException) -> str:
    """The code of an error that has one, else its class: its text may say what somebody wrote."""
    code = getattr(error, "code", None)
    return (
        code if isinstance(code, str) and code.isidentifier() and len(code) <= MAX_CODE_LENGTH else type(error).__name__
    )


def _resource(process: str) -> Resource:
    """Who records: `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES`, else `kb-web`, `kb-worker` and the like."""
    said = Resource.create()
    own: dict[str, Any] = {"kb.process": process, "process.pid": os.getpid(), "host.name": socket.gethostname()}
    is_named = os.environ.get("OTEL_SERVICE_NAME") or "service.name=" in os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    return Resource(own).merge(said).merge(Resource({} if is_named else {"service.name": f"kb-{process}"}))


def _limits() -> SpanLimits:
    is_set = any(os.environ.get(f"OTEL_{of}ATTRIBUTE_VALUE_LENGTH_LIMIT") for of in ("", "SPAN_"))
    return SpanLimits() if is_set else SpanLimits(max_attribute_length=MAX_VALUE_LENGTH)
