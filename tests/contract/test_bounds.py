"""Everything that a request may hold has a bound, as the OpenAPI document says."""

from collections.abc import Iterator
from typing import Any

import pytest

from kb_project.api.openapi_files import openapi_document


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    openapi_document.cache_clear()  # other tests have it of other paths
    return openapi_document(public_requires_key=False)


def unbounded(node: Any, *, schemas: dict[str, Any], path: str = "", seen: tuple[str, ...] = ()) -> Iterator[str]:
    """The paths of lists without `maxItems` and of strings that may be of any length."""
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        if name not in seen:
            yield from unbounded(schemas[name], schemas=schemas, path=path, seen=(*seen, name))
        return
    for part in (*node.get("allOf", ()), *node.get("oneOf", ()), *node.get("anyOf", ())):
        yield from unbounded(part, schemas=schemas, path=path, seen=seen)
    kinds = node.get("type")
    if "array" in (kinds if isinstance(kinds, list) else [kinds]):
        if "maxItems" not in node:
            yield f"{path}[]"
        yield from unbounded(node["items"], schemas=schemas, path=f"{path}[]", seen=seen)
    bounded = {"maxLength", "enum", "const", "format", "pattern"} & set(node)
    if "string" in (kinds if isinstance(kinds, list) else [kinds]) and not bounded:
        yield path
    for name, value in node.get("properties", {}).items():
        yield from unbounded(value, schemas=schemas, path=f"{path}.{name}", seen=seen)


def test_every_list_and_string_of_a_request_has_a_bound(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    found: list[str] = []
    looked_at = 0
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            where = f"{method} {path} "
            for parameter in operation.get("parameters", ()):
                if parameter["in"] != "path":
                    found += unbounded(parameter["schema"], schemas=schemas, path=where + parameter["name"])
            for content in operation.get("requestBody", {}).get("content", {}).values():
                looked_at += 1
                found += unbounded(content["schema"], schemas=schemas, path=where)
    assert looked_at > 10
    assert found == []


def test_the_walk_sees_what_has_none() -> None:
    node = {"properties": {"a": {"type": "array", "items": {"type": "string"}}, "b": {"type": ["string", "null"]}}}
    assert list(unbounded(node, schemas={})) == [".a[]", ".a[]", ".b"]
