"""Surveys as the API takes and gives them."""

from typing import Any

from rest_framework import serializers

from answers.models import CheckStatus
from kb_project.api.pagination import PageQuery
from kb_project.api.strict import StrictSerializer
from keeping.models import Survey
from keeping.surveys.making import MAX_DESCRIPTION_LENGTH
from keeping.surveys.reading.by_model import SurveyReason
from keeping.tables.reading.document import CellReason
from keeping.tables.serializers import RowsFilter
from sources.scope import Scope

WAYS = ["words", "meaning", "read", "model"]
REASONS = [*SurveyReason.choices, ("", "")]
LISTS = ("yes", "undecided", "near", "gone")


class SurveyInput(StrictSerializer):
    description = serializers.CharField(
        max_length=MAX_DESCRIPTION_LENGTH, help_text="A duty, right or fact, as `an annual report`."
    )
    topic_id = serializers.IntegerField(required=False, allow_null=True)
    rows = RowsFilter(required=False)
    as_of = serializers.DateField(
        required=False, allow_null=True, help_text="The day whose law is looked at, else the one on which it is made."
    )
    by_model = serializers.BooleanField(
        required=False, allow_null=True, default=None, help_text="Whether a model reads, by default if there is one."
    )


class SurveyChange(StrictSerializer):
    paused = serializers.BooleanField()


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
        help_text=(
            "What found it: a search by words, one by meaning, a sentence when all were held against patterns (`read`),"
            " or a model that read all."
        ),
    )
    why = serializers.ChoiceField(choices=REASONS, default="", help_text="Why it is undecided, where a model reads.")
    reason = serializers.SerializerMethodField(help_text="The same as a sentence.")
    is_new = serializers.BooleanField(default=False, help_text="Whether it was no *yes* the last time.")

    def get_reason(self, row: dict[str, Any]) -> str:
        why = row.get("why")
        return str(SurveyReason(why).label) if why else ""


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


class SinceSerializer(serializers.Serializer[Any]):
    made_at = serializers.DateTimeField(help_text="When it was made before.")
    new = serializers.IntegerField(help_text="*Yes* that were none then.")
    lost = serializers.IntegerField(help_text="And the other way round.")


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
    prompt = serializers.CharField(default="", help_text="Its version.")
    read_by_model = serializers.IntegerField(default=0, help_text="Provisions, those read at an earlier time too.")
    read_anew = serializers.IntegerField(default=0, help_text="Those of them that were read this time.")
    calls = serializers.IntegerField(help_text="Of models, this time.")
    tokens = serializers.IntegerField(default=0, help_text="That these cost.")
    since = SinceSerializer(default=None, allow_null=True, help_text="Null the first time.")
    took_s = serializers.FloatField()


class SurveySerializer(serializers.Serializer[Any]):
    id = serializers.UUIDField()
    topic_id = serializers.IntegerField()
    by = serializers.CharField()
    description = serializers.CharField()
    rows = serializers.DictField()
    as_of = serializers.DateField(allow_null=True)
    by_model = serializers.BooleanField()
    paused = serializers.BooleanField()
    at = serializers.DateTimeField()
    status = serializers.ChoiceField(CheckStatus.choices)
    done = serializers.IntegerField(help_text="Documents that were read so far.")
    total = serializers.IntegerField()
    error = serializers.CharField()
    put_off = serializers.SerializerMethodField(help_text="Why reading waits, as a sentence.")

    def get_put_off(self, one: Survey) -> str:
        return put_off_of(one)


class SurveyReportSerializer(SurveySerializer):
    put_off = serializers.CharField()  # type: ignore[assignment]
    yes = SurveyedProvision(many=True)
    near = SurveyedProvision(many=True, help_text="The nearest of those that do not have it.")
    undecided = SurveyedProvision(many=True)
    gone = SurveyedProvision(many=True, help_text="What was a *yes* the last time, and is none now.")
    certificate = CertificateSerializer(allow_null=True, help_text="Null until it is done for the first time.")


def put_off_of(one: Survey) -> str:
    """Why reading waits, '' where it does not."""
    return str(CellReason(one.why).label) if one.why and one.status == CheckStatus.QUEUED else ""


def survey_out(one: Survey) -> dict[str, Any]:
    """With the provisions of documents that are in its topic still."""
    report: dict[str, Any] = one.report or {"certificate": None}
    unread = (report["certificate"] or {}).get("unread", [])
    named = {row["source_id"] for some in (*(report.get(name, []) for name in LISTS), unread) for row in some}
    seen = set(Scope(topic_id=one.topic_id).seen(named)) if named else set()
    unread = [row for row in unread if row["source_id"] in seen]
    shown = {name: [row for row in report.get(name, []) if row["source_id"] in seen] for name in LISTS}
    certificate = report["certificate"] and {**report["certificate"], "unread": unread}
    given = {**SurveySerializer(one).data, **shown, "certificate": certificate}
    return dict(SurveyReportSerializer(given).data)
