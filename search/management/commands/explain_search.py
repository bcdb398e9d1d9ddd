"""`manage.py explain_search QUERY`: the four steps of a search, what came of each, and how long it took."""

import time
from argparse import ArgumentParser
from collections.abc import Iterable
from contextlib import nullcontext
from typing import Any

from django.core.management.base import CommandError

from kb_project.configuration.startup import ServiceCommand
from kb_project.errors import Invalid, ProviderError
from search.results import Mode
from search.retrieval import MAX_RESULTS, Scope, parse_query
from search.retrieval.candidates import Candidates, QuerySlot, choose_candidates
from search.retrieval.fusing import fuse
from search.retrieval.planning import build_query_plan
from search.retrieval.query_plan import QueryPlan
from search.retrieval.reading import read_results
from topics.models import Topic

SHOWN = 10


class Command(ServiceCommand):
    """A plain search: no other wordings, no filters, no reranker."""

    help = "Tell how a query is searched for: its plan, its candidates, their ranking, and what is read of them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("query")
        parser.add_argument("--topic", metavar="SLUG", help="the topic that is searched; all of them without it")
        parser.add_argument("--mode", choices=[*Mode], default=Mode.HYBRID.value)
        parser.add_argument("--limit", type=int, default=SHOWN, metavar="N", help=f"{SHOWN} without it")

    def handle(self, *args: Any, **options: Any) -> None:
        topic = Topic.objects.filter(slug=options["topic"]).first() if options["topic"] else None
        if options["topic"] and topic is None:
            raise CommandError(f"There is no topic with the slug “{options['topic']}”.")
        scope, limit = Scope(topic_id=topic.pk if topic else None), max(1, min(options["limit"], MAX_RESULTS))
        try:
            self._explain(options["query"], scope=scope, mode=Mode(options["mode"]), limit=limit)
        except (Invalid, ProviderError) as error:
            raise CommandError(str(error)) from error

    def _explain(self, text: str, *, scope: Scope, mode: Mode, limit: int) -> None:
        query = parse_query(text)
        started = time.perf_counter()
        plan = build_query_plan(query, scope=scope.with_topics(), mode=mode)
        started = self._step("plan", started, _planned(plan))
        with QuerySlot(nullcontext) as slot:
            candidates = choose_candidates(plan, limit=limit, slot=slot)
        started = self._step("candidates", started, _chosen(candidates))
        ranked = fuse(candidates)
        started = self._step("fuse", started, [f"{len(ranked)} ranked, meaning weighs {candidates.weight:.2f}"])
        found = read_results(plan, candidates, ranked)
        self._step("read", started, [f"{len(found.hits)} passages"])
        for place, hit in enumerate(found.hits, 1):
            near = "no vector" if hit.similarity is None else f"near by {hit.similarity:.3f}"
            where = f"{hit.source.title} {hit.section} {hit.heading}".strip()
            self.stdout.write(f"{place:>10}  {hit.score:.3f}  {hit.match.value}, {near}: {where}")

    def _step(self, name: str, started: float, told: Iterable[str]) -> float:
        took = 1000 * (time.perf_counter() - started)
        for line, sentence in enumerate(told):
            self.stdout.write(f"{'' if line else name:<10}  {'' if line else f'{took:.1f} ms':>9}  {sentence}")
        return time.perf_counter()


def _planned(plan: QueryPlan) -> Iterable[str]:
    frequencies = plan.words.frequencies
    held = (f"{term.word} in {frequencies.get(term.stem_hash, 0)}" for term in plan.parsed.terms)
    yield f"of {plan.words.chunks} passages: {', '.join(held) or 'no word is looked for'}"
    if plan.meanings:
        yield f"also means {', '.join(plan.meanings)}"
    yield f"by the vectors of {plan.space}" if plan.space else "by words alone"
    if plan.lacking:
        yield plan.lacking.said


def _chosen(candidates: Candidates) -> Iterable[str]:
    ways = {
        "cited": candidates.cited.chunk_ids,
        "of a named act": candidates.named.ranking,
        "by words": candidates.by_words,
        "by meaning": candidates.by_meaning,
    }
    yield ", ".join(f"{len(found)} {way}" for way, found in ways.items())
    if candidates.cited.not_found:
        yield f"cited and not here: {candidates.cited.not_found.explanation}"
    if candidates.cited.unread:
        yield f"cited and not read: {'; '.join(candidates.cited.unread)}"
