"""`/check/`: a text or a file is given. `/check/{id}/`: what was found, beside the text."""

from collections import Counter
from collections.abc import Mapping
from datetime import date
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from answers.checking import checks
from answers.checking.checks import CheckRequest, owner_of
from answers.checking.commenting import word_response
from answers.checking.reading import MAX_FILE_BYTES, receive
from answers.checking.shown import groups, lines, pieces, shown_findings
from answers.checking.tasks import begin
from answers.checking.verdicts.findings import NotChecked
from answers.models import TextCheck
from kb_project.api.throttles import CheckThrottle
from kb_project.errors import ApiError, Invalid
from kb_project.llm.roles import CHECKING
from search.shown.access import count, for_readers
from search.shown.law_day import law_day
from sources.scope import Scope
from topics.scoping import limits, searched, topic_scope, visible_topics

MAX_TEXT_LENGTH = 200_000  # characters of a form
MAX_TITLE_LENGTH = 80  # characters of the text's first line, where no file names it


@require_http_methods(["GET", "HEAD", "POST"])
@for_readers
def start(request: HttpRequest) -> HttpResponse:
    """The form. What is sent is checked, and its page follows."""
    if request.method != "POST":
        return _form(request)
    try:
        count(request, CheckThrottle)
        one = begin(_asked(request))
    except ApiError as refusal:
        return _form(request, refused=refusal.detail, status=refusal.status)
    return redirect("check-report", one.pk) if not one._state.adding else _report(request, one)


start.refuses_by_itself_up_to = MAX_FILE_BYTES + 4 * MAX_TEXT_LENGTH  # type: ignore[attr-defined]  # see kb_project.web


def _form(request: HttpRequest, *, refused: str = "", status: int = 200) -> HttpResponse:
    context = {
        "section": "check",
        "topics": visible_topics(request).order_by("id"),
        "refused": refused,
        "given": request.POST,
        "day": request.POST.get("as_of", str(law_day(request) or "")),
        "longest": MAX_TEXT_LENGTH,
        "model": CHECKING.shown,
        "own": checks.own(request.user, within=limits(request)),
        "kept_days": settings.KB_CHECK_DAYS,
    }
    return render(request, "check/start.html", context, status=status)


def _asked(request: HttpRequest) -> CheckRequest:
    text, uploaded = request.POST.get("text", ""), request.FILES.get("file")
    if not text.strip() and uploaded is None:
        raise Invalid(_("Paste a text, or choose a file."))
    if len(text) > MAX_TEXT_LENGTH:
        raise Invalid(_("The text is too long. Send it as a file."))
    named, day = request.POST.get("topic", ""), request.POST.get("as_of", "")
    topic = topic_scope(request, int(named) if named.isdecimal() and len(named) < 19 else None)
    try:
        as_of = date.fromisoformat(day) if day else timezone.localdate()
    except ValueError as error:
        raise Invalid(_("The day is not a date.")) from error
    return CheckRequest(
        text="" if uploaded else text.replace("\r\n", "\n"),
        file=receive(uploaded.chunks()) if uploaded else None,
        filename=(uploaded.name or "") if uploaded else "",
        scope=Scope(**searched(request, topic), as_of=as_of),
        day_of_document=bool(request.POST.get("day_of_document")),
        by=owner_of(request.user),
        client=CheckThrottle().client(request),
    )


@require_safe
@for_readers
def report(request: HttpRequest, check_id: UUID) -> HttpResponse:
    """The report, or how far the check is."""
    return _report(request, _mine(request, check_id))


def _mine(request: HttpRequest, check_id: UUID) -> TextCheck:
    return checks.find(check_id, by=owner_of(request.user), within=limits(request))


def _report(request: HttpRequest, one: TextCheck) -> HttpResponse:
    only = request.GET.get("only", "")
    everything = list(shown_findings(one))
    counts = Counter(found.group for found in everything)
    findings = [found for found in everything if only in ("", found.group)]
    context = {
        "section": "check",
        "check": one,
        "kept": not one._state.adding,
        "title": one.filename or _first_line(one.text) or _("Check of a text"),
        "findings": findings,
        "lines": lines(pieces(one.text, everything, only=only)),
        "counts": [(group, name, colour, counts[group]) for group, name, colour in groups() if counts[group]],
        "total": counts.total(),
        "open_count": sum(found.is_open for found in findings),
        "folded_count": sum(not found.is_open for found in findings),
        "only": only,
        "unchecked": unchecked_lines(one),
    }
    return render(request, "check/report.html", context)


def _first_line(text: str) -> str:
    return Truncator(text.strip().partition("\n")[0]).chars(MAX_TITLE_LENGTH)


def unchecked_lines(one: TextCheck) -> list[tuple[str, int]]:
    """Why something was not checked, and how often."""
    counts: Mapping[str, int] = (one.report or {}).get("counts", {}).get("not_checked", {})
    return [(str(NotChecked(why).label), times) for why, times in counts.items()]


@require_POST
@for_readers
def overrule(request: HttpRequest, check_id: UUID) -> HttpResponse:
    """A verdict is held wrong, and why. Without a remark it stands again."""
    finding = request.POST.get("finding", "")
    checks.overrule(_mine(request, check_id), finding=finding, remark=request.POST.get("remark", ""))
    return redirect(f"{reverse('check-report', args=[check_id])}#finding-{finding}")


@require_safe
@for_readers
def as_word(request: HttpRequest, check_id: UUID) -> HttpResponse:
    """The text in Word, with the findings as comments."""
    return word_response(_mine(request, check_id))
