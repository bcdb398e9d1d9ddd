"""What the words of a query also mean, as people entered it."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from law.words.stored import DEFAULT_WEIGHT
from topics.models import Topic


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
