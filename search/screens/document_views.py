"""`/documents/{id}/`: a document as search sees it, at a passage or a page, with words marked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString

from kb_project.api.throttles import PublicThrottle
from search.models import Chunk
from search.retrieve import LONGEST_QUERY
from search.screens.access import TooOften, count, public_page
from search.screens.marked import Ranges, marked
from search.text.analysis import places, terms
from search.text.spellings import matched_stems
from sources.models import Source
from topics.scoping import within_topics

CHUNKS_A_PART = 40
BEFORE_HEADING = 100  # characters: the chapter's heading and the section's number
SHOWN_OF_A_CHUNK = ("id", "source_id", "seq", "page", "section", "heading", "path", "text")
_NUMBER = re.compile(r"[0-9]{1,18}")
_RANGE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class Passage:
    """`begins_page` is the number of the page that begins with it, `path` the headings above it where they change."""

    chunk: Chunk
    text: SafeString
    begins_page: int | None
    path: tuple[str, ...]
    says_heading: bool
    """Whether the text begins with its heading, so that it need not be shown above it."""


@public_page
def document(request: HttpRequest, source_id: int) -> HttpResponse:
    """The part of the document that `chunk`, `page` or `part` names; `q` marks words, `mark` a range of the chunk."""
    try:
        count(request, PublicThrottle)
    except TooOften as refusal:
        response = render(request, "search/document_refused.html", {"refused": refusal}, status=refusal.status)
        response["Retry-After"] = str(refusal.extra["wait_s"])
        return response
    sources = within_topics(Source.objects.select_related("topic"), request)
    source = sources.filter(pk=source_id).first()
    if source is None:
        return render(request, "search/document_gone.html", status=404)
    chunks = Chunk.objects.filter(source=source).order_by("seq")
    chunk_id, page = _number(request, "chunk"), _number(request, "page")
    before = _before(chunks, chunk_id=chunk_id, page=page)
    parts = max(1, -(-source.chunk_count // CHUNKS_A_PART))
    part = min(max(_number(request, "part") or 1, 1), parts) if before is None else before // CHUNKS_A_PART + 1
    some = chunks.only(*SHOWN_OF_A_CHUNK)[(part - 1) * CHUNKS_A_PART : part * CHUNKS_A_PART]
    query = request.GET.get("q", "").strip()[:LONGEST_QUERY]
    context = {
        "source": source,
        "labels": source.labels.all(),
        "passages": list(_passages(some, query=query, chosen=chunk_id, mark=_mark(request))),
        "chosen": chunk_id,
        "lost": bool(chunk_id) and before is None,
        "part": part,
        "parts": parts,
        "q": query,
    }
    return render(request, "search/document.html", context)


def _before(chunks: QuerySet[Chunk], *, chunk_id: int, page: int) -> int | None:
    """How many chunks come before the chunk, or before the first on that page or after it; None without either."""
    if chunk_id:
        chosen = chunks.filter(pk=chunk_id)
    elif page:
        chosen = chunks.filter(page__gte=page)
    else:
        return None
    return chosen.values_list("seq", flat=True).first()  # counted from 0 in every source


def _passages(chunks: QuerySet[Chunk], *, query: str, chosen: int, mark: Ranges) -> Iterator[Passage]:
    stems = matched_stems(terms(query)) if query else frozenset[str]()
    page: int | None = None
    above: tuple[str, ...] = ()
    for chunk, found in zip(chunks, places([chunk.text for chunk in chunks], stems), strict=True):
        ranges = mark if mark and chunk.pk == chosen else [(start, end) for start, end, _ in found]
        path = tuple(part for part in chunk.path if part != chunk.heading)
        yield Passage(
            chunk=chunk,
            text=marked(chunk.text, ranges),
            begins_page=chunk.page if chunk.page != page else None,
            path=path if path != above else (),
            says_heading=bool(chunk.heading) and chunk.heading in chunk.text[: len(chunk.heading) + BEFORE_HEADING],
        )
        page, above = chunk.page, path


def _number(request: HttpRequest, name: str) -> int:
    """A positive integer of the query string; 0 for anything else."""
    text = request.GET.get(name, "")
    return int(text) if _NUMBER.fullmatch(text) else 0


def _mark(request: HttpRequest) -> Ranges:
    found = _RANGE.fullmatch(request.GET.get("mark", ""))
    return [(int(found[1]), int(found[2]))] if found else []
