"""Making a survey: provisions are looked for by words, by meaning and one by one, and judged by their sentences.

Nothing is read by a model. So a provision is among the *yes* where a sentence of it says a rule of the kind that is
described, or holds every telling word of the description, and *undecided* where one way found it and no sentence says
it.
"""

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from typing import Any

from django.utils import timezone

from answers.checking.turns import check_turn
from answers.writing.quotes.pieces import sentences, stripped
from answers.writing.quotes.verify import shortened
from kb_project.errors import ProviderError
from keeping.models import Survey
from keeping.surveys.estimate import missing_share
from keeping.surveys.units import Unit, units
from keeping.tables.rows import scope_of
from law.questions.surveyed import SurveyedRules, surveyed_rules, version
from law.words.analysis import terms
from search.embedders import configured
from search.embedders.protocol import TermEmbedder
from search.results import Mode, Retrieval
from search.retrieval import parse_query, retrieve
from sources.models import Source
from sources.scope import Scope

MAX_DOCUMENTS = 20_000
MAX_YES, MAX_UNDECIDED, MAX_NEAR = 2_000, 500, 50
MAX_UNREAD = 200  # documents that are named
FOUND = 100  # passages that each way of search finds at most
FIRST_BY_MEANING = 30  # passages whose meaning is nearest: undecided where no sentence says it
ALL, HALF = 0.999, 0.5  # of the telling words
VERSION = "words-1"
TURN_WITHIN_S = 600.0  # of the processor, which a text that is checked may have
Progress = Callable[[int, int], None]


@dataclass
class Lists:
    """What is judged. Each row is one of the API's."""

    yes: list[dict[str, Any]] = field(default_factory=list)
    undecided: list[dict[str, Any]] = field(default_factory=list)
    near: list[tuple[float, dict[str, Any]]] = field(default_factory=list)
    found: dict[str, int] = field(default_factory=dict)
    """How many *yes* each way found, and `both` ways of search."""
    provisions: int = 0
    passages: int = 0


@dataclass(frozen=True)
class Found:
    """The passages that the two ways of search found, by their ranks from 0. `lacking`: some texts have no vectors."""

    by_words: dict[int, int]
    by_meaning: dict[int, int]
    meaning: dict[str, int | None] | None
    has_meaning: bool

    def ways(self, unit: Unit) -> list[str]:
        ways = (("words", self.by_words), ("meaning", self.by_meaning))
        return [name for name, found in ways if not found.keys().isdisjoint(unit.texts)]

    def rank_by_meaning(self, unit: Unit) -> int:
        return min((self.by_meaning[pk] for pk in unit.texts if pk in self.by_meaning), default=FOUND)


def survey(one: Survey, *, on_progress: Progress) -> dict[str, Any]:
    """The report: three lists and the certificate. Raises ApiError for a description of no words."""
    started = time.monotonic()
    scope = scope_of(one.rows, topic_id=one.topic_id)
    rules = surveyed_rules(one.description)
    found = _searched(one.description, scope=scope)
    ids = sorted(map(int, scope.sources()[0]))
    read = ids[:MAX_DOCUMENTS]
    lists = Lists()
    for done, some in units(read, scope=scope):
        with check_turn(within_s=TURN_WITHIN_S):
            for unit in some:
                _judge(unit, rules, found, description=one.description, lists=lists)
        on_progress(done, len(read))
    near = [row for _worth, row in sorted(lists.near, key=lambda pair: -pair[0])[:MAX_NEAR]]
    certificate = _certificate(one, rules, found, lists, documents=len(ids), read=read)
    certificate["took_s"] = round(time.monotonic() - started, 1)
    lists_out = {"yes": lists.yes[:MAX_YES], "near": near, "undecided": lists.undecided[:MAX_UNDECIDED]}
    return {**lists_out, "certificate": certificate}


def _searched(description: str, *, scope: Scope) -> Found:
    query = parse_query(description)
    by_words = retrieve(query, scope=scope, limit=FOUND, mode=Mode.LEXICAL)
    by_meaning: Retrieval | None = None
    if not isinstance(configured(), TermEmbedder):  # else meanings are the words again
        with suppress(ProviderError):
            by_meaning = retrieve(query, scope=scope, limit=FOUND, mode=Mode.SEMANTIC)
    hits = [hit for hit in by_meaning.hits if hit.similarity is not None] if by_meaning else []
    lacking = by_meaning.lacking if by_meaning else None
    return Found(
        by_words={hit.chunk_id: rank for rank, hit in enumerate(by_words.hits)},
        by_meaning={hit.chunk_id: rank for rank, hit in enumerate(hits)},
        meaning=asdict(lacking) if lacking else None,
        has_meaning=bool(hits),
    )


def _judge(unit: Unit, rules: SurveyedRules, found: Found, *, description: str, lists: Lists) -> None:
    """Put a provision into the list that it belongs to, if any."""
    lists.provisions += 1
    lists.passages += len(unit.texts)
    ways = found.ways(unit)
    quote, worth = _best_sentence(unit, rules, description)
    says_it = bool(quote) and worth >= ALL
    if says_it:
        ways = [*ways, "read"]
    row = {
        "source_id": unit.source_id,
        "title": unit.title,
        "eid": unit.eid,
        "number": unit.number,
        "heading": unit.heading,
        "page": unit.page,
        "quote": quote,
        "url": unit.url(quote),
        "ways": ways,
    }
    if says_it:
        lists.yes.append(row)
        for way in ways:
            lists.found[way] = lists.found.get(way, 0) + 1
        lists.found["both"] = lists.found.get("both", 0) + ({"words", "meaning"} <= set(ways))
    elif (worth >= HALF and ways) or found.rank_by_meaning(unit) < FIRST_BY_MEANING:
        lists.undecided.append(row)
    elif ways:
        lists.near.append((worth + 1 / (1 + found.rank_by_meaning(unit)), row))


def _best_sentence(unit: Unit, rules: SurveyedRules, description: str) -> tuple[str, float]:
    """The sentence that comes nearest, and how near, from 0 to 1.

    Where kinds of rules are named, a sentence that says one is as near as its provision holds the other words, and any
    other is half as near at most.
    """
    held = frozenset(term.stem for term in terms("\n".join((unit.title, unit.heading, *unit.texts.values()))))
    rest = rules.share_of_rest(held) if rules.rest else 1.0
    if rules.names:
        share = rest if rest >= ALL else rest * HALF
        for text in unit.texts.values():
            for start, end in sentences(text):
                start, end = stripped(text, start, end)
                if rules.is_said(text[start:end]):
                    return shortened(text[start:end]), share
        return "", HALF * rest if rules.is_said(unit.heading) else 0.0
    best, worth = "", 0.0
    if rest < HALF:
        return best, worth
    for text in unit.texts.values():
        for start, end in sentences(text):
            start, end = stripped(text, start, end)
            share = rules.share_of_rest(frozenset(term.stem for term in terms(text[start:end])))
            if share > worth:
                best, worth = shortened(text[start:end]), share
    return best, worth


def _certificate(
    one: Survey, rules: SurveyedRules, found: Found, lists: Lists, *, documents: int, read: Collection[int]
) -> dict[str, Any]:
    unread = Source.objects.filter(pk__in=list(read)).exclude(unread_pages=[])
    named = unread.order_by("pk").values_list("pk", "title", "unread_pages")[:MAX_UNREAD]
    counts = {way: lists.found.get(way, 0) for way in ("words", "meaning", "read", "both")}
    missing = None
    if found.has_meaning:
        missing = missing_share(
            first=counts["words"], second=counts["meaning"], both=counts["both"], found=len(lists.yes)
        )
    return {
        "as_of": timezone.localdate().isoformat(),
        "made_at": timezone.now().isoformat(),
        "documents": documents,
        "documents_read": len(read),
        "provisions_read": lists.provisions,
        "passages_read": lists.passages,
        "found": counts,
        "meaning": found.meaning,
        "has_meaning": found.has_meaning,
        "unread": [{"source_id": pk, "title": title, "pages": pages} for pk, title, pages in named],
        "unread_documents": unread.count() + documents - len(read),
        "counts": {"yes": len(lists.yes), "undecided": len(lists.undecided)},
        "missing": asdict(missing) if missing else None,
        "rules": list(rules.names),
        "version": f"{VERSION} {version()}",
        "model": "",
        "calls": 0,
    }
