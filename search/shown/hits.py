"""A hit as the pages show it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from django.utils import timezone
from django.utils.translation import gettext

from law.citations.provision_names import cited_by_number
from search.results import Match, Retrieval, SearchHit
from search.shown.forms import RESULTS_AT_A_TIME, SearchForm
from search.shown.marked import excerpt
from search.shown.passage_tables import ShownBlock, hit_blocks
from sources.kinds import SourceKind
from sources.provisions import address
from sources.validity import IN_FORCE

MAX_CARRIED_LENGTH = 200  # characters of a query that a link to a document carries on
MAX_QUOTE_LENGTH = 300  # and of a quote


@dataclass(frozen=True, slots=True)
class ShownHit:
    """`blocks` are the telling part of the passage, `whole` all of it where that is more."""

    hit: SearchHit
    kind: str
    url: str
    blocks: Sequence[ShownBlock]
    cut_before: bool
    cut_after: bool
    whole: Sequence[ShownBlock]
    labels: tuple[tuple[str, str], ...]
    """Name and address that filters by it."""
    says_day: bool
    """Whether another day than today was asked for: its status is then of that day."""
    continues: bool = False
    """Whether the hit before is of the same document."""

    @property
    def cited(self) -> str:
        """How its section is cited, or its document."""
        hit = self.hit
        return cited_by_number(hit.section, source=hit.source, of_paragraphs=hit.is_of_paragraph) or self.kind

    @property
    def holds(self) -> str:
        """What a copy of it says of its day. Empty for the law of today."""
        source = self.hit.source
        return source.holds if self.says_day or source.status not in IN_FORCE else ""

    @property
    def is_citation(self) -> bool:
        return self.hit.match is Match.CITATION

    @property
    def is_meaning(self) -> bool:
        """Whether none of the query's words stand in it."""
        return self.hit.match is Match.SEMANTIC


def shown(hits: Iterable[SearchHit], *, form: SearchForm) -> list[ShownHit]:
    """The hits of a form's query, in their order, but those of one document together at the place of its best.

    So it is within as many as come at a time: what was read stays where it is when more come.
    """
    places: dict[tuple[int, int], int] = {}
    together = sorted(
        enumerate(hits),
        key=lambda one: (one[0] // RESULTS_AT_A_TIME, places.setdefault(_group(*one), one[0])),
    )
    before = chain([None], (hit.source.id for _, hit in together))
    return [
        replace(_shown(hit, form), continues=hit.source.id == last)
        for (_, hit), last in zip(together, before, strict=False)
    ]


def _group(place: int, hit: SearchHit) -> tuple[int, int]:
    return place // RESULTS_AT_A_TIME, hit.source.id


def _shown(hit: SearchHit, form: SearchForm) -> ShownHit:
    start, end = _shown_range(hit)
    is_cut = end - start < len(hit.text) - hit.heading_length
    highlights = () if hit.clauses else hit.highlights  # the clause is all that is shown
    return ShownHit(
        hit=hit,
        kind=str(SourceKind(hit.source.kind).label),
        url=address(hit.source.id, hit.eid, chunk_id=hit.chunk_id, query=form.query[:MAX_CARRIED_LENGTH]),
        blocks=hit_blocks(hit, highlights, start=start, end=end),
        cut_before=start > hit.heading_length,
        cut_after=end < len(hit.text),
        whole=hit_blocks(hit, hit.highlights, start=0, end=len(hit.text)) if is_cut else (),
        labels=tuple((label.name, form.address(label=[label.slug], ask=None)) for label in hit.source.labels),
        says_day=form.scope.as_of != timezone.localdate(),
    )


def _shown_range(hit: SearchHit) -> tuple[int, int]:
    """The telling part of a passage. Where it or a clause of it is cited, that from its first word."""
    if not hit.clauses:
        heading = hit.heading_length
        if hit.match is Match.CITATION:
            return heading, heading + excerpt(hit.text[heading:], ())[1]
        below = [(at - heading, to - heading) for at, to in hit.highlights if at >= heading]
        start, end = excerpt(hit.text[heading:], below)
        return start + heading, end + heading
    clause = hit.clauses[0]
    length = excerpt(hit.text[clause.start : clause.end], ())[1]
    return clause.start, clause.start + length


@dataclass(frozen=True, slots=True)
class Missing:
    """A sentence, and the nearest provisions with their addresses. `alone` when nothing else that is cited is there.

    `is_here` when it is what is cited, on another day.
    """

    sentence: str
    nearest: Sequence[tuple[str, str]]
    alone: bool
    is_here: bool = False


def unread_sentence(words: str) -> str:
    """That these were not understood, in the language that is active."""
    return gettext("“%(words)s” was not understood as the name of an act here.") % {"words": words}


def missing(found: Retrieval) -> Missing | None:
    """What is not there of what the query cites, or was not understood."""
    alone = all(hit.match is not Match.CITATION for hit in found.hits)
    if one := found.not_found:
        nearest = [(near.title, address(near.source_id)) for near in one.uncertain]
        nearest += [(near.number, address(one.source_id or 0, near.eid)) for near in one.nearest]
        return Missing(one.sentence, nearest, alone=alone, is_here=bool(one.other_days))
    return Missing(unread_sentence(found.unread[0]), (), alone=alone) if found.unread else None
