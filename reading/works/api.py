"""GET /kb/works/{id}: an act with all its versions."""

from typing import Any, cast

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import StrictSerializer, query_params
from kb_project.api.throttles import PublicThrottle
from kb_project.database.standbys.reading import from_standby
from kb_project.errors import NotFound
from labels.serializers import SourceSerializer
from sources.kinds import SourceKind
from sources.models import Source, Work
from topics.scoping import TopicFirst, within_topics


class WorkSerializer(serializers.Serializer[Any]):
    """A work with its versions."""

    # The context is as that of `SourceSerializer`.

    id = serializers.IntegerField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(SourceKind.choices)
    identifier = serializers.CharField()
    aliases = serializers.ListField(
        child=serializers.CharField(), help_text="What its versions are cited by besides title and identifier."
    )
    versions = serializers.SerializerMethodField(help_text="In the order of their days.")

    @extend_schema_field(SourceSerializer(many=True))
    def get_versions(self, work: Work) -> list[dict[str, Any]]:
        versions = Source.objects.prefetch_related("labels__aliases").versions_of(work.pk)
        return cast("list[dict[str, Any]]", SourceSerializer(versions, many=True, context=self.context).data)


class WorkView(APIView):
    """A view of one of the works that the caller can see."""

    def work(self, request: Request, work_id: int) -> Work:
        """Raises `NotFound`."""
        work = within_topics(Work.objects.all(), request).filter(pk=work_id).first()
        if work is None:
            raise NotFound(_("There is no such work."))
        return work


class WorkDetail(TopicFirst, WorkView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    class Query(StrictSerializer):
        as_of = serializers.DateField(required=False, help_text="The day of `status`; today.")

    @extend_schema(operation_id="kb_works_retrieve", parameters=[Query], responses=WorkSerializer)
    @from_standby
    def get(self, request: Request, work_id: int) -> Response:
        """A work: what its versions are texts of, each in force on its days."""
        day = query_params(request, self.Query).get("as_of") or timezone.localdate()
        context = {"request": request, "as_of": day}
        return Response(WorkSerializer(self.work(request, work_id), context=context).data)
