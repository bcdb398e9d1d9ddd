"""`/notebooks/keep/`: what a page offers to keep, put into a notebook. `…/today/`: a note asked again as of today."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django import forms
from django.db import transaction
from django.db.models import F, Max
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from answers.asking import traces
from answers.asking.ask import prepare
from answers.asking.screens import QuotedCitation, cited_url
from answers.asking.screens import pieces as answer_pieces
from kb_project.api.throttles import AskThrottle
from kb_project.database.connections import release
from kb_project.database.standbys.reading import from_standby
from kb_project.errors import ApiError, Invalid, NotFound
from kb_project.screens.access import StaffRequest
from kb_project.screens.dialogs import redirect_from_dialog, render_dialog, settle
from keeping.models import Note, Notebook, NoteKind
from keeping.notebooks import editing, listing, visibility
from keeping.notebooks.keep import MAX_QUOTE_LENGTH, NewNote, keep
from keeping.notebooks.pinning import CitedWords
from keeping.notebooks.screens import NoteOnPage, for_people
from keeping.people import Owner
from search.shown.access import count
from search.shown.page import search_form
from sources.provisions import MAX_EID_LENGTH
from sources.scope import Scope
from topics.scoping import note_search, searched

SEARCHED = ("kind", "label", "published_from", "published_to", "versions", "sort", "group")
MAX_OFFERED = editing.MAX_NOTEBOOKS


class KeptForm(forms.Form):
    """What the address of a *Keep* names: `keep` is the kind of the note."""

    keep = forms.ChoiceField(choices=NoteKind.choices)
    answer = forms.UUIDField(required=False)
    n = forms.IntegerField(required=False, min_value=1, max_value=10_000)
    check = forms.UUIDField(required=False)
    source = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    other = forms.IntegerField(required=False, min_value=1, max_value=2**63 - 1)
    eid = forms.CharField(required=False, max_length=MAX_EID_LENGTH)
    quote = forms.CharField(required=False, max_length=MAX_QUOTE_LENGTH)
    day = forms.DateField(required=False)


class IntoForm(forms.Form):
    """Where it is put, and what the person says of it."""

    notebook = forms.ChoiceField(label=gettext_lazy("Notebook"), required=False)
    name = forms.CharField(
        label=gettext_lazy("Name of a new notebook"),
        required=False,
        max_length=editing.MAX_NAME_LENGTH,
        widget=forms.TextInput({"dir": "auto"}),
    )
    remark = forms.CharField(
        label=gettext_lazy("Remark"),
        required=False,
        max_length=editing.MAX_REMARK_LENGTH,
        widget=forms.Textarea({"rows": 2, "dir": "auto"}),
    )
    tags = forms.CharField(
        label=gettext_lazy("Tags"),
        required=False,
        max_length=2_000,
        help_text=gettext_lazy("With commas between them."),
        widget=forms.TextInput({"dir": "auto"}),
    )

    def __init__(self, data: QueryDict | None, *, notebooks: list[Notebook], **options: Any) -> None:
        super().__init__(data, **options)
        chosen = [(str(one.pk), one.name) for one in notebooks]
        self.fields["notebook"].choices = [*chosen, ("", _("A new notebook"))]  # type: ignore[attr-defined]
        self.fields["notebook"].initial = notebooks[0].pk if notebooks else ""
        if not notebooks:
            del self.fields["notebook"]
            self.fields["name"].initial = _("My notebook")

    @property
    def tag_list(self) -> list[str]:
        return str(self.cleaned_data["tags"]).split(",")


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def keep_this(request: StaffRequest, owner: Owner) -> HttpResponse:
    """Ask into which notebook, and put it there."""
    new = _named(request)
    own = _last_used(owner)
    at_once = request.method == "POST" and bool(request.POST.get("at_once"))
    form = IntoForm(request.POST or None, notebooks=own)
    context = {"form": form, "kind": new.kind, "section": "notebooks", "next": reverse("notebooks")}
    if request.method == "POST" and not at_once and not form.is_valid():
        return render_dialog(request, "keeping/_keep_form.html", context, status=400)

    def act() -> HttpResponse:
        if at_once:
            with transaction.atomic():
                notebook = own[0] if own else editing.make(owner, _("My notebook"))
                note = keep(notebook, new, owner=owner)
            return _kept(request, note)
        given = form.cleaned_data
        chosen = given.get("notebook")
        if not chosen and not given["name"].strip():
            raise Invalid(_("Choose a notebook, or name a new one."))
        with transaction.atomic():  # what is refused leaves no empty notebook behind
            notebook = visibility.find_own(owner, int(chosen)) if chosen else editing.make(owner, given["name"])
            note = keep(notebook, replace(new, remark=given["remark"], tags=form.tag_list), owner=owner)
        return _kept(request, note)

    return settle(request, "keeping/_keep_form.html", context, act)


def _last_used(owner: Owner) -> list[Notebook]:
    """The person's own notebooks, that which something was put into last first."""
    last = F("last_note").desc(nulls_last=True)
    own = Notebook.objects.filter(owner=owner.person).annotate(last_note=Max("notes__pk"))
    return list(own.order_by(last, "-pk")[:MAX_OFFERED])


def _kept(request: StaffRequest, note: Note) -> HttpResponse:
    """What says that it is kept, for the toast of an open page, or the notebook."""
    page = f"{reverse('notebook', args=[note.notebook_id])}#note-{note.pk}"
    if not request.htmx:
        return redirect(page)
    return render(request, "keeping/_kept.html", {"notebook": note.notebook, "note": note, "page": page})


def _named(request: HttpRequest) -> NewNote:
    """What the address names. Raises Invalid."""
    form = KeptForm(request.GET)
    if not form.is_valid():
        raise Invalid(_("There is nothing to keep at this address."))
    given = form.cleaned_data
    kind, eid = NoteKind(given["keep"]), given["eid"].replace("\0", "")
    answer_id: UUID | None = given["answer"]
    if kind is NoteKind.SEARCH:
        return _search(request)
    if answer_id is not None:
        return NewNote(kind=kind, answer_id=answer_id, n=given["n"], day=given["day"])
    if kind is NoteKind.CHECK:
        return NewNote(kind=kind, check_id=given["check"])
    ids = [given["source"], given["other"]] if kind is NoteKind.COMPARISON else [given["source"]]
    cited = [CitedWords(source_id=pk, eid=eid, quote=given["quote"]) for pk in ids if pk]
    return NewNote(kind=kind, cited=cited, day=given["day"])


def _search(request: HttpRequest) -> NewNote:
    form = search_form(request)
    # `kind` and the others are the search's own: the note's is `keep`.
    if not form.is_valid():
        raise Invalid(_("There is nothing to keep at this address."))
    values = form.cleaned_data
    filters = {name: values[name] for name in SEARCHED if values[name]}
    filters = {name: value if isinstance(value, list) else str(value) for name, value in filters.items()}
    topic_id = form.chosen_topic.pk if form.chosen_topic else None
    return NewNote(kind=NoteKind.SEARCH, query=form.query, topic_id=topic_id, filters=filters, day=values["as_of"])


class RemarkForm(forms.Form):
    """What the person says of a note, and in which of their notebooks it is."""

    notebook = forms.ModelChoiceField(
        Notebook.objects.none(), label=gettext_lazy("Notebook"), required=False, empty_label=None
    )
    remark = IntoForm.base_fields["remark"]
    tags = IntoForm.base_fields["tags"]

    def __init__(self, data: QueryDict | None, *, owner: Owner, **options: Any) -> None:
        super().__init__(data, **options)
        self.fields["notebook"].queryset = Notebook.objects.filter(owner=owner.person).order_by("-pk")  # type: ignore[attr-defined]


@require_http_methods(["GET", "HEAD", "POST"])
@for_people
def change_note(request: StaffRequest, owner: Owner, notebook_id: int, note_id: int) -> HttpResponse:
    """The remark and the tags of a note."""
    note = editing.find_note(visibility.find_own(owner, notebook_id), note_id)
    now = {"notebook": note.notebook_id, "remark": note.remark, "tags": ", ".join(note.tags)}
    form = RemarkForm(request.POST or None, owner=owner, initial=now)
    page = f"{reverse('notebook', args=[notebook_id])}#note-{note_id}"
    context = {"form": form, "note": note, "section": "notebooks", "next": page}
    if request.method == "POST" and not form.is_valid():
        return render_dialog(request, "keeping/_note_form.html", context, status=400)

    def act() -> HttpResponse:
        given = form.cleaned_data
        with transaction.atomic():
            editing.annotate(note, remark=given["remark"], tags=given["tags"].split(","))
            other = given["notebook"]
            if other and other.pk != notebook_id:
                editing.take_to(note, notebook_id=other.pk, owner=owner)
        return redirect_from_dialog(request, f"{reverse('notebook', args=[note.notebook_id])}#note-{note_id}")

    return settle(request, "keeping/_note_form.html", context, act)


@require_safe
@for_people
def today(request: HttpRequest, owner: Owner, notebook_id: int, note_id: int) -> HttpResponse:
    """What the note says, beside what is said today. An answer is asked anew, with the day of today."""
    found = listing.notes_of(Notebook.objects.filter(pk=visibility.find(owner, notebook_id).pk), owner)
    note = found.filter(pk=note_id).first()
    if note is None or not (shown := listing.shown([note], owner)[0]).readable:
        raise NotFound(_("The notebook has no such note, or it is of a topic that you do not see."))
    if note.kind in (NoteKind.SEARCH, NoteKind.COMPARISON):
        return redirect(shown.url_today)
    context: dict[str, Any] = {"section": "notebooks", "note": NoteOnPage(shown), "today": timezone.localdate()}
    status = 200
    if note.kind == NoteKind.ANSWER:
        try:
            context |= _asked(request, note)
        except ApiError as refusal:
            context["refused"], status = refusal.detail, refusal.status
    return render(request, "keeping/today.html", context, status=status)


def _asked(request: HttpRequest, note: Note) -> dict[str, Any]:
    """The question of a note, answered today."""
    count(request, AskThrottle)
    note_search(request, note.topic)
    scope = Scope(**searched(request, note.topic), as_of=timezone.localdate())
    by, topic, question = traces.asker(request.user), note.topic, note.title
    release()  # whoever waits for the model holds no connection
    prepared = from_standby(prepare)(question, scope=scope, topic=topic)
    with traces.saved_trace(prepared, by=by) as trace:
        answer = trace.answer = prepared.answer()
    citations = {one.n: QuotedCitation(one, cited_url(one)) for one in answer.citations}
    return {
        "answer": answer,
        "answer_key": str(prepared.id),
        "pieces": answer_pieces(answer, citations),
        "citations": citations.values(),
    }
