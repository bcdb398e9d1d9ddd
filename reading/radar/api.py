"""GET /kb/radar: documents that cite what was repealed, renumbered or changed since. PATCH /admin/kb/radar/{id}."""

from typing import Any

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import StrictSerializer, body, query_params
from kb_project.api.throttles import PublicThrottle
from kb_project.database.standbys.reading import from_standby
from kb_project.errors import Invalid
from labels.topic_labels import is_known
from reading.radar.listing import BECAME, ShownStale, shown, stale_in
from reading.radar.looking import look_at
from sources.kinds import SourceKind
from topics.scoping import TopicFirst, limits, visible_topics


class RadarQuery(PageQuery):
    topic_id = serializers.IntegerField(required=False)
    kind = serializers.ChoiceField(SourceKind.choices, required=False, help_text="Of the document that cites.")
    label_id = serializers.IntegerField(required=False, help_text="Of the document that cites.")
    looked_at = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="Only what was looked at, or only what was not."
    )


class RadarSource(serializers.Serializer[Any]):
    """The document that cites."""

    id = serializers.IntegerField()
    topic_id = serializers.IntegerField()
    title = serializers.CharField()
    kind = serializers.ChoiceField(SourceKind.choices)
    published_at = serializers.DateField(allow_null=True)


class RadarPlace(serializers.Serializer[Any]):
    """A provision of the document."""

    eid = serializers.CharField(help_text="Empty before the first provision.")
    number = serializers.CharField(help_text="As printed.")


class RadarCited(serializers.Serializer[Any]):
    """A provision of the version that is cited, or of the one in force."""

    work_id = serializers.IntegerField()
    source_id = serializers.IntegerField(help_text="The version.")
    title = serializers.CharField()
    eid = serializers.CharField(help_text="Empty for the act as a whole.")


class RadarRow(serializers.Serializer[Any]):
    """A reference that is out of date."""

    id = serializers.IntegerField()
    text = serializers.CharField(help_text="The sentence that cites.")
    citation = serializers.CharField(help_text="The words of it that are the citation.")
    cites = RadarCited(allow_null=True)
    became = serializers.ChoiceField([(name, name) for name in BECAME])
    since = serializers.DateField(allow_null=True)
    now = RadarCited(allow_null=True, help_text="What stands there today, or where it went.")
    should_read = serializers.CharField(
        allow_null=True,
        help_text="The citation with the number of today, where that is certain: of what was renumbered.",
    )
    looked_at = serializers.DateTimeField(allow_null=True)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {**super().get_fields(), "source": RadarSource(), "from": RadarPlace()}  # no names for class attributes

    def to_representation(self, instance: ShownStale) -> dict[str, Any]:
        row = instance.row
        return super().to_representation(
            {
                "id": row.pk,
                "source": row.source,
                "from": {"eid": row.eid, "number": instance.number},
                "text": instance.text,
                "citation": row.text,
                "cites": _place(row.work_id, row.cited, row.cited_eid),
                "became": row.became,
                "since": row.since,
                "now": _place(row.work_id, row.now, row.now_eid) if row.now_eid else None,
                "should_read": row.should_read or None,
                "looked_at": row.looked_at,
            }
        )


def _place(work_id: int, source: Any, eid: str) -> dict[str, Any] | None:
    return {"work_id": work_id, "source_id": source.pk, "title": source.title, "eid": eid} if source else None


class Radar(TopicFirst, APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    @extend_schema(operation_id="kb_radar_list", parameters=[RadarQuery], responses=RadarRow(many=True))
    @from_standby
    def get(self, request: Request) -> Response:
        """Documents that cite what was repealed, renumbered or changed after their day, the latest changes first."""
        query = query_params(request, RadarQuery)
        found = stale_in([self.topic] if self.topic else visible_topics(request))
        if "kind" in query:
            found = found.filter(source__kind=query["kind"])
        if "label_id" in query:
            if not is_known(query["label_id"], within=limits(request)):
                sentence = _("There is no such label.")
                raise Invalid(sentence, errors={"label_id": [sentence]})
            found = found.filter(source__label_assignments__label_id=query["label_id"])
        if query["looked_at"] is not None:
            found = found.filter(looked_at__isnull=not query["looked_at"])
        return page_response(request, found, show=shown, serializer_class=RadarRow)


class RadarMark(StrictSerializer):
    looked_at = serializers.BooleanField(help_text="Whether it was looked at. That holds until it changes again.")


class RadarDetail(APIView):
    needs = {"PATCH": "sources.change_source"}

    @extend_schema(operation_id="admin_radar_update", request=RadarMark, responses=RadarRow)
    def patch(self, request: Request, stale_id: int) -> Response:
        """Mark a reference as looked at, or take that back."""
        looked = body(request, RadarMark)["looked_at"]
        row = look_at(stale_in(visible_topics(request)), stale_id, looked=looked, by=request.user.get_username())
        return Response(RadarRow(shown([row])[0]).data)
