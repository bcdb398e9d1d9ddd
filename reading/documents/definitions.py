"""Where a provision uses the terms that its own document defines."""

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from django.http import Http404, HttpRequest, JsonResponse

from law.structure.definitions import term_opening
from law.words.analysis import term_offsets, terms
from search.shown.access import part_of_source
from sources import provisions
from sources.models import Chunk, Provision, Source
from sources.provisions import address

MAX_PASSAGES = 60  # of a document that are read for definitions, and of a provision for uses
MAX_USES = 30
MAX_TERM_LENGTH = 6  # words
MAX_TOLD_LENGTH = 500  # characters
Stems = tuple[str, ...]


class TermDefinition(NamedTuple):
    """What the document says of a term, and from where to where in it."""

    term: str
    text: str
    eid: str
    start: int
    end: int


@part_of_source
def definitions(request: HttpRequest, source: Source) -> JsonResponse:
    """The first use of each defined term in the provision `eid`: its place in characters, and the definition."""
    provision = provisions.find(source.pk, request.GET.get("eid", ""))
    if provision is None:
        raise Http404
    known = definitions_of(source.pk)
    uses = [
        {"at": at, "length": length, "text": told.text, "path": address(source.pk, told.eid), "eid": told.eid}
        for at, length, told in _uses(provision, known)
    ]
    return JsonResponse({"uses": uses})


def definitions_of(source_id: int) -> dict[Stems, TermDefinition]:
    """The terms in quotation marks with which lines of the document begin. What is defined twice is not told."""
    passages = Chunk.objects.filter(source_id=source_id, text__regex=r"(^|\n)\s*[\"“”״„']").order_by("seq")
    found: dict[Stems, TermDefinition] = {}
    several: set[Stems] = set()
    for text, start, eid in passages.values_list("text", "span_start", "eid")[:MAX_PASSAGES]:
        for term, first, last in _defining_lines(text):
            stems = _stems(term)
            if not 0 < len(stems) <= MAX_TERM_LENGTH:
                continue
            if stems in found:
                several.add(stems)
            told = text[first:last].strip()
            shown = told if len(told) <= MAX_TOLD_LENGTH else told[:MAX_TOLD_LENGTH].rsplit(" ", 1)[0] + " …"
            found[stems] = TermDefinition(term, shown, eid, start + first, start + last)
    return {stems: told for stems, told in found.items() if stems not in several}


def _defining_lines(text: str) -> Iterator[tuple[str, int, int]]:
    """Each defined term, from its line to the line of the next one: its clauses stand between."""
    starts: list[tuple[str, int]] = []
    at = 0
    for line in text.splitlines(keepends=True):
        indent = len(line) - len(line.lstrip())
        if defined := term_opening(line, indent):
            starts.append((defined.term, at + indent))
        at += len(line)
    for (term, start), (_next, end) in pairwise([*starts, ("", len(text))]):
        yield term, start, end


def _uses(provision: Provision, known: dict[Stems, TermDefinition]) -> Iterator[tuple[int, int, TermDefinition]]:
    """Where a defined term stands for the first time in a provision, the longest of those that begin there."""
    if not known:
        return
    inside = Chunk.objects.filter(
        source_id=provision.source_id, span_start__lt=provision.span_end, span_end__gt=provision.span_start
    ).order_by("seq")
    told: set[Stems] = set()
    for text, base in inside.values_list("text", "span_start")[:MAX_PASSAGES]:
        stems, places = _stems(text), term_offsets(text)
        for first in range(len(stems)):
            stop = min(first + MAX_TERM_LENGTH, len(stems))
            one = next((one for end in range(stop, first, -1) if (one := stems[first:end]) in known), None)
            if one is None or one in told:
                continue
            start, end = base + places[first][0], base + places[first + len(one) - 1][1]
            is_own = known[one].start <= start < known[one].end
            if is_own or not provision.span_start <= start < provision.span_end:
                continue
            told.add(one)
            yield start, end - start, known[one]
            if len(told) == MAX_USES:
                return


def _stems(text: str) -> Stems:
    return tuple(term.stem for term in terms(text))
