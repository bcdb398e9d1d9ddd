"""`/notebooks/`: a person's notebooks, and one of them with its notes."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from kb_project.screens.access import StaffRequest, to_sign_in
from kb_project.screens.dialogs import done, render_dialog, settle
from keeping.models import Notebook, NoteKind
from keeping.notebooks import editing, listing, visibility
from keeping.notebooks.listing import ShownNote
from keeping.notebooks.shown_text import NotePiece, ThenAndNow, pieces
from keeping.people import Owner, person_of
from topics.scoping import find_topic, limits, visible_topics

NOTES_A_PAGE, MAX_ON_A_PAGE = 50, 200
NOTEBOOKS_A_PAGE = 100
MAX_READERS_LENGTH = 10_000  # characters


def for_people(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponseBase]:
    """A screen of somebody who signed in, which gets them as a `Owner`."""

    @wraps(view)
    def wrapper(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        person = person_of(request.user)
        if person is None:
            return to_sign_in(request)
        return view(request, Owner(person=person, within=limits(request)), *args, **kwargs)

    return wrapper


@dataclass(frozen=True)
class NoteOnPage:
    """A note with its text in stretches, and its citations with both wordings."""

    shown: ShownNote

    @property
    def pieces(self) -> list[NotePiece]:
        return list(pieces(self.shown))

    @property
    def is_told_by_difference(self) -> bool:
        """Whether what is shown as then and now has all of its text."""
        return self.shown.row.kind == NoteKind.PROVISION and any(one.is_reworded for one in self.citations)

    @property
    def citations(self) -> list[ThenAndNow]:
        return [ThenAndNow(one) for one in self.shown.citations]


@require_safe
@for_people
def notebooks(request: HttpRequest, owner: Owner) -> HttpResponse:
    """All notebooks. With words, the notes of all of them that have these."""
    words = _words(request)
    context: dict[str, Any] = {"section": "notebooks", "owner": owner, "q": words}
    wanted = request.GET.get("page")
    if words:
        found = listing.notes_of(visibility.seen_by(owner), owner, words=words)
        page = Paginator(found, NOTES_A_PAGE).get_page(wanted)
        context |= {"page": page, "notes": _on_page(page, owner)}
    else:
        context["page"] = Paginator(listing.notebooks_of(owner), NOTEBOOKS_A_PAGE).get_page(wanted)
    return render(request, "keeping/notebooks.html", context)


@require_safe
@for_people
def notebook(request: HttpRequest, owner: Owner, notebook_id: int) -> HttpResponse:
    """A notebook with its notes in order."""
    found = visibility.find(owner, notebook_id)
    words, tag = _words(request), request.GET.get("tag", "").replace("\0", "")[: editing.MAX_TAG_LENGTH]
    notes = listing.notes_of(Notebook.objects.filter(pk=found.pk), owner, words=words, tag=tag)
    at_once = MAX_ON_A_PAGE if request.GET.get("all") else NOTES_A_PAGE
    page = Paginator(notes, at_once).get_page(request.GET.get("page"))
    is_own = found.owner_id == owner.person.pk
    context = {
        "section": "notebooks",
        "notebook": found,
        "notebook_alone": [found],
        "is_own": is_own,
        "readers": editing.readers_of(found) if is_own else [],
        "page": page,
        "notes": _on_page(page, owner),
        "q": words,
        "tag": tag,
        "today": timezone.localdate(),
        "address": request.build_absolute_uri(request.path),
    }
    return render(request, "keeping/notebook.html", context)


def _on_page(page: Any, owner: Owner) -> list[NoteOnPage]:
    return [NoteOnPage(one) for one in listing.shown(page, owner)]


def _words(request: HttpRequest) -> str:
    return request.GET.get("q", "").replace("\0", "").strip()[: listing.MAX_WORDS_LENGTH]


class NotebookForm(forms.Form):
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=editing.MAX_NAME_LENGTH,
        widget=forms.TextInput({"dir": "auto", "autofocus": True}),
    )
    shared_with = forms.CharField(
        label=gettext_lazy("People who may read it"),
        required=False,
        max_length=MAX_READERS_LENGTH,
        help_text=gettext_lazy("Their user names, with commas between them. Nobody else sees it, managers neither."),
        widget=forms.TextInput({"dir": "auto"}),
    )
    topic = forms.ChoiceField(label=gettext_lazy("And whoever sees this topic"), required=False)

    def __init__(self, request: HttpRequest, **options: Any) -> None:
        super().__init__(request.POST or None, **options)
        topics = visible_topics(request).order_by("name")
        self.fields["topic"].choices = [("", _("Nobody")), *((str(one.pk), one.name) for one in topics)]  # type: ignore[attr-defined]


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def make(request: StaffRequest, owner: Owner) -> HttpResponse:
    """A new notebook."""
    form = NotebookForm(request)

    def act() -> HttpResponse:
        made = editing.make(owner, form.cleaned_data["name"], **_shared(request, form))
        return done(request, reverse("notebook", args=[made.pk]), _("The notebook %(name)s was made."), name=made)

    return _form(request, form, {"next": reverse("notebooks")}, act)


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def change(request: StaffRequest, owner: Owner, notebook_id: int) -> HttpResponse:
    """Its name, and who may read it."""
    found = visibility.find_own(owner, notebook_id)
    now = {"name": found.name, "shared_with": ", ".join(editing.readers_of(found)), "topic": found.topic_id or ""}
    form, page = NotebookForm(request, initial=now), reverse("notebook", args=[found.pk])

    def act() -> HttpResponse:
        with transaction.atomic():
            editing.rename(found, form.cleaned_data["name"])
            editing.share(found, **_shared(request, form))
        return done(request, page, _("The notebook %(name)s was changed."), name=found)

    return _form(request, form, {"next": page, "notebook": found}, act)


def _form(
    request: StaffRequest, form: NotebookForm, context: dict[str, Any], act: Callable[[], HttpResponse]
) -> HttpResponse:
    context |= {"form": form, "section": "notebooks"}
    if request.method == "POST" and not form.is_valid():
        return render_dialog(request, "keeping/_notebook_form.html", context, status=400)
    return settle(request, "keeping/_notebook_form.html", context, act)


def _shared(request: HttpRequest, form: NotebookForm) -> dict[str, Any]:
    """With whom the form shares it, as the verbs take it."""
    names = form.cleaned_data["shared_with"].replace(";", ",").split(",")
    return {"topic": find_topic(form.cleaned_data["topic"], request), "usernames": names}


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def delete(request: StaffRequest, owner: Owner, notebook_id: int) -> HttpResponse:
    """Delete it with its notes, after asking once: it does not come back."""
    found = visibility.find_own(owner, notebook_id)
    context = {"notebook": found, "count": found.notes.count(), "next": reverse("notebook", args=[found.pk])}

    def act() -> HttpResponse:
        editing.remove(found)
        return done(request, reverse("notebooks"), _("The notebook %(name)s was deleted."), name=found.name)

    return settle(request, "keeping/_notebook_delete.html", context, act)


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def delete_note(request: StaffRequest, owner: Owner, notebook_id: int, note_id: int) -> HttpResponse:
    """Delete a note, after asking once."""
    note = editing.find_note(visibility.find_own(owner, notebook_id), note_id)
    page = reverse("notebook", args=[notebook_id])

    def act() -> HttpResponse:
        note.delete()
        return done(request, page, _("The note was deleted."))

    return settle(request, "keeping/_note_delete.html", {"next": f"{page}#note-{note_id}"}, act)


@require_POST
@for_people
def move_note(request: HttpRequest, owner: Owner, notebook_id: int, note_id: int) -> HttpResponse:
    """Move a note up or down."""
    note = editing.find_note(visibility.find_own(owner, notebook_id), note_id)
    action = request.POST.get("action", "")
    if action in ("up", "down"):
        before = note.notebook.notes.filter(position__lt=note.position).count()
        editing.move(note, position=before + (1 if action == "down" else -1))
    return redirect(f"{reverse('notebook', args=[notebook_id])}#note-{note_id}")
