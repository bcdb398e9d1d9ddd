"""What a search takes and gives in JSON. Some of it is what a question takes and gives, too."""

from typing import Any

from rest_framework import serializers

from kb_project.api.strict import StrictSerializer
from labels.serializers import HOLDS, PLACE, shown_field
from law.questions.phrases import SIGNS
from law.structure.provisions import ProvisionKind
from search.results import Match
from search.retrieval import MAX_QUERY_LENGTH, MAX_RESULTS
from search.retrieval.listing import Group, Sort
from sources.fields import CARD, DAYS
from sources.kinds import SourceKind
from sources.validity import ValidityStatus

PROVISION_KINDS = [(kind.value, kind.value) for kind in ProvisionKind]
ALL = "all"  # versions
MAX_LABELS = 20  # of one request


class KindOrKinds(serializers.ListField):
    """One kind, or a list of kinds of which any suffices."""

    child = serializers.ChoiceField(SourceKind.choices)

    def __init__(self, **options: Any) -> None:
        super().__init__(max_length=len(SourceKind), **options)

    def to_internal_value(self, data: Any) -> list[str]:
        return super().to_internal_value([data] if isinstance(data, str) else data)


class LabelCardSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    slug = serializers.CharField()
    name = serializers.CharField()


class SourceCardSerializer(serializers.Serializer[Any]):
    # `get_fields` adds the fields of a document that are on its card.
    id = serializers.IntegerField()
    topic_id = serializers.IntegerField()
    work_id = serializers.IntegerField(help_text="What it is a version of.")
    valid_from = serializers.DateField(allow_null=True)
    valid_to = serializers.DateField(allow_null=True, help_text="The first day on which it was not in force any more.")
    status = serializers.ChoiceField(ValidityStatus.choices, help_text="On the day `as_of`.")
    holds = serializers.CharField(help_text=HOLDS)
    labels = LabelCardSerializer(many=True)

    def get_fields(self) -> dict[str, serializers.Field]:
        declared = super().get_fields()
        first = {name: declared.pop(name) for name in ("id", "topic_id")}
        return {**first, **{field.column: shown_field(field) for field in CARD if field.name not in DAYS}, **declared}


class TablePartSerializer(serializers.Serializer[Any]):
    """Rows of a table in a passage: a line each, tabs between cells."""

    start = serializers.IntegerField(help_text="Characters of `text`.")
    end = serializers.IntegerField()
    head = serializers.IntegerField(help_text="How many of these rows name the columns.")
    continues = serializers.BooleanField(help_text="Whether the table began in a passage before.")
    skipped = serializers.IntegerField(help_text="How many cells of the first row stand in the passage before.")
    above = serializers.ListField(
        child=serializers.CharField(),
        help_text="Rows from the passages before, shortened, that say what the cells are: names of columns above all.",
    )


class HitSerializer(serializers.Serializer[Any]):
    rank = serializers.IntegerField()
    score = serializers.FloatField()
    match = serializers.ChoiceField([match.value for match in Match])
    meaning = serializers.FloatField(
        allow_null=True,
        help_text="The cosine of query and passage, null where their meanings were not compared.",
    )
    chunk_id = serializers.IntegerField()
    text = serializers.CharField()
    highlights = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2),
        help_text="Character ranges of `text`: the clauses that the query cites, or else its words.",
    )
    page = serializers.IntegerField(allow_null=True)
    section = serializers.CharField()
    place = serializers.CharField(help_text=PLACE)
    heading = serializers.CharField()
    path = serializers.ListField(child=serializers.CharField())
    eid = serializers.CharField(help_text="The address of the provision in its document; empty before the first.")
    url = serializers.CharField(help_text="The path of the document's page at the provision.")
    tables = TablePartSerializer(many=True)
    more = serializers.IntegerField(
        allow_null=True, help_text="With `group` document: how many more passages of the document match."
    )
    source = SourceCardSerializer()  # type: ignore[assignment]  # the contract's name is also an argument of Field


class NearestProvisionSerializer(serializers.Serializer[Any]):
    eid = serializers.CharField()
    number = serializers.CharField(help_text="As printed.")


class NamedSourceSerializer(serializers.Serializer[Any]):
    title = serializers.CharField()
    source_id = serializers.IntegerField()


class NotFoundSerializer(serializers.Serializer[Any]):
    """What the query cites that is not there, or not in force on the day. No result is it, then."""

    source_id = serializers.IntegerField(allow_null=True, help_text="Null when the act itself is not here.")
    title = serializers.CharField(help_text="The source's, or the act's name as the query gives it.")
    number = serializers.CharField()
    certain = serializers.BooleanField(
        help_text="False where numbers around it are missing, or the act is `uncertain`: then it may be there."
    )
    nearest = NearestProvisionSerializer(
        many=True,
        help_text="Up to 4 provisions around the number, in the order of the act. With `holds` what is cited alone.",
    )
    holds = serializers.CharField(
        help_text="Where what is cited is here and not in force on the day: since when, or from when on. '' else."
    )
    uncertain = NamedSourceSerializer(
        many=True,
        help_text="Up to 4 documents with all words of the act's name in their titles: one of them may be meant.",
    )


class MeaningSerializer(serializers.Serializer[Any]):
    """How many passages of the topics searched there are, and of how many the meaning is known, by the last count.

    Null before the first one that knows.
    """

    passages = serializers.IntegerField(allow_null=True)
    vectors = serializers.IntegerField(allow_null=True)


MEANING = (
    "While passages of the topics searched can be found by their words only, as vectors are being made; else null."
)


class CorrectionSerializer(serializers.Serializer[Any]):
    word = serializers.CharField(help_text="As the query has it.")
    to = serializers.CharField(help_text="The word of the documents that was searched for besides.")


class UnderstoodSerializer(serializers.Serializer[Any]):
    """What of the query was taken for something else than it says, where anything was."""

    corrected = CorrectionSerializer(
        many=True,
        required=False,
        help_text="Words that no passage has, and what they were taken for. Not of words in quotation marks.",
    )
    operators = serializers.ListField(
        child=serializers.ChoiceField(SIGNS),
        required=False,
        help_text="What looks like an operator and is none: no word is left out, no letters are filled in.",
    )


class OtherVersionSerializer(serializers.Serializer[Any]):
    """What is not in force on the day and holds what is looked for."""

    source_id = serializers.IntegerField()
    title = serializers.CharField()
    valid_from = serializers.DateField(allow_null=True)
    valid_to = serializers.DateField(allow_null=True)
    status = serializers.ChoiceField(ValidityStatus.choices)
    holds = serializers.CharField(help_text=HOLDS)
    url = serializers.CharField()


class Filters(StrictSerializer):
    """What narrows a search, whoever makes it."""

    topic_id = serializers.IntegerField(required=False, allow_null=True)
    label_ids = serializers.ListField(
        child=serializers.IntegerField(),
        max_length=MAX_LABELS,
        required=False,
        allow_null=True,
        help_text="Any of these labels suffices.",
    )
    kind = KindOrKinds(required=False, allow_null=True)
    published_from = serializers.DateField(required=False, allow_null=True)
    published_to = serializers.DateField(required=False, allow_null=True)


class FiltersOfADay(Filters):
    """The parameters that search and ask have in common."""

    label_id = serializers.IntegerField(required=False, allow_null=True, help_text="One more of `label_ids`.")
    as_of = serializers.DateField(
        required=False, allow_null=True, help_text="Only what was in force on that day, or may have been; today."
    )


class SearchedWords(Filters):
    """A search that can be made again on another day."""

    query = serializers.CharField(max_length=MAX_QUERY_LENGTH)
    versions = serializers.ChoiceField(
        ["in_force", ALL], default="in_force", help_text="Whether what is not in force on the day is found too."
    )


class SearchInput(FiltersOfADay, SearchedWords):
    """A search whose first results are wanted."""

    limit = serializers.IntegerField(default=10, min_value=1, max_value=MAX_RESULTS)
    group = serializers.ChoiceField(
        [group.value for group in Group],
        default=Group.PASSAGE.value,
        help_text="With document each document comes once, with its best passage, and `limit` counts documents.",
    )
    sort = serializers.ChoiceField(
        [sort.value for sort in Sort],
        default=Sort.RELEVANCE.value,
        help_text="By date documents without a date come last, and relevance decides between equals.",
    )


class ValueCountSerializer(serializers.Serializer[Any]):
    count = serializers.IntegerField(help_text="Documents that the value leaves beside the other filters.")


class KindCountSerializer(ValueCountSerializer):
    value = serializers.ChoiceField(SourceKind.choices)


class YearCountSerializer(ValueCountSerializer):
    value = serializers.IntegerField()


class LabelCountSerializer(ValueCountSerializer):
    value = serializers.IntegerField(help_text="The id of the label.")
    name = serializers.CharField()
    slug = serializers.CharField()


class FacetsSerializer(serializers.Serializer[Any]):
    kind = KindCountSerializer(many=True)
    label = LabelCountSerializer(  # type: ignore[assignment]  # the contract's name is also an attribute of Field
        many=True, help_text="The hundred most frequent."
    )
    year = YearCountSerializer(many=True)
