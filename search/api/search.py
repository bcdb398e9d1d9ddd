"""POST /kb/search: passages for a query, within one topic or all that the caller may see."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import StrictSerializer, body
from kb_project.api.throttles import PublicThrottle, SearchThrottle
from kb_project.errors import Invalid
from labels.models import Label
from search.results import Match, Mode
from search.retrieve import LONGEST_QUERY, MOST_RESULTS, Hit, Scope, retrieve
from sources.kinds import Kind
from topics.scoping import TopicFirst


class KindOrKinds(serializers.ListField):
    """One kind, or a list of kinds of which any suffices."""

    child = serializers.ChoiceField(Kind.choices)

    def to_internal_value(self, data: Any) -> list[str]:
        return super().to_internal_value([data] if isinstance(data, str) else data)


class LabelCardSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    slug = serializers.CharField()
    name = serializers.CharField()


class SourceCardSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    topic_id = serializers.IntegerField()
    kind = serializers.ChoiceField(Kind.choices)
    title = serializers.CharField()
    identifier = serializers.CharField()
    published_at = serializers.DateField(allow_null=True)
    labels = LabelCardSerializer(many=True)


class HitSerializer(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    score = serializers.FloatField()
    match = serializers.ChoiceField([match.value for match in Match])
    chunk_id = serializers.IntegerField()
    text = serializers.CharField()
    highlights = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2),
        help_text="Character ranges of `text` that hold words of the query.",
    )
    page = serializers.IntegerField(allow_null=True)
    section = serializers.CharField()
    heading = serializers.CharField()
    path = serializers.ListField(child=serializers.CharField())
    source = SourceCardSerializer()  # type: ignore[assignment]  # the contract's name is also an argument of Field


class Search(TopicFirst, APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle, SearchThrottle]

    class Input(StrictSerializer):
        query = serializers.CharField(max_length=LONGEST_QUERY)
        topic_id = serializers.IntegerField(required=False, allow_null=True)
        label_id = serializers.IntegerField(required=False, allow_null=True)
        kind = KindOrKinds(required=False, allow_null=True)
        source_id = serializers.IntegerField(required=False, allow_null=True)
        published_from = serializers.DateField(required=False, allow_null=True)
        published_to = serializers.DateField(required=False, allow_null=True)
        limit = serializers.IntegerField(default=10, min_value=1, max_value=MOST_RESULTS)
        mode = serializers.ChoiceField([mode.value for mode in Mode], default=Mode.HYBRID.value)
        expand = serializers.BooleanField(default=True)

    class Output(serializers.Serializer[Any]):
        query = serializers.CharField()
        mode = serializers.ChoiceField([mode.value for mode in Mode])
        expanded = serializers.ListField(child=serializers.CharField())
        took_ms = serializers.FloatField()
        results = HitSerializer(many=True)

    @extend_schema(operation_id="kb_search", request=Input, responses=Output)
    def post(self, request: Request) -> Response:
        """The passages that answer the query best, cited sections first."""
        given = body(request, self.Input)
        label_id, source_id = given.get("label_id"), given.get("source_id")
        if label_id is not None and not Label.objects.filter(pk=label_id).exists():
            raise Invalid("There is no such label.", errors={"label_id": ["There is no such label."]})
        found = retrieve(
            given["query"],
            scope=Scope(
                topic_id=self.topic.pk if self.topic else None,
                label_ids=() if label_id is None else (label_id,),
                kinds=tuple(given.get("kind") or ()),
                source_ids=() if source_id is None else (source_id,),
                published_from=given.get("published_from"),
                published_to=given.get("published_to"),
            ),
            limit=given["limit"],
            mode=given["mode"],
        )
        return Response(
            {
                "query": found.query,
                "mode": found.mode,
                "expanded": found.expanded,
                "took_ms": found.took_ms,
                # Laid out by hand: a serializer would cost more than the search.
                "results": [_laid_out(hit) for hit in found.hits],
            }
        )


def _laid_out(hit: Hit) -> dict[str, Any]:
    """A hit without what is only for callers inside the service."""
    source = hit.source
    return {
        "rank": hit.rank,
        "score": hit.score,
        "match": hit.match,
        "chunk_id": hit.chunk_id,
        "text": hit.text,
        "highlights": hit.highlights,
        "page": hit.page,
        "section": hit.section,
        "heading": hit.heading,
        "path": hit.path,
        "source": {
            "id": source.id,
            "topic_id": source.topic_id,
            "kind": source.kind,
            "title": source.title,
            "identifier": source.identifier,
            "published_at": source.published_at,
            "labels": [{"id": label.id, "slug": label.slug, "name": label.name} for label in source.labels],
        },
    }
