"""The OpenAPI document and the page to browse it, and files of screens in it, whose views are not DRF's."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django import forms
from django.conf import settings
from django.urls import get_resolver, reverse
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework import serializers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response

from kb_project.api.strict import StrictSerializer, query_params

Schema = dict[str, Any]
TEXT: Schema = {"type": "string"}
PROBLEM_PAGES = {
    "302": "To the page to sign in.",
    "400": "A parameter is not valid.",
    "401": "The key is not valid, or a key is needed.",
    "403": "The account may not do this.",
    "429": "Too many requests.",
    "503": "The service cannot answer now.",
}
_FILES: dict[str, "DescribedFile"] = {}


@dataclass(frozen=True, kw_only=True)
class DescribedFile:
    """A file behind the path of a name. `fields` are those of the form that reads its query.

    With `takes_keys` it is open as `/kb` is. Otherwise it needs a session, and leads to the sign-in page without one.
    """

    name: str
    media_type: str
    description: str
    fields: Callable[[], Mapping[str, forms.Field]] = dict
    schema: Schema | None = None
    takes_keys: bool = False

    def operation(self) -> Schema:
        statuses = ("400", "401", "429", "503") if self.takes_keys else ("302", "400", "403", "503")
        of_page = {"content": {"text/html": {"schema": TEXT}}}
        responses: Schema = {status: {"description": PROBLEM_PAGES[status], **of_page} for status in statuses}
        responses["200"] = {"description": "", "content": {self.media_type: {"schema": self.schema or TEXT}}}
        return {
            "operationId": self.name.replace("-", "_"),
            "description": self.description,
            "parameters": [_parameter(name, field) for name, field in self.fields().items()],
            "tags": [reverse(self.name).strip("/").split("/")[0]],
            "security": self._security(),
            "responses": dict(sorted(responses.items())),
        }

    def _security(self) -> list[Schema]:
        if not self.takes_keys:
            return [{"Session": []}]
        return [*([] if settings.KB_PUBLIC_REQUIRES_KEY else [{}]), {"ApiKey": []}, {"Session": []}]


def describe(**given: Any) -> None:
    """Have a file described. `given` is what `DescribedFile` has."""
    _FILES[given["name"]] = DescribedFile(**given)


def add_files(result: Schema, generator: Any, request: Any, public: bool) -> Schema:
    """One of drf-spectacular's POSTPROCESSING_HOOKS."""
    served = get_resolver().reverse_dict
    for name, file in sorted(_FILES.items()):
        if name in served:
            result["paths"][reverse(name)] = {"get": file.operation()}
    return result


def _parameter(name: str, field: forms.Field) -> Schema:
    return {"in": "query", "name": name, "schema": _schema_of(field)}


def _schema_of(field: forms.Field) -> Schema:
    match field:
        case forms.IntegerField() | forms.ModelChoiceField():
            return {"type": "integer", "minimum": 1, "maximum": 2**63 - 1}
        case forms.DateField():
            return {"type": "string", "format": "date"}
        case forms.ChoiceField():
            return {"type": "string", "enum": [value for value, _ in field.choices if value]}  # type: ignore[misc, union-attr]
        case forms.CharField():
            return {"type": "string", "maxLength": field.max_length}
    raise TypeError(f"No parameter of the API is like {type(field).__name__}.")


class SchemaView(SpectacularAPIView):
    """The document, as JSON or YAML by the Accept header or `?format=json`."""

    authentication_classes = []
    content_negotiation_class = DefaultContentNegotiation

    class Query(StrictSerializer):
        format = serializers.CharField(required=False)

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        query_params(request, self.Query)
        document = openapi_document(public_requires_key=settings.KB_PUBLIC_REQUIRES_KEY)
        return Response(document, headers={"Content-Disposition": "inline"})


class DocsView(SpectacularSwaggerSplitView):
    """Swagger UI from our own static files. Its start-up script comes from a second request, for a strict CSP."""

    authentication_classes = []
    template_name = "kb_project/api_docs.html"

    class Query(StrictSerializer):
        script = serializers.CharField(required=False, allow_blank=True)

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        query_params(request, self.Query)
        return super().get(request, *args, **kwargs)


@lru_cache(maxsize=2)
def openapi_document(*, public_requires_key: bool) -> dict[str, Any]:
    """The document of this process, in English. Made once, for it takes a second and depends on nothing else."""
    with translation.override("en"):
        return SchemaGenerator().get_schema(request=None, public=True)
