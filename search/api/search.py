"""POST /kb/search: passages for a query, within one topic or all that the caller may see."""

from __future__ import annotations

import time
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import body
from kb_project.api.throttles import SearchThrottle
from search.api.hits import Filters, HitSerializer, laid_out, scope_of
from search.expansion.expand import expand
from search.results import Mode
from search.retrieve import LONGEST_QUERY, MOST_RESULTS, retrieve
from topics.scoping import TopicFirst


class Search(TopicFirst, APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [SearchThrottle]

    class Input(Filters):
        query = serializers.CharField(max_length=LONGEST_QUERY)
        source_id = serializers.IntegerField(required=False, allow_null=True)
        limit = serializers.IntegerField(default=10, min_value=1, max_value=MOST_RESULTS)
        mode = serializers.ChoiceField([mode.value for mode in Mode], default=Mode.HYBRID.value)
        expand = serializers.BooleanField(default=True)

    class Output(serializers.Serializer[Any]):
        query = serializers.CharField()
        mode = serializers.ChoiceField([mode.value for mode in Mode])
        expanded = serializers.ListField(child=serializers.CharField())
        took_ms = serializers.FloatField(help_text="With the wait for other wordings of the query.")
        results = HitSerializer(many=True)

    @extend_schema(operation_id="kb_search", request=Input, responses=Output)
    def post(self, request: Request) -> Response:
        """The passages that answer the query best, cited sections first."""
        started = time.perf_counter()
        given = body(request, self.Input)
        scope = scope_of(given, topic=self.topic, request=request)
        topic_name = self.topic.name if self.topic else ""
        found = retrieve(
            given["query"],
            scope=scope,
            limit=given["limit"],
            mode=given["mode"],
            expansions=expand(given["query"], topic_name=topic_name) if given["expand"] else (),
            started=started,
        )
        return Response(
            {
                "query": found.query,
                "mode": found.mode,
                "expanded": found.expanded,
                "took_ms": found.took_ms,
                "results": [laid_out(hit) for hit in found.hits],
            }
        )
