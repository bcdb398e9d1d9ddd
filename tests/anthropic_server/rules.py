"""What the API refuses."""

from collections.abc import Collection, Iterator
from typing import Any

API_VERSION = "2026-10-21"
CITABLE = ("search_result", "document")


def broken_rule(headers: dict[str, str], body: dict[str, Any], *, refuses: Collection[str] = ()) -> str | None:
    """What the API would say to a request that it does not take; None for a good one.

    `refuses` names what the model does not support: `thinking`, `effort`, `format`.
    """
    for name in refuses:
        if name in body or name in body.get("output_config", {}):
            return f"This model does not support the {name} parameter."
    if not headers.get("authorization", "").startswith("Bearer "):
        return "authentication is required"
    if headers.get("anthropic-version") != API_VERSION:
        return f"anthropic-version: expected {API_VERSION}"
    for name in ("temperature", "top_p", "top_k"):
        if name in body:
            return f"{name}: Extra inputs are not permitted"
    schema = ((body.get("output_config") or {}).get("format") or {}).get("schema")
    if schema is not None and (problem := _open_object(schema)):
        return problem
    return _broken_citations(body, formatted=schema is not None)


def blocks_of(body: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every content block of the messages, with the role that sent it."""
    for message in body.get("messages", []):
        content = message.get("content")
        for block in content if isinstance(content, list) else []:
            yield message["role"], block


def _broken_citations(body: dict[str, Any], *, formatted: bool) -> str | None:
    enabled = set()
    for role, block in blocks_of(body):
        if role == "assistant" and block.get("type") == "document":
            return "document blocks are not permitted in assistant messages"
        texts = [block] if block.get("type") == "text" else block.get("content")
        if role == "user" and isinstance(texts, list) and any(text.get("citations") for text in texts):
            return "citations are not permitted on user text blocks"
        if block.get("type") in CITABLE:
            enabled.add(bool((block.get("citations") or {}).get("enabled")))
        if block.get("type") == "search_result":
            if not (block.get("source") and block.get("title")):
                return "search_result: source and title are required"
            if not block.get("content") or not all(text.get("text", "").strip() for text in block["content"]):
                return "search_result: text content blocks must be non-empty"
    if len(enabled) == 2:
        return "citations must be enabled for all or none of the documents and search results"
    if True in enabled and formatted:
        return "output_config.format cannot be combined with citations"
    return None


def _open_object(schema: Any, path: str = "schema") -> str | None:
    """Structured output takes only objects that say which members they have and that there are no others."""
    if isinstance(schema, list):
        return next((found for item in schema if (found := _open_object(item, path))), None)
    if not isinstance(schema, dict):
        return None
    if schema.get("type") == "object" and schema.get("additionalProperties") is not False:
        return f"{path}: additionalProperties must be false"
    return next((found for name, item in schema.items() if (found := _open_object(item, f"{path}.{name}"))), None)
