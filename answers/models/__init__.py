"""The tables of answers and of their evaluation."""

from answers.models.answers import AnswerFeedback, AnswerTrace
from answers.models.evaluation import EvaluationQuestion, EvaluationRun

__all__ = [
    "AnswerFeedback",
    "AnswerTrace",
    "EvaluationQuestion",
    "EvaluationRun",
]
