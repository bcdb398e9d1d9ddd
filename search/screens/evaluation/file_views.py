"""Evaluation questions as files of JSON lines: exporting them, and importing with a look at what it changes."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import ngettext

from kb_project.errors import Refusal
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.files import carried, chosen_file
from search.evaluation import transfer
from search.evaluation.questions import questions_within
from search.screens.evaluation.list_views import chosen_topic
from topics.models import Topic

SHOWN = 200  # changes of a preview


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
    context: dict[str, object] = {"section": "evaluation", "topics": topics, "topic": topic}
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
            return redirect(f"{reverse('evaluation')}?topic={topic.pk}")
        changes = transfer.checked(rows, by=by)
    except Refusal as refusal:
        context["refused"] = refusal.detail
        return render(request, "evaluation/import.html", context, status=refusal.status)
    context |= {
        "changes": changes[:SHOWN],
        "new": sum(change.before is None for change in changes),
        "changed": sum(change.before is not None for change in changes),
        "same": len(rows) - len(changes),
        "more": max(0, len(changes) - SHOWN),
        "carried": carried(content),
        "previewed": True,
    }
    return render(request, "evaluation/import.html", context)
