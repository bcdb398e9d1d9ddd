"""App configuration of answers."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class AnswersConfig(AppConfig):
    name = "answers"
    verbose_name = _("Answers")

    def ready(self) -> None:
        from answers.models import EvaluationQuestion
        from topics.guard import guard

        guard("question_id", lambda question_id: EvaluationQuestion.objects.filter(pk=question_id))
