"""What to quote of a passage: the neighbouring sentences that answer best, or a list with the line that opens it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from answers.writing.protocol import AnswerRequest
from law.words.analysis import terms
from law.words.questions import asks_for_number, has_number
from search.ranking.term_coverage import Weights
from search.results import SearchHit
from search.retrieval.definitions import DefinitionRequest, defined_words

LEAST = 25  # characters; a shorter piece (a number, a heading) goes with what follows
LONGEST_NUMBER = 100  # characters; more numbers in a row than that are not looked through again and again
_END = re.compile(r"(?<=[.;:!?])[\"'“”״׳)\]]{0,3}\s+(?=\S)|\n+\s*")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Character ranges that cover the text without a gap. Each but the last ends with its white space.

    Joined together they are the text again, so that any run of them is verbatim.
    """
    start = 0
    for match in _END.finditer(text):
        piece = text[start : match.start()]
        if len(piece) > LONGEST_NUMBER or (
            (match.end() - start >= LEAST or _is_last_item(piece, match[0])) and not _is_number(piece)
        ):
            yield start, match.end()
            start = match.end()
    if start < len(text):
        yield start, len(text)


def _is_last_item(piece: str, gap: str) -> bool:
    """A short clause at the end of a list, such as `(c) a bell.`, is not a heading of what follows."""
    return "\n" in gap and piece.endswith((".", ";")) and len(piece.split()) > 2


def _is_number(piece: str) -> bool:
    """A clause's own number, such as `(א)` or `5.`, says nothing without its clause."""
    return not any(char.isalpha() for char in piece.strip(" ()[].;:"))


MOST_SENTENCES = 3  # of a quote
LONGEST = 500  # characters of a quote of several sentences
LONGEST_LIST = 900  # characters of a quote that is a list with its lead-in
WHOLE = 250  # characters; a shorter passage is quoted whole
OPEN = (":", ";", ",", "–", "—")  # ends of what the next line goes on with
ENDS = (*OPEN, ".", "!", "?", ")", '"', "”", "״")
# A quote grows by a sentence that brings at least this share of the question.
WORTH_A_SENTENCE = 0.05
WORTH_OF_NUMBER = 0.15  # of a sentence with a number, where one is asked for
WORTH_OF_DEFINITION = 0.5  # of a sentence that defines what is asked for
_WORD = re.compile(r"[^\W\d_]+")
Run = tuple[int, int]


@dataclass(frozen=True)
class SentenceCriteria:
    """What the sentences of an answer should have: words of the question, a definition, a number."""

    weights: Weights
    asked: DefinitionRequest = ()
    number: bool = False
    headings: Collection[str] = field(default_factory=frozenset)
    """The words of lines that say nothing by themselves."""

    @classmethod
    def of(cls, asked: AnswerRequest, passage: SearchHit) -> SentenceCriteria:
        headings = {_words(text) for text in (passage.source.title, passage.heading, *passage.path)}
        return cls(asked.weights, asked.asked, asks_for_number(asked.question), headings)

    def is_heading(self, text: str) -> bool:
        return _words(text) in self.headings

    def worth(self, text: str) -> float:
        """Of a sentence, besides its words."""
        definition = WORTH_OF_DEFINITION if defined_words(text, self.asked) else 0.0
        return definition + (WORTH_OF_NUMBER if self.number and has_number(text) else 0.0)


def best_run(text: str, wanted: SentenceCriteria) -> Run | None:
    """The range of the neighbouring sentences that answer best in the fewest words, or None of headings alone."""
    pieces = list(sentences(text))
    says = [not wanted.is_heading(text[start:end]) for start, end in pieces]
    if not any(says):
        return None
    if len(text.strip()) <= WHOLE:
        return stripped(text, 0, len(text))
    words_of = [terms(text[start:end]) for start, end in pieces]
    worths = [wanted.worth(text[start:end]) for start, end in pieces]

    def worth(run: Run) -> float:
        inside = slice(run[0], run[1] + 1)
        words = [word for words in words_of[inside] for word in words]
        return wanted.weights.share(words) + max(worths[inside]) - WORTH_A_SENTENCE * (run[1] - run[0])

    first, last = max((run for run in _runs(pieces) if any(says[run[0] : run[1] + 1])), key=worth)
    first, last = _with_its_list(text, pieces, first, last)
    return stripped(text, pieces[first][0], pieces[last][1])


def beginning(text: str, start: int, end: int) -> Run:
    """The first sentences of a range, as many as fit."""
    fitting = [last for _, last in sentences(text[start:end]) if last <= LONGEST_LIST]
    return stripped(text, start, start + (fitting[-1] if fitting else LONGEST_LIST))


def below_headings(text: str, run: Run, wanted: SentenceCriteria) -> Run:
    """The run without the headings that it begins with, each on a line of its own: the citation names the section."""
    start, end = run
    for line in text[start:end].splitlines(keepends=True)[:-1]:
        if line.strip() and not wanted.is_heading(line):
            break
        start += len(line)
    return stripped(text, start, end)


def ends_amid(text: str, end: int) -> bool:
    """Whether a quote that ends there is cut amid a sentence."""
    rest = text[end:]
    return bool(rest.strip()) and not text[:end].endswith(ENDS) and not re.match(r"[^\S\n]*\n", rest)


def stripped(text: str, start: int, end: int) -> Run:
    """The range without white space at its ends."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _runs(pieces: Sequence[Run]) -> Iterator[Run]:
    """Of neighbouring pieces the first and the last, the shorter runs first."""
    for first in range(len(pieces)):
        yield first, first
        for last in range(first + 1, min(first + MOST_SENTENCES, len(pieces))):
            if pieces[last][1] - pieces[first][0] <= LONGEST:
                yield first, last


def _with_its_list(text: str, pieces: Sequence[Run], first: int, last: int) -> Run:
    """The run with the words that lead in to its list and the items that follow, as far as they fit.

    "It must ensure that:" says nothing without what comes next, nor does "(b) the fee" without what went before. A
    line that does not end as a sentence, such as a heading, goes with the next one.
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
    if first == last and last + 1 < len(pieces) and not text[slice(*pieces[last])].rstrip().endswith(ENDS):
        last += fits(first, last + 1)
    while last + 1 < len(pieces) and is_open(last) and fits(first, last + 1):
        last += 1
    return first, last


def _words(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))
