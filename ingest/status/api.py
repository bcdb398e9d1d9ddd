"""Counts of sources, chunks, labels and jobs, from stored counters."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Count, Min, QuerySet, Sum
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingest.job_states import JobStatus, Stage
from ingest.models import Job
from kb_project.api.strict import StrictSerializer, query_params
from kb_project.database.rows import fetch
from kb_project.operations.integrity.run import summary
from kb_project.operations.probes import LastCheck
from search.models import EmbeddingSpace
from sources.kinds import SourceKind
from sources.models import Source
from topics.models import Topic
from topics.scoping import TopicFirst, limits, visible_topics

INDEX_TABLES = {"chunks": "kb_chunk", "terms": "kb_posting", "embeddings": "kb_chunk_embedding"}


def topic_stats(topics: Collection[Topic]) -> list[dict[str, Any]]:
    """`{topic_id, slug, name, sources, sources_by_kind, chunks, labels, jobs}` for each topic, in their order."""
    ids = [topic.pk for topic in topics]
    kinds: dict[int, dict[str, int]] = defaultdict(lambda: dict.fromkeys(SourceKind.values, 0))
    chunks: dict[int, int] = defaultdict(int)
    sources = Source.objects.filter(topic_id__in=ids).order_by().values_list("topic_id", "kind")
    for topic_id, kind, count, held in sources.annotate(Count("pk"), Sum("chunk_count")):
        kinds[topic_id][kind] = count
        chunks[topic_id] += held
    jobs = _job_counts(Job.objects.filter(topic_id__in=ids))
    labels = _labels_in_use(ids)
    return [
        {
            "topic_id": topic.pk,
            "slug": topic.slug,
            "name": topic.name,
            "sources": sum(kinds[topic.pk].values()),
            "sources_by_kind": kinds[topic.pk],
            "chunks": chunks[topic.pk],
            "labels": labels.get(topic.pk, 0),
            "jobs": jobs[topic.pk],
        }
        for topic in topics
    ]


def queue_stats(topics: Collection[Topic]) -> dict[str, Any]:
    """How many jobs wait for a worker and for a person, and how many seconds ago the oldest of each was taken in."""
    jobs = Job.objects.filter(topic_id__in=[topic.pk for topic in topics])
    found: dict[str, Any] = {}
    for name, status in (("queued", JobStatus.QUEUED), ("awaiting_review", JobStatus.AWAITING_REVIEW)):
        count, oldest = jobs.filter(status=status).aggregate(n=Count("pk"), oldest=Min("created_at")).values()
        found |= {name: count, f"oldest_{name}_at": oldest, f"oldest_{name}_age_s": _age(oldest)}
    return found


def _job_counts(jobs: QuerySet[Job]) -> dict[int, dict[str, int]]:
    counts: dict[int, dict[str, int]] = defaultdict(lambda: dict.fromkeys([*JobStatus.values, *Stage.values], 0))
    for topic_id, status, stage, count in (
        jobs.order_by().values_list("topic_id", "status", "processing_stage").annotate(Count("pk"))
    ):
        counts[topic_id][status] += count
        if stage:
            counts[topic_id][stage] += count
    return counts


def _labels_in_use(topic_ids: list[int]) -> dict[int, int]:
    """How many labels the sources of each topic carry. Pairs first, as counting distinct values would sort them all."""
    statement = """
        SELECT topic_id, count(*) FROM (
            SELECT DISTINCT s.topic_id, l.label_id
            FROM kb_source_label l JOIN kb_source s ON s.id = l.source_id WHERE s.topic_id = ANY(%s::bigint[])
        ) AS pairs GROUP BY topic_id
    """
    return dict(fetch(statement, [topic_ids]))


def _age(since: datetime | None) -> float | None:
    return None if since is None else max(0.0, (timezone.now() - since).total_seconds())


def _sizes() -> dict[str, int]:
    """Bytes of tables with their indexes, which may be more than a topic's own."""
    columns = ", ".join(f"pg_total_relation_size('{table}')" for table in INDEX_TABLES.values())
    [of_each] = fetch(f"SELECT {columns}", ())
    sizes = dict(zip(INDEX_TABLES, of_each, strict=True))
    return {**sizes, "total": sum(sizes.values())}


KindCounts = type(
    "KindCounts", (serializers.Serializer,), {kind.value: serializers.IntegerField() for kind in SourceKind}
)


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
    """Ages are seconds since the job was taken in. Null when there is none."""

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
        allow_null=True, help_text="Of the whole index, whatever the topic; null for who does not see all."
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
        """Sources, chunks, labels and jobs by topic. The queue. The index. The latest integrity run."""
        query_params(request, self.Query)
        topics = list(visible_topics(request)) if self.topic is None else [self.topic]
        by_topic = topic_stats(topics)
        answer = {
            "topics": by_topic,
            "totals": _totals(by_topic),
            "queue": queue_stats(topics),
            "index": {
                "embedding_space": EmbeddingSpace.objects.filter(active=True).first(),
                "size_bytes": _sizes() if limits(request) is None else None,
            },
            "integrity": summary(),
        }
        return Response(self.Output(answer).data)


def _totals(by_topic: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        "sources": sum(topic["sources"] for topic in by_topic),
        "sources_by_kind": {
            kind: sum(topic["sources_by_kind"][kind] for topic in by_topic) for kind in SourceKind.values
        },
        "chunks": sum(topic["chunks"] for topic in by_topic),
        "jobs": {name: sum(topic["jobs"][name] for topic in by_topic) for name in (*JobStatus.values, *Stage.values)},
    }
