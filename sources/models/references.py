"""What cites what, and by which names sources are cited."""

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from sources.models.documents import Source
from topics.models import Topic


class SourceKey(models.Model):
    """The forms by which a citation finds a source: words of its title, and its identifiers, normalised.

    Among the latter are the beginnings of further titles, as `title_start` has that of its own.
    """

    source = models.OneToOneField(Source, on_delete=models.DO_NOTHING, primary_key=True, related_name="citation_key")
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+")
    title_start = models.TextField(default="")
    title_stems = ArrayField(models.IntegerField(), default=list)
    identifiers = ArrayField(models.TextField(), default=list)

    class Meta:
        db_table = "kb_source_key"
        indexes = [
            models.Index(fields=["topic", "title_start"], name="kb_source_key_start_idx"),
            GinIndex(fields=["title_stems"], name="kb_source_key_stems_idx"),
            GinIndex(fields=["identifiers"], name="kb_source_key_identifiers_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id}: {self.title_start}"


class Reference(models.Model):
    """A place in a document's text that refers to an act or a provision, also of the document itself.

    `eid` is the innermost stored provision that it stands in, '' before the first. It spans the characters of the
    document's text from `span_start` to `span_end`, which read `text`. `cites` is what it says it refers to
    (`law.references.mentions.Citation`), `act_key` the key of `SourceKey` that a source has which it may mean.
    `target` is the source that it is resolved to, which may be gone by now: no foreign key, as deleting a source
    would then wait for who resolves references to it. `target_eid` is '' where the act as a whole is meant, or has no
    such provision. A range is two references, of which the first has in `target_between` what it cites up to the other.
    `reason` says why it is taken to be of this act (`law.references.reasons.Reason`), '' where no act is known and for
    what was read before that was kept.
    """

    source = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="references")
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+")
    eid = models.TextField(default="")
    span_start = models.IntegerField()
    span_end = models.IntegerField()
    text = models.TextField()
    internal = models.BooleanField()
    cites = models.JSONField(default=dict)
    act_key = models.TextField(default="")
    is_ambiguous = models.BooleanField(default=False)
    target = models.ForeignKey(
        Source, on_delete=models.DO_NOTHING, related_name="cited_by", null=True, db_constraint=False
    )
    target_eid = models.TextField(default="", db_collation="C")
    target_between = ArrayField(models.TextField(), null=True)
    reason = models.TextField(default="")

    class Meta:
        db_table = "kb_reference"
        ordering = ["source_id", "span_start"]
        indexes = [
            models.Index(fields=["source", "span_start"], name="kb_reference_source_idx"),
            models.Index(
                fields=["target", "target_eid"],
                name="kb_reference_target_idx",
                condition=models.Q(target__isnull=False),
            ),
            models.Index(fields=["topic", "act_key"], name="kb_reference_act_idx", condition=~models.Q(act_key="")),
            models.Index(
                fields=["target"],
                name="kb_reference_between_idx",
                condition=models.Q(target_between__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.source_id}#{self.eid}: {self.text[:80]}"


class ReferenceWork(models.Model):
    """What is to be done about references: those of `source` are to be read, or some are to be resolved again.

    The latter are those that may mean a source with the key `act_key`, or are resolved to `target_id`. A trigger of
    kb_source_key writes these rows, in the transaction that publishes, renames or deletes a source, so that none is
    forgotten. The same may stand there twice.
    """

    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False)
    source = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="+", null=True)
    act_key = models.TextField(default="")
    target_id = models.BigIntegerField(null=True)

    class Meta:
        db_table = "kb_reference_work"
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.topic_id}: {self.source_id or self.act_key or self.target_id}"
