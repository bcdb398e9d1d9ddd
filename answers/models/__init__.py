"""The tables of answers and of their evaluation; their migrations are in the app `search`."""

from answers.models.answers import AnswerFeedback, AnswerTrace
from answers.models.evaluation import EvaluationQuestion, EvaluationRun

__all__ = [
    "AnswerFeedback",
    "AnswerTrace",
    "EvaluationQuestion",
    "EvaluationRun",
]
