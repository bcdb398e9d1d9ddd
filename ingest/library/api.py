"""The admin paths of sources: list, read, edit, delete, index again, and of works: say what they are cited by."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from ingest.api.serializers import JobSerializer, parameters
from ingest.decisions import MAX_LABELS
from ingest.documents.edit import delete, edit, edit_work
from ingest.documents.reindex import reindex
from ingest.documents.trash import destroy, restore
from ingest.documents.works import join
from ingest.library.listing import NO_DATE, UNREAD
from ingest.similar.naming import SIMILAR
from kb_project.api.openapi import problems
from kb_project.api.pagination import page_response
from kb_project.api.strict import StrictSerializer, body, forbid_body, forbid_query, query_params
from kb_project.errors import NotFound
from labels.models import Label
from labels.serializers import SourceSerializer
from labels.topic_labels import labels_within
from reading.documents.api import SourceQuery, SourceView, source_page
from reading.works.api import WorkSerializer, WorkView
from sources.models import Source, TrashedSource
from sources.models.trash import as_sources
from topics.access import Topics
from topics.scoping import TopicFirst, limits, within_topics

CONDITIONS = {"unread_pages": UNREAD, "no_date": NO_DATE, "similar": SIMILAR}


class AdminSourceQuery(SourceQuery):
    """The query parameters of the list for staff. `false` selects the others."""

    unread_pages = serializers.BooleanField(required=False, help_text="Some of its pages were not read.")
    no_date = serializers.BooleanField(required=False, help_text="It has no date.")
    similar = serializers.BooleanField(
        required=False, help_text="It is nearly the same as another source, as was noticed when its file came in."
    )
    deleted = serializers.BooleanField(
        required=False, help_text="What is in the trash, which only `topic_id` narrows down; the last deleted first."
    )


class AdminSourceSerializer(SourceSerializer):
    deleted_at = serializers.SerializerMethodField(help_text="Of what is in the trash.")

    class Meta(SourceSerializer.Meta):
        fields = [*SourceSerializer.Meta.fields, "deleted_at"]

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_deleted_at(self, source: Source) -> datetime | None:
        found: datetime | None = getattr(source, "deleted_at", None)
        return found


def in_trash(page: Sequence[TrashedSource], *, within: Topics) -> list[Source]:
    """What is in the trash, as sources.

    Of their labels those are shown that are there, and known in a topic that the caller sees.
    """
    slugs = {slug for one in page for slug, _name in one.labels}
    known = labels_within(within).filter(slug__in=slugs).prefetch_related("aliases")
    by_slug = {label.slug: label for label in known}
    sources = as_sources(one.pk for one in page)
    return [_deleted(one, sources[one.pk], by_slug) for one in page if one.pk in sources]


def _deleted(one: TrashedSource, source: Source, labels: Mapping[str, Label]) -> Source:
    held = [labels[slug] for slug, _name in one.labels if slug in labels]
    source._prefetched_objects_cache = {"labels": held}  # type: ignore[attr-defined]  # it is not stored
    source.__dict__["is_followed"] = False
    source.deleted_at = one.deleted_at  # type: ignore[attr-defined]
    return source


class AdminSourceList(TopicFirst, APIView):
    needs = {"GET": "sources.view_source"}

    @extend_schema(
        operation_id="admin_kb_sources_list", parameters=[AdminSourceQuery], responses=AdminSourceSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """Sources, newest first, or by title."""
        query = query_params(request, AdminSourceQuery)
        if query.get("deleted"):
            rows = within_topics(TrashedSource.objects.all(), request)
            rows = rows.filter(topic=self.topic) if self.topic else rows
            shown = partial(in_trash, within=limits(request))
            return page_response(request, rows, show=shown, serializer_class=AdminSourceSerializer)
        fits = [condition if query[name] else ~condition for name, condition in CONDITIONS.items() if name in query]
        return source_page(
            request, query, topic=self.topic, versions="all", fits=fits, serializer_class=AdminSourceSerializer
        )


class AdminSourceDetail(SourceView):
    serializer_class = AdminSourceSerializer
    needs = {"GET": "sources.view_source", "PATCH": "sources.change_source", "DELETE": "sources.delete_source"}

    class Input(StrictSerializer):
        label_ids = serializers.ListField(
            child=serializers.IntegerField(), max_length=MAX_LABELS, help_text="All that it is to have."
        )
        version_of = serializers.IntegerField(
            allow_null=True,
            help_text="A source of the topic of whose work it is to be a version, on its days; null: a work of its own."
            " Where another version is in force on its days: 409 `version_overlap`.",
        )

        def get_fields(self) -> dict[str, serializers.Field]:
            return parameters(by_column=True, needs_title=True, defaults=False) | super().get_fields()

    @extend_schema(operation_id="admin_kb_sources_retrieve", responses=AdminSourceSerializer)
    def get(self, request: Request, source_id: int) -> Response:
        """One source."""
        forbid_query(request)
        return self.answer(request, source_id)

    @extend_schema(
        operation_id="admin_kb_sources_edit", request=Input, responses={200: AdminSourceSerializer, **problems(409)}
    )
    def patch(self, request: Request, source_id: int) -> Response:
        """Change the fields that are given. Search follows: at once for citations, by a reindex for the text."""
        changes = body(request, self.Input, partial=True)
        edit(
            self.source(request, source_id).pk,
            changes,
            by=request.user.get_username(),
            labels_within=limits(request),
        )
        return self.answer(request, source_id)

    @extend_schema(operation_id="admin_kb_sources_delete", request=None, responses={204: None})
    def delete(self, request: Request, source_id: int) -> Response:
        """Delete the source with all that search finds of it, then its file. Also from the trash. This is final."""
        forbid_body(request)
        by = request.user.get_username()
        if is_in_trash(request, source_id):
            destroy(source_id, by=by)
        else:
            delete(self.source(request, source_id).pk, by=by)
        return Response(status=status.HTTP_204_NO_CONTENT)


class AdminSourceRestore(APIView):
    needs = {"POST": "sources.delete_source"}

    @extend_schema(operation_id="admin_kb_sources_restore", request=None, responses={202: JobSerializer})
    def post(self, request: Request, source_id: int) -> Response:
        """Put a source back that was deleted on a screen. The job that is given indexes it again."""
        forbid_body(request)
        if not is_in_trash(request, source_id):
            raise NotFound(_("There is no such source in the trash."))
        job = restore(source_id, by=request.user.get_username())
        return Response(JobSerializer(job, context={"request": request}).data, status=status.HTTP_202_ACCEPTED)


def is_in_trash(request: Request, source_id: int) -> bool:
    """Of a topic that the request sees."""
    return within_topics(TrashedSource.objects.filter(pk=source_id), request).exists()


class AdminSourceReindex(SourceView):
    needs = {"POST": "sources.change_source"}

    @extend_schema(
        operation_id="admin_kb_sources_reindex", request=None, responses={202: JobSerializer, **problems(409)}
    )
    def post(self, request: Request, source_id: int) -> Response:
        """Parse, chunk and embed again from the stored file. The old chunks serve until the new are in."""
        forbid_body(request)
        job = reindex(self.source(request, source_id).pk, by=request.user.get_username())
        return Response(JobSerializer(job, context={"request": request}).data, status=status.HTTP_202_ACCEPTED)


class AdminSourceJoin(SourceView):
    serializer_class = AdminSourceSerializer
    needs = {"POST": "sources.change_source"}

    class Input(StrictSerializer):
        version_of = serializers.IntegerField(help_text="A source of the topic, of the work that stays.")

    @extend_schema(
        operation_id="admin_kb_sources_join", request=Input, responses={200: AdminSourceSerializer, **problems(409)}
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
