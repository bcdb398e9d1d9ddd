"""The OpenAPI document at `/api/schema/` and the page to browse it at `/api/docs/`."""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.utils import translation
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework import serializers
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.request import Request
from rest_framework.response import Response

from kb_project.api.strict import StrictSerializer, query_params


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
