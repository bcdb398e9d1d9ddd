"""`/library/{source}/work/`: of what a source is a version, changed by a person."""

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import F, QuerySet
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from ingest.documents.edit import edit
from ingest.documents.works import join
from ingest.review.forms import ISO_DATE
from ingest.similar.naming import similar_sources
from kb_project.errors import ApiError, NotFound
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import redirect_from_dialog, render_dialog
from sources.fields import DAYS
from sources.models import Source, mentions
from sources.models.documents import TITLE_KEY

MAX_OFFERED = 20


class WorkForm(forms.Form):
    """What becomes of a source, or with `all` of all versions of its work: a version of another, or split off."""

    q = forms.CharField(required=False, max_length=200)
    version_of = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    all = forms.BooleanField(required=False)
    split = forms.BooleanField(required=False)
    valid_from = forms.DateField(required=False, input_formats=ISO_DATE)
    valid_to = forms.DateField(required=False, input_formats=ISO_DATE)

    def clean(self) -> dict[str, Any]:
        values = super().clean() or {}
        if not values.get("split") and not values.get("version_of"):
            self.add_error("version_of", _("Choose the document of which it is a version."))
        return values


@staff_may(GET="sources.change_source", POST="sources.change_source")
def work(request: StaffRequest, source_id: int) -> HttpResponse:
    """Choose another work, or none. Then move the source there, alone or with the versions of its own."""
    url = reverse("library-source", args=[source_id])
    source = Source.objects.select_related("topic").filter(pk=source_id).first()
    if source is None:
        return redirect_from_dialog(request, url)  # which says that it is gone
    if request.method != "POST":
        form = WorkForm(initial={name: getattr(source, name) for name in DAYS} | {"q": request.GET.get("q", "")[:200]})
        return _ask(request, source, form)
    form = WorkForm(request.POST)
    if not form.is_valid():
        return _ask(request, source, form, status=400)
    try:
        _change(source, form.cleaned_data, by=request.user.get_username())
    except NotFound:
        return redirect_from_dialog(request, url)
    except ApiError as refusal:
        met = Source.objects.filter(pk=refusal.extra.get("source_id", 0)).first()
        return _ask(request, source, form, refused=refusal.detail, met=met, status=refusal.status)
    messages.success(request, _("Saved."))
    return redirect_from_dialog(request, url)


def _change(source: Source, given: dict[str, Any], *, by: str) -> None:
    if given["all"] and not given["split"]:
        join(source.pk, version_of=given["version_of"], by=by)
        return
    version_of = None if given["split"] else given["version_of"]
    edit(source.pk, {"version_of": version_of} | {name: given[name] for name in DAYS}, by=by)


def _ask(request: StaffRequest, source: Source, form: WorkForm, *, status: int = 200, **more: Any) -> HttpResponse:
    query, chosen = str(form["q"].value() or "").strip(), str(form["version_of"].value() or "")
    offered = _offered(source, query, chosen=int(chosen) if chosen.isdecimal() and len(chosen) < 19 else None)
    context = {
        "source": source,
        "form": form,
        "versions": Source.objects.versions_of(source.work_id),
        "query": query,
        "offered": [(one, str(one.pk) == chosen) for one in offered[:MAX_OFFERED]],
        "more": len(offered) > MAX_OFFERED,
        **more,
    }
    return render_dialog(request, "library/_work.html", context, status=status)


def _offered(source: Source, query: str, *, chosen: int | None) -> list[Source]:
    """Of other works of the topic the last versions that the query finds, without one those that are likely meant.

    By title, the chosen one first. One more than is shown.
    """
    others = Source.objects.filter(topic=source.topic).exclude(work_id=source.work_id)
    if query:
        found = _last_of_works(others.filter(mentions(query)))
    else:
        alike = [one.pk for one in similar_sources([source.pk]).get(source.pk, [])]
        same = others.filter(title=source.title) | others.filter(pk__in=alike)
        found = _last_of_works(same | others.filter(identifier=source.identifier) if source.identifier else same)
    picked = list(others.filter(pk=chosen)) if chosen else []
    return [*picked, *(one for one in found if one.pk != chosen)]


def _last_of_works(sources: QuerySet[Source]) -> list[Source]:
    last = sources.order_by("work_id", F("valid_from").desc(nulls_last=True)).distinct("work_id")
    found = Source.objects.with_followed().filter(pk__in=last.values("pk"))
    return list(found.order_by(TITLE_KEY, "pk")[: MAX_OFFERED + 1])
