"""The OpenAPI document states what the API does: problems, security, and that nothing else is taken."""

from typing import Any

import pytest
from django.urls import path
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.validation import validate_schema

from kb_project.operations.probes import Readyz
from tests.kb_project.api import probes


@pytest.fixture
def document() -> dict[str, Any]:
    patterns = [pattern for pattern in probes.urlpatterns if "echo" in str(pattern.pattern)]
    document: dict[str, Any] = SchemaGenerator(patterns=patterns).get_schema(request=None, public=True)
    return document


def test_the_document_is_valid_openapi(document: dict[str, Any]) -> None:
    validate_schema(document)


def test_every_operation_states_its_problems(document: dict[str, Any]) -> None:
    echo = document["paths"]["/kb/echo"]
    assert set(echo["get"]["responses"]) == {"200", "400", "401", "403", "503"}
    assert set(echo["post"]["responses"]) == {"201", "400", "401", "403", "409", "413", "415", "503"}
    assert list(echo["post"]["responses"]["409"]["content"]) == ["application/problem+json"]
    problem = document["components"]["responses"]["Problem400"]
    assert problem["content"]["application/problem+json"]["schema"] == {"$ref": "#/components/schemas/Problem"}


def test_a_request_body_takes_nothing_else(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    assert schemas["EverythingRequest"]["additionalProperties"] is False
    assert schemas["ItemRequest"]["additionalProperties"] is False


def test_a_public_path_needs_no_credentials_unless_the_installation_asks(
    document: dict[str, Any], settings: Any
) -> None:
    assert document["paths"]["/kb/echo"]["get"]["security"] == [{}, {"ApiKey": []}, {"Session": []}]
    settings.KB_PUBLIC_REQUIRES_KEY = True
    patterns = [pattern for pattern in probes.urlpatterns if "echo" in str(pattern.pattern)]
    closed = SchemaGenerator(patterns=patterns).get_schema(request=None, public=True)
    assert closed["paths"]["/kb/echo"]["get"]["security"] == [{"ApiKey": []}, {"Session": []}]


@pytest.mark.parametrize("requires_key", [False, True])
def test_a_probe_needs_no_credentials_though_it_tells_more_with_them(settings: Any, requires_key: bool) -> None:
    settings.KB_PUBLIC_REQUIRES_KEY = requires_key
    patterns = [path("readyz", Readyz.as_view())]
    document: dict[str, Any] = SchemaGenerator(patterns=patterns).get_schema(request=None, public=True)
    assert document["paths"]["/readyz"]["get"]["security"] == [{}, {"ApiKey": []}, {"Session": []}]
