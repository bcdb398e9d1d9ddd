"""What changed in the law, as the days of versions say, and what is to be looked at for it."""

from uuid import uuid4

from django.db import models
from django.db.models.functions import Now

from sources.models.documents import Source


class Change(models.Model):
    """A version that comes into force on `day`, or that ends then with none in its place (`ends`).

    `before` is the version that it is compared with: the one of its work that was in force last. It has none if it is
    the first. The row of that version may be gone. `provisions` are the first of those that differ
    (`sources.changes.comparing`), and None until they are compared. `counts` says how many there are of each kind.
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
