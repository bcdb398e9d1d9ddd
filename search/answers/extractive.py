"""The offline answerer: of the best passages, the neighbouring sentences that hold most of the question."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from kb_project.languages.scripts import main_language
from search.answers.evidence import is_evidence, is_near
from search.answers.protocol import AnswerRequest, Claim, Piece, Text
from search.answers.runs import Run, Wanted, beginning, best_run
from search.answers.verify import passage_label
from search.results import Hit, Match

PROVIDER = "extractive"
READ = 3  # passages, by rank, of which one must be evidence: silence is better than the eighth-best section
CONSIDERED = 5
MOST_PASSAGES = 3  # that are quoted
CLOSE = 0.8  # of what the best passage holds of the question: what holds less is not quoted beside it
FAINT = 0.2  # of the question: what holds less by its words was found by its meaning alone
MOST_QUOTES = 5


@dataclass(frozen=True, slots=True)
class Quote:
    """A range of a passage's text: `passage` is the index in `AnswerRequest.passages`."""

    passage: int
    start: int
    end: int


class ExtractiveAnswerer:
    """Quotes; says nothing of its own."""

    provider = PROVIDER
    model = "sentences-2"
    key = None

    async def answer(self, asked: AnswerRequest) -> AsyncGenerator[Piece]:
        for chosen in quotes(asked):
            passage = asked.passages[chosen.passage]
            quote = passage.text[chosen.start : chosen.end]
            yield Text(quote)
            yield Claim(passage=chosen.passage, quote=quote, label=passage_label(passage))
            yield Text("\n\n")


def quotes(asked: AnswerRequest) -> list[Quote]:
    """One quote of each passage that answers about as well as the best, in the order in which to read them."""
    chosen = _cited(asked) or _close_to_best(asked)
    language = main_language(asked.question)
    # A stable sort: by rank, but what is written in another language goes last.
    chosen.sort(key=lambda index: main_language(asked.passages[index].text) is not language)
    return [
        Quote(index, start, end)
        for index in chosen[:MOST_PASSAGES]
        for start, end in _runs(asked.passages[index], asked)
    ][:MOST_QUOTES]


def _cited(asked: AnswerRequest) -> list[int]:
    """The passages that the question cites; who asks for a section is not helped by its neighbours."""
    return [index for index, passage in enumerate(asked.passages) if passage.match is Match.CITATION]


def _close_to_best(asked: AnswerRequest) -> list[int]:
    """Of the first passages, those that hold of the question almost as much as the best, or are near in meaning.

    One that is ranked before the evidence and holds almost as much is worth reading too.
    """
    evidence = [index for index, passage in enumerate(asked.passages[:READ]) if is_evidence(passage, asked)]
    if not evidence:
        return []
    first = asked.passages[: max(CONSIDERED, evidence[0] + 1)]
    enough = max(CLOSE * max(passage.coverage for passage in first), FAINT)
    return [index for index, passage in enumerate(first) if passage.coverage >= enough or is_near(passage)]


def _runs(passage: Hit, asked: AnswerRequest) -> list[Run]:
    """What to quote of a passage: the clauses that the question cites, each from its first word, or its best run."""
    if passage.clauses:
        return [beginning(passage.text, clause.start, clause.end) for clause in passage.clauses]
    best = best_run(passage.text, Wanted.of(asked, passage))
    return [best] if best else []
