"""Who refers to a document or to a provision of it: by kind of document, each provision once, with its sentence."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from search.shown.marked import excerpt, marked, sentence
from sources import provisions
from sources.kinds import SourceKind
from sources.models import Chunk, Reference, Source, StaleReference

CITING_SHOWN = 10  # of each group, before more of one is asked for
CITING_A_PAGE = 50
OWN = "own"


class CitingProvision(NamedTuple):
    """A provision that refers to it, how often, and the sentence of the first time with the citation marked."""

    source: Source
    eid: str
    number: str
    times: int
    text: str
    sentence: SafeString
    cut_before: bool
    cut_after: bool


class CitingGroup(NamedTuple):
    """References from documents of one kind, or from the document itself (`own`), some of them, newest first."""

    value: str
    name: str
    total: int
    pages: Page[Reference]

    @property
    def is_own(self) -> bool:
        return self.value == OWN

    @property
    def provisions(self) -> list[CitingProvision]:
        """What the references of the page stand in."""
        found = list(self.pages)
        texts = texts_around(found)
        stored = provisions.stored((one.source_id, one.eid) for one in found)
        return [
            _citing_provision(list(inside), number=stored[place].number if place in stored else "", texts=texts)
            for place, inside in groupby(found, key=lambda one: (one.source_id, one.eid))
        ]


def citing_groups(found: QuerySet[Reference], *, work_id: int, only: str, page: str) -> Iterator[CitingGroup]:
    """The references by kind, those of the work's own versions last. Of `only` one of them the page."""
    names = {**{value: str(name) for value, name in SourceKind.choices}, OWN: _("This document")}
    counts: Counter[str] = Counter()
    own = Q(source__work_id=work_id)
    for kind, count in found.exclude(own).order_by().values_list("source__kind").annotate(Count("pk")):
        counts[kind] += count
    counts[OWN] = found.filter(own).count()
    for value in names:
        if counts[value] and only in ("", value):
            inside = found.filter(own) if value == OWN else found.exclude(own).filter(source__kind=value)
            pages = Paginator(inside, CITING_A_PAGE if only else CITING_SHOWN)
            pages.count = counts[value]
            yield CitingGroup(value, names[value], counts[value], pages.get_page(page if only else 1))


def texts_around(found: Sequence[Reference | StaleReference]) -> dict[int, tuple[str, int]]:
    """The text of the passage that each reference begins in, and where that begins. One deleted since has none."""
    places = Q(pk__in=())
    for one in found:
        places |= Q(source_id=one.source_id, span_start__lte=one.span_start, span_end__gt=one.span_start)
    passages = list(Chunk.objects.filter(places).only("source_id", "text", "span_start", "span_end"))
    return {
        one.pk: (passage.text, passage.span_start)
        for one in found
        for passage in passages
        if passage.source_id == one.source_id and passage.span_start <= one.span_start < passage.span_end
    }


def _citing_provision(
    inside: Sequence[Reference], *, number: str, texts: dict[int, tuple[str, int]]
) -> CitingProvision:
    one = inside[0]
    text, base = texts.get(one.pk, (one.text, one.span_start))
    start, end = one.span_start - base, min(one.span_end - base, len(text))
    first, last = sentence(text, start, end)
    begin, finish = excerpt(text[first:last], [(start - first, end - first)])
    said = text[first + begin : last]
    return CitingProvision(
        source=one.source,
        eid=one.eid,
        number="" if said.startswith(number) else number,  # a paragraph often begins with its number
        times=len(inside),
        text=text[first:last],
        sentence=marked(text, [(start, end)], start=first + begin, end=first + finish),
        cut_before=begin > 0,
        cut_after=finish < last - first,
    )
