"""`/kb/surveys`: every provision that has what a description says, in three lists, with a certificate."""

from uuid import UUID

from django.http import HttpResponse
from django.utils import translation
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from kb_project.api.openapi import problems
from kb_project.api.pagination import page_response
from kb_project.api.strict import body, forbid_body, forbid_query, query_params
from kb_project.api.throttles import CheckThrottle, PublicThrottle
from kb_project.web.origins import absolute
from kb_project.web.streams import attachment
from keeping.models import Survey
from keeping.person_view import KnownView
from keeping.surveys import making, visibility
from keeping.surveys.serializers import (
    SurveyChange,
    SurveyInput,
    SurveyReportSerializer,
    SurveySerializer,
    SurveysQuery,
    survey_out,
)
from keeping.surveys.workbook import as_workbook
from keeping.tables.given import rows_given
from keeping.tables.workbook import TYPE as XLSX_TYPE
from law.languages.scripts import main_language
from topics.scoping import TopicFirst, require_topic, within_topics


class Surveys(TopicFirst, KnownView):
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
        by, more = request.user.get_username(), {"as_of": given.get("as_of"), "by_model": given["by_model"]}
        one = making.begin(given["description"], topic=topic, by=by, rows=rows, **more)
        one.refresh_from_db()
        return Response(SurveySerializer(one).data, status=status.HTTP_202_ACCEPTED)


class SurveyDetail(KnownView):
    throttle_classes = [PublicThrottle]

    @extend_schema(operation_id="kb_surveys_retrieve", responses=SurveyReportSerializer)
    def get(self, request: Request, survey_id: UUID) -> Response:
        """Its three lists and its certificate, or how far it is."""
        forbid_query(request)
        return Response(survey_out(visibility.find(request, survey_id)))

    @extend_schema(
        operation_id="kb_surveys_update", request=SurveyChange, responses={200: SurveySerializer, **problems(409)}
    )
    def patch(self, request: Request, survey_id: UUID) -> Response:
        """Pause it, or go on."""
        one = visibility.find_to_change(request, survey_id)
        making.pause(one, paused=body(request, SurveyChange)["paused"])
        one.refresh_from_db()
        return Response(SurveySerializer(one).data)

    @extend_schema(operation_id="kb_surveys_delete", request=None, responses={204: None})
    def delete(self, request: Request, survey_id: UUID) -> Response:
        """Delete it."""
        one = visibility.find_to_change(request, survey_id)
        forbid_body(request)
        one.delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


class SurveyRepeat(KnownView):
    throttle_classes = [CheckThrottle]

    @extend_schema(operation_id="kb_surveys_repeat", request=None, responses={202: SurveySerializer, **problems(409)})
    def post(self, request: Request, survey_id: UUID) -> Response:
        """Make it again. A model reads only what changed, what came since and what it could not read."""
        one = visibility.find_to_change(request, survey_id)
        forbid_body(request)
        making.repeat(one)
        one.refresh_from_db()
        return Response(SurveySerializer(one).data, status=status.HTTP_202_ACCEPTED)


class SurveyWorkbook(KnownView):
    throttle_classes = [PublicThrottle]

    @extend_schema(operation_id="kb_surveys_file", responses={(200, XLSX_TYPE): OpenApiTypes.BINARY})
    def get(self, request: Request, survey_id: UUID) -> HttpResponse:
        """The lists and the certificate as a workbook, in the language of its description."""
        forbid_query(request)
        one = visibility.find(request, survey_id)
        with translation.override(main_language(one.description).code):
            content = as_workbook(one.description, survey_out(one), absolute=absolute(request))
        return attachment(content, content_type=XLSX_TYPE, filename=f"survey-{one.pk}.xlsx")
