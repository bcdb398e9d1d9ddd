"""The form of an answer: as a strict JSON schema, and in words for models that take none."""

import json
from typing import Any

import pydantic


def strict_schema(form: type[pydantic.BaseModel]) -> dict[str, Any]:
    """A schema in which every object has all its members and no others, as strict output wants it."""
    return dict(_closed(form.model_json_schema()))


def in_words(form: type[pydantic.BaseModel]) -> str:
    """The request for an object of this form, for the end of a system prompt."""
    schema = json.dumps(strict_schema(form), ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object and nothing before or after it. It must match this JSON schema:\n{schema}"


def _closed(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_closed(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {name: _closed(item) for name, item in schema.items() if name not in ("default", "title", "properties")}
    if "properties" in schema:  # a member may be called `title`
        closed["properties"] = {name: _closed(item) for name, item in schema["properties"].items()}
        closed |= {"required": list(schema["properties"]), "additionalProperties": False}
    return closed
