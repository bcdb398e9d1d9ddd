"""What changed in the law, as the days of versions say, references out of date, and what is looked at for both."""

from uuid import uuid4

from django.db import models
from django.db.models.functions import Now

from sources.models.documents import Source
from topics.models import Topic


class Change(models.Model):
    """A version that comes into force on `day`, or that ends then with none in its place (`ends`).

    `before` is the version that it is compared with: the one of its work that was in force last. It has none if it is
    the first. The row of that version may be gone. `provisions` are the first of those that differ
    (`sources.changes.listing`), and None until they are compared. `counts` says how many there are of each kind.
    `noted_at` is when this was found to be so. A row keeps its id while these change.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    source = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="changes")
    ends = models.BooleanField()
    day = models.DateField()
    before = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="+", null=True, db_constraint=False)
    provisions = models.JSONField(null=True)
    counts = models.JSONField(default=dict)
    noted_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "kb_change"
        ordering = ["-day", "-source_id", "ends"]
        indexes = [models.Index(fields=["day"], name="kb_change_day_idx")]
        constraints = [models.UniqueConstraint(fields=["source", "ends"], name="kb_change_once")]

    def __str__(self) -> str:
        return f"{self.source_id} {'ends' if self.ends else 'begins'} {self.day}"


class ChangeWork(models.Model):
    """A work whose changes are to be worked out anew. `source_id` is a version of it whose text was published.

    Triggers write these rows, in the transaction that publishes or deletes a version or changes its days, so that none
    is forgotten. The same may stand there twice.
    """

    work_id = models.BigIntegerField()
    source_id = models.BigIntegerField(null=True)

    class Meta:
        db_table = "kb_change_work"
        ordering = ["id"]
        indexes = [models.Index(fields=["work_id"], name="kb_change_work_idx")]

    def __str__(self) -> str:
        return f"{self.work_id}: {self.source_id or 'days'}"


class StaleReference(models.Model):
    """A reference to what was repealed, renumbered or changed after the day of the document that it stands in.

    The place is that of the reference (`Reference`): `text` between `span_start` and `span_end`, in `eid`. It cites
    `cited_eid` of the version `cited`, whose section has `number`, and that `became` something else (a
    `StandingStatus`) `since` a day. `now` is the version in force, with what stands there for it. `looked_at` is when
    one of the staff saw it, which holds until it becomes something else. The rows of `cited` and `now` may be gone.
    """

    source = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="stale_references")
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+")
    eid = models.TextField(default="")
    span_start = models.IntegerField()
    span_end = models.IntegerField()
    text = models.TextField()
    work_id = models.BigIntegerField()
    cited = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="+", null=True, db_constraint=False)
    cited_eid = models.TextField(default="")
    number = models.TextField(default="")
    became = models.TextField()
    since = models.DateField(null=True)
    now = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="+", null=True, db_constraint=False)
    now_eid = models.TextField(default="")
    now_number = models.TextField(default="")
    looked_at = models.DateTimeField(null=True)
    looked_by = models.TextField(default="")

    class Meta:
        db_table = "kb_stale_reference"
        ordering = ["-since", "-id"]
        indexes = [
            models.Index(fields=["topic", "since"], name="kb_stale_reference_topic_idx"),
            models.Index(fields=["work_id"], name="kb_stale_reference_work_idx"),
            models.Index(fields=["source"], name="kb_stale_reference_source_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id}#{self.eid}: {self.text[:80]}"

    @property
    def should_read(self) -> str:
        """The citation with the number that the provision has now, '' where that is not certain."""
        if self.became != "renumbered" or not self.now_number or self.text.count(self.number) != 1:
            return ""
        return self.text.replace(self.number, self.now_number) if self.number else ""


class RadarWork(models.Model):
    """A work that references are to be looked at for. Triggers write these rows, and a task on days that begin."""

    work_id = models.BigIntegerField()

    class Meta:
        db_table = "kb_radar_work"
        ordering = ["id"]
        indexes = [models.Index(fields=["work_id"], name="kb_radar_work_idx")]

    def __str__(self) -> str:
        return str(self.work_id)
