"""`/kb/surveys`: every provision that has what a description says, in three lists, with a certificate."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from answers.models import CheckStatus
from kb_project.api.openapi import problems
from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.strict import StrictSerializer, body, forbid_body, forbid_query, query_params
from kb_project.api.throttles import CheckThrottle, PublicThrottle
from kb_project.errors import NotFound, PermissionDenied
from keeping.models import Survey
from keeping.person_view import KnownView
from keeping.surveys import making
from keeping.tables.given import rows_given
from keeping.tables.serializers import RowsFilter
from keeping.tables.visibility import RIGHT
from sources.scope import Scope
from topics.scoping import TopicFirst, may, require_topic, within_topics

WAYS = ["words", "meaning", "read"]


class SurveyInput(StrictSerializer):
    description = serializers.CharField(
        max_length=making.MAX_DESCRIPTION_LENGTH, help_text="A duty, right or fact, as `an annual report`."
    )
    topic_id = serializers.IntegerField(required=False, allow_null=True)
    rows = RowsFilter(required=False)


class SurveysQuery(PageQuery):
    topic_id = serializers.IntegerField(required=False)


class SurveyedProvision(serializers.Serializer[Any]):
    source_id = serializers.IntegerField()
    title = serializers.CharField()
    eid = serializers.CharField(help_text="Empty for a passage that is of no provision.")
    number = serializers.CharField()
    heading = serializers.CharField()
    page = serializers.IntegerField(allow_null=True)
    quote = serializers.CharField(help_text="The sentence that says it, or comes nearest. Empty where none does.")
    url = serializers.CharField()
    ways = serializers.ListField(
        child=serializers.ChoiceField(WAYS),
        help_text="What found it: a search by words, one by meaning, or a sentence when all were read one by one.",
    )


class MissingShareSerializer(serializers.Serializer[Any]):
    share = serializers.FloatField()
    low = serializers.FloatField()
    high = serializers.FloatField()


class UnreadDocument(serializers.Serializer[Any]):
    source_id = serializers.IntegerField()
    title = serializers.CharField()
    pages = serializers.ListField(
        child=serializers.IntegerField(), allow_null=True, help_text="Null where it is not known which."
    )


class CertificateSerializer(serializers.Serializer[Any]):
    as_of = serializers.DateField(help_text="The day whose law was looked at.")
    made_at = serializers.DateTimeField()
    documents = serializers.IntegerField()
    documents_read = serializers.IntegerField()
    provisions_read = serializers.IntegerField(help_text="Each with all of its sentences.")
    passages_read = serializers.IntegerField()
    found = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="How many *yes* each way found, and how many both searches, by words and by meaning.",
    )
    has_meaning = serializers.BooleanField(help_text="Whether meanings were compared.")
    meaning = serializers.DictField(
        child=serializers.IntegerField(allow_null=True),
        allow_null=True,
        help_text="`passages` and `vectors`, while some texts have none: then their meaning was not compared.",
    )
    unread = UnreadDocument(many=True, help_text="Documents with pages that were not read, at most 200.")
    unread_documents = serializers.IntegerField(help_text="How many there are, with those beyond the bound.")
    counts = serializers.DictField(child=serializers.IntegerField(), help_text="Also of what the lists leave out.")
    missing = MissingShareSerializer(
        allow_null=True,
        help_text=(
            "The share of all *yes* that was probably missed, by capture and recapture of the two searches, with its"
            " 95 % interval. Null where it cannot be told."
        ),
    )
    rules = serializers.ListField(child=serializers.CharField(), help_text="The kinds of rules that were recognised.")
    version = serializers.CharField()
    model = serializers.CharField(help_text="Empty: nothing was read by a model.")
    calls = serializers.IntegerField()
    took_s = serializers.FloatField()


class SurveySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    topic_id = serializers.IntegerField()
    by = serializers.CharField()
    description = serializers.CharField()
    rows = serializers.DictField()
    at = serializers.DateTimeField()
    status = serializers.ChoiceField(CheckStatus.choices)
    done = serializers.IntegerField(help_text="Documents that were read so far.")
    total = serializers.IntegerField()
    error = serializers.CharField()


class SurveyReportSerializer(SurveySerializer):
    yes = SurveyedProvision(many=True)
    near = SurveyedProvision(many=True, help_text="The nearest of those that do not have it.")
    undecided = SurveyedProvision(many=True)
    certificate = CertificateSerializer(allow_null=True, help_text="Null until it is done.")


def survey_out(one: Survey) -> dict[str, Any]:
    """With the provisions of documents that are in its topic still."""
    report: dict[str, Any] = one.report or {"yes": [], "near": [], "undecided": [], "certificate": None}
    lists = ("yes", "near", "undecided")
    unread = (report["certificate"] or {}).get("unread", [])
    named = {row["source_id"] for some in (*(report[name] for name in lists), unread) for row in some}
    seen = set(Scope(topic_id=one.topic_id).seen(named)) if named else set()
    unread = [row for row in unread if row["source_id"] in seen]
    shown = {name: [row for row in report[name] if row["source_id"] in seen] for name in lists}
    certificate = report["certificate"] and {**report["certificate"], "unread": unread}
    return {**SurveySerializer(one).data, **shown, "certificate": certificate}


class SurveyView(KnownView):
    throttle_classes = [PublicThrottle]

    def find(self, request: Request, survey_id: UUID) -> Survey:
        """Raises NotFound."""
        one = within_topics(Survey.objects.all(), request).filter(pk=survey_id).first()
        if one is None:
            raise NotFound(_("There is no such survey."))
        return one


class Surveys(TopicFirst, SurveyView):
    throttle_classes = [CheckThrottle]

    @extend_schema(operation_id="kb_surveys_list", parameters=[SurveysQuery], responses=SurveySerializer(many=True))
    def get(self, request: Request) -> Response:
        """The surveys of the topics that the caller sees, the newest first."""
        query_params(request, SurveysQuery)
        found = within_topics(Survey.objects.defer("report"), request)
        found = found.filter(topic=self.topic) if self.topic else found
        return page_response(request, found, serializer_class=SurveySerializer)

    @extend_schema(
        operation_id="kb_surveys_create", request=SurveyInput, responses={202: SurveySerializer, **problems(409)}
    )
    def post(self, request: Request) -> Response:
        """Look for every provision that has what is described. It is made in the background."""
        given = body(request, SurveyInput)
        topic = require_topic(request, given.get("topic_id"))
        rows = rows_given(given.get("rows") or {}, request=request, topic_id=topic.pk)
        one = making.begin(given["description"], topic=topic, by=request.user.get_username(), rows=rows)
        one.refresh_from_db()
        return Response(SurveySerializer(one).data, status=status.HTTP_202_ACCEPTED)


class SurveyDetail(SurveyView):
    @extend_schema(operation_id="kb_surveys_retrieve", responses=SurveyReportSerializer)
    def get(self, request: Request, survey_id: UUID) -> Response:
        """Its three lists and its certificate, or how far it is."""
        forbid_query(request)
        return Response(SurveyReportSerializer(survey_out(self.find(request, survey_id))).data)

    @extend_schema(operation_id="kb_surveys_delete", request=None, responses={204: None})
    def delete(self, request: Request, survey_id: UUID) -> Response:
        """Delete it."""
        one = self.find(request, survey_id)
        if one.by != request.user.get_username() and not may(request, RIGHT, topic_id=one.topic_id):
            raise PermissionDenied(_("Only who made the survey, or may change documents of its topic, deletes it."))
        forbid_body(request)
        one.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)
