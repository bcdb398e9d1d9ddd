"""What the API refuses, and how the servers that speak it differ."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

PARAMETERS: Mapping[str, type | tuple[type, ...]] = {
    "model": str,
    "messages": list,
    "max_tokens": int,
    "max_completion_tokens": int,
    "temperature": (int, float),
    "response_format": dict,
    "stream": bool,
    "stream_options": dict,
}
"""Those of the description that a client of ours may send; any other is a mistake of ours."""


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """`refuses` names parameters, and forms of `response_format`, that are answered with 400."""

    needs_key: bool = True
    refuses: tuple[str, ...] = ()
    counts_streams: bool = True  # usage, where `stream_options` asks for it
    names_what_it_refuses: bool = True
    has_flat_errors: bool = False  # members of the error at the top, as older versions of vLLM have them
    says_done: bool = True
    fences: bool = False  # JSON between three backticks
    thinks_aloud: bool = False


OPENAI = Dialect()
REASONING = Dialect(refuses=("max_tokens", "temperature"))
VLLM = Dialect(needs_key=False, has_flat_errors=True, thinks_aloud=True)
OLLAMA = Dialect(needs_key=False, refuses=("json_schema",), counts_streams=False, fences=True)
LLAMA_CPP = Dialect(
    needs_key=False, refuses=("json_schema", "json_object", "stream_options"), names_what_it_refuses=False
)


def broken_rule(headers: Mapping[str, str], body: Mapping[str, Any], dialect: Dialect) -> tuple[int, str] | None:
    """The status and message for a request that is not taken; None for a good one."""
    if dialect.needs_key and not headers.get("authorization", "").startswith("Bearer "):
        return 401, "You didn't provide an API key."
    for name, value in body.items():
        if name not in PARAMETERS:
            return 400, f"Unrecognized request argument supplied: {name}"
        if not isinstance(value, PARAMETERS[name]):
            return 400, f"Invalid type for '{name}'."
    if not body.get("model") or not body.get("messages"):
        return 400, "you must provide a model parameter and messages"
    for message in body["messages"]:
        if set(message) != {"role", "content"} or message["role"] not in ("system", "user", "assistant"):
            return 400, "Invalid value: 'messages'."
    if "stream_options" in body and not body.get("stream"):
        return 400, "The 'stream_options' parameter is only allowed when 'stream' is enabled."
    if "max_tokens" in body and "max_completion_tokens" in body:
        return 400, "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported."
    return _broken_format(body.get("response_format")) or _refused(body, dialect)


def _broken_format(chosen: Mapping[str, Any] | None) -> tuple[int, str] | None:
    kind = (chosen or {"type": "text"}).get("type")
    if kind not in ("text", "json_object", "json_schema"):
        return 400, "Invalid value: 'response_format.type'."
    if chosen is None or kind != "json_schema":
        return None
    given = chosen.get("json_schema") or {}
    if set(given) - {"name", "strict", "schema", "description"} or not given.get("name"):
        return 400, "Invalid value: 'response_format.json_schema'."
    if given.get("strict") and (problem := _not_strict(given["schema"])):
        return 400, f"Invalid schema for response_format '{given['name']}': {problem}"
    return None


def _not_strict(schema: Any) -> str | None:
    """Strict output takes only objects that require all their members and allow no others, without defaults."""
    if isinstance(schema, list):
        return next((found for item in schema if (found := _not_strict(item))), None)
    if not isinstance(schema, dict):
        return None
    if "default" in schema:
        return "'default' is not permitted."
    if "properties" in schema:
        if schema.get("additionalProperties") is not False:
            return "'additionalProperties' is required to be supplied and to be false."
        if set(schema.get("required", ())) != set(schema["properties"]):
            return "'required' is required to be supplied and to be an array including every key in properties."
    return next((found for item in schema.values() if (found := _not_strict(item))), None)


def _refused(body: Mapping[str, Any], dialect: Dialect) -> tuple[int, str] | None:
    sent = {*body, (body.get("response_format") or {}).get("type")}
    for name in dialect.refuses:
        if name in sent:
            named = f"Unsupported parameter: '{name}' is not supported with this model."
            return 400, named if dialect.names_what_it_refuses else "Bad request."
    return None
