"""GET /kb/sources/{id}/instructions and POST /kb/consolidate: what an amending act says, and what it would make."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from kb_project.api.openapi import problems
from kb_project.api.strict import StrictSerializer, body, forbid_query
from kb_project.api.throttles import CheckThrottle
from kb_project.database.standbys.reading import from_standby
from kb_project.errors import Invalid
from law.amendments.beginning.orders import days_of
from law.amendments.carrying_out import Outcome
from law.amendments.consolidating import instructions_of
from law.amendments.finding import Failure
from law.amendments.instructions import Action, Place, Where, numbered
from reading.amendments.amended import amended_acts
from reading.compare.api import ChangeSerializer
from reading.documents.api import PublicSourceView
from search.shown.bodies import scope_of
from sources.instructions import bounded, days_by_orders, instructions_here
from sources.provisions import whole_text

MAX_GIVEN_LENGTH = 100_000  # characters of a text that is given: longer ones are documents
MAX_GIVEN_ACTS = 5
MAX_DAYS = 500
ONLY_DRY = _("Only dry runs are made.")
APPLIED = "applied"
STATUSES = [(one, one) for one in (APPLIED, *(failure.value for failure in Failure))]
ACTIONS = [(action.value, action.value) for action in Action]


class AmendedPlaceSerializer(serializers.Serializer[Any]):
    """A place in the act that is amended."""

    words = serializers.CharField(help_text="As the instruction names it.")
    number = serializers.SerializerMethodField(help_text="Of the provision, with its clauses. Empty for the whole act.")
    last = serializers.SerializerMethodField(help_text="The end of a range, else empty.")
    terms = serializers.CharField(help_text="What the definition defines that is meant, else empty.")

    def get_number(self, place: Place) -> str:
        return numbered(place.section, (*place.clauses, *place.inside))

    def get_last(self, place: Place) -> str:
        clauses = (*place.last_clauses, *place.last_inside)
        return numbered(place.last or place.section, clauses) if place.last or clauses else ""


class InstructionSerializer(serializers.Serializer[Any]):
    amending = serializers.CharField(source="provision", help_text="The provision of the amending act that says so.")
    words = serializers.CharField(help_text="Its words, without the new text.")
    act = serializers.CharField(help_text="The act that it amends, as it is named. Empty where none was named.")
    action = serializers.ChoiceField(ACTIONS)
    where = serializers.ChoiceField([(one.value, one.value) for one in Where], help_text="Where new text goes.")
    places = AmendedPlaceSerializer(many=True)
    beside = AmendedPlaceSerializer(allow_null=True, help_text="The place next to which new text goes.")
    old = serializers.ListField(child=serializers.CharField())
    new = serializers.ListField(child=serializers.CharField())
    text = serializers.ListField(child=serializers.CharField(), help_text="The lines of new text.")
    day = serializers.DateField(allow_null=True, help_text="From when it is in force. Null where that is not known.")
    commences = serializers.CharField(help_text="The words that say from when, where there are some.")
    until = serializers.DateField(
        allow_null=True, help_text="The day on which what was there before returns. Null where none is known."
    )
    lapses = serializers.CharField(help_text="The words that say that it is temporary, where there are some.")
    condition = serializers.CharField(help_text="What it depends on, where it depends on something.")
    unread = serializers.CharField(help_text="Words of it that were not understood.")
    is_reading = serializers.BooleanField(help_text="The text stays, and is to be read so in some matters.")
    is_other_version = serializers.BooleanField(help_text="It is of the text in another language.")


class InstructionList(serializers.Serializer[Any]):
    instructions = InstructionSerializer(many=True)


class CarriedOutSerializer(InstructionSerializer):
    """An instruction, and what became of it."""

    status = serializers.SerializerMethodField()
    detail = serializers.CharField(help_text="Of what was not carried out: what is not there, or was not understood.")
    sections = serializers.ListField(child=serializers.CharField(), help_text="The sections that it changed.")

    def to_representation(self, instance: Outcome) -> dict[str, Any]:
        told = InstructionSerializer(instance.instruction).data
        return {**told, "status": self.get_status(instance), "detail": instance.detail, "sections": instance.sections}

    @extend_schema_field(serializers.ChoiceField(STATUSES))
    def get_status(self, outcome: Outcome) -> str:
        return outcome.failure.value if outcome.failure else APPLIED


class AmendedActSerializer(serializers.Serializer[Any]):
    work_id = serializers.IntegerField(source="source.work_id", default=None, allow_null=True)
    source_id = serializers.IntegerField(
        source="source.pk", default=None, allow_null=True, help_text="The version that was read; null for a given text."
    )
    title = serializers.CharField(help_text="Of the document, or as the instructions name it.")
    instructions = CarriedOutSerializer(many=True, source="outcomes")
    changes = ChangeSerializer(many=True)
    text = serializers.CharField(
        allow_null=True, help_text="The act on the day, a line for each paragraph. Null for an act that is not here."
    )


class ConsolidationSerializer(serializers.Serializer[Any]):
    on = serializers.DateField()
    acts = AmendedActSerializer(many=True)


class SourceInstructions(PublicSourceView):
    @extend_schema(operation_id="kb_sources_instructions", responses={200: InstructionList, **problems(413)})
    @from_standby
    def get(self, request: Request, source_id: int) -> Response:
        """What an amending act says is to be done to other acts. Nothing is carried out."""
        forbid_query(request)
        source = self.source(request, source_id)
        return Response(InstructionList({"instructions": instructions_here(source)}).data)


class SourceOrText(serializers.Field[Any, Any, Any, Any]):
    """A document's number, or a text."""

    default_error_messages = {
        "invalid": _("Give the number of a document or a text."),
        "max_length": _("Must have at most {max_length} characters."),
    }

    def to_internal_value(self, data: Any) -> int | str:
        if isinstance(data, bool) or not isinstance(data, int | str):
            self.fail("invalid")
        if isinstance(data, str) and len(data) > MAX_GIVEN_LENGTH:
            self.fail("max_length", max_length=MAX_GIVEN_LENGTH)
        return data

    def to_representation(self, value: Any) -> Any:
        return value


class Consolidate(PublicSourceView):
    throttle_classes = [CheckThrottle]

    class Input(StrictSerializer):
        amending = extend_schema_field(
            {"oneOf": [{"type": "integer"}, {"type": "string", "maxLength": MAX_GIVEN_LENGTH}]}
        )(SourceOrText)(help_text="The amending act: the number of a document, or its text.")
        acts = serializers.ListField(
            child=serializers.CharField(max_length=MAX_GIVEN_LENGTH, trim_whitespace=False),
            required=False,
            max_length=MAX_GIVEN_ACTS,
            help_text="Texts of acts that are not here, or are to be read otherwise. The first line is the name.",
        )
        topic_id = serializers.IntegerField(required=False, allow_null=True)
        on = serializers.DateField(required=False, help_text="The day on which the acts are to be read; today.")
        days = serializers.DictField(
            child=serializers.DateField(),
            required=False,
            help_text="Days that the text leaves open, by the provision of the amending act: `7`, `7(2)`.",
        )
        dry_run = serializers.BooleanField(default=True, help_text="Only dry runs are made.")

    @extend_schema(
        operation_id="kb_consolidate",
        request=Input,
        responses={200: ConsolidationSerializer, **problems(404, 413)},
    )
    def post(self, request: Request) -> Response:
        """What the acts that an amending act is about would say after it. A dry run: nothing is kept.

        What cannot be carried out is named with its reason, and leaves the text as it is.
        """
        given = body(request, self.Input)
        if not given["dry_run"]:
            raise Invalid(str(ONLY_DRY), errors={"dry_run": [str(ONLY_DRY)]})
        if len(given.get("days", ())) > MAX_DAYS:
            sentence = _("Must have at most %d days.") % MAX_DAYS
            raise Invalid(sentence, errors={"days": [sentence]})
        amending, days = given["amending"], given.get("days", {})
        if isinstance(amending, int):
            source = self.source(request, amending)
            amending = bounded(whole_text(source.pk))
            days = days_of(days_by_orders(source, instructions_of(amending))) | days
        on = given.get("on") or timezone.localdate()
        acts = amended_acts(
            amending,
            scope=scope_of(given, topic=self.topic, request=request),
            given=given.get("acts", ()),
            on=on,
            days=days,
        )
        return Response(ConsolidationSerializer({"on": on, "acts": acts}).data)
