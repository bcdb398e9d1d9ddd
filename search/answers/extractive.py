"""The offline answerer: of the best passages, the neighbouring sentences that hold most of the question."""

from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from kb_project.languages.scripts import main_language
from search.answers.evidence import is_evidence, is_near
from search.answers.protocol import AnswerRequest, Claim, Piece, Text
from search.answers.sentences import sentences
from search.answers.verify import passage_label
from search.ranking.coverage import Weights
from search.results import Hit, Match
from search.text.analysis import terms

PROVIDER = "extractive"
READ = 8  # passages, by rank: a model reads more
CONSIDERED = 5
MOST_PASSAGES = 3  # that are quoted
CLOSE = 0.8  # of what the best passage holds of the question: what holds less is not quoted beside it
FAINT = 0.2  # of the question: what holds less by its words was found by its meaning alone
MOST_QUOTES = 5
MOST_SENTENCES = 3  # of a quote
LONGEST = 500  # characters of a quote of several sentences
LONGEST_LIST = 900  # characters of a quote that is a list with its lead-in
OPEN = (":", ";", ",")  # ends of what the next line goes on with
WHOLE = 250  # characters; a shorter passage is quoted whole
# A quote grows by a sentence that brings at least this share of the question.
WORTH_A_SENTENCE = 0.05


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
        for start, end in _runs(asked.passages[index], asked.weights)
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


def _runs(passage: Hit, weights: Weights) -> list[tuple[int, int]]:
    """What to quote of a passage: the clauses that the question cites, each from its first word, or its best run."""
    if passage.clauses:
        return [_beginning(passage.text, clause.start, clause.end) for clause in passage.clauses]
    return [best_run(passage.text, weights)]


def _beginning(text: str, start: int, end: int) -> tuple[int, int]:
    """The first sentences of a range, as many as fit."""
    fitting = [last for _, last in sentences(text[start:end]) if last <= LONGEST_LIST]
    return _stripped(text, start, start + (fitting[-1] if fitting else LONGEST_LIST))


def best_run(text: str, weights: Weights) -> tuple[int, int]:
    """The range of the neighbouring sentences that hold most of the question in the fewest words."""
    if len(text.strip()) <= WHOLE:
        return _stripped(text, 0, len(text))
    pieces = list(sentences(text))
    words_of = [terms(text[start:end]) for start, end in pieces]
    best, best_worth = (0, 0), float("-inf")
    for first in range(len(pieces)):
        for count, words in enumerate(accumulate(words_of[first : first + MOST_SENTENCES]), start=1):
            last = first + count - 1
            if count > 1 and pieces[last][1] - pieces[first][0] > LONGEST:
                break
            worth = weights.share(words) - WORTH_A_SENTENCE * (count - 1)
            if worth > best_worth:
                best, best_worth = (first, last), worth
    first, last = _with_its_list(text, pieces, *best)
    return _stripped(text, pieces[first][0], pieces[last][1])


def _with_its_list(text: str, pieces: Sequence[tuple[int, int]], first: int, last: int) -> tuple[int, int]:
    """The run with the words that lead in to its list and the items that follow, as far as they fit.

    "It must ensure that:" says nothing without what comes next, nor does "(b) the fee;" without what went before.
    """

    def is_open(piece: int) -> bool:
        return text[slice(*pieces[piece])].rstrip().endswith(OPEN)

    def fits(first: int, last: int) -> bool:
        return pieces[last][1] - pieces[first][0] <= LONGEST_LIST

    lead = first
    while lead and is_open(lead - 1) and fits(lead - 1, last):
        lead -= 1
    if lead == 0 or not is_open(lead - 1):  # else the lead-in is out of reach, and half of a list is no better
        first = lead
    while last + 1 < len(pieces) and is_open(last) and fits(first, last + 1):
        last += 1
    return first, last


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    """The range without white space at its ends."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())
