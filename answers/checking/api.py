"""POST /kb/check: the citations and quotations of a text against the law. GET /kb/checks/{id}: a kept check."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from answers.checking import checks
from answers.checking.checks import CheckRequest, owner_of
from answers.checking.commenting import word_response
from answers.checking.reading import MAX_FILE_BYTES, receive
from answers.checking.sentences import with_sentences
from answers.checking.tasks import begin
from answers.checking.verdicts.findings import CitationVerdict, NotChecked, Outcome, QuotationVerdict, StatementVerdict
from answers.models import CheckStatus, TextCheck
from kb_project.api.json_bodies import StrictJSONParser
from kb_project.api.openapi import problems
from kb_project.api.permissions import PublicOrKey
from kb_project.api.strict import StrictSerializer, body, forbid_query
from kb_project.api.throttles import CheckThrottle, PublicThrottle
from kb_project.errors import Invalid
from kb_project.word_files import TYPE
from search.shown.bodies import scope_of
from topics.scoping import TopicFirst, limits

MAX_TEXT_LENGTH = 100_000  # characters in JSON; what is longer comes as a file
ROOM_FOR_FIELDS = 64 * 1024


class PlaceHereSerializer(serializers.Serializer[Any]):
    source_id = serializers.IntegerField()
    title = serializers.CharField()
    eid = serializers.CharField(help_text="Empty for the document as a whole.")
    number = serializers.CharField()
    url = serializers.CharField(help_text="The path of the document's page at the provision.")


class FoundSerializer(serializers.Serializer[Any]):
    start = serializers.IntegerField(help_text="The first character in the text that was checked.")
    end = serializers.IntegerField(help_text="The character behind the last.")
    why = serializers.ChoiceField(
        [*NotChecked.choices, ("", "")], help_text="Why it was not checked, where it was not."
    )
    reason = serializers.CharField(help_text="The verdict as a sentence, in the language of the request.")


OUTCOMES = [(outcome.value, outcome.value) for outcome in Outcome]


class ItemSerializer(FoundSerializer):
    outcome = serializers.ChoiceField(
        OUTCOMES,
        help_text=(
            "What is known of it. `right`: each part was compared and is so. `exists`: what it names is here, and no"
            " more was compared. `wrong`: it was seen not to be so. `not_judged`: `reason` says why."
        ),
    )


class CheckedCitationSerializer(ItemSerializer):
    text = serializers.CharField()
    verdict = serializers.ChoiceField(CitationVerdict.choices)
    to = PlaceHereSerializer(allow_null=True, help_text="What it leads to here.")
    nearest = PlaceHereSerializer(many=True, help_text="What may be meant, where it leads to nothing or to several.")
    since = serializers.DateField(allow_null=True, help_text="From when it is not in force, or will be.")
    now = PlaceHereSerializer(allow_null=True, help_text="What is in force in its place.")
    law = serializers.CharField(help_text="The words in which a provision says that it is repealed.")


class CheckedQuotationSerializer(ItemSerializer):
    text = serializers.CharField()
    verdict = serializers.ChoiceField(QuotationVerdict.choices)
    cited = PlaceHereSerializer(allow_null=True, help_text="What the text quotes it from.")
    at = PlaceHereSerializer(allow_null=True, help_text="Where the words stand.")
    differs = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2),
        help_text="Ranges of characters of the text whose words differ.",
    )
    severe = serializers.BooleanField(help_text="Whether a negation, a number, a day or a modal verb differs.")
    law = serializers.CharField(help_text="What the law says in its place.")


class CheckedStatementSerializer(ItemSerializer):
    verdict = serializers.ChoiceField(StatementVerdict.choices)
    to = PlaceHereSerializer(allow_null=True)
    at = PlaceHereSerializer(allow_null=True, help_text="Where its words stand, if not in what it cites.")
    words = serializers.CharField(help_text="Those of the provision that the verdict rests on.")


class UncheckedSerializer(FoundSerializer):
    pass


class CheckReportSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField(allow_null=True, help_text="Null where nothing is kept (`KB_CHECK_DAYS` 0).")
    status = serializers.ChoiceField(CheckStatus.choices)
    as_of = serializers.DateField()
    citations = CheckedCitationSerializer(many=True)
    quotations = CheckedQuotationSerializer(many=True)
    statements = CheckedStatementSerializer(many=True)
    not_checked = UncheckedSerializer(many=True, help_text="Stretches of the text that were not read.")
    model = serializers.CharField(help_text="What read whether the law says so. Empty where no model did.")
    counts = serializers.DictField(
        child=serializers.DictField(child=serializers.IntegerField()),
        help_text=(
            "How often each verdict was given, by kind. `outcomes` counts all items, each of which stands in one of"
            " `citations`, `quotations` and `statements`."
        ),
    )
    remarks = serializers.DictField(
        child=serializers.CharField(), help_text="Verdicts that a person overruled, such as `quotations:3`, and why."
    )


class CheckProgressSerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    status = serializers.ChoiceField(CheckStatus.choices)
    done = serializers.IntegerField(help_text="Quotations and statements that were checked.")
    total = serializers.IntegerField()
    error = serializers.CharField(help_text="Why it failed.")


class CheckText(TopicFirst, APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [CheckThrottle]
    parser_classes = [StrictJSONParser, MultiPartParser]
    refuses_by_itself_up_to = MAX_FILE_BYTES + ROOM_FOR_FIELDS

    class Input(StrictSerializer):
        text = serializers.CharField(required=False, max_length=MAX_TEXT_LENGTH, trim_whitespace=False)
        file = serializers.FileField(required=False, help_text="In place of the text, of any format that is read here.")
        topic_id = serializers.IntegerField(required=False, allow_null=True)
        as_of = serializers.DateField(required=False, allow_null=True, help_text="The day whose law counts; today.")
        day_of_document = serializers.BooleanField(
            default=False, help_text="The day that the text gives itself, if it gives one, in place of `as_of`."
        )

    @extend_schema(
        operation_id="kb_check",
        request={"application/json": Input, "multipart/form-data": Input},
        responses={200: CheckReportSerializer, 202: CheckProgressSerializer, **problems(413, 415)},
    )
    def post(self, request: Request) -> Response:
        """A verdict for each citation and quotation of a text, and what was not checked.

        What is long, or takes long, is checked later: 202, and GET /kb/checks/{id} has the report when it is done.
        """
        given = body(request, self.Input)
        if ("text" in given) == ("file" in given):
            sentence = "Give either a text or a file."
            raise Invalid(sentence, errors={"text": [sentence]})
        uploaded = given.get("file")
        one = begin(
            CheckRequest(
                text=given.get("text", ""),
                file=receive(uploaded.chunks()) if uploaded else None,
                filename=(uploaded.name or "") if uploaded else "",
                scope=scope_of(given, topic=self.topic, request=request),
                day_of_document=given["day_of_document"],
                by=owner_of(request.user),
                client=CheckThrottle().client(request),
            )
        )
        return check_response(one)


class KeptCheck(APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    @extend_schema(
        operation_id="kb_checks_retrieve", responses={200: CheckReportSerializer, 202: CheckProgressSerializer}
    )
    def get(self, request: Request, check_id: UUID) -> Response:
        """A check of one's own: its report, or how far it is (202)."""
        forbid_query(request)
        return check_response(checks.find(check_id, by=owner_of(request.user), within=limits(request)))


class KeptCheckWord(APIView):
    permission_classes = [PublicOrKey]
    throttle_classes = [PublicThrottle]

    @extend_schema(operation_id="kb_checks_word", responses={(200, TYPE): OpenApiTypes.BINARY, **problems(409)})
    def get(self, request: Request, check_id: UUID) -> HttpResponse:
        """The checked text in Word with the findings as comments: the DOCX itself, where one was sent."""
        forbid_query(request)
        return word_response(checks.find(check_id, by=owner_of(request.user), within=limits(request)))


def check_response(one: TextCheck) -> Response:
    if one.report is None:
        return Response(CheckProgressSerializer(one).data, status=status.HTTP_202_ACCEPTED)
    return Response(report_out(one))


def report_out(one: TextCheck) -> dict[str, Any]:
    """The report as the API gives it."""
    kept = not one._state.adding
    return {
        "id": str(one.pk) if kept else None,
        "status": one.status,
        "model": "",
        **with_sentences(one.report or {}),
        "remarks": one.remarks,
    }
