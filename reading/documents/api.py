"""GET /kb/sources, /kb/sources/{id}, /kb/sources/{id}/file: what is in the knowledge base, with its labels."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q, QuerySet, prefetch_related_objects
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import forbid_query, query_params
from kb_project.api.throttles import PublicThrottle
from kb_project.database.standbys.reading import from_standby
from kb_project.errors import Invalid, NotFound
from labels.serializers import SourceSerializer
from labels.topic_labels import is_known
from sources.fields import FILTERED, DocumentField, FieldType
from sources.files.serving import described, file_response
from sources.kinds import SourceKind
from sources.models import Source, mentions
from sources.models.documents import by_title
from topics.access import Topics
from topics.models import Topic
from topics.reads import note_read
from topics.scoping import TopicFirst, limits, within_topics


class SourceQuery(PageQuery):
    """The query parameters of a list of sources."""

    topic_id = serializers.IntegerField(required=False)
    label_id = serializers.IntegerField(required=False)
    q = serializers.CharField(
        required=False, max_length=200, help_text="Part of the title, the identifier or the subject."
    )
    as_of = serializers.DateField(required=False, help_text="The day of `status`, and of what is in force; today.")
    versions = serializers.ChoiceField(
        ["in_force", "all"],
        required=False,
        help_text="Only what is in force on the day (the default of /kb), or all versions (that of /admin/kb).",
    )
    sort = serializers.ChoiceField(
        ["newest", "title"],
        default="newest",
        help_text="The newest first, or by title: without case, accents and quotation marks, numbers by value.",
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        return super().get_fields() | {field.column: _filter(field) for field in FILTERED}


def _filter(field: DocumentField) -> serializers.Field:
    if field.type is FieldType.KIND:
        return serializers.ChoiceField(SourceKind.choices, required=False)
    return serializers.CharField(required=False, max_length=field.longest)


def source_page(
    request: Request,
    query: Mapping[str, Any],
    *,
    topic: Topic | None,
    versions: str,
    fits: Sequence[Q] = (),
    serializer_class: type[SourceSerializer] = SourceSerializer,
) -> Response:
    """One page of the sources that the request may see and its `SourceQuery` selects, in its order.

    `versions` is what a query without it means, `fits` are further conditions.
    """
    day = query.get("as_of") or timezone.localdate()
    every = Source.objects.with_followed().filter(*fits)
    visible = within_topics(every.in_force(day) if query.get("versions", versions) == "in_force" else every, request)
    sources = filtered(visible, query, topic=topic, labels_of=limits(request))
    if query["sort"] == "title":
        sources = by_title(sources)
    return page_response(
        request, sources.prefetch_related("labels__aliases"), serializer_class=serializer_class, as_of=day
    )


def filtered(
    sources: QuerySet[Source], query: Mapping[str, Any], *, topic: Topic | None, labels_of: Topics = None
) -> QuerySet[Source]:
    """The sources that the values of a `SourceQuery` select.

    Raises `Invalid` for an unknown label. With `labels_of`, for one that is known in none of these topics.
    """
    if topic is not None:
        sources = sources.filter(topic=topic)
    if "label_id" in query:
        if not is_known(query["label_id"], within=labels_of):
            sentence = _("There is no such label.")
            raise Invalid(sentence, errors={"label_id": [sentence]})
        sources = sources.filter(label_assignments__label_id=query["label_id"])
    sources = sources.filter(**{field.column: query[field.column] for field in FILTERED if field.column in query})
    if "q" in query:
        sources = sources.filter(mentions(query["q"]))
    return sources


class SourceView(APIView):
    """A view of one of the sources that the caller can see, shown as `serializer_class` does."""

    serializer_class: type[SourceSerializer] = SourceSerializer

    def source(self, request: Request, source_id: int) -> Source:
        """Raises `NotFound`."""
        source = within_topics(Source.objects.all(), request).filter(pk=source_id).first()
        if source is None:
            raise NotFound(_("There is no such source."))
        note_read(request, "source.read", source)
        return source

    def answer(self, request: Request, source_id: int) -> Response:
        """The source with its labels. Raises `NotFound`."""
        source = self.source(request, source_id)
        prefetch_related_objects([source], "labels__aliases")
        return Response(self.serializer_class(source, context={"request": request}).data)


class PublicSourceView(TopicFirst, SourceView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]


class SourceList(PublicSourceView):
    @extend_schema(operation_id="kb_sources_list", parameters=[SourceQuery], responses=SourceSerializer(many=True))
    @from_standby
    def get(self, request: Request) -> Response:
        """Sources, newest first, or by title."""
        return source_page(request, query_params(request, SourceQuery), topic=self.topic, versions="in_force")


class SourceDetail(PublicSourceView):
    @extend_schema(operation_id="kb_sources_retrieve", responses=SourceSerializer)
    @from_standby
    def get(self, request: Request, source_id: int) -> Response:
        """One source."""
        forbid_query(request)
        return self.answer(request, source_id)


class SourceFile(PublicSourceView):
    @extend_schema(
        operation_id="kb_sources_file",
        responses=described("The document as it was uploaded."),
    )
    def get(self, request: Request, source_id: int) -> HttpResponseBase:
        """The document itself."""
        forbid_query(request)
        source = self.source(request, source_id)
        return file_response(request._request, key=source.file_key, filename=source.filename or "file")
