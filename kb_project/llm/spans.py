"""The span of a call to a model, as OpenTelemetry's conventions for generative AI name what it says.

https://opentelemetry.io/docs/specs/semconv/gen-ai/: the model and the tokens, never what was asked or answered.
Those of Claude come from Anthropic's SDK (`tracing.anthropic_options`).
"""

from __future__ import annotations

from urllib.parse import urlsplit

from kb_project.llm.protocol import ModelKey, Usage
from kb_project.observability import tracing

MAX_NAME_LENGTH = 100  # characters


def model_span(operation: str, key: ModelKey, attributes: tracing.Attributes | None = None) -> tracing.Span:
    """The span of an operation (`chat`, `embeddings`), to be ended. What it asks carries its `headers()`."""
    if not tracing.is_on():
        return tracing.start_span(operation)
    parts = urlsplit(key.address)
    known: dict[str, tracing.Value] = {
        "gen_ai.operation.name": operation,
        "gen_ai.provider.name": key.provider,
        "gen_ai.request.model": key.model,
        "server.address": parts.hostname or "",
        "server.port": parts.port or (80 if parts.scheme == "http" else 443),
    }
    name = f"{operation} {key.model}"[:MAX_NAME_LENGTH].strip()
    return tracing.start_span(name, {**known, **(attributes or {})}, kind=tracing.CLIENT)


def tokens(usage: Usage) -> dict[str, tracing.Value]:
    """What a call cost. The conventions count what a cache gave or took among the input."""
    return {
        "gen_ai.usage.input_tokens": usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        "gen_ai.usage.cache_read.input_tokens": usage.cache_read_tokens,
        "gen_ai.usage.cache_write.input_tokens": usage.cache_write_tokens,
    }
