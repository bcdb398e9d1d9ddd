"""The act whose name a query is: as a whole, cut short, or by the part that tells it from all others."""

from collections.abc import Sequence
from dataclasses import replace

from law.citations.query import ParsedQuery
from law.citations.titles import parse_title
from law.kinds import STATUTORY_KINDS
from law.words.analysis import Term
from search.results import SearchHit
from sources.citations import TitleMatches, named_in_part
from sources.models import Source
from sources.scope import Scope

MAX_PART_LENGTH = 6  # words


def find_act(query: ParsedQuery, titles: TitleMatches, hits: Sequence[SearchHit], *, scope: Scope) -> int | None:
    """The source whose name the query is, if that is one alone.

    `titles` is the answer of `title_query` for the query. The parts of names are looked up only where the
    title of a hit has all the words.
    """
    return _by_title(query.text, titles) or _by_part(query.terms, hits, scope=scope)


def read_act(source_id: int | None) -> Source | None:
    """The source with its labels, if it is an act: a title of another kind is often but a subject."""
    if source_id is None:
        return None
    acts = Source.objects.filter(pk=source_id, kind__in=STATUTORY_KINDS)
    return acts.prefetch_related("labels__aliases").first()


def _by_title(query: str, titles: TitleMatches) -> int | None:
    """The one of which the query is the title: the whole title before what begins so, and that of its year."""
    from_start = [naming for naming in titles(1, cut_short=True) if naming.start == 0]
    length = len(parse_title(query).words) if from_start else 0  # without the year
    whole = [naming for naming in from_start if naming.end >= length]
    whole = [naming for naming in whole if not naming.left] or whole
    whole = [naming for naming in whole if naming.same_year] or whole
    return whole[0].source_id if len(whole) == 1 else None


def _by_part(words: Sequence[Term], hits: Sequence[SearchHit], *, scope: Scope) -> int | None:
    """The one that the words name, as `named_in_part`."""
    if not 2 <= len(words) <= MAX_PART_LENGTH:
        return None
    holding = (hit.source for hit in hits if hit.source.kind in STATUTORY_KINDS and _holds(hit.source.title, words))
    if (source := next(holding, None)) is None:
        return None
    namings = named_in_part(words, (), scope=replace(scope, topic_id=source.topic_id))
    left = {naming.source_id: naming.left for naming in namings if naming.matched == len(words)}
    fullest = [source_id for source_id, words_left in left.items() if words_left == min(left.values())]
    return fullest[0] if len(fullest) == 1 else None


def _holds(title: str, words: Sequence[Term]) -> bool:
    stems = {word.term.stem for word in parse_title(title).words}
    return all(word.stem in stems for word in words)
