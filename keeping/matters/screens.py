"""`/notebooks/{id}/since/`: what became of a notebook since one looked. Putting watches into it and taking them out."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kb_project.errors import ApiError
from kb_project.screens.access import StaffRequest
from kb_project.screens.dialogs import done, render_dialog, settle
from keeping.matters import items
from keeping.matters.becoming import mark_looked, what_became
from keeping.models import Notebook
from keeping.notebooks import visibility
from keeping.notebooks.screens import for_people
from keeping.people import Owner
from keeping.watches import watching
from keeping.watches.kinds import names_of
from keeping.watches.screens import target_of, watcher_at
from keeping.watches.targets import VisibleTargets


@require_safe
@for_people
def since(request: HttpRequest, owner: Owner, notebook_id: int) -> HttpResponse:
    """What became of it, the newest day first."""
    notebook = visibility.find(owner, notebook_id)
    context = {
        "section": "notebooks",
        "notebook": notebook,
        "became": what_became(notebook, owner),
        "today": timezone.localdate(),
        "address": request.build_absolute_uri(request.path),
    }
    return render(request, "keeping/since.html", context)


@require_POST
@for_people
def looked(request: HttpRequest, owner: Owner, notebook_id: int) -> HttpResponse:
    """Note that one looked at what the page showed: not at what came since."""
    notebook = visibility.find(owner, notebook_id)
    mark_looked(notebook, owner, upto=_event(request, "upto"), upto_news=_event(request, "upto_news"))
    return redirect("notebook", notebook_id)


def _event(request: HttpRequest, name: str) -> int:
    given = request.POST.get(name, "")
    return int(given) if given.isascii() and given.isdecimal() and len(given) < 19 else 0


class WatchForm(forms.Form):
    """Which of the person's watches is put in."""

    watch = forms.ChoiceField(label=gettext_lazy("Watch"))

    def __init__(self, notebook: Notebook, *args: Any) -> None:
        super().__init__(*args)
        others = list(items.others_of(notebook))
        named = names_of(VisibleTargets(notebook.owner), others)
        chosen = [(one.pk, f"{one.get_kind_display()}: {named[one.pk].name}") for one in others if one.pk in named]
        self.fields["watch"].choices = chosen  # type: ignore[attr-defined]


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def add(request: StaffRequest, owner: Owner, notebook_id: int) -> HttpResponse:
    """Ask which watch, and put it in. With `search`, as a page of results names it, that search is watched first."""
    notebook = visibility.find_own(owner, notebook_id)
    page = f"{reverse('notebook', args=[notebook_id])}#watches"
    if request.method == "POST" and request.POST.get("search"):
        try:
            items.put_target_in(notebook, watcher_at(request), target_of(request))
        except ApiError as refusal:
            messages.error(request, refusal.detail)
        return redirect(page)
    form = WatchForm(notebook, request.POST or None)
    context = {"form": form, "section": "notebooks", "next": page}
    if request.method == "POST" and not form.is_valid():
        return render_dialog(request, "keeping/_watch_form.html", context, status=400)

    def act() -> HttpResponse:
        items.put_in(notebook, watching.find(owner.person, int(form.cleaned_data["watch"])))
        return done(request, page, _("The watch is in the notebook %(name)s."), name=notebook)

    return settle(request, "keeping/_watch_form.html", context, act)


@require_POST
@for_people
def take_out(request: HttpRequest, owner: Owner, notebook_id: int, watch_id: int) -> HttpResponse:
    """Take a watch out of the notebook. It goes on."""
    items.take_out(visibility.find_own(owner, notebook_id), watch_id)
    messages.success(request, _("The watch goes on, outside of this notebook."))
    return redirect("notebook", notebook_id)
