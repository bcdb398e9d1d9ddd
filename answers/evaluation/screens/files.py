"""Evaluation questions as files of JSON lines: exporting them, and importing with a look at what it changes."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import ngettext

from answers.evaluation import transfer
from answers.evaluation.questions import questions_within
from answers.evaluation.screens.runs import chosen_topic
from kb_project.errors import Refusal
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.files import chosen_file, preview
from topics.models import Topic


@staff_may(GET="search.view_evaluationquestion")
def export(request: StaffRequest) -> HttpResponse:
    """The questions of a topic."""
    topic = chosen_topic(request, Topic.objects.order_by("id"))
    text = transfer.written(questions_within(topic.pk)) if topic else ""
    response = HttpResponse(text, content_type="application/x-ndjson; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="evaluation-{topic.slug if topic else ""}.jsonl"'
    return response


@staff_may(GET="search.add_evaluationquestion", POST="search.change_evaluationquestion")
def import_file(request: StaffRequest) -> HttpResponse:
    """Choose a file, see what it changes, take it over. The page carries the file from the second step to the third."""
    topics = list(Topic.objects.order_by("id"))
    topic = chosen_topic(request, topics)
    back = reverse("evaluation") + (f"?topic={topic.pk}" if topic else "")
    context: dict[str, object] = {"section": "evaluation", "back": back, "topics": topics, "topic": topic}
    if request.method != "POST" or topic is None:
        return render(request, "evaluation/import.html", context)
    by = request.user.get_username()
    try:
        content = chosen_file(request, largest=transfer.LARGEST_FILE)
        rows = transfer.read(content, topic=topic)
        if "sure" in request.POST:
            done = transfer.take_over(rows, by=by)
            sentence = ngettext("%d question was taken over.", "%d questions were taken over.", len(done)) % len(done)
            messages.success(request, sentence)
            return redirect(back)
        changes = transfer.checked(rows, by=by)
    except Refusal as refusal:
        context["refused"] = refusal.detail
        return render(request, "evaluation/import.html", context, status=refusal.status)
    context |= preview(changes, rows=len(rows), content=content)
    return render(request, "evaluation/import.html", context)
