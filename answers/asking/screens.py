"""`/ask/`: the whole answer on one page, for browsers that run no scripts."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from answers.asking import traces
from answers.asking.ask import prepare
from answers.writing.numbered_parts import numbered_parts
from answers.writing.protocol import Answer, AnswerCitation, AnswerStatus
from kb_project.api.throttles import AskThrottle, PublicThrottle
from kb_project.database.connections import release
from kb_project.database.standbys.reading import from_standby
from kb_project.errors import ApiError, Invalid
from search.shown.access import count, for_readers
from search.shown.hits import MAX_QUOTE_LENGTH, missing, shown
from search.shown.page import search_form, search_page
from sources.provisions import address
from topics.scoping import is_pinned, limits, note_search


@dataclass(frozen=True, slots=True)
class QuotedCitation:
    """A citation with the address of its document at the quote."""

    citation: AnswerCitation
    url: str


@dataclass(frozen=True, slots=True)
class AnswerPiece:
    text: str
    shown: QuotedCitation | None = None
    supported: bool = True


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line of an answer. `is_hung`: it begins with the number of a clause, which stands beside it."""

    pieces: list[AnswerPiece]

    @property
    def is_hung(self) -> bool:
        return bool(self.pieces and _CLAUSE.match(self.pieces[0].text))


@require_safe
@for_readers
def ask(request: HttpRequest) -> HttpResponse:
    """Waits for the answer. Without a question there is none to wait for."""
    form = search_form(request)
    understood = form.is_valid()
    if understood and not form.query:
        return redirect("home")
    try:
        count(request, AskThrottle)
        if not understood:
            return search_page(request, form)
        note_search(request, form.chosen_topic)
        by, scope, topic = traces.asker(request.user), form.scope, form.chosen_topic
        release()  # whoever waits for a turn, or for the model, holds no connection: those with a turn need them
        prepared = from_standby(prepare)(form.query, scope=scope, topic=topic)
        with traces.saved_trace(prepared, by=by) as trace:
            answer = trace.answer = prepared.answer()
    except ApiError as refusal:
        return search_page(request, form, refused=refusal, asked=True)
    citations = {one.n: QuotedCitation(one, cited_url(one)) for one in answer.citations}
    return search_page(
        request,
        form,
        asked=True,
        answer=answer,
        lines=lines(pieces(answer, citations)),
        answer_id=prepared.id,
        answered=answer.status is AnswerStatus.ANSWERED,
        citations=citations.values(),
        hits=shown(prepared.retrieval.hits, form=form),
        missing=missing(prepared.retrieval),
        lacking=prepared.retrieval.lacking,
    )


def pieces(answer: Answer, citations: dict[int, QuotedCitation]) -> list[AnswerPiece]:
    """The answer as texts, each with the citation whose number stands behind it, if one does."""
    found, at = [], 0
    for start, end in answer.unsupported:
        found += [
            *_numbered(answer.answer[at:start], citations),
            AnswerPiece(answer.answer[start:end], supported=False),
        ]
        at = end
    return [*found, *_numbered(answer.answer[at:], citations)]


def lines(said: Iterable[AnswerPiece]) -> list[AnswerLine]:
    """The pieces line by line. A break inside of one makes two of it, of which the last has its number."""
    found = [AnswerLine([])]
    for piece in said:
        *before, last = piece.text.splitlines(keepends=True) or [""]
        for text in before:
            found[-1].pieces.append(replace(piece, text=text, shown=None))
            found.append(AnswerLine([]))
        found[-1].pieces.append(replace(piece, text=last))
        if last.endswith("\n"):
            found.append(AnswerLine([]))
    return found


def _numbered(text: str, citations: dict[int, QuotedCitation]) -> list[AnswerPiece]:
    return [AnswerPiece(words, citations.get(int(n)) if n else None) for words, n in numbered_parts(text)]


def cited_url(citation: AnswerCitation) -> str:
    """The address of the document at the quote."""
    quote = citation.quote[:MAX_QUOTE_LENGTH]
    return address(citation.source_id, citation.eid, chunk_id=citation.chunk_id, quote=quote)


_CLAUSE = re.compile(r"\s*\([^\s()]{1,5}\)\s")
CHOICES = {"true": True, "false": False}


@require_POST
@for_readers
def give_feedback(request: HttpRequest) -> HttpResponse:
    """The form again with what was said, which another sending replaces. A page of its own without a script."""
    helpful, note = CHOICES.get(request.POST.get("helpful", "")), request.POST.get("note", "").replace("\0", "")
    answer_id = request.POST.get("answer", "")
    context = {"section": "search", "answer_id": answer_id, "helpful": helpful, "note": note, "said": True}
    status = 200
    try:
        count(request, PublicThrottle)
        _give(request, answer_id, helpful, note)
    except ApiError as refusal:
        context["refused"], status = refusal.detail, refusal.status
    piece = request.headers.get("HX-Request")
    # A browser's script takes in no piece that came with an error; what it says is said all the same.
    return render(
        request,
        "search/_feedback.html" if piece else "search/feedback.html",
        context,
        status=200 if piece else status,
    )


def _give(request: HttpRequest, answer_id: str, helpful: bool | None, note: str) -> None:
    if len(note) > traces.MAX_NOTE_LENGTH:
        raise Invalid(_("The note is longer than %d characters.") % traces.MAX_NOTE_LENGTH)
    try:
        if helpful is None:
            raise ValueError
        found = UUID(answer_id)
    except ValueError as error:
        raise Invalid(_("Say whether the answer was helpful.")) from error
    by, within = traces.asker(request.user), limits(request)
    traces.give(found, helpful=helpful, note=note, by=by, within=within, is_pinned=is_pinned(request))
