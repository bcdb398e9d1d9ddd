"""`/surveys/`: the surveys of a reader's topics, and one of them with its lists and its certificate."""

from contextlib import suppress
from typing import Any
from uuid import UUID

from django import forms
from django.core.paginator import Paginator
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kb_project.errors import Conflict, Invalid
from kb_project.screens.access import StaffRequest
from kb_project.screens.dialogs import done, settle
from keeping.models import Survey
from keeping.notebooks.screens import for_people
from keeping.people import Owner
from keeping.surveys import certificate, making, visibility
from keeping.surveys.serializers import put_off_of, survey_out
from keeping.surveys.workbook import titles
from keeping.tables.reading.by_model import has_models
from keeping.tables.screens.forms import ask, choices_of_documents, documents_given
from keeping.tables.visibility import may_change
from search.shown.law_day import law_day
from topics.access import Topics
from topics.scoping import find_topic, within_topics

SURVEYS_A_PAGE = 100
ROWS_AT_FIRST = 100  # of a list
PHASES = {"yes": "phase-done", "undecided": "phase-awaiting_review", "near": "phase-discarded", "gone": "phase-failed"}


class SurveyForm(forms.Form):
    description = forms.CharField(
        label=gettext_lazy("What every provision is looked through for"),
        max_length=making.MAX_DESCRIPTION_LENGTH,
        help_text=gettext_lazy("A duty, a right or a fact, as “an annual report to the minister”."),
        widget=forms.Textarea({"dir": "auto", "rows": 3, "autofocus": True}),
    )
    topic = forms.ChoiceField(label=gettext_lazy("Topic"))
    kind = forms.ChoiceField(label=gettext_lazy("Documents of the kind"), required=False)
    label = forms.ChoiceField(label=gettext_lazy("With the label"), required=False)
    as_of = forms.DateField(
        label=gettext_lazy("The law of the day"),
        required=False,
        help_text=gettext_lazy("Left empty: of the day on which it is made."),
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    by_model = forms.BooleanField(label=gettext_lazy("A model reads every provision"), required=False, initial=True)

    def __init__(self, request: HttpRequest, within: Topics) -> None:
        super().__init__(request.POST or None, initial={"as_of": law_day(request)})
        for name, values in choices_of_documents(request, within).items():
            self.fields[name].choices = values  # type: ignore[attr-defined]
        if not has_models():
            del self.fields["by_model"]


@require_safe
@for_people
def surveys(request: HttpRequest, _owner: Owner) -> HttpResponse:
    """All surveys of the topics that the reader sees, the newest first."""
    counted = Survey.objects.defer("report").annotate(found=F("report__certificate__counts"))
    found = within_topics(counted.select_related("topic"), request)
    page = Paginator(found, SURVEYS_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "surveys/surveys.html", {"section": "surveys", "page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def make(request: StaffRequest, owner: Owner) -> HttpResponse:
    """A new survey."""
    form = SurveyForm(request, owner.within)
    context = {"form": form, "section": "surveys", "next": reverse("surveys")}

    def act() -> HttpResponse:
        given = form.cleaned_data
        topic = find_topic(given["topic"], request)
        if topic is None:
            raise Invalid(_("There is no such topic."))
        more = {"as_of": given["as_of"], "by_model": given.get("by_model", False)}
        by, rows = request.user.get_username(), documents_given(given)
        made = making.begin(given["description"], topic=topic, by=by, rows=rows, **more)
        return done(request, reverse("survey", args=[made.pk]), _("The survey is being made."))

    return ask(request, form, "surveys/_survey_form.html", context, act)


@require_safe
@for_people
def survey(request: HttpRequest, _owner: Owner, survey_id: UUID) -> HttpResponse:
    """A survey: how far it is, its lists, and the certificate in words. A page that waits asks how far it is alone."""
    is_asked_again = "HX-Request" in request.headers
    one = visibility.find(request, survey_id, with_report=not is_asked_again)
    is_waiting = one.status in making.UNFINISHED
    progress = {"survey": one, "is_waiting": is_waiting, "put_off": put_off_of(one)}
    if is_asked_again:
        response = render(request, "surveys/_survey_progress.html", progress)
        if not is_waiting:
            response.headers["HX-Refresh"] = "true"
        return response
    report = survey_out(one)
    told, shows_all = report["certificate"], bool(request.GET.get("all"))
    context: dict[str, Any] = {
        **progress,
        "section": "surveys",
        "may_change": may_change(one, request),
        "certificate": told and certificate.lines(told),
        "told": told,
        "lists": [_shown(name, title, report, shows_all=shows_all) for name, title in titles()] if told else [],
        "address": request.build_absolute_uri(request.path),
    }
    return render(request, "surveys/survey.html", context)


def _shown(name: str, title: str, report: dict[str, Any], *, shows_all: bool) -> dict[str, Any]:
    rows = report[name]
    counted = report["certificate"]["counts"].get(name, len(rows))
    return {
        "name": name,
        "title": title,
        "phase": PHASES[name],
        "count": max(counted, len(rows)),
        "rows": rows if shows_all else rows[:ROWS_AT_FIRST],
        "more": 0 if shows_all else max(0, len(rows) - ROWS_AT_FIRST),
        "left_out": max(0, counted - len(rows)),
    }


@require_POST
@for_people
def act(request: StaffRequest, _owner: Owner, survey_id: UUID) -> HttpResponse:
    """Pause it or go on, or make it again."""
    one = visibility.find_to_change(request, survey_id)
    action = request.POST.get("action", "")
    with suppress(Conflict):  # it is done, or somebody else asked for it
        if action in ("pause", "resume"):
            making.pause(one, paused=action == "pause")
        elif action == "repeat":
            making.repeat(one)
    return redirect("survey", survey_id)


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def delete(request: StaffRequest, _owner: Owner, survey_id: UUID) -> HttpResponse:
    """Delete it, after asking once."""
    one = visibility.find_to_change(request, survey_id)
    context = {"survey": one, "section": "surveys", "next": reverse("survey", args=[survey_id])}

    def act() -> HttpResponse:
        one.delete()
        return done(request, reverse("surveys"), _("The survey was deleted."))

    return settle(request, "surveys/_survey_delete.html", context, act)
