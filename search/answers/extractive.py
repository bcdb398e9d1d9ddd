"""The offline answerer: the sentences of the best passages that hold most of the question."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from search.analysis import places, terms
from search.answers.protocol import Asked, Claim, Piece, Text
from search.answers.sentences import sentences
from search.answers.verify import passage_label
from search.highlight import matched_stems

PROVIDER = "extractive"
MOST_SENTENCES = 3
PASSAGES = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence with its worth: the share of the question's stems that it holds, and its passage's place."""

    passage: int
    start: int
    end: int
    worth: float


class ExtractiveAnswerer:
    """Quotes; says nothing of its own."""

    provider = PROVIDER
    model = "sentences-1"

    async def answer(self, asked: Asked) -> AsyncGenerator[Piece]:
        for candidate in best_sentences(asked):
            passage = asked.passages[candidate.passage]
            quote = passage.text[candidate.start : candidate.end].strip()
            yield Text(quote)
            yield Claim(passage=candidate.passage, quote=quote, label=passage_label(passage))
            yield Text("\n\n")


def best_sentences(asked: Asked) -> list[Candidate]:
    """The sentences that answer best, best first, of different passages where they are as good."""
    stems = matched_stems(terms(asked.question))
    found = []
    for index, passage in enumerate(asked.passages[:PASSAGES]):
        for start, end in sentences(passage.text):
            held = {stem for _, _, stem in places(passage.text[start:end], stems)}
            worth = len(held) / max(1, len(stems)) + (PASSAGES - index) / PASSAGES
            found.append(Candidate(index, start, end, worth))
    found.sort(key=lambda candidate: -candidate.worth)
    return found[:MOST_SENTENCES]
