"""Paths of answers: asking, feedback, tools of agents, evaluation and insights."""

from django.urls import path

from answers.agent.mcp.http import Mcp
from answers.asking.api import Ask, AskStream, Feedback
from answers.asking.screens import ask, give_feedback
from answers.checking import screens as check_screens
from answers.checking.api import CheckText, KeptCheck, KeptCheckWord
from answers.evaluation.api import EvaluationDetail, EvaluationList
from answers.evaluation.screens import questions, runs
from answers.insights.screens import answer, insights

urlpatterns = [
    path("kb/ask", Ask.as_view(), name="kb-ask"),
    path("kb/ask/stream", AskStream.as_view(), name="kb-ask-stream"),
    path("kb/answers/<uuid:answer_id>/feedback", Feedback.as_view(), name="kb-answer-feedback"),
    path("kb/check", CheckText.as_view(), name="kb-check"),
    path("kb/checks/<uuid:check_id>", KeptCheck.as_view(), name="kb-kept-check"),
    path("kb/checks/<uuid:check_id>.docx", KeptCheckWord.as_view(), name="kb-kept-check-word"),
    path("check/", check_screens.start, name="check"),
    path("check/<uuid:check_id>/", check_screens.report, name="check-report"),
    path("check/<uuid:check_id>/overrule/", check_screens.overrule, name="check-overrule"),
    path("check/<uuid:check_id>.docx", check_screens.as_word, name="check-word"),
    path("admin/kb/evaluation", EvaluationList.as_view(), name="admin-evaluation"),
    path("admin/kb/evaluation/<int:question_id>", EvaluationDetail.as_view(), name="admin-evaluation-question"),
    path("insights/", insights, name="insights"),
    path("insights/answers/<uuid:answer_id>/", answer, name="insights-answer"),
    path("evaluation/", runs.evaluation, name="evaluation"),
    path("evaluation/run/", runs.begin_run, name="evaluation-run"),
    path("evaluation/new/", questions.create, name="evaluation-create"),
    path("evaluation/import/", questions.import_file, name="evaluation-import"),
    path("evaluation/export.jsonl", questions.export, name="evaluation-export"),
    path("evaluation/<int:question_id>/edit/", questions.change, name="evaluation-change"),
    path("evaluation/<int:question_id>/delete/", questions.delete, name="evaluation-delete"),
    path("mcp/<str:topic_slug>/", Mcp.as_view(), name="mcp"),
    path("mcp/<str:topic_slug>", Mcp.as_view(), name="mcp-without-slash"),  # some clients strip the slash
    path("ask/", ask, name="ask"),
    path("answers/feedback/", give_feedback, name="answer-feedback"),
]
