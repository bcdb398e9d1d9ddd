"""Surveys: every provision of a scope that has what a description says, and what a model said of each."""

import uuid

from django.db import models
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from answers.models import CheckStatus
from topics.models import Topic


class Survey(models.Model):
    """A description that is looked for in every provision of a topic that `rows`, a filter, leaves.

    `as_of` is the day whose law is looked at, None for the day on which it is made. `report` has the lists and the
    certificate once it is done (`keeping.surveys.reading.surveying`). `claim` is the process's that makes it, which
    says at `progress_at` that it goes on. `round` counts how often it was asked for.

    Where `by_model`, `read_to` is the last document all of which was read, `calls` and `tokens` are what that cost
    in this round, and `why` says what puts it off until `next_at`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+")
    by = models.TextField()
    description = models.TextField()
    rows = models.JSONField(default=dict)
    as_of = models.DateField(null=True)
    by_model = models.BooleanField(default=False)
    paused = models.BooleanField(default=False)
    at = models.DateTimeField(db_default=Now())
    round = models.IntegerField(default=1)
    status = models.CharField(max_length=20, choices=CheckStatus.choices, default=CheckStatus.QUEUED)
    progress_at = models.DateTimeField(db_default=Now())
    next_at = models.DateTimeField(null=True)
    why = models.TextField(default="")
    attempts = models.IntegerField(default=0)
    claim = models.UUIDField(null=True)
    done = models.IntegerField(default=0)
    total = models.IntegerField(default=0)
    read_to = models.BigIntegerField(default=0)
    calls = models.IntegerField(default=0)
    tokens = models.BigIntegerField(default=0)
    error = models.TextField(default="")
    report = models.JSONField(null=True)

    class Meta:
        db_table = "kb_survey"
        ordering = ["-at", "id"]
        indexes = [
            models.Index(fields=["topic", "at"], name="kb_survey_topic_idx"),
            models.Index(
                fields=["progress_at"],
                name="kb_survey_waiting_idx",
                condition=models.Q(status__in=["queued", "running"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.status}: {self.description[:80]}"


class SurveyOutcome(models.TextChoices):
    """What a model says of a provision."""

    YES = "yes", _("yes")
    NO = "no", _("no")
    UNDECIDED = "undecided", _("undecided")
    FAILED = "failed", _("not read")


class SurveyReading(models.Model):
    """What a model said, in a round, of the provision whose text has the hash `key`. `quote` stands in it."""

    survey = models.ForeignKey(Survey, on_delete=models.DO_NOTHING, related_name="+")
    key = models.CharField(max_length=64)
    outcome = models.CharField(max_length=20, choices=SurveyOutcome.choices)
    quote = models.TextField(default="")
    why = models.TextField(default="")
    model = models.TextField(default="")
    round = models.IntegerField(default=1)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        db_table = "kb_survey_reading"
        ordering = ["survey_id", "id"]
        constraints = [models.UniqueConstraint(fields=["survey", "key"], name="kb_survey_reading_key")]

    def __str__(self) -> str:
        return f"{self.survey_id}: {self.outcome}"
