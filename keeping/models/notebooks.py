"""Notebooks, their notes, what these cite, and what became of it. Words that people marked.

The database deletes what belongs to a row with it. Django does not, as its admin would name it to who deletes a person.
"""

from django.contrib.auth.models import User
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from law.comparison.statuses import StandingStatus
from sources.models import Source
from topics.models import Topic


class NoteKind(models.TextChoices):
    """What is kept."""

    ANSWER = "answer", _("Answer")
    QUOTE = "quote", _("Quote")
    PROVISION = "provision", _("Provision")
    SEARCH = "search", _("Search")
    COMPARISON = "comparison", _("Comparison")
    CHECK = "check", _("Check")


class Notebook(models.Model):
    """Notes of one person. Others see it whom they share it with: `readers`, and whoever sees the `topic`."""

    owner = models.ForeignKey(User, on_delete=models.DO_NOTHING, related_name="notebooks")
    name = models.TextField()
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, null=True, related_name="+")
    readers = models.ManyToManyField(User, through="NotebookReader", related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "kb_notebook"
        ordering = ["name", "id"]
        indexes = [
            models.Index(fields=["owner"], name="kb_notebook_owner_idx"),
            models.Index(fields=["topic"], name="kb_notebook_topic_idx"),
        ]

    def __str__(self) -> str:
        return self.name


class NotebookReader(models.Model):
    """A person who may read somebody else's notebook."""

    notebook = models.ForeignKey(Notebook, on_delete=models.DO_NOTHING, related_name="+")
    person = models.ForeignKey(User, on_delete=models.DO_NOTHING, related_name="+")

    class Meta:
        db_table = "kb_notebook_reader"
        indexes = [models.Index(fields=["person"], name="kb_notebook_reader_person_idx")]
        constraints = [models.UniqueConstraint(fields=["notebook", "person"], name="kb_notebook_reader_key")]

    def __str__(self) -> str:
        return f"{self.notebook_id}: {self.person_id}"


class Note(models.Model):
    """What somebody kept, as it was on the `day` that it was asked for.

    `title` is the question, the name of the provision or the words that were searched. `text` is what it said: the
    answer with the numbers of its citations in brackets, the provision, the quote, the findings of a check. `asked` is
    what the pages ask it again with. `topic` is the one that it was asked in, None for all. `remark` and `tags` are the
    person's own.
    """

    notebook = models.ForeignKey(Notebook, on_delete=models.DO_NOTHING, related_name="notes")
    kind = models.CharField(max_length=20, choices=NoteKind.choices)
    title = models.TextField(default="")
    text = models.TextField(default="")
    asked = models.JSONField(default=dict)
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, null=True, related_name="+")
    day = models.DateField()
    remark = models.TextField(default="")
    tags = ArrayField(models.TextField(), default=list)
    position = models.IntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "kb_note"
        ordering = ["notebook_id", "position", "id"]
        indexes = [
            models.Index(fields=["notebook", "position"], name="kb_note_notebook_idx"),
            models.Index(fields=["topic"], name="kb_note_topic_idx"),
        ]
        constraints = [models.CheckConstraint(condition=models.Q(kind__in=NoteKind.values), name="kb_note_kind_check")]

    def __str__(self) -> str:
        return f"{self.kind}: {self.title[:80]}"


class NoteCitation(models.Model):
    """What a note cites: `eid` of the version `source` of a work, and words quoted from it, whose SHA-256 is kept too.

    `n` is its number in the text of the note. `text` is what the provision said, '' where that was too long. `title`
    and `number` are those of that day, and `topic` the one that the law was in. What became of it by the day that was
    looked at last is `status`, `since` a day where that is known. `now` is the version that was looked at, with
    `now_text` at `now_eid`. `terms` are defined otherwise now. `quote_stands` says whether the quoted words are there
    still. `is_unread` says that the document was too large to be looked at. Work and sources may be gone.
    `coming_status` is what is known to become of it on the day `coming_from`, at `coming_eid` of the version
    `coming_id`, which is None where none begins then.
    """

    note = models.ForeignKey(Note, on_delete=models.DO_NOTHING, related_name="citations")
    n = models.IntegerField()
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+")
    work_id = models.BigIntegerField()
    source = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False)
    eid = models.TextField(default="")
    number = models.TextField(default="")
    title = models.TextField(default="")
    quote = models.TextField(default="")
    quote_sha256 = models.CharField(max_length=64, default="")
    text = models.TextField(default="")
    status = models.CharField(
        max_length=20, choices=[(one.value, one.value) for one in StandingStatus], default=StandingStatus.STANDS.value
    )
    since = models.DateField(null=True)
    now = models.ForeignKey(Source, on_delete=models.DO_NOTHING, null=True, related_name="+", db_constraint=False)
    now_eid = models.TextField(default="")
    now_number = models.TextField(default="")
    now_text = models.TextField(default="")
    terms = ArrayField(models.TextField(), default=list)
    quote_stands = models.BooleanField(default=True)
    is_unread = models.BooleanField(default=False)
    looked_at = models.DateTimeField(null=True)
    coming_from = models.DateField(null=True)
    coming_status = models.TextField(default="")
    coming_id = models.BigIntegerField(null=True)
    coming_eid = models.TextField(default="")

    class Meta:
        db_table = "kb_note_citation"
        ordering = ["note_id", "n"]
        indexes = [
            models.Index(fields=["topic"], name="kb_note_citation_topic_idx"),
            models.Index(fields=["work_id"], name="kb_note_citation_work_idx"),
            models.Index(fields=["source"], name="kb_note_citation_source_idx"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["note", "n"], name="kb_note_citation_key"),
            models.CheckConstraint(
                condition=models.Q(status__in=[one.value for one in StandingStatus]),
                name="kb_note_citation_status_check",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.note_id}[{self.n}]: {self.source_id}#{self.eid}"

    @property
    def words_stand(self) -> bool | None:
        """Whether the quoted words are there still. None until that was looked at, and where it cannot be."""
        return None if self.looked_at is None or self.is_unread else self.quote_stands


class NoteEvent(models.Model):
    """What a note cites became something else: `was` and `status` are `StandingStatus`, `since` the day.

    It is written in the transaction that stores the new standing. Ids come in the order of their commits, as one
    process at a time writes them: none turns up late behind a later one.
    """

    note = models.ForeignKey(Note, on_delete=models.DO_NOTHING, related_name="events")
    citation = models.ForeignKey(NoteCitation, on_delete=models.DO_NOTHING, related_name="events")
    at = models.DateTimeField(db_default=Now())
    was = models.TextField()
    status = models.TextField()
    since = models.DateField(null=True)

    class Meta:
        db_table = "kb_note_event"
        ordering = ["id"]
        indexes = [
            models.Index(fields=["note"], name="kb_note_event_note_idx"),
            models.Index(fields=["citation"], name="kb_note_event_citation_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.note_id}: {self.was} → {self.status}"


class NoteWork(models.Model):
    """A work whose citations in notes are to be looked at. Triggers and `keep` write these rows, and a task on days."""

    work_id = models.BigIntegerField()

    class Meta:
        db_table = "kb_note_work"
        ordering = ["id"]
        indexes = [models.Index(fields=["work_id"], name="kb_note_work_idx")]

    def __str__(self) -> str:
        return str(self.work_id)


class HighlightColour(models.TextChoices):
    YELLOW = "yellow", _("Yellow")
    BLUE = "blue", _("Blue")


class Highlight(models.Model):
    """Words of a document that a person marked. It is theirs alone: no role shows it to anybody else.

    It is anchored to the words: `exact`, with what stood before and behind them, in the provision `eid` of the version
    `source` of a work, whose number was `number`. `start` is the character where they began. `day` is one on which that
    version was in force. Work and source may be gone.
    """

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="highlights")
    work_id = models.BigIntegerField()
    source = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False)
    eid = models.TextField(default="", blank=True)
    number = models.TextField(default="", blank=True)
    day = models.DateField()
    start = models.IntegerField()
    exact = models.TextField()
    prefix = models.TextField(default="", blank=True)
    suffix = models.TextField(default="", blank=True)
    colour = models.CharField(max_length=20, choices=HighlightColour.choices, default=HighlightColour.YELLOW)
    note = models.TextField(default="", blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "kb_highlight"
        ordering = ["id"]
        indexes = [
            models.Index(fields=["person", "work_id"], name="kb_highlight_person_idx"),
            models.Index(fields=["source"], name="kb_highlight_source_idx"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(colour__in=HighlightColour.values), name="kb_highlight_colour_check"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source_id}#{self.eid}"
