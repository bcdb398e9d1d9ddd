"""Words that people marked, and their notes on them."""

from django.contrib.auth.models import User
from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from sources.models import Source


class HighlightColour(models.TextChoices):
    YELLOW = "yellow", _("Yellow")
    BLUE = "blue", _("Blue")


class Highlight(models.Model):
    """Words of a document that a person marked. It is theirs alone: no role shows it to anybody else.

    It is anchored to the words: `exact`, with what stood before and behind them, in the provision `eid` of the version
    `source` of a work, whose number was `number`. `start` is the character where they began. `day` is one on which that
    version was in force. Work and source may be gone.
    """

    person = models.ForeignKey(User, on_delete=models.CASCADE, related_name="highlights")
    work_id = models.BigIntegerField()
    source = models.ForeignKey(Source, on_delete=models.DO_NOTHING, related_name="+", db_constraint=False)
    eid = models.TextField(default="", blank=True)
    number = models.TextField(default="", blank=True)
    day = models.DateField()
    start = models.IntegerField()
    exact = models.TextField()
    prefix = models.TextField(default="", blank=True)
    suffix = models.TextField(default="", blank=True)
    colour = models.CharField(max_length=20, choices=HighlightColour.choices, default=HighlightColour.YELLOW)
    note = models.TextField(default="", blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "kb_highlight"
        ordering = ["id"]
        indexes = [
            models.Index(fields=["person", "work_id"], name="kb_highlight_person_idx"),
            models.Index(fields=["source"], name="kb_highlight_source_idx"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(colour__in=HighlightColour.values), name="kb_highlight_colour_check"
            )
        ]

    def __str__(self) -> str:
        return f"{self.source_id}#{self.eid}"
