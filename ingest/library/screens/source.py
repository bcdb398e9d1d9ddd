"""`/library/{source}/`: one source, edited, indexed again and deleted by a person."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.paginator import Paginator
from django.forms import BoundField
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django_htmx.http import trigger_client_event

from ingest.decisions import LABELS_LABEL
from ingest.documents.edit import BY_COLUMN, INDEXED, EditConflict, save_form, version_token
from ingest.documents.moving import pending_moves
from ingest.documents.reindex import live_reindexes, reindex
from ingest.documents.trash import throw_away
from ingest.models import Job
from ingest.review.forms import SourceForm
from ingest.review.job_page import JobScreen
from ingest.review.phases import MOVING, ReviewPhase, phase_of
from ingest.review.undo import tell
from ingest.review.warnings import why_failed
from kb_project.errors import ApiError, NotFound
from kb_project.models import AuditEntry
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import redirect_from_dialog, render_dialog
from kb_project.screens.messages import safe_message
from labels.chips import Chip, KnownLabels, chips_of
from sources.fields import FIELDS, DocumentField, FieldType
from sources.kinds import SourceKind
from sources.models import Chunk, Source, TrashedSource
from topics.models import Topic

CHUNKS_A_PAGE = 25
SHOWN_OF_A_CHUNK = ("id", "source_id", "seq", "page", "section", "heading", "path", "text")
MOST_JOBS = 10
MOST_CHANGES = 20
NAMES = {field.column: field.label for field in FIELDS} | {
    "labels": LABELS_LABEL,
    "topic": gettext_lazy("Topic"),
    "work": gettext_lazy("Version of"),
}
ACTIONS = {
    "source.edit": gettext_lazy("Edited"),
    "source.labels": gettext_lazy("Labels changed"),
    "source.reindex": gettext_lazy("Sent to be indexed again"),
    "source.replace": gettext_lazy("Replaced"),
    "source.move": gettext_lazy("Moved to another topic"),
    "source.work": gettext_lazy("Made a version of another document"),
    "source.delete": gettext_lazy("Deleted"),
    "source.restore": gettext_lazy("Put back"),
    "source.destroy": gettext_lazy("Deleted for good"),
}


@staff_may(GET="sources.view_source", POST="sources.change_source")
def source(request: StaffRequest, source_id: int) -> HttpResponse:
    found = _find(source_id)
    form = SourceForm(request.POST) if request.method == "POST" else None
    if found is None:
        return _gone(request, source_id, form)
    if form is None:
        return _page(request, SourceScreen(found))
    if not form.is_valid():
        return _page(request, SourceScreen(found, form=form), status=400)
    try:
        was, by = form.cleaned_data["was"], request.user.get_username()
        saved = save_form(source_id, form.changes, labels=form.chosen_labels, if_version=was, by=by)
    except NotFound:
        return _gone(request, source_id, form)
    except EditConflict as refusal:
        screen = SourceScreen(_find(source_id) or found, form=form)
        return _page(request, screen, status=refusal.status, overtaken=screen.last_change() or True)
    except ApiError as refusal:
        form.add_refusal(refusal)
        return _page(request, SourceScreen(found, form=form), status=refusal.status, refused=refusal.detail)
    if live_reindexes(saved).exists():
        messages.success(request, _("Saved. The document is being indexed again with it."))
    else:
        messages.success(request, _("Saved."))
    return redirect(request.path)


@staff_may(GET="sources.view_source", POST="sources.change_source")
def reindexing(request: StaffRequest, source_id: int) -> HttpResponse:
    """The state of the newest reindex; POST starts one."""
    found = _find(source_id)
    if found is None:
        return redirect_from_dialog(request, reverse("library-source", args=[source_id]))
    if request.method == "POST":
        try:
            reindex(source_id, by=request.user.get_username())
        except ApiError as refusal:
            if not isinstance(refusal, NotFound):  # of that the page tells
                messages.error(request, refusal.detail)
            return redirect_from_dialog(request, reverse("library-source", args=[source_id]))
    if not request.htmx:
        return redirect("library-source", source_id=source_id)
    screen = SourceScreen(found)
    response = render(request, "library/_reindex.html", {"screen": screen, "source": found})
    return response if screen.is_reindexing else trigger_client_event(response, "kb:indexed")


@staff_may(GET="sources.delete_source", POST="sources.delete_source")
def delete(request: StaffRequest, source_id: int) -> HttpResponse:
    """Ask for confirmation, then delete."""
    found = _find(source_id)
    if found is None:
        return redirect_from_dialog(request, reverse("library-source", args=[source_id]))
    if request.method != "POST":
        context = {"source": found, "labels": found.labels.all(), "days": settings.KB_TRASH_DAYS}
        return render_dialog(request, "library/_delete.html", context)
    try:
        throw_away(source_id, by=request.user.get_username())
    except NotFound:
        return redirect_from_dialog(request, reverse("library-source", args=[source_id]))
    if settings.KB_TRASH_DAYS:
        tell(request, "delete", [source_id], name=str(found), to=reverse("library-source", args=[source_id]))
    else:
        messages.success(request, safe_message(_("Deleted: %(name)s"), name=found))
    return redirect_from_dialog(request, reverse("library"))


def _find(source_id: int) -> Source | None:
    return Source.objects.select_related("topic").filter(pk=source_id).first()


def _page(request: StaffRequest, screen: SourceScreen, *, status: int = 200, **more: Any) -> HttpResponse:
    chunks = Chunk.objects.filter(source=screen.source).order_by("seq").only(*SHOWN_OF_A_CHUNK)
    wanted = request.GET.get("chunk", "")
    if wanted:
        return _to_chunk(request, screen.source, wanted)
    context = {
        "section": "library",
        "screen": screen,
        "source": screen.source,
        "form": screen.form,
        "changes": screen.changes(request.user),
        "versions": Source.objects.versions_of(screen.source.work_id),
        "page": Paginator(chunks, CHUNKS_A_PAGE).get_page(request.GET.get("page")),
        **more,
    }
    return render(request, "library/source.html", context, status=status)


def _to_chunk(request: StaffRequest, source: Source, wanted: str) -> HttpResponse:
    """Redirect to the page of chunks that holds this one."""
    number = int(wanted) if wanted.isascii() and wanted.isdecimal() and len(wanted) < 19 else 0
    chunk = Chunk.objects.filter(source=source, pk=number).only("seq").first()
    url = reverse("library-source", args=[source.pk])
    if chunk is None:
        messages.info(request, _("That passage is not there any more: the document was indexed again since."))
        return redirect(url)
    before = Chunk.objects.filter(source=source, seq__lt=chunk.seq).count()
    return redirect(f"{url}?page={before // CHUNKS_A_PAGE + 1}#chunk-{chunk.pk}")


def _gone(request: StaffRequest, source_id: int, form: SourceForm | None) -> HttpResponse:
    """404 that names who deleted the source, if known, and what was typed."""
    typed = []
    if form is not None:
        typed = [(NAMES[name], form.data[name]) for name in NAMES if name != "labels" and form.data.get(name)]
        labels = [chip.name for chip in chips_of(form.sent_labels, KnownLabels(form.sent_slugs))]
        typed += [(NAMES["labels"], ", ".join(labels))] if labels else []
    context = {
        "entry": changes_of(source_id).filter(action="source.delete").first(),
        "typed": typed,
        "trashed": TrashedSource.objects.filter(pk=source_id).first(),
    }
    return render(request, "library/gone.html", {"section": "library", **context}, status=404)


@dataclass(frozen=True, slots=True)
class PastJob:
    job: Job
    phase: ReviewPhase
    why_failed: str


@dataclass(frozen=True, slots=True)
class FieldChange:
    """One audit entry; `rows` are field name, value before, value after."""

    entry: AuditEntry
    action: str
    rows: tuple[tuple[str, str, str], ...]


class SourceScreen:
    """`form` is the form that was sent, when it was not saved."""

    def __init__(self, source: Source, *, form: SourceForm | None = None) -> None:
        self.source = source
        self.sent = form
        self._labels = list(source.labels.all())

    @cached_property
    def form(self) -> SourceForm:
        return self.sent or SourceForm(
            initial={field.column: field.as_text(getattr(self.source, field.column)) for field in FIELDS}
        )

    @property
    def inputs(self) -> list[tuple[BoundField, DocumentField, bool]]:
        """The fields other than kind, each with its description and whether chunks are indexed with it."""
        typed = [field for field in FIELDS if field.type is not FieldType.KIND]
        return [(self.form[field.column], field, field.column in INDEXED) for field in typed]

    @cached_property
    def state(self) -> str:
        return version_token(self.source)

    @property
    def kinds(self) -> list[tuple[str, str, bool]]:
        return [(value, str(name), value == self.form["kind"].value()) for value, name in SourceKind.choices]

    @cached_property
    def chips(self) -> list[Chip]:
        """The source's labels, unticked where the person removed them, then the labels they added."""
        held = [Chip(f"slug:{label.slug}", label.name, True, label.usage_count) for label in self._labels]
        if self.sent is None:
            return held
        return self.sent.chips(held, KnownLabels(self.sent.sent_slugs))

    @property
    def moves_to(self) -> Topic | None:
        """The topic that it is to be moved to."""
        return pending_moves([self.source.pk]).get(self.source.pk)

    @property
    def label_errors(self) -> list[str]:
        return self.form.label_errors

    @cached_property
    def differing(self) -> list[tuple[str, str, str]]:
        """The fields in which the stored source differs from the form: name, stored, typed."""
        rows = []
        for field in FIELDS:
            now, typed = getattr(self.source, field.column), str(self.form[field.column].value() or "")
            if field.as_text(now).strip() != typed.replace("\r\n", "\n").strip():
                rows.append((str(field.label), field.display(now), field.display(field.parse(typed))))
        now = ", ".join(label.name for label in self._labels)
        typed = ", ".join(chip.name for chip in self.chips if chip.ticked)
        return [*rows, (str(NAMES["labels"]), now, typed)] if now != typed else rows

    @cached_property
    def reindexing(self) -> PastJob | None:
        """The newest reindex of the source."""
        job = Job.objects.filter(source=self.source, reindex=True).order_by("-created_at").first()
        return _past(job) if job else None

    @property
    def is_reindexing(self) -> bool:
        return self.reindexing is not None and self.reindexing.phase in MOVING

    @cached_property
    def jobs(self) -> list[PastJob]:
        return [_past(job) for job in self.source.jobs.order_by("-created_at")[:MOST_JOBS]]

    @cached_property
    def origin(self) -> JobScreen | None:
        """The job that made the source, with what was proposed beside what was confirmed."""
        job = self.source.jobs.filter(reindex=False).order_by("created_at").first()
        return JobScreen(job) if job else None

    def last_change(self) -> AuditEntry | None:
        return changes_of(self.source.pk).exclude(action="source.reindex").first()

    def changes(self, user: AbstractBaseUser | AnonymousUser) -> list[FieldChange]:
        """The newest changes, for users with the permission to see them."""
        if not user.has_perm("kb_project.view_auditentry"):  # type: ignore[union-attr]
            return []
        return [_change(entry) for entry in changes_of(self.source.pk)[:MOST_CHANGES]]


def changes_of(source_id: int) -> Any:
    """The audit entries of a source, the newest first."""
    return AuditEntry.objects.filter(object_type="source", object_id=str(source_id)).order_by("-id")


def _past(job: Job) -> PastJob:
    return PastJob(job, phase_of(job), why_failed(job))


def _change(entry: AuditEntry) -> FieldChange:
    names = [name for name in {**entry.before, **entry.after} if name in NAMES]
    rows = tuple(
        (str(NAMES[name]), _shown(name, entry.before.get(name)), _shown(name, entry.after.get(name))) for name in names
    )
    return FieldChange(entry, str(ACTIONS.get(entry.action, entry.action)), rows)


def _shown(name: str, value: Any) -> str:
    """A value of an audit entry for reading; labels are a list of names."""
    if name in BY_COLUMN:
        return BY_COLUMN[name].display(value)
    return value if isinstance(value, str) else ", ".join(map(str, value or ()))
