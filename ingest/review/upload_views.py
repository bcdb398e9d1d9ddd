"""`/review/upload/`: the upload page. With JavaScript it sends files one by one to the API."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ingest.intake.batches import UNCONFIRMED_KIND, take_in
from ingest.models import Job
from ingest.review.failures import sentence_of, translated_codes
from kb_project.errors import Refusal
from kb_project.screens.access import staff_may
from kb_project.screens.messages import about
from kb_project.web.admission import takes_files
from sources.kinds import Kind
from topics.models import INITIAL_TOPIC_ID, Topic


class UploadForm(forms.Form):
    topic_id = forms.ModelChoiceField(queryset=Topic.objects.all())
    kind = forms.ChoiceField(choices=Kind.choices, initial=UNCONFIRMED_KIND)


@takes_files("KB_MAX_BATCH_MB")
@staff_may(GET="ingest.add_job", POST="ingest.add_job")
def upload(request: HttpRequest) -> HttpResponse:
    """The page; without JavaScript its form comes back here with all files in one request."""
    if request.method == "POST":
        form = UploadForm(request.POST)
        if form.is_valid() and (batch_id := _take_in(request, form)):
            return redirect("review-batch", batch_id=batch_id)
    context: dict[str, Any] = {
        "section": "upload",
        "refusals": translated_codes(),
        "topics": Topic.objects.all(),
        "topic_id": _number(request.GET.get("topic")) or INITIAL_TOPIC_ID,
        "batch": _batch(request.GET.get("batch", "")),
        "kinds": Kind.choices,
        "kind": UNCONFIRMED_KIND,
    }
    return render(request, "review/upload.html", context)


def _number(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() else None


def _batch(text: str) -> UUID | None:
    """The batch to add to, if there is one of that id."""
    try:
        batch_id = UUID(text)
    except ValueError:
        return None
    return batch_id if Job.objects.filter(batch_id=batch_id).exists() else None


def _why(filename: str, code: str, detail: str) -> str:
    return about(filename, sentence_of(code, detail))


def _take_in(request: HttpRequest, form: UploadForm) -> UUID | None:
    files = [(file.name or "", file.chunks()) for file in request.FILES.getlist("files")]
    if not files:
        messages.warning(request, _("Choose some files first."))
        return None
    topic, kind = form.cleaned_data["topic_id"], form.cleaned_data["kind"]
    try:
        taken = take_in(files, topic=topic, by=request.user.get_username(), kind=kind)
    except Refusal as refusal:
        for rejected in refusal.extra.get("rejected", ()):
            messages.error(request, _why(rejected["filename"], rejected["code"], rejected["detail"]))
        return None
    for refused in taken.rejected:
        messages.error(request, _why(refused.filename, refused.code, refused.detail))
    count = len(taken.jobs)
    messages.success(request, ngettext("%d file was taken in.", "%d files were taken in.", count) % count)
    return taken.batch_id
