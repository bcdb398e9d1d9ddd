"""The tables of search: what the index knows of passages, synonyms, and how often something was searched for.

Most rows are written in SQL. The foreign keys cascade in the database, so that deleting a source can never leave its
chunks behind. Django therefore does nothing on delete.
"""

from uuid import uuid4

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Coalesce, Now
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from law.words.stored import DEFAULT_WEIGHT
from sources.models import Source
from sources.models.passages import Chunk
from topics.models import Topic


class Segment(models.Model):
    """Chunks of a topic that share posting lists. Never changed, only replaced by another.

    A chunk's place is its position in `chunk_ids`, 8 bytes each, little-endian. `source_ids` are the chunks' sources.
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


class Abbreviation(models.Model):
    """In how many passages of a source letters are explained by their long form. `letters` are the stem of a term."""

    pk = models.CompositePrimaryKey("source_id", "letters", "long_form")
    source = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="+")
    letters = models.TextField()
    long_form = models.TextField()
    passages = models.IntegerField()

    class Meta:
        db_table = "kb_abbreviation"
        indexes = [models.Index(fields=["letters"], name="kb_abbreviation_letters_idx")]

    def __str__(self) -> str:
        return f"{self.letters}: {self.long_form}"


class FreshSource(models.Model):
    """A source whose chunks no segment has yet, since they were published only now."""

    source = models.OneToOneField(Source, on_delete=models.DO_NOTHING, primary_key=True, related_name="+")
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+")

    class Meta:
        db_table = "kb_fresh_source"
        indexes = [models.Index(fields=["topic"], name="kb_fresh_source_topic_idx")]

    def __str__(self) -> str:
        return f"{self.source_id} in {self.topic_id}"


class EmbeddingSpace(models.Model):
    """An embedding model. Vectors of two spaces are never compared."""

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


class VectorWork(models.Model):
    """A source whose chunks may lack vectors of the model in use. It may stand there several times."""

    topic_id = models.BigIntegerField()
    source_id = models.BigIntegerField()

    class Meta:
        db_table = "kb_vector_work"
        ordering = ["id"]
        indexes = [
            models.Index(fields=["source_id"], name="kb_vector_work_source_idx"),
            models.Index(fields=["topic_id"], name="kb_vector_work_topic_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id} in {self.topic_id}"


class VectorSpread(models.Model):
    """How the vectors of a topic lie in one space, as measured when there were so many: about their mean.

    Without a topic it is how those of all topics lie together.

    `deviation` is that of the similarities of its passages. Where they are in two languages, `between_languages` is the
    direction, of length 1, from the mean of one to that of the other, and the rest is measured without what lies in it.
    `deviation_across` is that of the similarities of a passage of one with a passage of the other.
    """

    space = models.ForeignKey(EmbeddingSpace, on_delete=models.DO_NOTHING, related_name="+")
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+", null=True)
    vectors = models.BigIntegerField()
    mean = HalfVectorField()
    deviation = models.FloatField()
    between_languages = HalfVectorField(null=True)
    deviation_across = models.FloatField(null=True)

    class Meta:
        db_table = "kb_vector_spread"

    def __str__(self) -> str:
        return f"{self.topic_id} in {self.space_id}"


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


class Collection(models.Model):
    """A collection of points in Qdrant, one for each chunk, with the vectors of one space.

    Its sources are noted while it is `made`, and brought in while it is `filling`. Searches use the one that is
    `active`. One that is `dropped` is deleted there, then here.
    """

    class State(models.TextChoices):
        MADE = "made"
        FILLING = "filling"
        ACTIVE = "active"
        DROPPED = "dropped"

    key = models.UUIDField(default=uuid4, editable=False)  # a part of its name there, never given twice
    space = models.ForeignKey(EmbeddingSpace, on_delete=models.DO_NOTHING, related_name="+")
    state = models.TextField(choices=State)

    class Meta:
        db_table = "kb_collection"
        constraints = [
            models.UniqueConstraint(
                models.Value(True), condition=models.Q(state="active"), name="kb_collection_one_active"
            )
        ]

    def __str__(self) -> str:
        return f"{self.pk} ({self.state})"


class CollectionWork(models.Model):
    """A source that is to be brought into a collection as it is now, or taken out of it.

    Triggers write these rows in the transaction of the change. A source may stand there several times.
    """

    collection = models.ForeignKey(Collection, on_delete=models.DO_NOTHING, related_name="+")
    topic_id = models.BigIntegerField()
    source_id = models.BigIntegerField()

    class Meta:
        db_table = "kb_collection_work"
        ordering = ["id"]
        indexes = [models.Index(fields=["collection", "topic_id", "source_id"], name="kb_collection_work_idx")]

    def __str__(self) -> str:
        return f"{self.source_id} into {self.collection_id}"


class Synonym(models.Model):
    """Words of a query that mean others, in one topic or in all. A weight of 0 says that they mean nothing else.

    Every change renews the version in `kb_synonym_version`, by which processes know that what they keep is stale.
    """

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, null=True, blank=True, related_name="+")
    words = ArrayField(models.TextField())
    means = ArrayField(models.TextField())
    weight = models.FloatField(default=DEFAULT_WEIGHT)

    class Meta:
        db_table = "kb_synonym"
        verbose_name = _("synonym")
        verbose_name_plural = _("synonyms")
        ordering = ["id"]
        indexes = [models.Index(fields=["topic"], name="kb_synonym_topic_idx")]
        constraints = [
            models.CheckConstraint(condition=models.Q(weight__gte=0, weight__lte=1), name="kb_synonym_weight"),
        ]

    def __str__(self) -> str:
        return f"{', '.join(self.words)} → {', '.join(self.means)}"


class SearchCount(models.Model):
    """The searches for some words on one day, in one topic or, with None, in all. Who searched is not kept."""

    day = models.DateField()
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, null=True, db_constraint=False, related_name="+")
    query = models.TextField()
    searches = models.IntegerField()
    unanswered = models.IntegerField()

    class Meta:
        db_table = "kb_search_count"
        verbose_name = "count of searches"
        verbose_name_plural = "counts of searches"
        ordering = ["-day", "id"]
        constraints = [
            models.UniqueConstraint(
                models.F("day"), Coalesce("topic", 0), models.F("query"), name="kb_search_count_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.query}"
