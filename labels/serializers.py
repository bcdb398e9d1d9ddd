"""Labels and sources as the API shows them. Both need the request in their context."""

from typing import Any, cast

from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from extraction.document import LostWhat
from labels.models import Label
from labels.topic_labels import aliases_told, uses_in
from sources.consolidation import Origin
from sources.fields import COLUMNS, DocumentField, FieldType
from sources.kinds import SourceKind
from sources.models import Source
from sources.validity import ValidityStatus
from topics.scoping import limits

PLACE = "What the document calls its section, as `rule 5`, or its paragraph. Empty where neither has a number."
HOLDS = (
    "The day that the text holds for, in a sentence, to be shown with every quote of it. It names a text"
    " that is not in force today, whatever day was asked for. Empty for a judgment without days."
)


def shown_field(field: DocumentField, **options: Any) -> serializers.Field:
    """How an answer has the value of a field of a document."""
    if field.type is FieldType.KIND:
        return serializers.ChoiceField(SourceKind.choices, **options)
    if field.type is FieldType.DATE:
        return serializers.DateField(allow_null=True, **options)
    if field.type is FieldType.NAMES:
        return serializers.ListField(child=serializers.CharField(), **options)
    return serializers.CharField(**options)


class LabelSerializer(serializers.ModelSerializer[Label]):
    """A label. Who does not see all topics is shown its use in those they see, everywhere."""

    # Prefetch `aliases` for lists. `usage_count` is the label's `uses` where a query has counted them
    # (`labels.topic_labels.labels_in`), else the number of sources that carry it in all topics.
    usage_count = serializers.SerializerMethodField()
    aliases = serializers.SerializerMethodField()

    class Meta:
        model = Label
        fields = ["id", "slug", "name", "usage_count", "aliases"]

    def get_usage_count(self, label: Label) -> int:
        uses: int | None = getattr(label, "uses", None)
        if uses is not None:
            return uses
        within = limits(self.context["request"])
        if within is None:
            return label.usage_count
        # The context is one for all the labels of an answer, so they are counted once.
        answer = cast("dict[str, Any]", self.context)
        if "uses_in_topic" not in answer:
            answer["uses_in_topic"] = uses_in(within)
        uses_there: dict[int, int] = answer["uses_in_topic"]
        return uses_there.get(label.pk, 0)

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_aliases(self, label: Label) -> list[str]:
        return [alias.slug for alias in aliases_told(label, within=limits(self.context["request"]))]


class NumberingSerializer(serializers.Serializer[Any]):
    form = serializers.CharField(
        help_text="A number as the document prints it: `1.`, `§ 1072.101`, `Article 5`. Empty: none was recognised."
    )
    certainty = serializers.FloatField(help_text="From 0 to 1, that the numbers were read right.")
    gaps = serializers.ListField(
        child=serializers.CharField(), help_text="Numbers that are missing, such as `5` or `7–9`, and `…` for more."
    )


class LostSerializer(serializers.Serializer[Any]):
    page = serializers.IntegerField(allow_null=True, help_text="Null where the format has no pages.")
    what = serializers.ChoiceField([what.value for what in LostWhat])
    characters = serializers.IntegerField(help_text="0 where they cannot be counted.")


class SourceSerializer(serializers.ModelSerializer[Source]):
    """A source with its labels."""

    # Prefetch `labels__aliases` for lists.
    topic_id = serializers.IntegerField()
    kind = serializers.ChoiceField(SourceKind.choices)
    unread_pages = serializers.ListField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Whose text was not read. Null: not known, as it was indexed by an older version.",
    )
    warnings = serializers.ListField(child=serializers.CharField(), help_text="What its reader had to say.")
    numbering = NumberingSerializer(
        allow_null=True,
        help_text="Of its sections or paragraphs. Null: no paragraph is numbered, or an older version read it.",
    )
    lost = LostSerializer(many=True, help_text="What its reader saw and did not pass on.")
    work_id = serializers.IntegerField(help_text="What it is a version of.")
    status = serializers.SerializerMethodField(help_text="On the day that was asked for, else today.")
    holds = serializers.SerializerMethodField(help_text=HOLDS)
    origin = serializers.ChoiceField(
        Origin.choices, help_text="`consolidated`: made here of the version before, and nobody's official text."
    )
    chunks = serializers.IntegerField(source="chunk_count")
    labels = LabelSerializer(many=True)

    class Meta:
        model = Source
        fields = [
            "id",
            "topic_id",
            *(field.name for field in Source._meta.concrete_fields if field.name in COLUMNS),
            "status",
            "holds",
            "work_id",
            "ai_classified_at",
            "created_at",
            "filename",
            "pages",
            "unread_pages",
            "warnings",
            "numbering",
            "lost",
            "origin",
            "chunks",
            "labels",
        ]

    @extend_schema_field(serializers.ChoiceField(ValidityStatus.choices))
    def get_status(self, source: Source) -> str:
        return source.status_on(self.context.get("as_of") or timezone.localdate())

    def get_holds(self, source: Source) -> str:
        return source.said_on(self.context.get("as_of"))
