"""A hit as the API shows it, and the filters that search and ask have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from kb_project.api.strict import StrictSerializer
from kb_project.errors import Invalid
from labels.known import is_known
from search.results import Hit, Match
from search.scope import Scope
from sources.kinds import Kind
from topics.models import Topic
from topics.scoping import pinned_topic_id


class KindOrKinds(serializers.ListField):
    """One kind, or a list of kinds of which any suffices."""

    child = serializers.ChoiceField(Kind.choices)

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=len(Kind), **options)

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


class Filters(StrictSerializer):
    """The parameters that search and ask have in common, for `scope_of`."""

    topic_id = serializers.IntegerField(required=False, allow_null=True)
    label_id = serializers.IntegerField(required=False, allow_null=True)
    kind = KindOrKinds(required=False, allow_null=True)
    published_from = serializers.DateField(required=False, allow_null=True)
    published_to = serializers.DateField(required=False, allow_null=True)


def scope_of(given: Mapping[str, Any], *, topic: Topic | None, request: Request) -> Scope:
    """The scope that a validated body asks for, in the topic it is about. Raises Invalid for an unknown label.

    Unknown to a key that is pinned to a topic is every label that is not known there.
    """
    label_id, source_id = given.get("label_id"), given.get("source_id")
    if label_id is not None and not is_known(label_id, within=pinned_topic_id(request)):
        raise Invalid("There is no such label.", errors={"label_id": ["There is no such label."]})
    return Scope(
        topic_id=topic.pk if topic else None,
        label_ids=() if label_id is None else (label_id,),
        kinds=tuple(given.get("kind") or ()),
        source_ids=() if source_id is None else (source_id,),
        published_from=given.get("published_from"),
        published_to=given.get("published_to"),
    )


def laid_out(hit: Hit) -> dict[str, Any]:
    """A hit without what is only for callers inside the service; by hand, as a serializer costs more than a search."""
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
