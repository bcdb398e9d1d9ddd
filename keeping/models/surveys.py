"""Surveys: every provision of a scope that has what a description says."""

import uuid

from django.db import models
from django.db.models.functions import Now

from answers.models import CheckStatus
from topics.models import Topic


class Survey(models.Model):
    """A description that is looked for in every provision of a topic that `rows`, a filter, leaves.

    `report` has the lists and the certificate once it is done (`keeping.surveys.surveying`). `claim` is the process's
    that makes it, which says at `progress_at` that it goes on.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, related_name="+")
    by = models.TextField()
    description = models.TextField()
    rows = models.JSONField(default=dict)
    at = models.DateTimeField(db_default=Now())
    status = models.CharField(max_length=20, choices=CheckStatus.choices, default=CheckStatus.QUEUED)
    progress_at = models.DateTimeField(db_default=Now())
    attempts = models.IntegerField(default=0)
    claim = models.UUIDField(null=True)
    done = models.IntegerField(default=0)
    total = models.IntegerField(default=0)
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
