"""`/answers/feedback/`: whether an answer helped, sent from below it."""

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from answers.asking import traces
from kb_project.api.throttles import PublicThrottle
from kb_project.errors import Invalid, Refusal
from search.screens.access import count, for_readers
from topics.scoping import pinned_topic_id

CHOICES = {"true": True, "false": False}


@require_POST
@for_readers
def give_feedback(request: HttpRequest) -> HttpResponse:
    """The form again with what was said, which another sending replaces; a page of its own without a script."""
    helpful, note = CHOICES.get(request.POST.get("helpful", "")), request.POST.get("note", "").replace("\0", "")
    answer_id = request.POST.get("answer", "")
    context = {"section": "search", "answer_id": answer_id, "helpful": helpful, "note": note, "said": True}
    status = 200
    try:
        count(request, PublicThrottle)
        _give(request, answer_id, helpful, note)
    except Refusal as refusal:
        context["refused"], status = refusal.detail, refusal.status
    piece = request.headers.get("HX-Request")
    # A browser's script takes in no piece that came with an error; what it says is said all the same.
    return render(
        request,
        "search/_feedback.html" if piece else "search/feedback.html",
        context,
        status=200 if piece else status,
    )


def _give(request: HttpRequest, answer_id: str, helpful: bool | None, note: str) -> None:
    if len(note) > traces.LONGEST_NOTE:
        raise Invalid(_("The note is longer than %d characters.") % traces.LONGEST_NOTE)
    try:
        if helpful is None:
            raise ValueError
        found = UUID(answer_id)
    except ValueError as error:
        raise Invalid(_("Say whether the answer was helpful.")) from error
    by, pin = traces.asker(request.user), pinned_topic_id(request)
    traces.give(found, helpful=helpful, note=note, by=by, pin=pin)
