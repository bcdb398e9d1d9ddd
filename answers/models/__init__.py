"""The tables of answers, of their evaluation, and of checks."""

from answers.models.answers import AnswerFeedback, AnswerTrace, EvaluationQuestion, EvaluationRun
from answers.models.checks import CheckStatus, TextCheck, VerdictCount, is_waiting

__all__ = [
    "AnswerFeedback",
    "AnswerTrace",
    "CheckStatus",
    "EvaluationQuestion",
    "EvaluationRun",
    "TextCheck",
    "VerdictCount",
    "is_waiting",
]
