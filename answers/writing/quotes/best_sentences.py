"""What to quote of a passage: the neighbouring sentences that answer best, or a list with the line that opens it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from answers.writing.protocol import AnswerRequest
from answers.writing.quotes.boilerplate import says_nothing
from answers.writing.quotes.lists import MAX_LIST_LENGTH, ClauseList, is_open, lists
from answers.writing.quotes.pieces import Run, sentences, stripped
from answers.writing.quotes.question_words import WeighedQuestion
from law.questions.answer_kinds import AnswerKind, WantedAnswer, wanted_answer
from law.questions.asked_acts import asked_act, asked_things, only_mentions, stands_aside
from law.structure.definitions import DefinitionRequest, defined_words
from law.words.analysis import Term, terms
from search.results import SearchHit

MAX_SENTENCES = 3  # of a quote
MAX_LENGTH = 500  # characters of a quote of several sentences
WHOLE = 250  # characters; a shorter passage is quoted whole
ENDS = (".", "!", "?", ")", '"', "”", "״")
# A quote grows by a sentence that brings at least this share of the question.
WORTH_A_SENTENCE = 0.05
OWN = 0.5  # of the worth of a sentence's words, beside what they hold together with its headings
WORTH_OF_DEFINITION = 0.5  # of a sentence that defines what is asked for
WORTH_OF_UNIT = 0.4  # of one with a length of time in the unit that is asked for: months, not days


@dataclass(frozen=True)
class SentenceCriteria:
    """What the sentences of an answer should have: words of the question, a definition, a number, a penalty.

    `words` are those of the question but for what only names the kind of the answer: `how many days`. `act` is the
    stem, by its hash, of what it asks when it is done or who does it. `things` are the stems of what it asks for.
    """

    words: WeighedQuestion
    asked: DefinitionRequest = ()
    wanted: WantedAnswer = field(default_factory=WantedAnswer)
    act: int | None = None
    things: tuple[frozenset[int], ...] = ()

    @classmethod
    def of(cls, asked: AnswerRequest) -> SentenceCriteria:
        wanted = WantedAnswer() if asked.by_sentence else wanted_answer(asked.question)
        words = WeighedQuestion(asked.question, asked.weights.without(wanted.named))
        act = "" if asked.by_sentence else asked_act(asked.question)
        things = () if asked.by_sentence else asked_things(asked.question)
        stems = tuple(held for thing in things if (held := words.stems_of(terms(thing))))
        return cls(words, asked.asked, wanted, next(map(words.stem_of, terms(act)), None), stems)

    def is_stated(self, text: str) -> bool:
        """Whether it says what kind of thing is asked for, where one is."""
        return bool(self.wanted.kinds) and self.wanted.is_stated(text)

    def is_of_beginning(self, text: str) -> bool:
        """Whether it says when an act begins, where that is asked for: often behind its short title."""
        return AnswerKind.COMMENCEMENT in self.wanted.kinds and self.wanted.is_stated(text)

    def worth_of_unit(self, text: str) -> float:
        """What a text is worth beside its words for a length of time in the unit that is asked for."""
        return WORTH_OF_UNIT * self.wanted.has_unit(text)

    def says_of_what(self, held: Sequence[Term]) -> bool:
        """Whether a text has what is asked for, and more of the question than its act: `return every key` is another's.

        Of a question of one word there is no more.
        """
        beside_act = (
            self.act is None or len(self.words) < 2 or self.words.count(held) > self.words.count(self._acts(held))
        )
        return beside_act and self.words.holds_any(held, self.things)

    def _acts(self, held: Sequence[Term]) -> list[Term]:
        return [term for term in held if self.words.stem_of(term) == self.act]

    def is_beside(self, passage: SearchHit, piece: Run) -> bool:
        """Whether a sentence only mentions what is asked about, and gives the time of something else."""
        if self.act is None:
            return False
        sentence = passage.text[slice(*below_headings(passage, piece))]
        stems = {self.words.stem_of(term) for term in terms(sentence)}
        if self.act in stems:
            return only_mentions(sentence, lambda word: self._stems(word) == {self.act})
        return stands_aside(sentence, lambda word: self._stems(word) != {None})

    def _stems(self, word: str) -> set[int | None]:
        return {self.words.stem_of(term) for term in terms(word)} or {None}


@dataclass(frozen=True, slots=True)
class BestSentences:
    """What to quote of a passage, and the words of it that answer: with their lead-in, without the list around them."""

    quote: Run
    said: str


def best_sentences(passage: SearchHit, criteria: SentenceCriteria) -> BestSentences | None:
    """The neighbouring sentences that answer best in the fewest words, or None where none can.

    A sentence that says what is asked for is better than any that does not.
    """
    text = passage.text
    pieces = list(sentences(text))
    tells = [
        (criteria.is_of_beginning(text[slice(*piece)]) or not says_nothing(passage, *piece))
        and not criteria.is_beside(passage, piece)
        for piece in pieces
    ]
    if not any(tells):
        return None
    told = list(zip((text[slice(*piece)] for piece in pieces), tells, strict=True))
    words_of = [terms(piece) if telling else [] for piece, telling in told]
    stated = [telling and criteria.is_stated(piece) for piece, telling in told]
    defined = [telling and defined_words(piece, criteria.asked) > 0 for piece, telling in told]
    in_unit = [criteria.worth_of_unit(piece) if telling else 0.0 for piece, telling in told]
    above = terms(context_of(passage))

    def worth(run: Run) -> tuple[bool, float]:
        inside = slice(run[0], run[1] + 1)
        words = [word for words in words_of[inside] for word in words]
        share = criteria.words.share
        held = OWN * share(words) + (1 - OWN) * share([*words, *above]) - WORTH_A_SENTENCE * (run[1] - run[0])
        return any(stated[inside]), held + WORTH_OF_DEFINITION * any(defined[inside]) + max(in_unit[inside])

    first, last = max((run for run in _runs(pieces) if tells[run[0]] and tells[run[1]]), key=worth)
    shares = [criteria.words.share(words) if said else 0.0 for words, said in zip(words_of, stated, strict=True)]
    first = _first_to_state(pieces, shares, (first, last))
    start, end = pieces[first][0], pieces[last][1]
    leads = [one.lead for one in lists(text, pieces) if one.lead[1] <= start < one.end]
    said = " ".join(text[slice(*run)] for run in [*leads, (start, end)])
    if len(text.strip()) <= WHOLE:
        telling = [piece for piece, tell in zip(pieces, tells, strict=True) if tell]
        return BestSentences(stripped(text, telling[0][0], telling[-1][1]), said)
    return BestSentences(stripped(text, *_whole(text, pieces, (first, last))), said)


def whole_sentence(passage: SearchHit, sentence: Run) -> Run:
    """A sentence with the list that it leads in to, or is an item of."""
    pieces = list(sentences(passage.text))
    place = pieces.index(sentence)
    return stripped(passage.text, *_whole(passage.text, pieces, (place, place)))


def context_of(passage: SearchHit) -> str:
    """What stands above a passage and says what it is about."""
    return "\n".join((passage.source.title, *passage.path, passage.heading))


def beginning(text: str, start: int, end: int) -> Run:
    """The first sentences of a range, as many as fit."""
    fitting = [last for _, last in sentences(text[start:end]) if last <= MAX_LIST_LENGTH]
    return stripped(text, start, start + (fitting[-1] if fitting else MAX_LIST_LENGTH))


def below_headings(passage: SearchHit, run: Run) -> Run:
    """The run without the lines that it begins with and that say nothing: the citation names the section."""
    start, end = run
    for line in passage.text[start:end].splitlines(keepends=True)[:-1]:
        if line.strip() and not says_nothing(passage, start, start + len(line)):
            break
        start += len(line)
    return stripped(passage.text, start, end)


def ends_amid(text: str, end: int) -> bool:
    """Whether a quote that ends there is cut amid a sentence, or amid a list."""
    rest = text[end:]
    if not rest.strip():
        return False
    if any(end in (len(text[:at].rstrip()) for at in one.ends[:-1]) for one in lists(text, list(sentences(text)))):
        return True
    return is_open(text[:end]) or (not text[:end].endswith(ENDS) and not re.match(r"[^\S\n]*\n", rest))


def _first_to_state(pieces: Sequence[Run], shares: Sequence[float], run: Run) -> int:
    """The piece to begin with, where a run goes on from one before it that says as well what is asked for.

    `shares` are what those hold of the question that say it. The run begins with another one: `A demand is sent by the
    same day. Where none is sent, the deposit is returned within seven days.`
    """
    first, last = run
    held = max(shares[first : last + 1])
    if shares[first] or not held:
        return first
    return next(
        (place for place in range(first) if shares[place] >= held and pieces[last][1] - pieces[place][0] <= MAX_LENGTH),
        first,
    )


def _runs(pieces: Sequence[Run]) -> Iterator[Run]:
    """Of neighbouring pieces the first and the last, the shorter runs first."""
    for first in range(len(pieces)):
        yield first, first
        for last in range(first + 1, min(first + MAX_SENTENCES, len(pieces))):
            if pieces[last][1] - pieces[first][0] <= MAX_LENGTH:
                yield first, last


def _whole(text: str, pieces: Sequence[Run], run: Run) -> Run:
    """The characters of a run of pieces, with the lists that it is part of, each from its lead-in to its last item.

    "It must ensure that:" says nothing without what comes next, nor does "(b) the fee" without what went before. Of a
    list that is too long to be quoted the items that fit are. A line that does not end as a sentence, such as a
    heading, goes with the next one.
    """
    start, end = _joined(text, pieces, *run)
    own = (start, end)
    for one in lists(text, pieces):
        if one.start < end and start < one.end:
            start, end = _with_list(one, (start, end), own)
    return start, end


def _with_list(one: ClauseList, run: Run, own: Run) -> Run:
    """The run with the whole list, or with as much of it as may be quoted, if that reaches what the run began with."""
    start, end = min(run[0], one.start), max(run[1], one.end)
    if end - start <= MAX_LIST_LENGTH:
        return start, end
    fitting = [at for at in one.ends if at - start <= MAX_LIST_LENGTH]
    if start == one.start and fitting and fitting[-1] >= own[1]:
        return start, fitting[-1]
    return run


def _joined(text: str, pieces: Sequence[Run], first: int, last: int) -> Run:
    """The run with what leads in to it, and what it leads in to, as far as it fits."""

    def goes_on(piece: int) -> bool:
        return is_open(text[slice(*pieces[piece])])

    def fits(first: int, last: int) -> bool:
        return pieces[last][1] - pieces[first][0] <= MAX_LIST_LENGTH

    lead = first
    while lead and goes_on(lead - 1) and fits(lead - 1, last):
        lead -= 1
    if lead == 0 or not goes_on(lead - 1):  # else the lead-in is out of reach, and half of a list is no better
        first = lead
    if first == last and last + 1 < len(pieces) and not text[slice(*pieces[last])].rstrip().endswith(ENDS):
        last += fits(first, last + 1)
    while last + 1 < len(pieces) and goes_on(last) and fits(first, last + 1):
        last += 1
    return pieces[first][0], pieces[last][1]
