"""The admin paths of ingest: upload one file, scan the inbox, list the file store, list, read and retry jobs."""

from uuid import UUID

from django.core.files.uploadedfile import UploadedFile
from django.db.models import QuerySet
from django.http.response import HttpResponseBase
from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from extraction.formats import NAMES
from ingest.api.serializers import (
    AreaSerializer,
    JobDetailSerializer,
    JobSerializer,
    QueuedSerializer,
    ScanSerializer,
    Undated,
    VersionOf,
    parameters,
)
from ingest.decide.retry import retry
from ingest.decisions import MAX_LABELS
from ingest.intake.scan import scan_inbox
from ingest.intake.unpack import raise_if_several
from ingest.intake.upload import Metadata, accept_upload, receive
from ingest.job_states import JobStatus
from ingest.models import Job
from kb_project.api.openapi import problems
from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.strict import StrictSerializer, body, forbid_body, forbid_query, query_params
from kb_project.database.standbys.reading import only_reads
from kb_project.errors import NotFound
from kb_project.web.request_body import takes_files
from law.words.slugs import MAX_NAME_LENGTH
from sources.files.listing import files_by_kind
from sources.files.serving import described, file_response
from sources.files.storage import Area
from sources.kinds import SourceKind
from topics.models import INITIAL_TOPIC_ID
from topics.scoping import TopicFirst, limits, require_topic, topics_to_choose, within_topics


@takes_files("KB_MAX_UPLOAD_MB")
class Upload(APIView):
    needs = {"POST": "ingest.add_job"}
    parser_classes = [MultiPartParser]

    class Input(StrictSerializer):
        file = serializers.FileField(
            allow_empty_file=True, max_length=1000, help_text=f"{NAMES}, but nothing that holds several documents."
        )
        topic_id = serializers.IntegerField(default=INITIAL_TOPIC_ID)
        labels = serializers.ListField(
            child=serializers.CharField(max_length=MAX_NAME_LENGTH),
            default=list,
            max_length=MAX_LABELS,
            help_text="Repeated: the slug of a label, or the name of a new one.",
        )
        allow_duplicate = serializers.BooleanField(default=False)
        version_of = VersionOf()
        undated = Undated()

        def get_fields(self) -> dict[str, serializers.Field]:
            return parameters(by_column=True) | super().get_fields()

    @extend_schema(
        operation_id="admin_kb_upload",
        request={"multipart/form-data": Input},
        responses={202: QueuedSerializer, **problems(409)},
    )
    def post(self, request: Request) -> Response:
        """Take in one file with the metadata given: it is read, cut into chunks and made searchable.

        An archive, or a message with attachments, is several documents: 415. The upload of batches takes them.
        A PDF comes in by itself, and is told which files in it do not. A file that shows at once that it cannot be
        read is refused with 400: `empty`, `corrupt` or `encrypted`.
        """
        only_reads()  # what searches find changes with the job
        given = body(request, self.Input)
        topic = require_topic(request, given["topic_id"] if "topic_id" in request.data else None)
        uploaded: UploadedFile = given["file"]
        with receive(uploaded.chunks(), filename=uploaded.name or "") as received:
            raise_if_several(received)
            job = accept_upload(
                received,
                topic=topic,
                kind=given["kind"],
                metadata=Metadata.of_columns(
                    given,
                    labels=tuple(given["labels"]),
                    version_of=given.get("version_of"),
                    undated=given["undated"],
                ),
                by=request.user.get_username(),
                allow_duplicate=given["allow_duplicate"],
            )
        return Response({"job_id": job.pk, "status": job.status}, status=status.HTTP_202_ACCEPTED)


class JobView(APIView):
    needs = {"GET": "ingest.view_job", "POST": "ingest.change_job"}

    def jobs(self, request: Request) -> QuerySet[Job]:
        return within_topics(Job.objects.with_similar(), request)

    def job(self, request: Request, job_id: UUID) -> Job:
        job = self.jobs(request).filter(pk=job_id).first()
        if job is None:
            raise NotFound("There is no such job.")
        return job


class JobList(TopicFirst, JobView):
    class Query(PageQuery):
        topic_id = serializers.IntegerField(required=False)
        status = serializers.ChoiceField(JobStatus.choices, required=False)
        kind = serializers.ChoiceField(SourceKind.choices, required=False)
        batch_id = serializers.UUIDField(required=False)

    @extend_schema(operation_id="admin_kb_jobs_list", parameters=[Query], responses=JobSerializer(many=True))
    def get(self, request: Request) -> Response:
        """Jobs, newest first."""
        query = query_params(request, self.Query)
        filters = {name: query[name] for name in ("topic_id", "status", "kind", "batch_id") if name in query}
        return page_response(request, self.jobs(request).filter(**filters), serializer_class=JobSerializer)


class JobDetail(JobView):
    @extend_schema(operation_id="admin_kb_jobs_retrieve", responses=JobDetailSerializer)
    def get(self, request: Request, job_id: UUID) -> Response:
        """One job, with every move it made."""
        forbid_query(request)
        return Response(JobDetailSerializer(self.job(request, job_id), context={"request": request}).data)


class JobRetry(JobView):
    @extend_schema(operation_id="admin_kb_jobs_retry", request=None, responses={202: JobSerializer, **problems(409)})
    def post(self, request: Request, job_id: UUID) -> Response:
        """Try a failed job again from its stored file."""
        forbid_body(request)
        job = retry(self.job(request, job_id).pk, by=request.user.get_username())
        return Response(JobSerializer(job, context={"request": request}).data, status=status.HTTP_202_ACCEPTED)


class JobFile(JobView):
    @extend_schema(
        operation_id="admin_kb_jobs_file",
        responses=described("The document as it was uploaded."),
    )
    def get(self, request: Request, job_id: UUID) -> HttpResponseBase:
        """The stored file of a job."""
        forbid_query(request)
        job = self.job(request, job_id)
        return file_response(request._request, key=job.stored_key, filename=job.filename)


class StorageArea(TopicFirst, APIView):
    needs = {"GET": "ingest.view_job"}

    class Query(StrictSerializer):
        topic_id = serializers.IntegerField(required=False)

    @extend_schema(
        operation_id="admin_kb_storage_retrieve",
        parameters=[Query, OpenApiParameter("area", str, OpenApiParameter.PATH, enum=list(Area))],
        responses=AreaSerializer,
    )
    def get(self, request: Request, area: str) -> Response:
        """The files of an area (`inbox`, `processed` or `failed`), one group for each kind."""
        query_params(request, self.Query)
        if area not in list(Area):
            raise NotFound("There is no such area.")
        within = limits(request)
        topics = [None] if within is None else topics_to_choose(request)
        listed = [files_by_kind(Area(area), topic=one) for one in ([self.topic] if self.topic else topics)]
        kinds = {kind: [file for files in listed for file in files[kind]] for kind in SourceKind.values}
        return Response(AreaSerializer({"area": area, "kinds": kinds}).data)


class ScanInbox(APIView):
    needs = {"POST": "ingest.add_job"}

    class Input(StrictSerializer):
        dry_run = serializers.BooleanField(default=False, help_text="Only say what would be done.")

    @extend_schema(operation_id="scan_inbox", request=Input, responses={202: ScanSerializer})
    def post(self, request: Request) -> Response:
        """Take the files of the legacy inbox, `inbox/<kind>/`, into topic 1, each under the kind of its folder."""
        given = body(request, self.Input)
        require_topic(request, INITIAL_TOPIC_ID)  # refuses a key that is pinned to another topic
        scan = scan_inbox(by=request.user.get_username(), dry_run=given["dry_run"])
        return Response(ScanSerializer(scan).data, status=status.HTTP_202_ACCEPTED)


@extend_schema_view(post=extend_schema(operation_id="admin_kb_scan_inbox"))
class AdminScanInbox(ScanInbox):
    """The same, below the other admin paths."""
