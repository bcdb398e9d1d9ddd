"""The first passages that a search finds, as a file."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _

from answers.writing.protocol import AnswerCitation
from kb_project.web.origins import Absolute
from keeping.exports.footnotes import FootnoteMaker
from keeping.exports.pieces import Caution, Export, Footnote, Heading, Piece, QuotedText, TextRun, speaking, told
from law.languages.scripts import main_language
from search.expansion.expand import expand
from search.results import Retrieval, SearchHit
from search.retrieval import parse_query, retrieve
from search.retrieval.listing import Listing
from sources.scope import Scope
from sources.validity import IN_FORCE
from topics.models import Topic

MAX_TITLE_LENGTH = 200  # characters of a query


@dataclass(frozen=True, kw_only=True)
class AskedSearch:
    """A search whose first `limit` passages, or documents, are wanted."""

    query: str
    scope: Scope
    topic: Topic | None
    listing: Listing
    limit: int


def search_file(asked: AskedSearch, *, absolute: Absolute) -> Export:
    """The passages in their order, each with its footnote. Raises Invalid for a blank query."""
    query = parse_query(asked.query)
    language = main_language(asked.query)
    with speaking(language):
        found = retrieve(
            query,
            scope=asked.scope,
            limit=asked.limit,
            expansions=expand(query, topic=asked.topic),
            listing=asked.listing,
        )
        title = Truncator(" ".join(asked.query.split())).chars(MAX_TITLE_LENGTH)
        return Export(
            title=f"{_('Search')}: {title}",
            pieces=list(_pieces(asked, found, absolute=absolute)),
            language=language,
            made_on=timezone.localdate(),
        )


def _pieces(asked: AskedSearch, found: Retrieval, *, absolute: Absolute) -> Iterator[Piece]:
    where = _("in the topic %s") % asked.topic.name if asked.topic else _("in all topics")
    day = asked.scope.as_of or timezone.localdate()
    about = {"day": date_format(day), "where": where, "n": len(found.hits)}
    sentence = _("The law of %(day)s, %(where)s: the first %(n)d results.")
    if asked.scope.all_versions:
        sentence = _("All versions, in force on %(day)s or not, %(where)s: the first %(n)d results.")
    yield told(sentence % about)
    if found.not_found:
        yield Caution(found.not_found.sentence)
    if not found.hits:
        yield told(_("Nothing was found"))
    footnotes = FootnoteMaker(((hit.source.id, hit.eid) for hit in found.hits), absolute=absolute)
    for hit in found.hits:
        yield from _hit(hit, of_hit(hit, footnotes, day=day))


def _hit(hit: SearchHit, cited: Footnote) -> Iterator[Piece]:
    yield Heading([TextRun(f"{hit.rank}. {cited.cited}")], level=2)
    if hit.source.status not in IN_FORCE:
        yield Caution(f"{cited.of_days}: {cited.holds}.", cited.language)
    above = "\n".join(filter(None, [hit.above, hit.text.strip("\n")]))
    yield QuotedText(above, cited)


def of_hit(hit: SearchHit, footnotes: FootnoteMaker, *, day: date) -> Footnote:
    """The footnote of a passage."""
    source = hit.source
    return footnotes.of_citation(
        AnswerCitation(
            n=hit.rank,
            chunk_id=hit.chunk_id,
            source_id=source.id,
            title=source.title,
            identifier=source.identifier,
            kind=source.kind,
            page=hit.page,
            section=hit.section,
            quote="",
            eid=hit.eid,
            **source.dated,
        ),
        day=day,
    )
