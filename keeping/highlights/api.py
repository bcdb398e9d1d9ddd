"""GET, POST /kb/highlights and PATCH, DELETE /kb/highlights/{id}: what a person marked in a document."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from kb_project.api.openapi import problems
from kb_project.api.pagination import PageQuery, page_response
from kb_project.api.strict import StrictSerializer, body, forbid_body, query_params
from kb_project.api.throttles import ReadingThrottle
from kb_project.errors import Invalid
from keeping.highlights import editing
from keeping.highlights.editing import MAX_AROUND_LENGTH, MAX_NOTE_LENGTH, MAX_WORDS_LENGTH, ChosenWords
from keeping.highlights.placing import HighlightStatus, placed
from keeping.models import Highlight, HighlightColour
from keeping.person_view import IsPerson, PersonView
from law.comparison.anchors import Anchor
from sources.models import Source
from sources.provisions import MAX_EID_LENGTH
from topics.scoping import within_topics


class HighlightQuery(PageQuery):
    source_id = serializers.IntegerField(help_text="The document. What was marked in other versions of it comes too.")


class HighlightChange(StrictSerializer):
    colour = serializers.ChoiceField(HighlightColour.choices, required=False)
    note = serializers.CharField(
        required=False, allow_blank=True, max_length=MAX_NOTE_LENGTH, help_text="What is written in the margin."
    )


class HighlightInput(HighlightChange):
    """Words of a document, as a TextQuoteSelector of the W3C's Web Annotation model has them."""

    source_id = serializers.IntegerField()
    exact = serializers.CharField(
        max_length=MAX_WORDS_LENGTH, help_text="The words. Which white space is between them makes no difference."
    )
    prefix = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=MAX_AROUND_LENGTH,
        trim_whitespace=False,
        help_text="What is before.",
    )
    suffix = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=MAX_AROUND_LENGTH,
        trim_whitespace=False,
        help_text="What is behind.",
    )
    eid = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=MAX_EID_LENGTH,
        help_text="The provision that they are looked for in.",
    )
    start = serializers.IntegerField(
        required=False, min_value=0, help_text="Of several places the one nearest to this character of the document."
    )


class HighlightPlace(serializers.Serializer[Any]):
    start = serializers.IntegerField(help_text="The first character of the document.")
    end = serializers.IntegerField(help_text="The character behind the last.")


class StoredHighlightSerializer(serializers.ModelSerializer[Highlight]):
    """Words as they were marked."""

    source_id = serializers.IntegerField(help_text="The version in which they were marked.")
    day = serializers.DateField(help_text="A day on which that version was in force.")
    eid = serializers.CharField(help_text="The provision that they are in, empty where they are in none.")
    exact = serializers.CharField(help_text="The words as they were.")

    class Meta:
        model = Highlight
        fields = [
            *("id", "source_id", "work_id", "day", "eid", "exact", "prefix", "suffix", "colour", "note", "created_at")
        ]
        read_only_fields = fields


class HighlightSerializer(StoredHighlightSerializer):
    """Marked words, and where they are in the document that was asked for. Without a place they are not in it."""

    status = serializers.ChoiceField(HighlightStatus.choices)
    reason = serializers.CharField(help_text="The status as a sentence.")
    place = HighlightPlace(allow_null=True)
    cited = serializers.CharField(help_text="How the provision is cited. Empty for what has no number.")

    class Meta(StoredHighlightSerializer.Meta):
        fields = [*StoredHighlightSerializer.Meta.fields, "status", "reason", "place", "cited"]
        read_only_fields = fields

    def to_representation(self, instance: Any) -> dict[str, Any]:
        """Of a `PlacedHighlight`."""
        status, place = instance.status, instance.place
        return StoredHighlightSerializer(instance.highlight).data | {
            "eid": instance.eid,
            "status": status.value,
            "reason": str(status.label),
            "place": {"start": place.start, "end": place.end} if place else None,
            "cited": instance.cited,
        }


class MayMark(IsPerson):
    message = _lazy("Highlights are of people. Sign in, or use a key of your own.")


class HighlightView(PersonView):
    """A view of what the caller marked."""

    permission_classes = [MayMark]
    throttle_classes = [ReadingThrottle]


class Highlights(HighlightView):
    @extend_schema(
        operation_id="kb_highlights_list", parameters=[HighlightQuery], responses=HighlightSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        """What the caller marked in a document, in any of its versions, and where that is in this one."""
        version = _version(request, query_params(request, HighlightQuery)["source_id"])
        return page_response(
            request,
            editing.of_version(self.owner(request), version),
            show=lambda page: placed(page, version),
            serializer_class=HighlightSerializer,
        )

    @extend_schema(
        operation_id="kb_highlights_create",
        request=HighlightInput,
        responses={201: HighlightSerializer, **problems(409)},
    )
    def post(self, request: Request) -> Response:
        """Mark words of a document, and write a note on them."""
        given = body(request, HighlightInput)
        version = _version(request, given["source_id"])
        anchor = Anchor(given["exact"], given.get("prefix", ""), given.get("suffix", ""))
        chosen = ChosenWords(anchor=anchor, eid=given.get("eid", ""), start=given.get("start"))
        colour, note = given.get("colour", HighlightColour.YELLOW), given.get("note", "")
        made = editing.mark(self.owner(request), version, chosen, colour=colour, note=note)
        return Response(_shown(made, version), status=status.HTTP_201_CREATED)


class HighlightDetail(HighlightView):
    @extend_schema(operation_id="kb_highlights_update", request=HighlightChange, responses=StoredHighlightSerializer)
    def patch(self, request: Request, highlight_id: int) -> Response:
        """Give it another colour or another note."""
        given = body(request, HighlightChange)
        changed = editing.change(editing.find(self.owner(request), highlight_id), **given)
        return Response(StoredHighlightSerializer(changed).data)

    @extend_schema(operation_id="kb_highlights_delete", request=None, responses={204: None})
    def delete(self, request: Request, highlight_id: int) -> Response:
        """Take it away, with its note."""
        forbid_body(request)
        editing.find(self.owner(request), highlight_id).delete()
        return Response(status=status.HTTP_204_NO_CONTENT)


def _version(request: Request, source_id: int) -> Source:
    """Raises Invalid for one that the caller does not see."""
    version = within_topics(Source.objects.all(), request).filter(pk=source_id).first()
    if version is None:
        sentence = _("There is no such document.")
        raise Invalid(sentence, errors={"source_id": [sentence]})
    return version


def _shown(highlight: Highlight, version: Source) -> Any:
    shown: Any = placed([highlight], version)[0]
    return HighlightSerializer(shown).data
