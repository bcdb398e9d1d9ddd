"""Spans of OpenTelemetry, where the environment asks for them (docs/operations.md). Otherwise each call is one check.

Nothing of OpenTelemetry is imported before a process is found to want traces. `recording.py` is what then records.
Attributes are numbers and short words of ours: never what somebody asked, wrote, uploaded or is called.
"""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections.abc import AsyncGenerator, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

if TYPE_CHECKING:
    from django.http import HttpRequest

    Recorder = Any  # `opentelemetry.recording` is imported by its name, where traces are wanted

RECORDING = "kb_project.observability.opentelemetry.recording"
T = TypeVar("T")
Value = str | int | float | bool
Attributes = Mapping[str, Value]
INTERNAL, CLIENT, CONSUMER = "INTERNAL", "CLIENT", "CONSUMER"
MAX_TRACEPARENT_LENGTH = 55  # characters: https://www.w3.org/TR/trace-context/#traceparent-header
ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
EXPORTER, EXPORTERS = "OTEL_TRACES_EXPORTER", ("", "otlp")
PROTOCOLS, PROTOCOL = ("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"), "http/protobuf"
logger = logging.getLogger(__name__)


class Span:
    """A span that nobody records. One that is recorded has the same methods.

    A context manager: the span ends with the block, as failed where an exception leaves it.
    """

    def set(self, attributes: Attributes) -> None:
        """Add attributes, or replace them."""

    def fail(self, code: str) -> None:
        """Say that it failed, by a stable word: an error's code or class, not its text."""

    def headers(self) -> dict[str, str]:
        """What a request to another service carries, so that its spans belong below this one."""
        return {}

    def end(self) -> None:
        """Calling it again does nothing."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()


_NONE = Span()
_OFF: AbstractContextManager[Span] = nullcontext(_NONE)
_lock = threading.Lock()
_is_decided = False
_recorder: Recorder | None = None


def is_wanted() -> bool:
    """Whether the environment names where spans go, and does not switch the SDK off."""
    exporter = os.environ.get(EXPORTER, "").strip().lower()
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true" or exporter == "none":
        return False
    return bool(exporter) or any(os.environ.get(name) for name in ENDPOINTS)


def start(process: str) -> None:
    """Record this process's spans from now on, if that is wanted. `process` is `web`, `worker` and the like.

    Call it after the last fork, once the settings are read. Only the first call in a process does anything.
    """
    global _is_decided, _recorder
    if _is_decided:
        return
    with _lock:
        if not _is_decided:
            _is_decided = True
            if is_wanted():
                _recorder = _made(process)
                atexit.register(stop)


def _made(process: str) -> Recorder | None:
    try:
        recorder: Recorder = import_module(RECORDING).Recorder(process)
        return recorder
    except Exception:  # work goes on without traces; `configuration_errors` has told most causes before
        logger.exception("Spans cannot be recorded")
        return None


def configuration_errors() -> Iterator[str]:
    """A sentence for what of the environment cannot be used."""
    if not is_wanted():
        return
    if (exporter := os.environ.get(EXPORTER, "").strip().lower()) not in EXPORTERS:
        yield f"{EXPORTER} is {exporter!r}; it can be otlp or none."
    for name in PROTOCOLS:
        if (protocol := os.environ.get(name, "")) not in ("", PROTOCOL):
            yield f"{name} is {protocol!r}; it can be {PROTOCOL}."
    try:
        import_module(RECORDING).try_settings()
    except Exception as error:
        yield f"The OTEL_ variables cannot be used: {error}"


def is_on() -> bool:
    """Whether this process records spans, for who would have to work out what one says."""
    if not _is_decided:
        start("command")
    return _recorder is not None


def stop() -> None:
    """Send what was not sent yet, for a few seconds at most, and record nothing more."""
    global _recorder
    recorder, _recorder = _recorder, None
    if recorder is not None:
        recorder.stop()


def _forget() -> None:
    """Called in a forked child: it decides for itself, and what its parent has not sent is the parent's."""
    global _is_decided, _recorder, _lock
    _is_decided, _recorder, _lock = False, None, threading.Lock()


os.register_at_fork(after_in_child=_forget)


def span(
    name: str, attributes: Attributes | None = None, *, kind: str = INTERNAL, parent: str | None = None
) -> AbstractContextManager[Span]:
    """A span around the block, below the current one. With `parent`, a `traceparent`, it goes on with that trace.

    Not around a `yield`: whoever reads from the generator would be inside too. There use `start_span` and `inside`.
    """
    if not _is_decided:
        start("command")
    if (recorder := _recorder) is None:
        return _OFF
    return recorder.span(name, attributes or {}, kind=kind, parent=parent)


def start_span(name: str, attributes: Attributes | None = None, *, kind: str = INTERNAL) -> Span:
    """A span below the current one, which stays the current one. It is to be ended."""
    if not _is_decided:
        start("command")
    return _NONE if (recorder := _recorder) is None else recorder.begin(name, attributes or {}, kind=kind)


def copying(table: str) -> Span:
    """A span below the current one for rows that are copied into a table, to be ended."""
    attributes = {"db.system.name": "postgresql", "db.operation.name": "COPY", "db.collection.name": table}
    return start_span(f"COPY {table}", attributes, kind=CLIENT)


def inside(span: Span, items: AsyncGenerator[T]) -> AsyncGenerator[T]:
    """The items, each made inside the span, and read outside of it."""
    return items if (recorder := _recorder) is None else recorder.inside(span, items)


def pipeline_span(statements: int) -> AbstractContextManager[Span]:
    """One span for statements that go to the database in one round trip."""
    return _OFF if (recorder := _recorder) is None else recorder.together(statements)


def suppressed() -> AbstractContextManager[object]:
    """Within the block no statement of the database is a span."""
    return _OFF if (recorder := _recorder) is None else recorder.unseen()


def fail(code: str) -> None:
    """Say that the current span failed."""
    if recorder := _recorder:
        recorder.fail(code)


def link(traceparent: str | None) -> None:
    """Say that the current span has to do with another trace. Does nothing where it is the same."""
    if (recorder := _recorder) and traceparent:
        recorder.link(traceparent)


def traceparent() -> str | None:
    """The current span, as a row keeps it for whoever goes on with the trace, or None without one."""
    return None if (recorder := _recorder) is None else recorder.traceparent()


def ids() -> dict[str, str]:
    """`trace_id` and `span_id` of the current span, in hexadecimal. Empty without one."""
    return {} if (recorder := _recorder) is None else recorder.ids()


def name_request(request: HttpRequest, *, request_id: str) -> None:
    """Name the span of the request that is being answered after the route that was found for it."""
    if recorder := _recorder:
        recorder.name_request(request, request_id=request_id)


def served(application: Any) -> Any:
    """The ASGI application, with a span around each request but those of probes. Itself without traces."""
    return application if (recorder := _recorder) is None else recorder.served(application)


def anthropic_options() -> Any:
    """What Anthropic's SDK may record of its calls: without traces nothing, never what is asked or answered."""
    if (recorder := _recorder) is None:
        return {"propagation": False, "traces": False}
    return {"tracer_provider": recorder.provider, "traces": {"content_mode": "metadata_only"}}
