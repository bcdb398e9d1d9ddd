"""Checks of texts: what was given, and what was found."""

import uuid
from datetime import timedelta

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models.functions import Coalesce, Now
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from topics.models import Topic


class CheckStatus(models.TextChoices):
    QUEUED = "queued", _("waiting")
    RUNNING = "running", _("being checked")
    DONE = "done", _("done")
    FAILED = "failed", _("failed")


STALLED_AFTER = timedelta(minutes=5)  # without progress


def is_waiting() -> models.Q:
    """What nobody does: it was not begun, or whoever began it has ended."""
    stalled = models.Q(status=CheckStatus.RUNNING, progress_at__lt=timezone.now() - STALLED_AFTER)
    return models.Q(status=CheckStatus.QUEUED) | stalled


class TextCheck(models.Model):
    """A text that is held against the law, kept for `KB_CHECK_DAYS`. No search sees it.

    `turn_of` is the person, key or address by which checks take turns, in a form from which no address can be read.
    `file` has the bytes of what was sent as a file, `text` what was read of it. `within` are the topics that whoever
    asked sees, where those are not all. `remarks` are what a person says of a verdict that is not theirs, by the kind
    and the place of the finding: `quotations:3`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    at = models.DateTimeField(db_default=Now())
    by = models.TextField()
    turn_of = models.CharField(max_length=40, default="")
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, null=True, related_name="+")
    within = ArrayField(models.BigIntegerField(), null=True)
    as_of = models.DateField()
    day_of_document = models.BooleanField(default=False)
    filename = models.TextField(default="")
    file = models.BinaryField(null=True)
    text = models.TextField(default="")
    status = models.CharField(max_length=20, choices=CheckStatus.choices, default=CheckStatus.QUEUED)
    progress_at = models.DateTimeField(db_default=Now())
    done = models.IntegerField(default=0)
    total = models.IntegerField(default=0)
    error = models.TextField(default="")
    report = models.JSONField(null=True)
    remarks = models.JSONField(default=dict)

    class Meta:
        db_table = "kb_text_check"
        verbose_name = _("check of a text")
        verbose_name_plural = _("checks of texts")
        indexes = [
            models.Index(fields=["at"], name="kb_text_check_at_idx"),
            models.Index(fields=["turn_of", "progress_at"], name="kb_text_check_turn_idx"),
        ]

    def __str__(self) -> str:
        return f"{self.status}: {self.filename or self.text[:80]}"


class VerdictCount(models.Model):
    """How often checks of one day gave a verdict, in one topic or, with None, in all, and how often it was overruled.

    It outlives the checks, of which it has no word.
    """

    day = models.DateField()
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, null=True, db_constraint=False, related_name="+")
    kind = models.CharField(max_length=20)
    verdict = models.CharField(max_length=30)
    findings = models.IntegerField()
    overruled = models.IntegerField()

    class Meta:
        db_table = "kb_verdict_count"
        verbose_name = "count of verdicts"
        verbose_name_plural = "counts of verdicts"
        ordering = ["-day", "id"]
        constraints = [
            models.UniqueConstraint(
                models.F("day"),
                Coalesce("topic", 0),
                models.F("kind"),
                models.F("verdict"),
                name="kb_verdict_count_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.day}: {self.kind} {self.verdict}"
