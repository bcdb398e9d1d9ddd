"""`/library/act/`: one action on many sources, with its progress."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db.models import Count, Sum
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from ingest.documents.bulk import MAX_AT_ONCE, BulkAction, BulkRun
from ingest.library.listing import FilterForm
from ingest.review.forms import BulkForm
from ingest.review.undo import tell, undoable
from kb_project.errors import ApiError
from kb_project.registries import complete
from kb_project.screens.access import StaffRequest, staff_may
from kb_project.screens.dialogs import next_url, redirect_from_dialog, render_dialog
from labels.models import SourceLabel
from sources.models import Source
from sources.models.documents import TITLE_KEY
from topics.access import Topics
from topics.scoping import limits, visible_topics, within_topics

STEP_S = 2.0  # of one request
TITLES_SHOWN = 6
MAY_DELETE = "sources.delete_source"
HEADINGS = complete(
    BulkAction,
    {
        BulkAction.ADD: gettext_lazy("Adding labels"),
        BulkAction.REMOVE: gettext_lazy("Removing labels"),
        BulkAction.KIND: gettext_lazy("Setting the kind"),
        BulkAction.MOVE: gettext_lazy("Moving to another topic"),
        BulkAction.REINDEX: gettext_lazy("Sending to be read again"),
        BulkAction.DELETE: gettext_lazy("Deleting"),
    },
)
CHANGED = ngettext_lazy("%d source was changed.", "%d sources were changed.")
QUEUED = ngettext_lazy("%d source waits to be read again.", "%d sources wait to be read again.")
DONE = complete(
    BulkAction,
    {
        BulkAction.ADD: CHANGED,
        BulkAction.REMOVE: CHANGED,
        BulkAction.KIND: QUEUED,
        BulkAction.MOVE: QUEUED,
        BulkAction.REINDEX: QUEUED,
        BulkAction.DELETE: ngettext_lazy("%d source was deleted.", "%d sources were deleted."),
    },
)
AS_BEFORE = ngettext_lazy("%d was so already.", "%d were so already.")
GONE = ngettext_lazy("%d is not there any more.", "%d are not there any more.")
REFUSED = ngettext_lazy("%d was left out.", "%d were left out.")
LEFT_THE_FILTER = ngettext_lazy(
    "%d source does not fit the filter any more and was left as it is.",
    "%d sources do not fit the filter any more and were left as they are.",
)
CAME_INTO_IT = ngettext_lazy(
    "%d source came into the filter meanwhile and was left as it is.",
    "%d sources came into the filter meanwhile and were left as they are.",
)


@staff_may(POST="sources.change_source")
def start(request: StaffRequest) -> HttpResponse:
    """Begin an action on the selected sources. Deleting asks first."""
    back = _without_selection(next_url(request, default=reverse("library")))
    form = BulkForm(request.POST)
    form.fields["topic"].queryset = visible_topics(request)  # type: ignore[attr-defined]
    if not form.is_valid():
        for sentences in form.errors.values():
            messages.warning(request, " ".join(map(str, sentences)))
        return redirect_from_dialog(request, back)
    given = form.cleaned_data
    _require_right(request, given["action"])
    ids = _still_found(request, given["found"], back) if given["found"] else list(dict.fromkeys(given["sources"]))
    ids = _allowed(request, ids, action=given["action"])
    if not ids:
        messages.warning(request, _("No sources were selected."))
        return redirect_from_dialog(request, back)
    work = BulkRun(
        action=given["action"],
        by=request.user.get_username(),
        back=back,
        waiting=ids[:MAX_AT_ONCE],
        total=len(ids[:MAX_AT_ONCE]),
        value=str(given["topic"].pk) if given["action"] == BulkAction.MOVE else given["kind"],
        labels=[(choice.slug, choice.name) for choice in form.chosen_labels],
    )
    return _ask(request, work) if work.action == BulkAction.DELETE else _go_on(request, work)


@staff_may(POST="sources.change_source")
def resume(request: StaffRequest) -> HttpResponse:
    """The next step of an action that was begun, or confirmed."""
    return _go_on(request, BulkRun.of_signed(request.POST.get("work", ""), by=request.user.get_username()))


def _go_on(request: StaffRequest, work: BulkRun) -> HttpResponse:
    _require_right(request, work.action)
    within = _limits(request, work.action)
    work.within = None if within is None else sorted(within)
    try:
        work.run_for(longest_s=STEP_S)
    except ApiError as refusal:
        messages.error(request, refusal.detail)
        if work.changed:
            messages.info(request, result_message(work))
        return redirect_from_dialog(request, work.back)
    if not work.waiting and settings.KB_TRASH_DAYS:
        tell(request, "delete", work.thrown_away, name="", to=work.back)
    if work.waiting or work.left_out:
        context = {
            "section": "library",
            "work": work,
            "heading": HEADINGS[BulkAction(work.action)],
            "said": result_message(work),
            "undoes": undoable(request, within=reverse("library")),
        }
        return render(request, "library/_acting.html" if request.htmx else "library/acting.html", context)
    if work.changed != work.total or not work.thrown_away:
        (messages.success if work.changed else messages.info)(request, result_message(work))
    return redirect_from_dialog(request, work.back)


def _ask(request: StaffRequest, work: BulkRun) -> HttpResponse:
    """Say what goes, and ask."""
    sources = Source.objects.filter(pk__in=work.waiting)
    context = {
        "work": work,
        "goes": sources.aggregate(sources=Count("pk"), passages=Sum("chunk_count"), size=Sum("size")),
        "labels": SourceLabel.objects.filter(source__in=work.waiting).values("label").distinct().count(),
        "first": sources.order_by(TITLE_KEY)[:TITLES_SHOWN],
        "more": max(0, len(work.waiting) - TITLES_SHOWN),
        "days": settings.KB_TRASH_DAYS,
    }
    return render_dialog(request, "library/_delete_many.html", context)


def _require_right(request: StaffRequest, action: str) -> None:
    if action == BulkAction.DELETE and not request.user.has_perm(MAY_DELETE):
        raise PermissionDenied(_("Your account may not do this. Ask a manager for the right role."))


def _still_found(request: StaffRequest, seen: Sequence[int], back: str) -> list[int]:
    """The sources seen, without those that the filter does not find any more. What changed since is said."""
    found = set(FilterForm(QueryDict(urlsplit(back).query), request).sources().values_list("pk", flat=True))
    left = set(within_topics(Source.objects.filter(pk__in=seen), request).values_list("pk", flat=True)) - found
    came = found.difference(seen) if len(seen) < MAX_AT_ONCE else set()
    for sentence, changed in ((LEFT_THE_FILTER, left), (CAME_INTO_IT, came)):
        if changed:
            messages.warning(request, sentence % len(changed))
    return [pk for pk in seen if pk not in left]


def _limits(request: StaffRequest, action: str) -> Topics:
    return limits(request, right=MAY_DELETE) if action == BulkAction.DELETE else limits(request)


def _allowed(request: StaffRequest, ids: list[int], *, action: str) -> list[int]:
    """The sources that lie where the caller may do this."""
    within = _limits(request, action)
    if within is None:
        return ids
    there = set(Source.objects.filter(pk__in=ids, topic_id__in=within).values_list("pk", flat=True))
    return [pk for pk in ids if pk in there]


def _without_selection(url: str) -> str:
    """The address of the list without what was selected on it."""
    parts = urlsplit(url)
    query = QueryDict(parts.query, mutable=True)
    query.pop("all", None)
    return parts._replace(query=query.urlencode()).geturl()


def result_message(work: BulkRun) -> str:
    """How many sources changed, and how many did not."""
    others = ((AS_BEFORE, work.as_before), (GONE, work.gone), (REFUSED, work.refused))
    sentences = [DONE[BulkAction(work.action)] % work.changed, *(text % count for text, count in others if count)]
    if work.action == BulkAction.MOVE and work.changed:
        sentences.append(_("Until a source is read again, it stays where it is."))
    return " ".join(sentences)
