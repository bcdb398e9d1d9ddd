"""The offline answerer: of the best passages, the neighbouring sentences that hold most of the question."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass

from answers.writing.evidence import is_evidence, is_near
from answers.writing.protocol import AnswerRequest, Claim, Piece, Text
from answers.writing.quotes.best_sentences import Run, SentenceCriteria, beginning, below_headings, best_run, ends_amid
from answers.writing.quotes.verify import passage_label
from law.languages.scripts import main_language
from law.words.questions import asks_for_number, has_number, has_year
from search.passage_headings import heading_length
from search.results import Match, SearchHit
from search.retrieval.definitions import defined_words

PROVIDER = "extractive"
READ = 2  # passages, by rank, of which one must be evidence: silence is better than the eighth-best section
CONSIDERED = 5
MOST_PASSAGES = 3  # that are quoted
CLOSE = 0.7  # of what the best passage holds of the question: what holds less is not quoted beside it
FAINT = 0.2  # of the question: what holds less by its words was found by its meaning alone
MOST_QUOTES = 5


@dataclass(frozen=True, slots=True)
class Quote:
    """A range of a passage's text: `passage` is the index in `AnswerRequest.passages`."""

    passage: int
    start: int
    end: int


class ExtractiveAnswerer:
    """Quotes. Says nothing of its own."""

    provider = PROVIDER
    model = "sentences-3"
    key = None

    async def answer(self, asked: AnswerRequest) -> AsyncGenerator[Piece]:
        for chosen in quotes(asked):
            passage = asked.passages[chosen.passage]
            quote = passage.text[chosen.start : chosen.end]
            yield Text(quote)
            if ends_amid(passage.text, chosen.end):
                yield Text(" …")
            yield Claim(passage=chosen.passage, quote=quote, label=passage_label(passage))
            yield Text("\n\n")


def quotes(asked: AnswerRequest) -> list[Quote]:
    """One quote of each passage that answers about as well as the best, in the order in which to read them."""
    chosen = _cited(asked) or _answering(asked)
    language = main_language(asked.question)
    # A stable sort: by rank, but what is written in another language goes last.
    order = sorted(chosen, key=lambda index: main_language(asked.passages[index].text) is not language)
    runs = [(index, run) for index in order[:MOST_PASSAGES] for run in chosen[index]][:MOST_QUOTES]
    return [Quote(index, *_without_number(asked, asked.passages[index], run)) for index, run in runs]


def _without_number(asked: AnswerRequest, hit: SearchHit, run: Run) -> Run:
    """The run without headings, and without the number of its section, which the citation names."""
    start, end = below_headings(hit.text, run, SentenceCriteria.of(asked, hit))
    above = heading_length(hit)
    return (above, end) if start < above < end else (start, end)


def _cited(asked: AnswerRequest) -> dict[int, list[Run]]:
    """What to quote of the passages that the question cites. Who asks for a section is not helped by its neighbours.

    Of a cited clause that is its beginning, else the best run.
    """
    return {
        index: [beginning(passage.text, clause.start, clause.end) for clause in passage.clauses]
        or _best_run(passage, asked)
        for index, passage in enumerate(asked.passages)
        if passage.match is Match.CITATION
    }


def _answering(asked: AnswerRequest) -> dict[int, list[Run]]:
    """What to quote of the first passages that hold almost as much of the question as the best, or are near in meaning.

    Where the question asks what something is, those that define it are quoted. Where it asks for a number, those
    that have one. A passage that is ranked before the evidence and holds almost as much is worth reading too.
    """
    first = list(enumerate(asked.passages[:CONSIDERED]))
    runs = {index: _best_run(passage, asked) for index, passage in first[:READ]}
    if not any(is_evidence(asked.passages[index], run, asked) for index, run in runs.items()):
        return {}
    runs |= {index: _best_run(passage, asked) for index, passage in first[READ:]}
    said = {index: " ".join(asked.passages[index].text[start:end] for start, end in runs[index]) for index in runs}
    if defining := [index for index in runs if defined_words(said[index], asked.asked)]:
        return {index: runs[index] for index in defining}
    enough = max(CLOSE * max(asked.passages[index].coverage for index in runs), FAINT)
    close = [index for index in runs if asked.passages[index].coverage >= enough or is_near(asked.passages[index])]
    if asks_for_number(asked.question):
        numbers = [index for index in close if has_number(said[index])]
        # A sentence that may answer is found by its words: then the question was perhaps not for a number after all.
        close = numbers or [index for index in close if asked.by_sentence or has_year(said[index])]
    return {index: runs[index] for index in close}


def _best_run(passage: SearchHit, asked: AnswerRequest) -> list[Run]:
    best = best_run(passage.text, SentenceCriteria.of(asked, passage))
    return [best] if best else []
