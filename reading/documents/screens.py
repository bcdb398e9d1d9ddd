"""`/documents/{id}/`: a document to read, whole on one page, whose parts come as they are scrolled to."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import NamedTuple

from django.db.models import F, Max, Min
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render

from kb_project.errors import NotFound
from law.citations.parsing import ParsedQuery
from law.kinds import STATUTORY_KINDS
from law.words.analysis import term_positions, terms, without_invisible
from law.words.spellings import SpelledWords, discriminative_stems
from reading.documents.lines import blocks
from reading.documents.references import case_of, overlay, signatures
from reading.documents.shown import LineBlock
from reading.works.screens import Versions
from search.retrieval import MAX_QUERY_LENGTH
from search.shown.access import of_source, part_of_source
from search.shown.act_card import division_names
from search.shown.hits import MAX_QUOTE_LENGTH
from search.shown.law_day import law_day
from search.shown.marked import Ranges
from sources import provisions
from sources.citations import is_name_of
from sources.fields import DAYS
from sources.files.page_pictures import page_picture
from sources.models import Chunk, Provision, Source
from sources.provisions import address
from sources.references.listing import WorkProvision, cited_counts
from sources.templatetags.directions import direction

CHUNKS_A_PART = 20
PARTS_AT_ONCE = 40  # a second's work
MAX_PARTS = 2**31 // CHUNKS_A_PART - 1  # passages are numbered with 4 bytes
MAX_FOUND = 1_000
_NUMBER = re.compile(r"[0-9]{1,18}")
_SHOWN = ("id", "source_id", "seq", "page", "gap", "text", "tables", "span_start", "span_end", "section_key")


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A run of passages. `number` counts from 1. `start` and `end` are characters of the document."""

    number: int
    start: int
    end: int
    blocks: Sequence[LineBlock] = ()


class ContentsEntry(NamedTuple):
    """An entry of the contents: the provision, the part that it begins in, and the word before its number."""

    provision: Provision
    part: int
    word: str


@of_source
def document(request: HttpRequest, source: Source) -> HttpResponse:
    """The page with one part of the text. `part` or `page` says which. A `chunk` of an old link leads to its place."""
    number, at, lost = _number(request, "part"), 0, False
    quote, query = _text(request, "quote", MAX_QUOTE_LENGTH), _text(request, "q", MAX_QUERY_LENGTH)
    if chunk_id := _number(request, "chunk"):
        chunk = Chunk.objects.filter(source=source, pk=chunk_id).only("eid", "seq", "span_start").first()
        if chunk and chunk.eid:
            return redirect(address(source.pk, chunk.eid, query=query, quote=quote))
        if chunk:
            number, at = chunk.seq // CHUNKS_A_PART + 1, chunk.span_start
        lost = chunk is None
    elif quote and not number:
        quoted = Chunk.objects.filter(source=source, text__contains=quote).order_by("seq").only("seq").first()
        number = quoted.seq // CHUNKS_A_PART + 1 if quoted else 0
    parts = _parts(source)
    if page := _number(request, "page"):
        number = _part_of_page(source, page)
    number = min(max(number, 1), len(parts) or 1)
    if read := _read(request, source, number):
        parts[number - 1] = read
    context = {
        "source": source,
        "direction": direction(begins := _first_words(source)),
        "begins": begins,
        "labels": source.labels.all(),
        "case": case_of(source),
        "versions": (versions := Versions.of(source)),
        "then": versions.at(day) if (day := law_day(request)) else None,
        "holds": source.said_on(),
        "address": request.build_absolute_uri(address(source.pk, "")),
        "cited_by": cited_counts([whole := WorkProvision(source.work_id)]).get(whole, 0),
        "parts": parts,
        "part": number,
        "lost": lost,
        "q": query,
        "quote": quote,
        "at": at,
        "at_page": page,
    }
    return render(request, "search/document.html", context)


@part_of_source
def document_part(request: HttpRequest, source: Source) -> HttpResponse:
    """The lines of a part, which `part` numbers, `at` names by a character in it, or `eid` by a provision in it.

    With `to` those of the parts up to that number too, of which the first `PARTS_AT_ONCE` come.
    """
    if eid := request.GET.get("eid", ""):
        found = provisions.find(source.pk, eid)
        number = _part_at(_parts(source), found.span_start) if found else 0
    elif "at" in request.GET:
        number = _part_at(_parts(source), _number(request, "at"))
    else:
        number = _number(request, "part")
    last = min(max(_number(request, "to"), number), number + PARTS_AT_ONCE - 1)
    parts = list(takewhile(bool, (_read(request, source, one) for one in range(number, last + 1))))
    if not parts:
        raise Http404
    return render(request, "search/_read_parts.html", {"parts": parts, "source": source})


@part_of_source
def document_contents(request: HttpRequest, source: Source) -> HttpResponse:
    """The table of contents, each entry with the part of the text that it begins in."""
    parts, first = _parts(source), _first_words(source)
    names, signed = division_names(first), signatures(source)
    entries = [
        ContentsEntry(one, _part_at(parts, one.span_start), names.get(one.kind, ""))
        for one in provisions.in_order(source.pk)
        if one.pk not in signed
    ]
    context = {"entries": entries, "source": source, "direction": direction(first)}
    return render(request, "search/_contents.html", context)


@part_of_source
def document_find(request: HttpRequest, source: Source) -> HttpResponse:
    """Where words stand in the text, ignoring case: `{"length": characters, "places": [characters], "more": bool}`."""
    wanted = _text(request, "text", MAX_QUERY_LENGTH)
    found: list[int] = []
    if wanted:
        holding = Chunk.objects.filter(source=source, text__icontains=wanted).order_by("seq")
        pattern = re.compile(re.escape(wanted), re.IGNORECASE)
        for text, start in holding.values_list("text", "span_start")[:MAX_FOUND]:
            found += [start + match.start() for match in pattern.finditer(text)]
    answer = {"length": len(wanted), "places": found[:MAX_FOUND], "more": len(found) > MAX_FOUND}
    return JsonResponse(answer)


@part_of_source
def document_picture(request: HttpRequest, source: Source, *, number: int) -> HttpResponse:
    """A page of the original as PNG."""
    try:
        picture = page_picture(
            source.file_key, filename=source.filename, digest=source.content_sha256 or "", number=number
        )
    except NotFound as refusal:
        raise Http404 from refusal
    return HttpResponse(picture.png, content_type="image/png", headers={"Cache-Control": "private, max-age=3600"})


def _parts(source: Source) -> list[DocumentPart]:
    """The parts of the text without their lines."""
    runs = Chunk.objects.filter(source=source).order_by().annotate(run=F("seq") / CHUNKS_A_PART).values_list("run")
    bounds = runs.annotate(Min("span_start"), Max("span_end")).order_by("run")
    return [DocumentPart(number, start, end) for number, (_, start, end) in enumerate(bounds, 1)]


def _first_words(source: Source) -> str:
    """The text that the document begins with tells its language. Its title may be the name of a file."""
    return Chunk.objects.filter(source=source, seq=0).values_list("text", flat=True).first() or source.title


def _read(request: HttpRequest, source: Source, number: int) -> DocumentPart | None:
    """A part with its lines, in which what `q` or `quote` asks for is marked. None when there is no such part."""
    if not 0 < number <= MAX_PARTS:
        return None
    first = (number - 1) * CHUNKS_A_PART
    rows = Chunk.objects.filter(source=source, seq__gte=first - 1, seq__lt=first + CHUNKS_A_PART).order_by("seq")
    found = list(rows.only(*_SHOWN, *DAYS))
    before = found.pop(0).page if found and found[0].seq < first else None
    if not found:
        return None
    start, end = found[0].span_start, found[-1].span_end
    inside = provisions.in_order(source.pk).filter(span_start__lt=end, span_end__gt=start)
    marks = _quoted(found, _text(request, "quote", MAX_QUOTE_LENGTH)) or _matched(
        found, ParsedQuery(without_invisible(_text(request, "q", MAX_QUERY_LENGTH))), source
    )
    stored = list(inside)
    shown = overlay(source, stored, start=start, end=end, marks=marks)
    made = blocks(found, stored, source=source, page_before=before, overlay=shown)
    return DocumentPart(number, start, end, made)


def _matched(chunks: Sequence[Chunk], query: ParsedQuery, source: Source) -> Ranges:
    """Where words of the query stand that tell one place of the document from another."""
    names = bool(query.references) or (source.kind in STATUTORY_KINDS and is_name_of(query, source.title))
    named = SpelledWords(terms(str(source))).matched_stems
    stems = discriminative_stems(query.discriminative.matched_stems, name=named, names=names)
    found = term_positions([chunk.text for chunk in chunks], stems) if stems else []
    return [
        (chunk.span_start + start, chunk.span_start + end)
        for chunk, words in zip(chunks, found, strict=False)
        for start, end, _ in words
    ]


def _quoted(chunks: Sequence[Chunk], quote: str) -> Ranges:
    """Where the quote stands first: in one passage, as answers quote."""
    for chunk in chunks:
        if quote and (at := chunk.text.find(quote)) >= 0:
            return [(chunk.span_start + at, chunk.span_start + at + len(quote))]
    return []


def _part_at(parts: Sequence[DocumentPart], at: int) -> int:
    """The number of the part that holds a character of the document."""
    return max(bisect_right([part.start for part in parts], at), 1)


def _part_of_page(source: Source, page: int) -> int:
    """The part with the first passage on the page or after it."""
    seq = Chunk.objects.filter(source=source, page__gte=page).order_by("seq").values_list("seq", flat=True).first()
    return (seq or 0) // CHUNKS_A_PART + 1


def _number(request: HttpRequest, name: str) -> int:
    """A positive integer of the query string, or 0 for anything else."""
    text = request.GET.get(name, "")
    return int(text) if _NUMBER.fullmatch(text) else 0


def _text(request: HttpRequest, name: str, longest: int) -> str:
    return request.GET.get(name, "").replace("\0", "").strip()[:longest]
