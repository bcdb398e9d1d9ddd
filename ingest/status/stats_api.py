"""`GET /admin/kb/stats`: how much there is, how long the queue is, how large the index, whether all is in order."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingest.jobs.states import Stage, Status
from ingest.status.stats import index_stats, queue_stats, topic_stats
from kb_project.api.strict import StrictSerializer, query_params
from kb_project.integrity.run import summary
from kb_project.observability.health import LastCheck
from sources.kinds import Kind
from topics.scoping import TopicFirst, pinned_topic_id, visible_topics

KindCounts = type("KindCounts", (serializers.Serializer,), {kind.value: serializers.IntegerField() for kind in Kind})


class JobCounts(serializers.Serializer[Any]):
    queued = serializers.IntegerField()
    processing = serializers.IntegerField()
    classifying = serializers.IntegerField(help_text="Of those that are processing.")
    embedding = serializers.IntegerField(help_text="Of those that are processing.")
    awaiting_review = serializers.IntegerField()
    done = serializers.IntegerField()
    failed = serializers.IntegerField()


class Totals(serializers.Serializer[Any]):
    sources = serializers.IntegerField()
    sources_by_kind = KindCounts()
    chunks = serializers.IntegerField()
    jobs = JobCounts()


class TopicStats(Totals):
    topic_id = serializers.IntegerField()
    slug = serializers.CharField()
    name = serializers.CharField()
    labels = serializers.IntegerField(help_text="Labels that some source of the topic carries.")


class QueueStats(serializers.Serializer[Any]):
    """Ages are seconds since the job was taken in; null when there is none."""

    queued = serializers.IntegerField(help_text="Jobs that wait for a worker.")
    oldest_queued_at = serializers.DateTimeField(allow_null=True)
    oldest_queued_age_s = serializers.FloatField(allow_null=True)
    awaiting_review = serializers.IntegerField(help_text="Jobs that wait for a person.")
    oldest_awaiting_review_at = serializers.DateTimeField(allow_null=True)
    oldest_awaiting_review_age_s = serializers.FloatField(allow_null=True)


class IndexSize(serializers.Serializer[Any]):
    """Bytes on disk, indexes included."""

    chunks = serializers.IntegerField()
    terms = serializers.IntegerField()
    embeddings = serializers.IntegerField()
    total = serializers.IntegerField()


class Space(serializers.Serializer[Any]):
    provider = serializers.CharField()
    model = serializers.CharField()
    dimension = serializers.IntegerField()
    created_at = serializers.DateTimeField()


class IndexStats(serializers.Serializer[Any]):
    embedding_space = Space(allow_null=True, help_text="Null until something was indexed.")
    size_bytes = IndexSize(
        allow_null=True, help_text="Of the whole index, whatever the topic; null for a key that is pinned to one."
    )


class Stats(TopicFirst, APIView):
    needs = {"GET": "ingest.view_job"}

    class Query(StrictSerializer):
        topic_id = serializers.IntegerField(required=False, help_text="Only this topic.")

    class Output(serializers.Serializer[Any]):
        topics = TopicStats(many=True)
        totals = Totals(help_text="Of the topics above.")
        queue = QueueStats(help_text="In the topics above.")
        index = IndexStats()
        integrity = LastCheck(allow_null=True, help_text="The latest run of all integrity checks, over all topics.")

    @extend_schema(operation_id="admin_kb_stats", parameters=[Query], responses=Output)
    def get(self, request: Request) -> Response:
        """Sources, chunks, labels and jobs by topic; the queue; the index; the latest integrity run."""
        query_params(request, self.Query)
        topics = list(visible_topics(request)) if self.topic is None else [self.topic]
        by_topic = topic_stats(topics)
        answer = {
            "topics": by_topic,
            "totals": _totals(by_topic),
            "queue": queue_stats(topics),
            "index": index_stats(topics, with_size=pinned_topic_id(request) is None),
            "integrity": summary(),
        }
        return Response(self.Output(answer).data)


def _totals(by_topic: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "sources": sum(topic["sources"] for topic in by_topic),
        "sources_by_kind": {kind: sum(topic["sources_by_kind"][kind] for topic in by_topic) for kind in Kind.values},
        "chunks": sum(topic["chunks"] for topic in by_topic),
        "jobs": {name: sum(topic["jobs"][name] for topic in by_topic) for name in (*Status.values, *Stage.values)},
    }
