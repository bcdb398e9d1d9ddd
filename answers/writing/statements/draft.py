"""An answer that is being made: statements come in, sentences with their citations go out, or are removed."""

import re

from answers.writing.protocol import AnswerCitation, place_of
from answers.writing.statements.support import (
    is_quoted,
    is_supported,
    is_whole,
    leads_in,
    only_joins,
    pieces,
    states,
    unsupported,
)
from search.results import SearchHit

_NUMBERS = r"\d{1,3}(?:\s{0,2}[,;–-]\s{0,2}\^?\d{1,3}){0,20}"
_BRACKETED = re.compile(
    rf"(?<![ \t])[ \t]*(?:\[\s?\^?(?P<square>{_NUMBERS})\s?(?:[:†‡][^\[\]\n]{{0,60}})?\]"
    rf"|【\s?(?P<lenticular>{_NUMBERS})[^【】\n]{{0,60}}】)"
)
# In round brackets a number is a clause's, unless it stands behind a sentence at the end of its line.
_ROUND = re.compile(rf"(?<=[.!?])[ \t]*\((?P<round>{_NUMBERS})\)(?=[ \t]*(?:\n|\Z))")
_RANGE = re.compile(r"(\d+)\s*[–-]\s*(\d+)")
_NUMBER = re.compile(r"\d+")
_MAX_OF_RANGE = 20
_MAX_NESTED = 10


def without_markers(text: str) -> str:
    """The text without numbers in brackets. To take one away may leave another: `[[1]2]`."""
    for _ in range(_MAX_NESTED):
        without = _BRACKETED.sub("", text)
        if without == text:
            return text
        text = without
    return text.replace("[", "(")


def read_markers(statement: str) -> tuple[str, list[int]]:
    """A whole statement without its markers, those in round brackets too, and the numbers that they name."""
    numbers: list[int] = []
    for pattern in (_BRACKETED, _ROUND):
        for match in pattern.finditer(statement):
            numbers += _named(next(filter(None, match.groups())))
    return without_markers(_ROUND.sub("", without_markers(statement))), list(dict.fromkeys(numbers))


def _named(numbers: str) -> list[int]:
    named = [int(number) for number in _NUMBER.findall(numbers)]
    for first, last in _RANGE.findall(numbers):
        named += range(int(first), min(int(last), int(first) + _MAX_OF_RANGE) + 1)
    return named


_HELD_NUMBERS = re.compile(r"\0([\d,]+)\0")


class AnswerDraft:
    """The text so far, and the citations in the order in which they were made.

    What a sentence is worth is known when its statement has ended: only then does it become text, or is removed.
    """

    def __init__(self) -> None:
        self.text = ""
        self.citations: list[AnswerCitation] = []
        self.removed: list[str] = []
        self._statement = ""
        self._cited: list[AnswerCitation] = []  # by the statement
        self._claimed = False  # whether it has made a claim, good or bad
        self._waiting = ""  # sentences that have not ended; our own numbers between two NULs, which no text holds
        self._lead = ""  # of what may come next
        self._gap = ""

    @property
    def unsupported(self) -> tuple[tuple[int, int], ...]:
        """Ranges of the text that no citation supports."""
        return tuple(unsupported(self.text, self._quotes))

    def add(self, text: str) -> str:
        """Take text of a statement in. What comes behind a claim is of the next one. Gives what may be shown."""
        shown = self.end() if self._claimed else ""
        self._statement += text
        return shown

    def cite(self, found: tuple[SearchHit, str] | None) -> tuple[AnswerCitation, bool] | None:
        """The citation of this quote of a passage, and whether it was not made before.

        None for a claim that was not verified, and where there is no text to support.
        """
        self._claimed = True
        if found is None or not without_markers(self._statement).strip():
            return None
        passage, quote = found
        citation = next((one for one in self.citations if (one.chunk_id, one.quote) == (passage.chunk_id, quote)), None)
        is_new = citation is None
        if citation is None:
            citation = _citation(passage, quote, n=len(self.citations) + 1)
            self.citations.append(citation)
        if citation not in self._cited:
            self._cited.append(citation)
        return citation, is_new

    def end(self) -> str:
        """The statement has ended: put numbers behind its sentences, and give those that may be shown."""
        self._waiting = without_markers(self._waiting + self._marked())
        self._statement, self._cited, self._claimed = "", [], False
        return self._decided(is_last=False)

    def finish(self) -> str:
        """Nothing follows. Gives the rest."""
        return self.end() + self._decided(is_last=True)

    def forget(self) -> bool:
        """Begin anew. Returns whether anything had been said."""
        had_said = bool(self.text or self.citations)
        vars(self).update(vars(AnswerDraft()))
        return had_said

    @property
    def _quotes(self) -> list[str]:
        return [citation.quote for citation in self.citations]

    def _marked(self) -> str:
        """The statement with its numbers behind each of its sentences, but for those that are words of the quotes."""
        if not self._cited:
            return self._statement
        mark = f"\0{','.join(str(citation.n) for citation in self._cited)}\0"
        quotes = [citation.quote for citation in self._cited]
        *others, last = [self._statement[start:end] for start, end in pieces(self._statement.rstrip())]
        marked = [one if leads_in(one) or is_quoted(one, quotes) else _behind(one, mark) for one in others]
        return "".join([*marked, _behind(last, mark), self._statement[len(self._statement.rstrip()) :]])

    def _decided(self, *, is_last: bool) -> str:
        """Say or remove the sentences that have ended. The last waits where something may go on with it."""
        waiting, self._waiting = self._waiting, ""
        shown = ""
        for start, end in pieces(waiting):
            piece = waiting[start:end]
            if end == len(waiting) and not is_last and not is_whole(piece):
                self._waiting = piece
            elif leads_in(piece) and not is_last:
                self._lead += piece
            else:
                shown += self._judged(piece)
        if is_last and self._lead:
            shown += self._judged("")
        return shown

    def _judged(self, piece: str) -> str:
        """The sentence with its lead-in, or nothing where it states something and no quote supports it."""
        sentence = self._lead + piece
        before, body, after = _parted(piece)
        if not sentence.strip():
            self._gap = _widest(self._gap, after)
            return ""
        if is_supported(sentence, self._quotes) or only_joins(sentence) or not states(sentence):
            self._lead = ""
            return self._said(sentence)
        self.removed.append(body or sentence.strip())
        self._gap = _widest(self._gap, before, after)
        return ""

    def _said(self, sentence: str) -> str:
        before, body, after = _parted(sentence)
        gap, self._gap = (_widest(self._gap, before) or " ") if self.text else "", after
        shown = gap + _HELD_NUMBERS.sub(lambda held: _numbers(held, is_first=not (gap or held.start())), body)
        self.text += shown
        return shown


def _parted(text: str) -> tuple[str, str, str]:
    """The white space before a text, the text, and the white space behind it."""
    body = text.strip()
    at = text.find(body)
    return text[:at], body, text[at + len(body) :]


def _widest(*gaps: str) -> str:
    """Of white space the one with most line ends."""
    return max(gaps, key=lambda gap: (gap.count("\n"), len(gap)))


def _behind(sentence: str, mark: str) -> str:
    before, body, after = _parted(sentence)
    return f"{before}{body}{mark}{after}"


def _numbers(held: re.Match[str], *, is_first: bool) -> str:
    numbers = "".join(f"[{n}]" for n in held[1].split(","))
    return numbers if is_first else f" {numbers}"


def _citation(passage: SearchHit, quote: str, *, n: int) -> AnswerCitation:
    return AnswerCitation(n=n, quote=quote, **place_of(passage, eid=passage.eid_of(quote)))
