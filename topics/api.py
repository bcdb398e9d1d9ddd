"""`GET /kb/topics`."""

from __future__ import annotations

from django.db.models import Count
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import query_params
from kb_project.api.throttles import PublicThrottle
from topics.models import Topic
from topics.scoping import visible_topics


class TopicSerializer(serializers.ModelSerializer):
    """The contract's Topic."""

    sources = serializers.IntegerField(source="source_count", help_text="How many documents the topic has.")

    class Meta:
        model = Topic
        fields = ["id", "name", "slug", "sources"]
        read_only_fields = fields


class TopicList(APIView):
    """The topics that the caller may search in."""

    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    @extend_schema(parameters=[PageQuery], responses=TopicSerializer(many=True))
    def get(self, request: Request) -> Response:
        query_params(request, PageQuery)
        # The reverse of a field of Source, named as a string: the app that defines it lies above this one.
        topics = visible_topics(request).annotate(source_count=Count("sources")).order_by("id")
        return page_response(request, topics, serializer_class=TopicSerializer)
