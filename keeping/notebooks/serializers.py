"""How the API gives notebooks and notes, and takes them."""

from typing import Any

from rest_framework import serializers

from kb_project.api.pagination import PageQuery
from kb_project.api.strict import StrictSerializer
from keeping.models import Note, Notebook, NoteKind
from keeping.notebooks import editing, keep
from keeping.notebooks.editing import readers_of
from keeping.notebooks.listing import ShownCitation, ShownNote
from keeping.notebooks.pinning import CitedWords
from law.comparison.statuses import StandingStatus
from reading.provisions.api import ComingSerializer
from search.retrieval import MAX_QUERY_LENGTH
from sources.kinds import SourceKind
from sources.provisions import MAX_EID_LENGTH

MAX_WORDS_LENGTH = 200
MAX_AT_ONCE = 50  # notes, which have texts of laws in them
STATUSES = [(one.value, one.value) for one in StandingStatus]


class NotebookSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    name = serializers.CharField()
    owner = serializers.CharField()
    is_own = serializers.BooleanField(help_text="Whether it is the caller's, who alone may change it.")
    topic_id = serializers.IntegerField(allow_null=True, help_text="Whoever sees this topic may read it.")
    shared_with = serializers.ListField(
        child=serializers.CharField(), help_text="The people who may read it. Its owner alone is told."
    )
    count = serializers.IntegerField(help_text="Its notes.")
    created_at = serializers.DateTimeField()

    def to_representation(self, instance: Notebook) -> dict[str, Any]:
        is_own = instance.owner_id == self.context["owner"].person.pk
        return super().to_representation(
            {
                "id": instance.pk,
                "name": instance.name,
                "owner": instance.owner.get_username(),
                "is_own": is_own,
                "topic_id": instance.topic_id,
                "shared_with": readers_of(instance) if is_own else [],
                "count": instance.note_count,  # type: ignore[attr-defined]  # `listing.notebooks_of`
                "created_at": instance.created_at,
            }
        )


class NowSerializer(serializers.Serializer[Any]):
    source_id = serializers.IntegerField()
    title = serializers.CharField()
    eid = serializers.CharField()
    number = serializers.CharField()
    text = serializers.CharField(help_text="Empty where it is too long to be kept.")
    url = serializers.CharField()


AS_STORED = (
    *("n", "source_id", "work_id", "eid", "number", "title", "quote", "quote_sha256", "text"),
    *("status", "since", "terms", "looked_at"),
)


class NoteCitationSerializer(serializers.Serializer[Any]):
    n = serializers.IntegerField(help_text="Its number in the text of the note.")
    source_id = serializers.IntegerField(help_text="The version that was cited.")
    work_id = serializers.IntegerField()
    eid = serializers.CharField(help_text="Empty for the document as a whole.")
    number = serializers.CharField()
    title = serializers.CharField(help_text="Of the document, on that day.")
    quote = serializers.CharField()
    quote_sha256 = serializers.CharField(help_text="Empty without a quote.")
    text = serializers.CharField(help_text="What the provision said. Empty where that is too long to be kept.")
    url = serializers.CharField()
    status = serializers.ChoiceField(STATUSES)
    since = serializers.DateField(allow_null=True)
    terms = serializers.ListField(child=serializers.CharField(), help_text="With `definition_changed`, which.")
    words_stand = serializers.BooleanField(
        allow_null=True,
        help_text="Whether the quoted words are there still, whatever became of the rest of the provision. "
        "Null until that was looked at, and where the document is not compared.",
    )
    not_compared = serializers.BooleanField(help_text="The document is too large: the status is not known.")
    looked_at = serializers.DateTimeField(allow_null=True, help_text="Null until it was looked at: soon.")
    now = NowSerializer(allow_null=True, help_text="What stands for it today, where that is something else.")
    coming = ComingSerializer(allow_null=True, help_text="What comes next on a later day, where that is known.")

    def to_representation(self, instance: ShownCitation) -> dict[str, Any]:
        row = instance.row
        given = {name: getattr(row, name) for name in AS_STORED}
        more = {
            "url": instance.url,
            "words_stand": row.words_stand,
            "not_compared": row.is_unread,
            "now": instance.now,
            "coming": instance.coming,
        }
        return super().to_representation(given | more)


class NoteSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    notebook_id = serializers.IntegerField()
    kind = serializers.ChoiceField(NoteKind.choices)
    title = serializers.CharField(help_text="The question, the words that were searched, or what is cited.")
    text = serializers.CharField(help_text="`[1]`, `[2]` in an answer name the citations.")
    unsupported = serializers.ListField(
        child=serializers.ListField(child=serializers.IntegerField(), min_length=2, max_length=2),
        help_text="Ranges of characters of `text`: sentences of an answer that no citation supports.",
    )
    day = serializers.DateField(help_text="The day whose law it is.")
    topic_id = serializers.IntegerField(allow_null=True, help_text="Where it was asked; null for all topics.")
    remark = serializers.CharField()
    tags = serializers.ListField(child=serializers.CharField())
    position = serializers.IntegerField()
    created_at = serializers.DateTimeField()
    hidden = serializers.BooleanField(
        help_text="It cites a topic that the caller does not see: its law is left out, its title too."
    )
    url = serializers.CharField(help_text="The page that asks it again for its day. Empty where it is hidden.")
    citations = NoteCitationSerializer(many=True)

    def to_representation(self, instance: ShownNote) -> dict[str, Any]:
        row: Note = instance.row
        names = ("id", "notebook_id", "kind", "day", "remark", "tags", "position", "created_at")
        law = {"title": row.title, "text": row.text, "topic_id": row.topic_id} if instance.readable else {}
        return super().to_representation(
            {
                "title": "",
                "text": "",
                "topic_id": None,
                **{name: getattr(row, name) for name in names},
                **law,
                "hidden": not instance.readable,
                "unsupported": instance.unsupported,
                "url": instance.url,
                "citations": instance.citations,
            }
        )


class NotebookWithNotesSerializer(NotebookSerializer):
    found = serializers.IntegerField(help_text="The notes that `q` and `tag` leave.")
    notes = NoteSerializer(many=True, help_text="As many as `limit`, from `offset` on.")

    def to_representation(self, instance: Notebook) -> dict[str, Any]:
        raise NotImplementedError  # of the document alone: the view puts it together


class NotebooksQuery(PageQuery):
    q = serializers.CharField(
        required=False, max_length=MAX_WORDS_LENGTH, help_text="Only those that have these words in a note, or as name."
    )


class NotesQuery(PageQuery):
    cursor = None  # type: ignore[assignment]  # they are in the order that the notebook's owner gives them
    limit = serializers.IntegerField(
        min_value=1, max_value=MAX_AT_ONCE, default=MAX_AT_ONCE, help_text="How many notes."
    )
    q = serializers.CharField(
        required=False, max_length=MAX_WORDS_LENGTH, help_text="Only notes that have these words."
    )
    tag = serializers.CharField(required=False, max_length=editing.MAX_TAG_LENGTH)


class NotebookInput(StrictSerializer):
    name = serializers.CharField(max_length=editing.MAX_NAME_LENGTH)
    topic_id = serializers.IntegerField(
        required=False, allow_null=True, help_text="Let whoever sees this topic read it; null: nobody by a topic."
    )
    shared_with = serializers.ListField(
        child=serializers.CharField(max_length=150),
        required=False,
        max_length=editing.MAX_READERS,
        help_text="The names of people who may read it, in place of those who might.",
    )


class CitationInput(StrictSerializer):
    source_id = serializers.IntegerField()
    eid = serializers.CharField(required=False, allow_blank=True, default="", max_length=MAX_EID_LENGTH)
    quote = serializers.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=keep.MAX_QUOTE_LENGTH,
        help_text="Must stand there. Spacing and marks do not count.",
    )


class FiltersInput(StrictSerializer):
    kind = serializers.ListField(child=serializers.ChoiceField(SourceKind.choices), required=False, max_length=5)
    published_from = serializers.DateField(required=False)
    published_to = serializers.DateField(required=False)


class NoteWordsInput(StrictSerializer):
    remark = serializers.CharField(required=False, allow_blank=True, max_length=editing.MAX_REMARK_LENGTH)
    tags = serializers.ListField(
        child=serializers.CharField(max_length=editing.MAX_TAG_LENGTH), required=False, max_length=editing.MAX_TAGS
    )


class NoteInput(NoteWordsInput):
    kind = serializers.ChoiceField(NoteKind.choices)
    answer_id = serializers.UUIDField(
        required=False, help_text="An answer of the caller's, to keep it; with `n` and kind `quote` one of its quotes."
    )
    n = serializers.IntegerField(required=False, min_value=1, max_value=10_000)
    check_id = serializers.UUIDField(
        required=False, help_text="A check of the caller's that is done, with kind `check`."
    )
    title = serializers.CharField(
        required=False, max_length=keep.MAX_TITLE_LENGTH, help_text="Of an answer without `answer_id`: the question."
    )
    text = serializers.CharField(
        required=False, max_length=keep.MAX_TEXT_LENGTH, help_text="Of an answer without `answer_id`: what it says."
    )
    citations = serializers.ListField(
        child=CitationInput(),
        required=False,
        max_length=keep.MAX_CITATIONS,
        help_text="Of a quote or a provision one, of a comparison two: the earlier document, then the later.",
    )
    query = serializers.CharField(required=False, max_length=MAX_QUERY_LENGTH, help_text="Of a search.")
    topic_id = serializers.IntegerField(
        required=False, allow_null=True, help_text="Of a search, or of an answer without `answer_id`; null: all topics."
    )
    filters = FiltersInput(required=False, help_text="Of a search.")
    day = serializers.DateField(
        required=False,
        allow_null=True,
        help_text="The day whose law it is. Without one that of the answer, of a quote or a provision of a version "
        "that has ended its last day, else today. Of a check always its own.",
    )


class NoteChange(NoteWordsInput):
    position = serializers.IntegerField(required=False, min_value=0, help_text="Its place in the notebook, from 0.")
    notebook_id = serializers.IntegerField(required=False, help_text="Another one of the caller's, behind its notes.")


def new_note(given: dict[str, Any], *, topic_id: int | None) -> keep.NewNote:
    """What a valid `NoteInput` asks for."""
    filters = {
        name: value.isoformat() if hasattr(value, "isoformat") else value
        for name, value in (given.get("filters") or {}).items()
    }
    plain = ("answer_id", "n", "check_id", "title", "text", "query", "day", "remark", "tags")
    return keep.NewNote(
        kind=NoteKind(given["kind"]),
        cited=[CitedWords(**one) for one in given.get("citations", ())],
        topic_id=topic_id,
        filters=filters,
        **{name: given[name] for name in plain if given.get(name) is not None},
    )
