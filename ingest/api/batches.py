"""The admin paths of a batch: take many files in, read it, decide its jobs, and look at their pages."""

from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from extraction import isolation
from extraction.formats import NAMES
from ingest.api.jobs import JobView
from ingest.api.serializers import BatchSerializer, JobSerializer, TakenInSerializer, Undated, VersionOf, parameters
from ingest.decide.commit import REPLACE, commit
from ingest.decide.discard import discard
from ingest.decide.reopen import reopen
from ingest.decide.retry import classify_again
from ingest.decisions import MAX_LABELS, Decision, LabelChoice
from ingest.intake.batches import MAX_BATCH_NAME_LENGTH, UNCONFIRMED_KIND, create_batch, read_batch, topic_of
from kb_project.api.openapi import problems
from kb_project.api.strict import StrictSerializer, body, forbid_body, forbid_query, query_params
from kb_project.database.standbys.reading import only_reads
from kb_project.errors import Invalid, PermissionDenied
from kb_project.web.request_body import takes_files
from law.words.slugs import MAX_NAME_LENGTH
from sources.files.page_pictures import WIDTH, WIDTHS, page_picture
from sources.kinds import SourceKind
from topics.scoping import limits, may, require_topic


@takes_files("KB_MAX_BATCH_MB")
class BatchUpload(JobView):
    needs = {"POST": "ingest.add_job"}
    parser_classes = [MultiPartParser]

    class Input(StrictSerializer):
        files = serializers.ListField(
            child=serializers.FileField(allow_empty_file=True),
            allow_empty=False,
            max_length=settings.DATA_UPLOAD_MAX_NUMBER_FILES,
            help_text=f"Repeated. {NAMES}.",
        )
        topic_id = serializers.IntegerField(
            required=False, help_text="1 when it is missing, or the topic of the batch that is named."
        )
        kind = serializers.ChoiceField(
            SourceKind.choices, default=UNCONFIRMED_KIND, help_text="Only where the files lie until it is confirmed."
        )
        batch_id = serializers.UUIDField(required=False, help_text="To add to a batch.")
        name = serializers.CharField(
            required=False,
            max_length=MAX_BATCH_NAME_LENGTH,
            help_text="What people call the batch; it takes the place of another.",
        )

    @extend_schema(
        operation_id="admin_kb_upload_batch",
        request={"multipart/form-data": Input},
        responses={202: TakenInSerializer, **problems(404)},
    )
    def post(self, request: Request) -> Response:
        """Take in many files, each to be classified and then confirmed or discarded by a person.

        Every file in an archive, everything that is attached to a message, and every readable file inside of a PDF
        becomes a job of its own, which says what it was in (`part_of`). Nothing of an archive comes in that is
        encrypted, damaged, too large when unpacked or names places outside of itself. A file that is refused is named
        in `rejected` and keeps no other from coming in. When all are refused, the answer is 400 with `rejected`. A file
        whose bytes the topic has already comes in and says of what it is a duplicate.

        A classifier that fails leaves a job in `awaiting_review` with empty `ai_suggestions`, and
        `classification_error` says why. A file that cannot be read takes its job from `processing` (stage
        `classifying`) to `failed` with the code in `error`: nobody could review it, and after a commit it would fail
        for the same reason.
        """
        only_reads()  # what searches find changes with the jobs
        given = body(request, self.Input)
        topic_id, batch_id = given.get("topic_id"), given.get("batch_id")
        if batch_id is not None:
            batch_topic_id = topic_of(batch_id, jobs=self.jobs(request))
            if topic_id not in (None, batch_topic_id):
                sentence = "The batch belongs to another topic."
                raise Invalid(sentence, errors={"batch_id": [sentence]})
            topic_id = batch_topic_id
        taken = create_batch(
            ((uploaded.name or "", uploaded.chunks()) for uploaded in given["files"]),
            topic=require_topic(request, topic_id),
            kind=given["kind"],
            batch_id=batch_id,
            name=given.get("name", ""),
            by=request.user.get_username(),
        )
        isolation.warm_up()  # whoever takes in a batch, or reads one, is about to look at pages
        return Response(TakenInSerializer(taken).data, status=status.HTTP_202_ACCEPTED)


class BatchDetail(JobView):
    @extend_schema(operation_id="admin_kb_batch_retrieve", responses=BatchSerializer)
    def get(self, request: Request, batch_id: UUID) -> Response:
        """All jobs of a batch."""
        forbid_query(request)
        batch = read_batch(batch_id, jobs=self.jobs(request))
        isolation.warm_up()
        return Response(BatchSerializer(batch, context={"request": request}).data)


class JobCommit(JobView):
    class Input(StrictSerializer):
        class Label(StrictSerializer):
            slug = serializers.CharField(
                required=False, max_length=200, help_text="Of an existing label, or its alias."
            )
            name = serializers.CharField(required=False, max_length=MAX_NAME_LENGTH, help_text="Of a new label.")

            def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
                if len(attrs) != 1:
                    raise serializers.ValidationError("Give either the slug or the name.")
                return attrs

        labels = serializers.ListField(child=Label(), default=list, max_length=MAX_LABELS)
        allow_duplicate = serializers.BooleanField(
            default=True,
            help_text="False: refuse with 409 `duplicate_document` while another has the same bytes (`duplicate_of`).",
        )
        allow_similar = serializers.BooleanField(
            default=True,
            help_text="False: refuse with 409 `similar_document` while another is nearly the same (`similar_to`).",
        )
        replaces = serializers.IntegerField(
            required=False,
            allow_null=True,
            help_text="The source that becomes this document. It keeps its id, and its labels if none are given. "
            "Needs the right to delete sources.",
        )

        version_of = VersionOf()
        undated = Undated()

        def get_fields(self) -> dict[str, serializers.Field]:
            return parameters(needs_title=True, as_proposed=True) | super().get_fields()

    @extend_schema(operation_id="admin_kb_jobs_commit", request=Input, responses={202: JobSerializer, **problems(409)})
    def post(self, request: Request, job_id: UUID) -> Response:
        """Confirm what a document is: it goes on to become a source that search finds.

        A reopened document that is a source already is `done` at once: the source is edited as given.
        """
        given = body(request, self.Input)
        replaces = given.get("replaces")
        labels = tuple(LabelChoice(**label) for label in given["labels"])
        job = self.job(request, job_id)
        if replaces is not None and not may(request, REPLACE, topic_id=job.topic_id):
            raise PermissionDenied("Replacing a source needs the right to delete it.")
        # Who does not speak of aliases leaves them: those of the source, or what was proposed.
        given.setdefault("aliases", job.source.aliases if job.source else (job.ai_suggestions or {}).get("aliases"))
        job = commit(
            job.pk,
            Decision.of(
                given,
                labels=labels,
                replaces=replaces,
                version_of=given.get("version_of"),
                undated=given["undated"],
            ),
            by=request.user.get_username(),
            allow_duplicate=given["allow_duplicate"],
            allow_similar=given["allow_similar"],
            labels_within=limits(request),
        )
        return Response(JobSerializer(job, context={"request": request}).data, status=status.HTTP_202_ACCEPTED)


class JobClassify(JobView):
    @extend_schema(operation_id="admin_kb_jobs_classify", request=None, responses={202: JobSerializer, **problems(409)})
    def post(self, request: Request, job_id: UUID) -> Response:
        """Classify a document again that awaits review.

        Until there is another proposal, the job keeps the one that it has. If the classifier fails,
        `classification_error` says why. A job that is being classified or is decided is refused with 409.
        """
        forbid_body(request)
        job = classify_again(self.job(request, job_id).pk, by=request.user.get_username())
        return Response(JobSerializer(job, context={"request": request}).data, status=status.HTTP_202_ACCEPTED)


class JobDiscard(JobView):
    @extend_schema(operation_id="admin_kb_jobs_discard", request=None, responses={200: JobSerializer, **problems(409)})
    def post(self, request: Request, job_id: UUID) -> Response:
        """Take a document out before it becomes a source: the job fails with `discarded` and its file is deleted."""
        forbid_body(request)
        job = discard(self.job(request, job_id).pk, by=request.user.get_username())
        return Response(JobSerializer(job, context={"request": request}).data)


class JobReopen(JobView):
    @extend_schema(operation_id="admin_kb_jobs_reopen", request=None, responses={202: JobSerializer, **problems(409)})
    def post(self, request: Request, job_id: UUID) -> Response:
        """Take the decision about a document back: it awaits review again.

        Before its source is made, nothing of it is searchable. After that the source stays as it is, named by
        `source_id`, until the job is committed anew, which edits it. Only files of a batch can be reopened. What was
        discarded on a screen can be for ten minutes. Without a proposal it is queued again.
        """
        forbid_body(request)
        job = reopen(self.job(request, job_id).pk, by=request.user.get_username())
        return Response(JobSerializer(job, context={"request": request}).data, status=status.HTTP_202_ACCEPTED)


class JobPage(JobView):
    class Query(StrictSerializer):
        width = serializers.ChoiceField(WIDTHS, default=WIDTH, help_text="Of the picture, in pixels.")

    @extend_schema(
        operation_id="admin_kb_jobs_page",
        parameters=[Query],
        responses={(200, "image/png"): OpenApiResponse(OpenApiTypes.BINARY, "The page.")},
    )
    def get(self, request: Request, job_id: UUID, number: int) -> HttpResponse:
        """A page of a PDF, counted from 1, as a picture. The header `X-Pages` says how many there are."""
        width = query_params(request, self.Query)["width"]
        job = self.job(request, job_id)
        picture = page_picture(
            job.stored_key, filename=job.filename, digest=job.content_sha256, number=number, width=width
        )
        headers = {
            "X-Pages": str(picture.pages),
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "private, max-age=3600",
        }
        return HttpResponse(picture.png, content_type="image/png", headers=headers)
