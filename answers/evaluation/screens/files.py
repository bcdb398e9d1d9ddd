"""Evaluation questions as files of JSON lines: exporting them, and importing with a look at what it changes."""

from functools import partial

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import ngettext

from answers.evaluation.questions import questions_within
from answers.evaluation.screens.runs import chosen_topic
from answers.evaluation.transfer import QuestionImport, written
from kb_project.api.openapi_files import describe
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.imports import download, import_page
from topics.scoping import topics_to_choose

describe(
    name="evaluation-export",
    media_type="application/x-ndjson",
    description="The evaluation questions of a topic, the first one where none is named, each a line of JSON.",
    fields=lambda: {"topic": forms.IntegerField(required=False)},
)


@staff_may(GET="answers.view_evaluationquestion")
def export(request: StaffRequest) -> HttpResponse:
    """The questions of a topic."""
    topic = chosen_topic(request, topics_to_choose(request))
    text = written(questions_within([topic.pk])) if topic else ""
    name = f"evaluation-{topic.slug if topic else ''}.jsonl"
    return download(text, name=name, content_type="application/x-ndjson")


@staff_may(GET="answers.add_evaluationquestion", POST="answers.change_evaluationquestion")
def import_file(request: StaffRequest) -> HttpResponse:
    topics = topics_to_choose(request)
    topic = chosen_topic(request, topics)
    back = reverse("evaluation") + (f"?topic={topic.pk}" if topic else "")
    context = {"section": "evaluation", "back": back, "topics": topics, "topic": topic}
    if topic is None:
        return render(request, "evaluation/import.html", context)
    return import_page(
        request,
        "evaluation/import.html",
        context,
        read=partial(QuestionImport, topic=topic),
        largest=QuestionImport.largest,
        said=lambda n: ngettext("%d question was taken over.", "%d questions were taken over.", n) % n,
    )
