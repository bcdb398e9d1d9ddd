"""How often something was searched for."""

from django.db import models
from django.db.models.functions import Coalesce

from topics.models import Topic


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
