"""The job as the API shows it."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ingest.models import Job, JobEvent
from ingest.states import Stage, Status
from sources.kinds import Kind


class ErrorSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    message = serializers.CharField()


class ProgressSerializer(serializers.Serializer[Any]):
    stage = serializers.CharField(help_text="`reading` counts pages, `indexing` counts chunks.")
    done = serializers.IntegerField()
    total = serializers.IntegerField(allow_null=True)


class DuplicateSerializer(serializers.Serializer[Any]):
    source_id = serializers.IntegerField(required=False)
    job_id = serializers.UUIDField(required=False)


class JobSerializer(serializers.ModelSerializer[Job]):
    topic_id = serializers.IntegerField()
    kind = serializers.ChoiceField(Kind.choices)
    status = serializers.ChoiceField(Status.choices)
    processing_stage = serializers.ChoiceField(Stage.choices, allow_null=True)
    ai_suggestions = serializers.DictField()
    confirmed = serializers.DictField(allow_null=True)
    warnings = serializers.ListField(child=serializers.CharField())
    source_id = serializers.IntegerField(allow_null=True)
    duplicate_of = DuplicateSerializer(allow_null=True)
    error = serializers.SerializerMethodField()
    progress = serializers.SerializerMethodField()

    class Meta:
        model = Job
        fields = [
            "id",
            "batch_id",
            "topic_id",
            "kind",
            "status",
            "processing_stage",
            "filename",
            "size",
            "created_at",
            "started_at",
            "finished_at",
            "attempts",
            "ai_suggestions",
            "confirmed",
            "warnings",
            "source_id",
            "duplicate_of",
            "error",
            "progress",
        ]

    @extend_schema_field(ErrorSerializer(allow_null=True))
    def get_error(self, job: Job) -> dict[str, str] | None:
        return {"code": job.error_code, "message": job.error_message} if job.error_code else None

    @extend_schema_field(ProgressSerializer(allow_null=True))
    def get_progress(self, job: Job) -> dict[str, Any] | None:
        return job.progress


# `from` is a word of Python, so this serializer cannot be written as a class body.
EventSerializer = type(
    "EventSerializer",
    (serializers.ModelSerializer,),
    {
        "__doc__": "One move of a job.",
        "from": serializers.CharField(source="from_state"),
        "to": serializers.CharField(source="to_state"),
        "Meta": type("Meta", (), {"model": JobEvent, "fields": ["at", "from", "to", "by", "why"]}),
    },
)


class JobDetailSerializer(JobSerializer):
    events = EventSerializer(many=True)

    class Meta(JobSerializer.Meta):
        fields = [*JobSerializer.Meta.fields, "events"]


class QueuedSerializer(serializers.Serializer[Any]):
    job_id = serializers.UUIDField()
    status = serializers.ChoiceField(Status.choices)
