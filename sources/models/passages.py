"""What documents are divided into: passages, which are searched, and provisions, which have addresses."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from pgvector.django import SparseVectorField

from law.timeline import Period
from law.words.stored import DIMENSIONS
from sources.models.documents import Source
from topics.models import Topic


class Chunk(models.Model):
    """One searchable passage.

    `eid` is the address of its provision, '' before the first. `gap` the white space between the chunk before it and
    this one, so that gaps and texts in order are the document's text. `text` is what is shown and quoted, and
    `tables` (`law.chunking.packing.TablePart`) tells which of it are rows. `terms` weighs the names of columns above
    these, its heading and its source's title too. `term_ids` holds the stems of all three, hashed together with the
    topic, and `impacts` a byte for each of them: what it says here (`term_weights.IMPACTS`). It reads so from
    `valid_from` until before `valid_to`, where the text itself says that (`law.structure.dated`).
    """

    source = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="chunks")
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+")
    seq = models.IntegerField()
    page = models.IntegerField(null=True)
    span_start = models.IntegerField()
    span_end = models.IntegerField()
    section = models.TextField(default="")
    section_key = models.TextField(default="")
    heading = models.TextField(default="")
    path = ArrayField(models.TextField(), default=list)
    eid = models.TextField(default="")
    gap = models.TextField(default="")
    text = models.TextField()
    tables = models.JSONField(default=list)
    term_ids = ArrayField(models.IntegerField())
    impacts = models.BinaryField(default=b"")
    terms = SparseVectorField(dimensions=DIMENSIONS)
    valid_from = models.DateField(null=True)
    valid_to = models.DateField(null=True)

    class Meta:
        db_table = "kb_chunk"
        ordering = ["source_id", "seq"]
        indexes = [
            models.Index(
                fields=["topic", "section_key"],
                name="kb_chunk_section_idx",
                condition=~models.Q(section_key=""),
            ),
            models.Index(
                fields=["source", "section_key"],
                name="kb_chunk_source_section_idx",
                condition=~models.Q(section_key=""),
            ),
            models.Index(
                fields=["topic"],
                name="kb_chunk_days_idx",
                include=("id", "source", "valid_from", "valid_to"),
                condition=models.Q(valid_from__isnull=False) | models.Q(valid_to__isnull=False),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["source", "seq"], name="kb_chunk_source_seq"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id}#{self.seq}"

    @property
    def days(self) -> Period:
        return Period(self.valid_from, self.valid_to)


class Provision(models.Model):
    """A part of a document that has an address: a chapter, a section, a numbered paragraph, a heading of prose.

    `eid` is the address (`law.structure.provisions`), `position` the place in the document's order from 0, `parent`
    the address of the provision that it stands in, '' at the top. It spans the characters of the document's text from
    `span_start` to `span_end`, those of the provisions inside it included. It reads so from `valid_from` until before
    `valid_to`, where the text says that of all of it.
    """

    pk = models.CompositePrimaryKey("source_id", "eid")
    source = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="provisions")
    eid = models.TextField()
    kind = models.TextField()
    number = models.TextField(default="")
    heading = models.TextField(default="")
    parent = models.TextField(default="")
    position = models.IntegerField()
    depth = models.SmallIntegerField(default=0)
    page = models.IntegerField(null=True)
    span_start = models.IntegerField()
    span_end = models.IntegerField()
    valid_from = models.DateField(null=True)
    valid_to = models.DateField(null=True)

    class Meta:
        db_table = "kb_provision"
        ordering = ["source_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["source", "position"], name="kb_provision_source_position"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id}#{self.eid}"

    @property
    def days(self) -> Period:
        return Period(self.valid_from, self.valid_to)
