"""The document: what it is, which topic it belongs to and where its file lies."""

from django.db import models
from django.db.models.expressions import RawSQL
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from sources.kinds import Kind
from topics.models import Topic


class Source(models.Model):
    """A document that a person confirmed. Search finds it by its chunks."""

    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="sources")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    title = models.TextField(default="", blank=True)
    subject = models.TextField(default="", blank=True)
    identifier = models.TextField(default="", blank=True)
    description = models.TextField(default="", blank=True)
    published_at = models.DateField(null=True, blank=True)
    ai_classified_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now())
    filename = models.TextField(default="", blank=True)
    file_key = models.TextField(default="", blank=True)
    content_sha256 = models.CharField(max_length=64, default="", blank=True)
    size = models.BigIntegerField(default=0)
    pages = models.IntegerField(null=True, blank=True)
    chunk_count = models.IntegerField(default=0)

    class Meta:
        db_table = "kb_source"
        verbose_name = _("source")
        verbose_name_plural = _("sources")
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["topic", "kind"], name="kb_source_topic_kind_idx"),
            models.Index(fields=["topic", "content_sha256"], name="kb_source_topic_content_idx"),
            models.Index(fields=["published_at"], name="kb_source_published_idx"),
            models.Index(fields=["topic", "-id"], name="kb_source_topic_newest_idx"),
        ]
        constraints = [
            models.CheckConstraint(condition=models.Q(kind__in=Kind.values), name="kb_source_kind_check"),
        ]

    def __str__(self) -> str:
        return self.title or self.filename or f"#{self.pk}"


def mentions(text: str) -> RawSQL:
    """The condition that title, identifier or subject contains the text, ignoring case."""
    # A generated column. It is no model field, so that it is not read with each row.
    return RawSQL("strpos(kb_source.listed_text, lower(%s)) > 0", [text], output_field=models.BooleanField())


class FileDeletion(models.Model):
    """A stored file that no row names, to be deleted from `requested_at` on.

    A file that is about to be stored is listed with a later time, until which a row must name it.
    """

    key = models.TextField()
    requested_at = models.DateTimeField(db_default=Now())
    attempts = models.IntegerField(default=0)

    class Meta:
        db_table = "kb_file_deletion"
        verbose_name = _("file deletion")
        verbose_name_plural = _("file deletions")

    def __str__(self) -> str:
        return self.key
