"""GET /kb/sources, /kb/sources/{id}, /kb/sources/{id}/file: what is in the knowledge base, with its labels."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import query_params, refuse_query
from kb_project.api.throttles import PublicThrottle
from kb_project.errors import Invalid, NotFound
from labels.models import Label
from labels.serializers import SourceSerializer
from sources.kinds import Kind
from sources.models import Source
from sources.serving import file_response
from topics.scoping import TopicFirst, within_topics


class PublicSourceView(TopicFirst, APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    def sources(self, request: Request) -> QuerySet[Source]:
        return within_topics(Source.objects.all(), request).prefetch_related("labels__aliases")

    def source(self, request: Request, source_id: int) -> Source:
        source = self.sources(request).filter(pk=source_id).first()
        if source is None:
            raise NotFound("There is no such source.")
        return source


class SourceList(PublicSourceView):
    class Query(PageQuery):
        topic_id = serializers.IntegerField(required=False)
        label_id = serializers.IntegerField(required=False)
        kind = serializers.ChoiceField(Kind.choices, required=False)
        q = serializers.CharField(
            required=False, max_length=200, help_text="Part of the title, the identifier or the subject."
        )

    @extend_schema(operation_id="kb_sources_list", parameters=[Query], responses=SourceSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Sources, newest first."""
        query = query_params(request, self.Query)
        sources = self.sources(request)
        if self.topic is not None:
            sources = sources.filter(topic=self.topic)
        if "label_id" in query:
            if not Label.objects.filter(pk=query["label_id"]).exists():
                raise Invalid("There is no such label.", errors={"label_id": ["There is no such label."]})
            sources = sources.filter(label_assignments__label_id=query["label_id"])
        if "kind" in query:
            sources = sources.filter(kind=query["kind"])
        if "q" in query:
            text = query["q"]
            sources = sources.filter(
                Q(title__icontains=text) | Q(identifier__icontains=text) | Q(subject__icontains=text)
            )
        return page_response(request, sources, serializer_class=SourceSerializer)


class SourceDetail(PublicSourceView):
    @extend_schema(operation_id="kb_sources_retrieve", responses=SourceSerializer)
    def get(self, request: Request, source_id: int) -> Response:
        """One source."""
        refuse_query(request)
        return Response(SourceSerializer(self.source(request, source_id)).data)


class SourceFile(PublicSourceView):
    @extend_schema(
        operation_id="kb_sources_file",
        responses={(200, "*/*"): OpenApiResponse(OpenApiTypes.BINARY, "The document as it was uploaded.")},
    )
    def get(self, request: Request, source_id: int) -> HttpResponseBase:
        """The document itself."""
        refuse_query(request)
        source = self.source(request, source_id)
        return file_response(request._request, key=source.file_key, filename=source.filename or "file")
