"""Questions whose right answer is known, and how they were answered when all of them were asked."""

from django.db import models
from django.db.models.functions import MD5, Now
from django.utils.translation import gettext_lazy as _

from topics.models import Topic


class EvaluationQuestion(models.Model):
    """A question of a topic with what an answer must cite. With neither provisions nor words nothing answers it.

    `provisions` are `{"source_id", "eid"}`, any of which is right. Without `eid` the whole document is. `words` must
    stand in the quote.
    """

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="+")
    question = models.TextField()
    provisions = models.JSONField(default=list)
    words = models.TextField(default="")

    class Meta:
        db_table = "kb_evaluation_question"
        verbose_name = _("evaluation question")
        verbose_name_plural = _("evaluation questions")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint("topic", MD5("question"), name="kb_evaluation_question_once"),
        ]

    def __str__(self) -> str:
        return self.question[:80]

    @property
    def nothing_answers(self) -> bool:
        return not (self.provisions or self.words)


class EvaluationRun(models.Model):
    """All questions asked one after another with one configuration. `outcomes` are those of the first `questions`.

    `origin` is the file that the questions come from, empty for the topic's own. `baseline` is the id of the accepted
    run that a finished one was held against, `worse_by` the points by which it fell behind it.
    """

    topic = models.ForeignKey(Topic, on_delete=models.CASCADE, related_name="+")
    by = models.TextField()
    origin = models.TextField(default="")
    started_at = models.DateTimeField(db_default=Now())
    progress_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True)
    accepted = models.BooleanField(default=False)
    baseline = models.BigIntegerField(null=True)
    worse_by = models.FloatField(null=True)
    configuration = models.JSONField(default=dict)
    questions = models.JSONField(default=list)
    outcomes = models.JSONField(default=list)

    class Meta:
        db_table = "kb_evaluation_run"
        verbose_name = _("evaluation run")
        verbose_name_plural = _("evaluation runs")
        ordering = ["-id"]
        indexes = [models.Index(fields=["topic"], name="kb_evaluation_run_topic_idx")]

    def __str__(self) -> str:
        return f"{self.pk} of {self.topic_id}"
