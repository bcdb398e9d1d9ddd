"""`/check/`: a text or a file is given. `/check/{id}/`: what was found, beside the text."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from answers.checking import checks
from answers.checking.checks import CheckRequest, owner_of
from answers.checking.commenting import is_to_be_looked_at, word_response
from answers.checking.reading import MAX_FILE_BYTES, receive
from answers.checking.sentences import with_sentences
from answers.checking.tasks import begin
from answers.checking.verdicts.findings import (
    OUTCOMES,
    VERDICTS,
    NotChecked,
    Outcome,
    gravest_first,
    outcome_of,
)
from answers.models import TextCheck
from kb_project.api.throttles import CheckThrottle
from kb_project.errors import ApiError, Invalid
from kb_project.llm.roles import CHECKING
from search.shown.access import count, for_readers
from search.shown.law_day import law_day
from sources.scope import Scope
from sources.templatetags.directions import HUNG, direction
from topics.scoping import limits, searched, topic_scope, visible_topics

MAX_TEXT_LENGTH = 200_000  # characters of a form
MAX_TITLE_LENGTH = 80  # characters of the text's first line, where no file names it
_SIGNS = {Outcome.WRONG: "!", Outcome.NOT_JUDGED: "?", Outcome.EXISTS: "·", Outcome.RIGHT: "✓"}
_COLOURS = {  # of the states of jobs
    Outcome.WRONG: "phase-failed",
    Outcome.NOT_JUDGED: "phase-awaiting_review",
    Outcome.EXISTS: "phase-discarded",
    Outcome.RIGHT: "phase-done",
}
OVERRULED = "overruled"  # asked for as an outcome is


@dataclass(frozen=True)
class ShownFinding:
    """A finding as the page lists it. `key` names it to who overrules it, `words` are those of the text."""

    number: int
    key: str
    words: str
    found: Mapping[str, Any]
    outcome: Outcome
    verdict: str
    remark: str

    @property
    def sign(self) -> str:
        return _SIGNS[Outcome.EXISTS if self.remark else self.outcome]

    @property
    def colour(self) -> str:
        return _COLOURS[Outcome.EXISTS if self.remark else self.outcome]

    @property
    def is_marked(self) -> bool:
        """Whether it is marked in the text."""
        return self.outcome is Outcome.WRONG and not self.remark

    @property
    def is_open(self) -> bool:
        """Whether somebody must look at it, so that it is not folded."""
        return not self.remark and is_to_be_looked_at(self.key.partition(":")[0], self.found)

    @property
    def group(self) -> str:
        """What it is counted as."""
        return OVERRULED if self.remark else self.outcome

    @property
    def place(self) -> Mapping[str, Any] | None:
        """The law that is shown beside it."""
        for name in ("at", "to", "cited"):
            if self.found.get(name):
                return dict(self.found[name])
        return None


@dataclass(frozen=True)
class TextPiece:
    """A stretch of the text. `finding` ends behind it, and `colour` is that of what is not right with it."""

    text: str
    finding: ShownFinding | None = None
    colour: str = ""


@dataclass
class TextLine:
    """A line of the text. `number` is that of a paragraph, and hangs beside it as in the law."""

    pieces: list[TextPiece] = field(default_factory=list)
    number: str = ""
    is_hung: bool = False

    @property
    def direction(self) -> str:
        """Its own, as a brief in one language has paragraphs in another. '' without letters."""
        text = "".join(piece.text for piece in self.pieces)
        return direction(text) if any(map(str.isalpha, text)) else ""


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


def groups() -> list[tuple[str, str, str]]:
    """What findings are counted as: how each is asked for, called and coloured."""
    outcomes = [(outcome.value, str(name), _COLOURS[outcome]) for outcome, name in OUTCOMES.items()]
    return [*outcomes, (OVERRULED, pgettext("finding", "overruled"), _COLOURS[Outcome.EXISTS])]


def shown_findings(one: TextCheck) -> Iterator[ShownFinding]:
    """The findings, the gravest first and numbered so."""
    told = with_sentences(one.report or {}, on_screen=True)
    found = [(kind, place, finding) for kind in VERDICTS for place, finding in enumerate(told.get(kind, ()))]
    found.sort(key=lambda row: gravest_first(row[2]))
    for number, (kind, place, finding) in enumerate(found, 1):
        key, verdict = f"{kind}:{place}", finding["verdict"]
        label = str(VERDICTS[kind](verdict).label)
        words, remark = one.text[finding["start"] : finding["end"]], one.remarks.get(key, "")
        yield ShownFinding(number, key, words, finding, outcome_of(finding), label, remark)


def pieces(text: str, findings: Sequence[ShownFinding], *, only: str = "") -> Iterator[TextPiece]:
    """The text in stretches, with the findings of one group or of any.

    A stretch is marked where the innermost of what is wrong or exists around it is wrong: a statement around its
    quotation, and a word inside of that.
    """
    ending: dict[int, list[ShownFinding]] = {}
    beginning: dict[int, list[tuple[int, bool, int, str]]] = {}  # with the length, so that the innermost is the least
    cuts = {0, len(text)}
    for one in sorted(findings, key=lambda one: int(one.found["start"])):
        is_shown, whole = only in ("", one.group), (one.found["start"], one.found["end"])
        if is_shown:
            ending.setdefault(whole[1], []).append(one)
            cuts.add(whole[1])
        if (is_shown and one.is_marked) or one.outcome in (Outcome.EXISTS, Outcome.RIGHT):
            for first, last in (one.is_marked and one.found.get("differs")) or [whole]:
                colour = one.colour if one.is_marked else ""
                beginning.setdefault(first, []).append((last - first, not colour, last, colour))
                cuts |= {first, last}
    around: list[tuple[int, bool, int, str]] = []
    for start, end in pairwise(sorted(cuts)):
        for mark in beginning.get(start, ()):
            heappush(around, mark)
        while around and around[0][2] <= start:
            heappop(around)
        yield TextPiece(text[start:end], colour=around[0][3] if around else "")
        for one in ending.get(end, ()):
            yield TextPiece("", one)


def lines(stretches: Iterable[TextPiece]) -> list[TextLine]:
    """The stretches line by line. A break inside of one makes two of it, of which the last has its finding."""
    found = [TextLine()]
    for piece in stretches:
        *before, last = piece.text.split("\n")
        for text in before:
            found[-1].pieces.append(TextPiece(f"{text}\n", colour=piece.colour))
            found.append(TextLine())
        if last or piece.finding:
            found[-1].pieces.append(replace(piece, text=last))
    for line in found:
        if not line.pieces:
            continue
        first = line.pieces[0]
        if number := HUNG.match(first.text):
            line.is_hung, line.number = True, number["section"] or ""
            line.pieces[0] = replace(first, text=first.text[number.end("section") :] if line.number else first.text)
    return found


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
