"""How questions were answered, what people say of it, and questions whose right answer is known."""

import uuid

from django.db import models
from django.db.models.functions import MD5, Now
from django.utils.translation import gettext_lazy as _

from topics.models import Topic


class AnswerTrace(models.Model):
    """How one question was answered, kept for `KB_TRACE_DAYS`: what was found, said, cited and dropped."""

    # Statuses besides those of an answer: the provider failed, the client did not wait, a limit cut the answer, or
    # there was none and something was shown in its place.
    FAILED, LEFT, TRUNCATED, SHOWN = "failed", "left", "truncated", "nearest_shown"

    answer_id = models.UUIDField(_("id of the answer"), default=uuid.uuid4, unique=True)
    at = models.DateTimeField(_("when"), db_default=Now())
    by = models.TextField(_("who"))
    topic = models.ForeignKey(Topic, on_delete=models.DO_NOTHING, null=True, blank=True, related_name="+")
    question = models.TextField(_("question"))
    as_of = models.DateField(_("the law of"), null=True, blank=True)
    expanded = models.JSONField(_("expansions"), default=list, blank=True)
    expansion = models.CharField(_("expansion"), max_length=40, default="", blank=True)
    passages = models.JSONField(_("passages"), default=list, blank=True)
    status = models.CharField(_("status"), max_length=40)
    answer = models.TextField(_("answer"), default="", blank=True)
    citations = models.JSONField(_("citations"), default=list, blank=True)
    dropped = models.JSONField(_("dropped citations"), default=list, blank=True)
    error = models.TextField(_("error"), default="", blank=True)
    provider = models.TextField(_("provider"))
    model = models.TextField(_("model"))
    fallback_from = models.TextField(_("in the place of"), default="", blank=True)
    input_tokens = models.IntegerField(_("input tokens"), null=True, blank=True)
    output_tokens = models.IntegerField(_("output tokens"), null=True, blank=True)
    cache_read_tokens = models.IntegerField(_("tokens read from a cache"), null=True, blank=True)
    cache_write_tokens = models.IntegerField(_("tokens written to a cache"), null=True, blank=True)
    calls = models.IntegerField(_("calls"), default=0)
    retrieval_ms = models.FloatField(_("retrieval, ms"))
    took_ms = models.FloatField(_("took, ms"))

    class Meta:
        db_table = "kb_answer_trace"
        verbose_name = _("trace of an answer")
        verbose_name_plural = _("traces of answers")
        ordering = ["-id"]
        # With what insights count by, so that they need not read the answers.
        indexes = [models.Index(fields=["at"], include=["topic", "status"], name="kb_answer_trace_week_idx")]

    def __str__(self) -> str:
        return f"{self.status}: {self.question[:80]}"


class AnswerFeedback(models.Model):
    """Whether somebody who read an answer found it helpful, and why. It is forgotten with the trace."""

    trace = models.OneToOneField(
        AnswerTrace, on_delete=models.DO_NOTHING, primary_key=True, related_name="feedback", verbose_name=_("trace")
    )
    at = models.DateTimeField(_("when"), db_default=Now())
    by = models.TextField(_("who"))
    helpful = models.BooleanField(_("helpful"))
    note = models.TextField(_("note"), default="", blank=True)

    class Meta:
        db_table = "kb_answer_feedback"
        verbose_name = _("feedback on an answer")
        verbose_name_plural = _("feedback on answers")

    def __str__(self) -> str:
        return f"{'helpful' if self.helpful else 'not helpful'}: {self.note[:80]}"


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
