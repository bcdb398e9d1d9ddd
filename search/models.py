"""The search index: chunks, what is known about their terms, and their embeddings.

Only `search.index` writes these rows, in SQL. The foreign keys cascade in the database, so that deleting a source
can never leave its chunks behind. Django therefore does nothing on delete.
"""

from uuid import uuid4

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField, SparseVectorField

from search.ranking.term_weights import DIMENSIONS
from sources.models import Source
from topics.models import Topic


class Chunk(models.Model):
    """One searchable passage.

    `eid` is the address of its provision, '' before the first; `gap` the white space between the chunk before it and
    this one, so that gaps and texts in order are the document's text. `text` is what is shown and quoted; `terms`
    weighs its heading and its source's title too. `term_ids` holds the stems of all three, hashed together with the
    topic, and `impacts` a byte for each of them: what it says here (`term_weights.IMPACTS`).
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
    term_ids = ArrayField(models.IntegerField())
    impacts = models.BinaryField(default=b"")
    terms = SparseVectorField(dimensions=DIMENSIONS)

    class Meta:
        db_table = "kb_chunk"
        ordering = ["source_id", "seq"]
        indexes = [
            models.Index(
                fields=["topic", "section_key"],
                name="kb_chunk_section_idx",
                condition=~models.Q(section_key=""),
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["source", "seq"], name="kb_chunk_source_seq"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id}#{self.seq}"


class Provision(models.Model):
    """A part of a document that has an address: a chapter, a section, a numbered paragraph, a heading of prose.

    `eid` is the address (`search.structure.provisions`), `position` the place in the document's order from 0, `parent`
    the address of the provision that it stands in, '' at the top. It spans the characters of the document's text from
    `span_start` to `span_end`, those of the provisions inside it included.
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

    class Meta:
        db_table = "kb_provision"
        ordering = ["source_id", "position"]
        constraints = [
            models.UniqueConstraint(fields=["source", "position"], name="kb_provision_source_position"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id}#{self.eid}"


class Segment(models.Model):
    """Chunks of a topic that share posting lists; never changed, only replaced by another.

    A chunk's place is its position in `chunk_ids`, 8 bytes each, little-endian; `source_ids` are the chunks' sources.
    A chunk that is gone stays in its place until the segment is replaced. What could not be read is `damaged`: searches
    leave it out.
    """

    id = models.UUIDField(primary_key=True, default=uuid4, editable=False)
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+")
    chunks = models.IntegerField()
    chunk_ids = models.BinaryField()
    source_ids = models.BinaryField()
    damaged = models.BooleanField(default=False)

    class Meta:
        db_table = "kb_segment"
        indexes = [models.Index(fields=["topic"], name="kb_segment_topic_idx")]

    def __str__(self) -> str:
        return f"{self.topic_id}: {self.chunks} chunks"


class Posting(models.Model):
    """In which chunks of a segment a term is, and its impact there."""

    pk = models.CompositePrimaryKey("segment_id", "term")
    segment = models.ForeignKey(Segment, on_delete=models.DO_NOTHING, related_name="+")
    term = models.IntegerField()
    postings = models.BinaryField()

    class Meta:
        db_table = "kb_posting"

    def __str__(self) -> str:
        return f"{self.segment_id}/{self.term}"


class FreshSource(models.Model):
    """A source whose chunks no segment has yet, since they were published only now."""

    source = models.OneToOneField(Source, on_delete=models.DO_NOTHING, primary_key=True, related_name="+")
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+")

    class Meta:
        db_table = "kb_fresh_source"
        indexes = [models.Index(fields=["topic"], name="kb_fresh_source_topic_idx")]

    def __str__(self) -> str:
        return f"{self.source_id} in {self.topic_id}"


class SourceKey(models.Model):
    """The forms by which a citation finds a source: words of its title, and its identifier, normalised."""

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


class EmbeddingSpace(models.Model):
    """An embedding model; vectors of two spaces are never compared."""

    provider = models.TextField()
    model = models.TextField()
    dimension = models.IntegerField()
    active = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "kb_embedding_space"
        constraints = [
            models.UniqueConstraint(fields=["provider", "model", "dimension"], name="kb_embedding_space_once"),
            models.UniqueConstraint(
                fields=["active"], condition=models.Q(active=True), name="kb_embedding_space_one_active"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.provider}/{self.model} ({self.dimension})"


class ChunkEmbedding(models.Model):
    """A chunk's vector in one space. The column has no dimension: each space has its own."""

    pk = models.CompositePrimaryKey("space_id", "chunk_id")
    space = models.ForeignKey(EmbeddingSpace, on_delete=models.DO_NOTHING, related_name="+")
    chunk = models.ForeignKey(Chunk, on_delete=models.DO_NOTHING, related_name="embeddings")
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+")
    embedding = HalfVectorField()

    class Meta:
        db_table = "kb_chunk_embedding"

    def __str__(self) -> str:
        return f"{self.chunk_id} in {self.space_id}"


class SegmentCodes(models.Model):
    """The codes of a segment's vectors in one space, by place.

    There are none while a chunk of the segment has no vector in the space.
    """

    pk = models.CompositePrimaryKey("segment_id", "space_id")
    segment = models.ForeignKey(Segment, on_delete=models.DO_NOTHING, related_name="+")
    space = models.ForeignKey(EmbeddingSpace, on_delete=models.DO_NOTHING, related_name="+")
    codes = models.BinaryField()

    class Meta:
        db_table = "kb_segment_codes"

    def __str__(self) -> str:
        return f"{self.segment_id} in {self.space_id}"


class AnswerTrace(models.Model):
    """How one question was answered, kept for `KB_TRACE_DAYS`: what was found, said, cited and dropped."""

    at = models.DateTimeField(_("when"), db_default=Now())
    by = models.TextField(_("who"))
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, null=True, blank=True, related_name="+")
    question = models.TextField(_("question"))
    expanded = models.JSONField(_("expansions"), default=list, blank=True)
    passages = models.JSONField(_("passages"), default=list, blank=True)
    status = models.CharField(_("status"), max_length=40)
    answer = models.TextField(_("answer"), default="", blank=True)
    citations = models.JSONField(_("citations"), default=list, blank=True)
    dropped = models.JSONField(_("dropped citations"), default=list, blank=True)
    error = models.TextField(_("error"), default="", blank=True)
    provider = models.TextField(_("provider"))
    model = models.TextField(_("model"))
    input_tokens = models.IntegerField(_("input tokens"), null=True, blank=True)
    output_tokens = models.IntegerField(_("output tokens"), null=True, blank=True)
    retrieval_ms = models.FloatField(_("retrieval, ms"))
    took_ms = models.FloatField(_("took, ms"))

    class Meta:
        db_table = "kb_answer_trace"
        verbose_name = _("trace of an answer")
        verbose_name_plural = _("traces of answers")
        ordering = ["-id"]
        indexes = [models.Index(fields=["at"], name="kb_answer_trace_at_idx")]

    def __str__(self) -> str:
        return f"{self.status}: {self.question[:80]}"
