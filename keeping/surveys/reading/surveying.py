"""Making a survey: provisions are looked for by words and by meaning, and judged one by one, with a certificate.

The certificate says how many were missed, by capture and recapture: what two ways found, and how much of it both did.
"""

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from math import sqrt
from typing import Any

from django.utils import timezone

from answers.checking.turns import check_turn
from kb_project.errors import ProviderError
from keeping.models import Survey, SurveyOutcome, SurveyReading
from keeping.surveys.reading import by_model
from keeping.surveys.reading.judging import FOUND, MAX_YES, Found, Lists, judge, judge_read
from keeping.surveys.reading.units import units
from keeping.tables.rows import scope_of
from law.questions.surveyed import SurveyedRules, surveyed_rules, version
from search.embedders import configured
from search.embedders.protocol import TermEmbedder
from search.results import Mode, Retrieval
from search.retrieval import parse_query, retrieve
from sources.models import Source
from sources.scope import Scope

MIN_BOTH = 7  # found by both ways, below which the estimate is too rough to be told
SIDES = 1.96  # standard deviations of a 95 % interval
MAX_DOCUMENTS = 20_000
MAX_UNREAD = 200  # documents that are named
VERSION = "words-1"
TURN_WITHIN_S = 600.0  # of the processor, which a text that is checked may have
Progress = Callable[[int, int], None]


@dataclass(frozen=True, kw_only=True)
class MissingShare:
    """The share that is missing of all that there are, and the ends of its 95 % interval: from 0 to 1."""

    share: float
    low: float
    high: float


def missing_share(*, first: int, second: int, both: int, found: int) -> MissingShare | None:
    """What Chapman's estimator says, of `found` in all. None where both ways found fewer than `MIN_BOTH` together.

    D. G. Chapman, *Some properties of the hypergeometric distribution with applications to zoological sample censuses*
    (1951). It holds where the ways are independent. Ways that find the same make it too low.
    """
    if both < MIN_BOTH:
        return None
    whole = (first + 1) * (second + 1) / (both + 1) - 1
    variance = (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    spread = SIDES * sqrt(variance)
    share, low, high = (max(0.0, 1 - found / max(size, found)) for size in (whole, whole - spread, whole + spread))
    return MissingShare(share=round(share, 4), low=round(low, 4), high=round(high, 4))


def scope_of_survey(one: Survey) -> Scope:
    """The law of its day, or of today."""
    scope = scope_of(one.rows, topic_id=one.topic_id)
    return replace(scope, as_of=one.as_of) if one.as_of else scope


def documents_of(scope: Scope) -> tuple[list[int], int]:
    """Those that are read, in order, and how many there are in all."""
    ids = sorted(map(int, scope.sources()[0]))
    return ids[:MAX_DOCUMENTS], len(ids)


def survey(one: Survey, *, on_progress: Progress) -> dict[str, Any]:
    """The report: three lists and the certificate. Raises ApiError for a description of no words.

    Where a model reads, it has done so (`by_model.read_more`).
    """
    started = time.monotonic()
    scope = scope_of_survey(one)
    rules = surveyed_rules(one.description)
    found = _searched(one.description, scope=scope)
    read, documents = documents_of(scope)
    lists, keys = Lists(), set[str]()
    for done, some in units(read, scope=scope):
        by_key = {unit.key(by_model.PROMPT_VERSION): unit for unit in some} if one.by_model else {}
        kept = by_model.kept(one, by_key)
        keys |= kept.keys()
        with check_turn(within_s=TURN_WITHIN_S):
            for unit in some if not one.by_model else ():
                judge(unit, rules, found, lists)
            for unit in some if one.by_model else ():
                judge_read(unit, kept.get(unit.key(by_model.PROMPT_VERSION)), rules, found, lists)
        on_progress(done, len(read))
    certificate = _certificate(scope, rules, found, lists, documents=documents, read=read)
    certificate |= _read_by(one, lists, keys)
    since = _since(one.report, lists)
    certificate["since"] = since and {name: value for name, value in since.items() if name != "gone"}
    certificate["took_s"] = round(time.monotonic() - started, 1)
    near = [row for _worth, row in lists.near]
    return {
        "yes": lists.yes,
        "near": near,
        "undecided": lists.undecided,
        "gone": since["gone"] if since else [],
        "certificate": certificate,
    }


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


def _certificate(
    scope: Scope,
    rules: SurveyedRules,
    found: Found,
    lists: Lists,
    *,
    documents: int,
    read: Collection[int],
) -> dict[str, Any]:
    unread = Source.objects.filter(pk__in=list(read)).exclude(unread_pages=[])
    named = unread.order_by("pk").values_list("pk", "title", "unread_pages")[:MAX_UNREAD]
    counts = {way: lists.found.get(way, 0) for way in ("words", "meaning", "read", "both")}
    missing = None
    if found.has_meaning:
        missing = missing_share(
            first=counts["words"], second=counts["meaning"], both=counts["both"], found=lists.counts["yes"]
        )
    return {
        "as_of": (scope.as_of or timezone.localdate()).isoformat(),
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
        "counts": lists.counts,
        "missing": asdict(missing) if missing else None,
        "rules": list(rules.names),
        "version": f"{VERSION} {version()}",
    }


def _read_by(one: Survey, lists: Lists, keys: Collection[str]) -> dict[str, Any]:
    """What the certificate says of models: which, and how much they read since the survey was asked for."""
    readings = SurveyReading.objects.filter(survey=one).exclude(outcome=SurveyOutcome.FAILED)
    models = readings.exclude(model="").order_by("model").values_list("model", flat=True).distinct()
    anew = set(readings.filter(round=one.round).values_list("key", flat=True)) & set(keys)
    return {
        "model": ", ".join(models) if one.by_model else "",
        "prompt": by_model.PROMPT_VERSION if one.by_model else "",
        "read_by_model": lists.read_by_model,
        "read_anew": len(anew),
        "calls": one.calls,
        "tokens": one.tokens,
    }


def _since(before: dict[str, Any] | None, now: Lists) -> dict[str, Any] | None:
    """What is new among the *yes*, which say so, and what is gone. None the first time, and of too many to tell."""
    if before is None or before["certificate"] is None:
        return None
    if max(before["certificate"]["counts"]["yes"], now.counts["yes"]) > MAX_YES:
        return None
    if any("place" not in row for row in before["yes"]):
        return None
    then, places = {row["place"] for row in before["yes"]}, {row["place"] for row in now.yes}
    for row in now.yes:
        row["is_new"] = row["place"] not in then
    gone = [{**row, "is_new": False} for row in before["yes"] if row["place"] not in places]
    new = sum(row["is_new"] for row in now.yes)
    return {"made_at": before["certificate"]["made_at"], "new": new, "lost": len(gone), "gone": gone}
