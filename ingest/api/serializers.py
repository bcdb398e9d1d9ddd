"""The job as the API shows it."""

from typing import Any, cast

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from ingest.job_states import JobStatus, Stage
from ingest.models import Job, JobEvent
from ingest.similar.naming import COMPARED, TEXT, similar_to
from labels.serializers import LostSerializer, NumberingSerializer
from labels.topic_labels import slugs_known
from sources.fields import FIELDS, MAX_NAMES, DocumentField, FieldType
from sources.files.storage import Area
from sources.kinds import SourceKind
from topics.scoping import limits

NAMES_HELP = "What it is cited by besides its title and identifier: short titles, chapters, parts of collections."


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


class PartOfSerializer(serializers.Serializer[Any]):
    """What a file was in."""

    filename = serializers.CharField(help_text="The path of the archive and the folder in it, or the message.")
    job_id = serializers.UUIDField(allow_null=True, help_text="The job of the message that the file was attached to.")


class SimilarSerializer(DuplicateSerializer):
    title = serializers.CharField()
    similarity = serializers.FloatField(help_text="From 0 to 1, of what the two begin with.")
    differs = serializers.ListField(
        child=serializers.ChoiceField(["title", *COMPARED, TEXT]),
        help_text="Fields that both have and that are not the same, and `text`.",
    )


class JobSerializer(serializers.ModelSerializer[Job]):
    """A job. Who does not see all topics is proposed no label that is known in none of theirs."""

    # Needs the request in its context.
    topic_id = serializers.IntegerField()
    kind = serializers.ChoiceField(SourceKind.choices)
    status = serializers.ChoiceField(JobStatus.choices)
    processing_stage = serializers.ChoiceField(Stage.choices, allow_null=True)
    ai_suggestions = serializers.SerializerMethodField()
    confirmed = serializers.DictField(allow_null=True)
    warnings = serializers.ListField(child=serializers.CharField())
    unread_pages = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Whose text is not read: from `awaiting_review` as a quick look tells, from `done` as reading told.",
    )
    numbering = NumberingSerializer(
        allow_null=True, help_text="As of a source; in `awaiting_review` of the pages that were read for the proposal."
    )
    lost = LostSerializer(many=True, help_text="What the reader saw and did not pass on, of the pages read so far.")
    source_id = serializers.IntegerField(allow_null=True)
    reindex = serializers.BooleanField(help_text="Whether it indexes again what `source_id` has.")
    duplicate_of = DuplicateSerializer(allow_null=True)
    part_of = PartOfSerializer(allow_null=True)
    similar_to = serializers.SerializerMethodField()
    error = serializers.SerializerMethodField()
    classification_error = serializers.SerializerMethodField(
        help_text="In `awaiting_review`: why nothing is proposed, or not by the first classifier."
    )
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
            "unread_pages",
            "numbering",
            "lost",
            "source_id",
            "reindex",
            "duplicate_of",
            "part_of",
            "similar_to",
            "error",
            "classification_error",
            "progress",
        ]

    @extend_schema_field(serializers.DictField())
    def get_ai_suggestions(self, job: Job) -> dict[str, Any]:
        suggestions: dict[str, Any] = job.ai_suggestions
        within = limits(self.context["request"])
        if within is None or not suggestions.get("labels"):
            return suggestions
        # The context is one for all the jobs of an answer, so the labels are read once.
        answer = cast("dict[str, Any]", self.context)
        if "slugs_known" not in answer:
            answer["slugs_known"] = slugs_known(within)
        known: set[str] = answer["slugs_known"]
        shown = [label for label in suggestions["labels"] if not label.get("existing", True) or label["slug"] in known]
        return {**suggestions, "labels": shown}

    @extend_schema_field(SimilarSerializer(many=True))
    def get_similar_to(self, job: Job) -> list[dict[str, Any]]:
        return [one.as_json() for one in similar_to(job)]

    @extend_schema_field(ErrorSerializer(allow_null=True))
    def get_error(self, job: Job) -> dict[str, str] | None:
        return None if job.status == JobStatus.AWAITING_REVIEW else _error_of(job)

    @extend_schema_field(ErrorSerializer(allow_null=True))
    def get_classification_error(self, job: Job) -> dict[str, str] | None:
        return _error_of(job) if job.status == JobStatus.AWAITING_REVIEW else None

    @extend_schema_field(ProgressSerializer(allow_null=True))
    def get_progress(self, job: Job) -> dict[str, Any] | None:
        return job.progress


def _error_of(job: Job) -> dict[str, str] | None:
    return {"code": job.error_code, "message": job.error_message} if job.error_code else None


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


class TakenInJobSerializer(serializers.ModelSerializer[Job]):
    job_id = serializers.UUIDField(source="id")
    status = serializers.ChoiceField(JobStatus.choices)
    duplicate_of = DuplicateSerializer(allow_null=True)
    part_of = PartOfSerializer(allow_null=True)

    class Meta:
        model = Job
        fields = ["job_id", "filename", "status", "duplicate_of", "part_of"]


class RejectedSerializer(serializers.Serializer[Any]):
    filename = serializers.CharField()
    code = serializers.CharField(
        help_text="`unsupported_type`, `too_large`, of archives also `encrypted`, `corrupt` and `empty`, or"
        " `unavailable`: then send it again."
    )
    detail = serializers.CharField()


class TakenInSerializer(serializers.Serializer[Any]):
    batch_id = serializers.UUIDField()
    jobs = TakenInJobSerializer(many=True)
    rejected = RejectedSerializer(many=True)


class BatchSerializer(serializers.Serializer[Any]):
    batch_id = serializers.UUIDField()
    name = serializers.CharField(help_text="What people call it; empty when nobody has named it.")
    topic_id = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="Every status, with how many jobs.")
    jobs = JobSerializer(many=True, help_text="All of them, in the order in which they came.")


class StoredFileSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    size = serializers.IntegerField()
    modified_at = serializers.DateTimeField()


class AreaSerializer(serializers.Serializer[Any]):
    area = serializers.ChoiceField([area.value for area in Area])
    kinds = serializers.DictField(child=StoredFileSerializer(many=True), help_text="Every kind, with its files.")


class ScanQueuedSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    kind = serializers.ChoiceField(SourceKind.choices)
    job_id = serializers.UUIDField(allow_null=True, help_text="Null in a dry run.")


class ScanSkippedSerializer(serializers.Serializer[Any]):
    key = serializers.CharField()
    code = serializers.CharField()
    reason = serializers.CharField()


class ScanSerializer(serializers.Serializer[Any]):
    queued = ScanQueuedSerializer(many=True)
    skipped = ScanSkippedSerializer(many=True)


class QueuedSerializer(serializers.Serializer[Any]):
    job_id = serializers.UUIDField()
    status = serializers.ChoiceField(JobStatus.choices)


class VersionOf(serializers.IntegerField):
    """The source whose work a document is another version of."""

    def __init__(self) -> None:
        super().__init__(
            required=False,
            allow_null=True,
            help_text="A source of the topic: the document becomes another version of its work, from `valid_from` on."
            " The version before it ends there. Where another one is in force on its days: 409 `version_overlap`."
            " Without any day: 400 `day_required`, unless `undated` is true.",
        )


class Undated(serializers.BooleanField):
    """That no day of a version is known."""

    def __init__(self) -> None:
        super().__init__(default=False, help_text="No day on which the version is in force is known.")


def parameters(
    *, by_column: bool = False, needs_title: bool = False, as_proposed: bool = False, defaults: bool = True
) -> dict[str, serializers.Field]:
    """A serializer field for each field of a document, by name or by column.

    What is not required has the default `""`, or None for a date. Without `defaults`, as in a PATCH, what is missing
    stays missing. `as_proposed` takes the values of `ai_suggestions` as they are: null for an empty text. Missing
    names are then those of the proposal.
    """
    return {
        field.column if by_column else field.name: _parameter(
            field, required=needs_title and bool(field.required), as_proposed=as_proposed, defaults=defaults
        )
        for field in FIELDS
    }


def _parameter(field: DocumentField, *, required: bool, as_proposed: bool, defaults: bool) -> serializers.Field:
    options: dict[str, Any]
    if field.type is FieldType.KIND:
        return serializers.ChoiceField(SourceKind.choices)
    if field.type is FieldType.NAMES:
        name = serializers.CharField(max_length=field.longest)
        options = {"default": list} if defaults and not as_proposed else {"required": False}
        return serializers.ListField(child=name, max_length=MAX_NAMES, help_text=NAMES_HELP, **options)
    options = {"default": field.empty} if defaults and not required else {}
    if field.type is FieldType.DATE:
        return serializers.DateField(allow_null=True, **options)
    if as_proposed and field.multiline:
        options |= {"trim_whitespace": False, "help_text": f"Becomes the {field.column} of the source, as given."}
    return serializers.CharField(
        max_length=field.longest, allow_blank=not required, allow_null=as_proposed and not required, **options
    )
