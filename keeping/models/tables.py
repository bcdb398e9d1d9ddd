"""Tables of questions to documents: their columns, rows and cells.

The database deletes what belongs to a row with it.
"""

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from sources.models import Source
from topics.models import Topic


class ColumnKind(models.TextChoices):
    """What the answers of a column are."""

    TEXT = "text", _("text")
    YES_NO = "yes_no", _("yes or no")
    DATE = "date", _("date")
    NUMBER = "number", _("number")
    ONE_OF = "one_of", _("one of a list")
    PARTY = "party", _("party")
    CITATION = "citation", _("citation")


class CellStatus(models.TextChoices):
    """How far a cell is, and what was read in its document."""

    WAITING = "waiting", _("waiting")
    RUNNING = "running", _("being read")
    ANSWERED = "answered", _("answered")
    NOT_STATED = "not_stated", _("not stated")
    UNDECIDED = "undecided", _("undecided")
    FAILED = "failed", _("failed")


UNFINISHED = (CellStatus.WAITING, CellStatus.RUNNING)


class CellDecision(models.TextChoices):
    """What a person says of a cell. Nothing counts as confirmed before."""

    CONFIRMED = "confirmed", _("confirmed")
    EDITED = "edited", _("edited")
    REJECTED = "rejected", _("rejected")


class Table(models.Model):
    """Questions that are asked of many documents of a topic.

    `rows` is the filter that documents meet to get a row. `by` is who made it. `looked_at` is when documents were last
    looked for, `turn_at` when a cell of it was last taken to be read. `left_out` counts the documents that meet the
    filter and have no row, as there are too many. `filled_at` is when its last cell was read, None while some are not.
    """

    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+")
    name = models.TextField()
    by = models.TextField()
    rows = models.JSONField(default=dict)
    paused = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())
    looked_at = models.DateTimeField(null=True)
    turn_at = models.DateTimeField(null=True)
    left_out = models.IntegerField(default=0)
    filled_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "kb_table"
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["topic"], name="kb_table_topic_idx"),
            models.Index(fields=["by"], name="kb_table_by_idx"),
        ]

    def __str__(self) -> str:
        return self.name


class TableColumn(models.Model):
    """A question. `hint` tells the reader more of it, `unit` is that of a number, `options` are those of a list."""

    table = models.ForeignKey(Table, on_delete=models.DO_NOTHING, related_name="columns")
    position = models.IntegerField(default=0)
    title = models.TextField()
    question = models.TextField()
    kind = models.CharField(max_length=20, choices=ColumnKind.choices)
    options = ArrayField(models.TextField(), default=list)
    hint = models.TextField(default="")
    unit = models.TextField(default="")

    class Meta:
        db_table = "kb_table_column"
        ordering = ["table_id", "position", "id"]
        indexes = [models.Index(fields=["table", "position"], name="kb_table_column_table_idx")]
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=ColumnKind.values), name="kb_table_column_kind_check")
        ]

    def __str__(self) -> str:
        return self.title


class TableRow(models.Model):
    """A document. `changed_at` is when it was found to have another text, or another version in force (`now`)."""

    table = models.ForeignKey(Table, on_delete=models.DO_NOTHING, related_name="+")
    source = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="+")
    content_sha256 = models.CharField(max_length=64, default="")
    changed_at = models.DateTimeField(null=True)
    now = models.ForeignKey(Source, on_delete=models.DO_NOTHING, null=True, related_name="+", db_constraint=False)

    class Meta:
        db_table = "kb_table_row"
        ordering = ["table_id", "id"]
        indexes = [models.Index(fields=["source"], name="kb_table_row_source_idx")]
        constraints = [models.UniqueConstraint(fields=["table", "source"], name="kb_table_row_key")]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.source_id}"


class TableCell(models.Model):
    """What a document answers to a question.

    `value` is of the form of its column's kind (`keeping.tables.kinds`). `quote` stands in the passage `chunk_id`, in
    the provision `eid`. `searched` tells what was read: which way, how many passages of how many, and by which model.
    `why` is the reason of what is undecided, failed or put off. `decision` and `decided_value` are a person's.
    Whoever reads it holds it by `claim` until `held_until`. It is read again from `next_at`.
    """

    table = models.ForeignKey(Table, on_delete=models.DO_NOTHING, related_name="cells")
    row = models.ForeignKey(TableRow, on_delete=models.DO_NOTHING, related_name="cells")
    column = models.ForeignKey(TableColumn, on_delete=models.DO_NOTHING, related_name="cells")
    status = models.CharField(max_length=20, choices=CellStatus.choices, default=CellStatus.WAITING.value)
    value = models.JSONField(null=True)
    quote = models.TextField(default="")
    chunk_id = models.BigIntegerField(null=True)
    eid = models.TextField(default="")
    page = models.IntegerField(null=True)
    searched = models.JSONField(default=dict)
    why = models.TextField(default="")
    filled_at = models.DateTimeField(null=True)
    decision = models.CharField(max_length=20, choices=CellDecision.choices, default="")
    decided_value = models.JSONField(null=True)
    decided_by = models.TextField(default="")
    decided_at = models.DateTimeField(null=True)
    attempts = models.IntegerField(default=0)
    claim = models.UUIDField(null=True)
    held_until = models.DateTimeField(null=True)
    next_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "kb_table_cell"
        ordering = ["row_id", "column_id"]
        indexes = [
            models.Index(fields=["column"], name="kb_table_cell_column_idx"),
            models.Index(fields=["table", "row"], name="kb_table_cell_table_idx"),
            models.Index(
                fields=["table", "attempts", "id"],
                name="kb_table_cell_waiting_idx",
                condition=models.Q(status__in=["waiting", "running"]),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["row", "column"], name="kb_table_cell_key"),
            models.CheckConstraint(condition=models.Q(status__in=CellStatus.values), name="kb_table_cell_status_check"),
        ]

    def __str__(self) -> str:
        return f"{self.row_id}/{self.column_id}: {self.status}"

    @property
    def held_value(self) -> Any:
        """What holds: the person's, where one edited it, nothing where one rejected it, else what was read."""
        if self.decision == CellDecision.EDITED:
            return self.decided_value
        return None if self.decision == CellDecision.REJECTED else self.value
