"""Answers: questions whose gold passage is known, and questions about nothing in the set, asked of `POST /kb/ask`.

Every second question was used to tune the threshold of silence; the others check it, and both are told.
"""

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bench.client import Api
from bench.datasets import DataSet, Query
from bench.load import LoadedSet
from bench.metrics import Percentiles, percentiles
from bench.stored import chunks_of_topic
from bench.tables import markdown

QUESTIONS = 200
SEED = 20261120
# About nothing in a set. Most speak its own language and half sound like law, as those are what words alone may fool:
# `heqa` is about people, history, politics and technology, `obliqa` about financial services.
OFF_TOPIC: dict[str, list[str]] = json.loads(Path(__file__).with_name("off_topic.json").read_text(encoding="utf-8"))
HALVES = ("tuned on", "checked on")


@dataclass(slots=True)
class Half:
    """Counts of one half. `held` are questions of which a citation is of a gold passage, `held_first` the first one.

    `shown` are those without an answer, for which a gold passage was shown as what comes nearest. They are no answers.
    """

    questions: int = 0
    answered: int = 0
    held: int = 0
    held_first: int = 0
    shown: int = 0
    off_topic: int = 0
    silent: int = 0
    wrongly_answered: list[str] = field(default_factory=list)


@dataclass(slots=True)
class AnswerQuality:
    """Both halves; `verbatim` of `quotes` stand in their chunk."""

    answerer: str
    halves: dict[str, Half]
    quotes: int
    verbatim: int
    dropped: int
    took_ms: Percentiles


def measure_answers(dataset: DataSet, loaded: LoadedSet, *, api: Api, database_url: str) -> AnswerQuality:
    """Ask a fixed sample of the set's questions, and those about nothing in it."""
    sample = random.Random(SEED).sample(list(dataset.queries), min(QUESTIONS, len(dataset.queries)))
    off_topic = [Query(text, frozenset(), "off topic") for text in OFF_TOPIC[dataset.name]]
    halves = {name: Half() for name in HALVES}
    answers = []
    for questions in (sample, off_topic):
        for number, query in enumerate(tqdm(questions, desc=f"{dataset.name}: ask", unit="question")):
            answer = api.ask(query.text, topic_id=loaded.topic_id)
            half = halves[HALVES[number % 2]]
            note(half, query, answer, units=_units(dataset, loaded, answer["citations"]))
            if not answer["citations"]:
                half.shown += bool(query.gold.intersection(_units(dataset, loaded, answer["passages"])))
            answers.append(answer)
    citations = [citation for answer in answers for citation in answer["citations"]]
    return AnswerQuality(
        answerer=" ".join(sorted({f"{answer['provider']} {answer['model']}" for answer in answers})),
        halves=halves,
        quotes=len(citations),
        verbatim=_verbatim(citations, database_url=database_url, topic_id=loaded.topic_id),
        dropped=sum(answer["dropped_citations"] for answer in answers),
        took_ms=percentiles(answer["took_ms"] for answer in answers),
    )


def _units(dataset: DataSet, loaded: LoadedSet, places: Sequence[Mapping[str, Any]]) -> list[str]:
    """The gold-standard units of citations or passages, in order; a source that is not the set's counts as none."""
    return [
        dataset.unit(loaded.sources[place["source_id"]], place["section"])
        for place in places
        if place["source_id"] in loaded.sources
    ]


def note(half: Half, query: Query, answer: Mapping[str, Any], *, units: Sequence[str]) -> None:
    answered = answer["status"] == "answered"
    if not query.gold:
        half.off_topic += 1
        half.silent += not answered
        if answered:
            half.wrongly_answered.append(query.text)
        return
    half.questions += 1
    half.answered += answered
    half.held += bool(query.gold.intersection(units))
    half.held_first += bool(query.gold.intersection(units[:1]))


def _verbatim(citations: Sequence[Mapping[str, Any]], *, database_url: str, topic_id: int) -> int:
    texts = {chunk.id: chunk.text for chunk in chunks_of_topic(database_url, topic_id=topic_id)}
    return sum(citation["quote"] in texts[citation["chunk_id"]] for citation in citations)


def table(answers: Mapping[str, AnswerQuality]) -> str:
    """One row for each half of each set."""
    rows = [
        [
            name,
            half_name,
            f"{half.held}/{half.questions} = {half.held / max(1, half.questions):.1%}",
            f"{half.held_first}/{half.questions}",
            f"{half.shown}/{half.questions}",
            f"{half.answered}/{half.questions}",
            f"{half.silent}/{half.off_topic}",
        ]
        for name, quality in answers.items()
        for half_name, half in quality.halves.items()
    ]
    head = [
        "set",
        "half",
        "a citation is gold",
        "the first is",
        "none, and gold is shown",
        "answered",
        "silent, off topic",
    ]
    return markdown(head, rows)


def summary(answers: Mapping[str, AnswerQuality]) -> str:
    """A sentence for each set: who answered, how often the quotes were there, how long it took."""
    lines = []
    for name, quality in answers.items():
        wrong = [question for half in quality.halves.values() for question in half.wrongly_answered]
        quotes = f"{quality.verbatim}/{quality.quotes} verbatim, {quality.dropped} dropped"
        took = f"p50 {quality.took_ms.p50:.0f}, p95 {quality.took_ms.p95:.0f}"
        answered = f"Answered though off topic: {'; '.join(wrong) or 'none'}"
        lines.append(f"{name}: {quality.answerer}; quotes {quotes}; took_ms {took}. {answered}")
    return "\n\n".join(lines)
