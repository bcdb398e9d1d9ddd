"""Labels, the other names they answer to, and their assignments to sources."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from sources.models import Source
from topics.models import Topic


class Label(models.Model):
    """A sub-topic tag. `usage_count` is the number of sources that carry it, kept by `labels.assign` and `merge`."""

    slug = models.CharField(max_length=200, unique=True)
    name = models.TextField()
    usage_count = models.IntegerField(default=0)
    created_at = models.DateTimeField(db_default=Now())
    sources = models.ManyToManyField(Source, through="SourceLabel", related_name="labels")

    class Meta:
        db_table = "kb_label"
        verbose_name = _("label")
        verbose_name_plural = _("labels")
        ordering = ["name", "id"]
        constraints = [
            models.CheckConstraint(condition=models.Q(usage_count__gte=0), name="kb_label_usage_count_not_negative"),
        ]

    def __str__(self) -> str:
        return self.name


class LabelAlias(models.Model):
    """A slug that leads to a label: what stays of one that was merged away or renamed. No label has it as its own."""

    label = models.ForeignKey(Label, on_delete=models.CASCADE, related_name="aliases")
    slug = models.CharField(max_length=200, unique=True)
    name = models.TextField()
    # The topics that knew the label by this name, so that nobody else is told it.
    known_in = ArrayField(models.BigIntegerField(), default=list, db_default=[], editable=False)

    class Meta:
        db_table = "kb_label_alias"
        verbose_name = _("label alias")
        verbose_name_plural = _("label aliases")
        ordering = ["slug"]

    def __str__(self) -> str:
        return self.name

    @property
    def keeps_slug(self) -> bool:
        """Whether its name has this slug still. If not, a label whose name has it may take it."""
        from law.words.slugs import slugify  # here, as most commands need no language

        return slugify(self.name) == self.slug


class SourceLabel(models.Model):
    """One label on one source."""

    source = models.ForeignKey(Source, on_delete=models.CASCADE, related_name="label_assignments")
    label = models.ForeignKey(Label, on_delete=models.CASCADE, related_name="assignments")

    class Meta:
        db_table = "kb_source_label"
        verbose_name = _("label of a source")
        verbose_name_plural = _("labels of sources")
        constraints = [
            models.UniqueConstraint(fields=["source", "label"], name="kb_source_label_once"),
        ]

    def __str__(self) -> str:
        return f"{self.source_id}: {self.label_id}"


class TopicLabel(models.Model):
    """A label that somebody brought into a topic by naming it. It is known there though no source may carry it yet."""

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="+")
    label = models.ForeignKey(Label, on_delete=models.CASCADE, related_name="topics")

    class Meta:
        db_table = "kb_topic_label"
        verbose_name = _("label of a topic")
        verbose_name_plural = _("labels of topics")
        constraints = [
            models.UniqueConstraint(fields=["topic", "label"], name="kb_topic_label_once"),
        ]

    def __str__(self) -> str:
        return f"{self.topic_id}: {self.label_id}"
