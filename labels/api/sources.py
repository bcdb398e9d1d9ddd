"""GET /kb/sources, /kb/sources/{id}, /kb/sources/{id}/file: what is in the knowledge base, with its labels."""

from __future__ import annotations

from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import refuse_query
from kb_project.api.throttles import PublicThrottle
from labels.api.serializers import SourceSerializer
from labels.api.source_list import SourceQuery, one_source, source_page, with_labels
from sources.models import Source
from sources.serving import file_response
from topics.scoping import TopicFirst, within_topics


class PublicSourceView(TopicFirst, APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    def sources(self, request: Request) -> QuerySet[Source]:
        return within_topics(Source.objects.all(), request)


class SourceList(PublicSourceView):
    @extend_schema(operation_id="kb_sources_list", parameters=[SourceQuery], responses=SourceSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Sources, newest first."""
        return source_page(request, topic=self.topic)


class SourceDetail(PublicSourceView):
    @extend_schema(operation_id="kb_sources_retrieve", responses=SourceSerializer)
    def get(self, request: Request, source_id: int) -> Response:
        """One source."""
        refuse_query(request)
        source = one_source(with_labels(self.sources(request)), source_id)
        return Response(SourceSerializer(source, context={"request": request}).data)


class SourceFile(PublicSourceView):
    @extend_schema(
        operation_id="kb_sources_file",
        responses={(200, "*/*"): OpenApiResponse(OpenApiTypes.BINARY, "The document as it was uploaded.")},
    )
    def get(self, request: Request, source_id: int) -> HttpResponseBase:
        """The document itself."""
        refuse_query(request)
        source = one_source(self.sources(request), source_id)
        return file_response(request._request, key=source.file_key, filename=source.filename or "file")
