"""The admin paths of sources: list, read, edit, delete, index again; and of works: say what they are cited by."""

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingest.api.serializers import JobSerializer, parameters
from ingest.decisions import MOST_LABELS
from ingest.documents.edit import delete, edit, edit_work
from ingest.documents.reindex import reindex
from ingest.documents.works import join
from ingest.library.listing import NO_DATE, UNREAD
from ingest.similar.naming import SIMILAR
from kb_project.api.openapi import problems
from kb_project.api.strict import StrictSerializer, body, query_params, refuse_body, refuse_query
from labels.serializers import SourceSerializer
from reading.documents.api import SourceQuery, SourceView, source_page
from reading.works.api import WorkSerializer, WorkView
from topics.scoping import TopicFirst, pinned_topic_id

CONDITIONS = {"unread_pages": UNREAD, "no_date": NO_DATE, "similar": SIMILAR}


class AdminSourceQuery(SourceQuery):
    """The query parameters of the list for staff. `false` selects the others."""

    unread_pages = serializers.BooleanField(required=False, help_text="Some of its pages were not read.")
    no_date = serializers.BooleanField(required=False, help_text="It has no date.")
    similar = serializers.BooleanField(
        required=False, help_text="It is nearly the same as another source, as was noticed when its file came in."
    )


class AdminSourceList(TopicFirst, APIView):
    needs = {"GET": "sources.view_source"}

    @extend_schema(
        operation_id="admin_kb_sources_list", parameters=[AdminSourceQuery], responses=SourceSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """Sources, newest first."""
        query = query_params(request, AdminSourceQuery)
        fits = [condition if query[name] else ~condition for name, condition in CONDITIONS.items() if name in query]
        return source_page(request, query, topic=self.topic, versions="all", fits=fits)


class AdminSourceDetail(SourceView):
    needs = {"GET": "sources.view_source", "PATCH": "sources.change_source", "DELETE": "sources.delete_source"}

    class Input(StrictSerializer):
        label_ids = serializers.ListField(
            child=serializers.IntegerField(), max_length=MOST_LABELS, help_text="All that it is to have."
        )
        version_of = serializers.IntegerField(
            allow_null=True,
            help_text="A source of the topic of whose work it is to be a version, on its days; null: a work of its own."
            " Where another version is in force on its days: 409 `version_overlap`.",
        )

        def get_fields(self) -> dict[str, serializers.Field]:
            return parameters(by_column=True, needs_title=True, defaults=False) | super().get_fields()

    @extend_schema(operation_id="admin_kb_sources_retrieve", responses=SourceSerializer)
    def get(self, request: Request, source_id: int) -> Response:
        """One source."""
        refuse_query(request)
        return self.answer(request, source_id)

    @extend_schema(
        operation_id="admin_kb_sources_edit", request=Input, responses={200: SourceSerializer, **problems(409)}
    )
    def patch(self, request: Request, source_id: int) -> Response:
        """Change the fields that are given. Search follows: at once for citations, by a reindex for the text."""
        changes = body(request, self.Input, partial=True)
        edit(
            self.source(request, source_id).pk,
            changes,
            by=request.user.get_username(),
            labels_within=pinned_topic_id(request),
        )
        return self.answer(request, source_id)

    @extend_schema(operation_id="admin_kb_sources_delete", request=None, responses={204: None})
    def delete(self, request: Request, source_id: int) -> Response:
        """Delete the source with all that search finds of it, then its file."""
        refuse_body(request)
        delete(self.source(request, source_id).pk, by=request.user.get_username())
        return Response(status=status.HTTP_204_NO_CONTENT)


class AdminSourceReindex(SourceView):
    needs = {"POST": "sources.change_source"}

    @extend_schema(
        operation_id="admin_kb_sources_reindex", request=None, responses={202: JobSerializer, **problems(409)}
    )
    def post(self, request: Request, source_id: int) -> Response:
        """Parse, chunk and embed again from the stored file; the old chunks serve until the new are in."""
        refuse_body(request)
        job = reindex(self.source(request, source_id).pk, by=request.user.get_username())
        return Response(JobSerializer(job, context={"request": request}).data, status=status.HTTP_202_ACCEPTED)


class AdminSourceJoin(SourceView):
    needs = {"POST": "sources.change_source"}

    class Input(StrictSerializer):
        version_of = serializers.IntegerField(help_text="A source of the topic, of the work that stays.")

    @extend_schema(
        operation_id="admin_kb_sources_join", request=Input, responses={200: SourceSerializer, **problems(409)}
    )
    def post(self, request: Request, source_id: int) -> Response:
        """Make all versions of the source's work versions of the work of another source."""
        given = body(request, self.Input)
        join(self.source(request, source_id).pk, version_of=given["version_of"], by=request.user.get_username())
        return self.answer(request, source_id)


class AdminWorkDetail(WorkView):
    needs = {"PATCH": "sources.change_source"}

    class Input(StrictSerializer):
        def get_fields(self) -> dict[str, serializers.Field]:
            return {"aliases": parameters(by_column=True, defaults=False)["aliases"]}

    @extend_schema(operation_id="admin_kb_works_edit", request=Input, responses=WorkSerializer)
    def patch(self, request: Request, work_id: int) -> Response:
        """Say what all versions of a work are cited by. Citations find it so at once."""
        work = self.work(request, work_id)
        edit_work(work.pk, body(request, self.Input, partial=True), by=request.user.get_username())
        return Response(WorkSerializer(work, context={"request": request}).data)
