"""Which citation a quotation belongs to: the one it leads up to, or the one it follows."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from law.checking.quotations import Quotation
from law.checking.sentences import Notes, Sentences
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex

_BESIDE = 40  # characters between the end of a quotation and a citation that it leads up to
_WORDS_BESIDE = 3
_SAME = either(language.quoting.same for language in LANGUAGES)
_SAME_BEHIND = regex(rf"[\s,:;.(–—-]{{0,5}}{_SAME}", re.IGNORECASE)
_SPEAKS = regex(either(language.quoting.speaks for language in LANGUAGES), re.IGNORECASE)
_INTRODUCES = regex(either(language.quoting.introduces for language in LANGUAGES), re.IGNORECASE)
_AND = regex(either(language.citations.and_words for language in LANGUAGES))
_WORD = regex(r"[^\W_]+")
_SIGNAL = either(language.quoting.signals for language in LANGUAGES)
_BEHIND = 100  # characters between a quotation and a citation that is all that follows
# Nothing, a word such as `see`, and the beginning of an act's name: `D.C. Code Ann. § 5`
_LEADS_BEHIND = regex(
    rf"[^\S\n]*(?:(?P<signal>(?i:{_SIGNAL}))\s(?:(?!\w{{3,}}[.;:]\s)[^;:\n])*|(?:(?:[A-Z\d§][\w.&’'§]*|of|the),? )*)"
)
_NOTED_BEHIND = regex(rf"[.,;:]?\s?(?:(?i:{_SIGNAL})\s?)?(?=[⁰¹²³⁴-⁹])")
_PARAGRAPH = regex(r"\n\s*")
_ENDS = regex(r"\s{0,2}(?:[.;(]|\n|\Z)")
_OPENS = frozenset("([—–-")
MAX_LEAD_LENGTH = 200  # characters of a sentence before a quotation
MAX_SAYING_LENGTH = 40  # characters from a citation to what it is said to say
SENTENCE = regex(r"[.!?;]\s|\n")
_SAYS = regex(rf"(?:[\s,]*(?:{either(language.quoting.says for language in LANGUAGES)}))?[\s,:–—-]*", re.IGNORECASE)
OPENING = " \t\"“”„«‘'״([>*_"
_SAID = regex(r"[\"”“'’״]*(?:[.;]|\s*\Z|\n)")
_STOPS = frozenset(".;?!")


@dataclass(frozen=True, slots=True)
class Place:
    """A citation's characters. `whole`: it names no provision of an act, but the act or a part of it."""

    start: int
    end: int
    whole: bool = False


class Pairing(NamedTuple):
    """The place of a quotation's citation.

    Not `is_sure`: another quotation has it already, and this one is further. Not `is_introduced`: nothing says that
    these are words of the law, such as those of a witness in a paragraph that cites it.
    """

    place: int
    is_sure: bool
    is_introduced: bool = True


def pair(text: str, quotations: Sequence[Quotation], citations: Sequence[Place]) -> list[Pairing | None]:
    """For each quotation the place in `citations` of its own, or None where none is near enough.

    First that of the note whose sign stands right behind it. Then a citation right behind it in its sentence, then the
    last one before it in the sentence, then one further behind in it, then that of a note behind the rest of the
    sentence, then the last one of the paragraph, or of the one before where a block stands alone.
    """
    pairer = _Pairer(text, quotations, citations)
    notes = Notes(text)
    found: list[Pairing | None] = []
    taken: dict[int, bool] = {}  # whether a quotation before it has it
    for number, one in enumerate(quotations):
        noted = pairer.in_note(notes.at(_behind_lead(text, one.outer_end)))
        place, is_introduced = (noted, True) if noted is not None else pairer.of(number)
        if noted is None and (later := pairer.in_note(pairer.note_of_rest(number, notes))) is not None:
            place, is_introduced = later, False  # the note may be on the sentence
        if place is None:
            found.append(None)
            continue
        start, end = pairer.sentences.around(one.outer_start, one.outer_end)
        cited = citations[place]
        is_far = cited.end <= start or cited.start >= end
        is_anothers = noted is None and place in taken and (is_far or (taken[place] and cited.end <= one.outer_start))
        found.append(Pairing(place, is_sure=not is_anothers, is_introduced=is_introduced))
        taken[place] = taken.get(place, False) or one.outer_end <= cited.start
    return found


def _behind_lead(text: str, end: int) -> int:
    """Where the sign of a note stands that follows a quotation: `”¹`, `”. ¹`, `”; see¹`."""
    lead = _NOTED_BEHIND.match(text, end)
    return lead.end() if lead else end


class _Pairer:
    """The quotations and citations of a text, by where they stand."""

    def __init__(self, text: str, quotations: Sequence[Quotation], citations: Sequence[Place]) -> None:
        self._text, self._quotations, self._citations = text, quotations, citations
        self.sentences = Sentences(text, quotations)
        places = [place for place, one in enumerate(citations) if not one.whole]
        self._places: Sequence[int] = places or range(len(citations))
        self._starts = [citations[place].start for place in self._places]

    def in_note(self, span: tuple[int, int] | None) -> int | None:
        """The first citation of a note."""
        at = bisect_left(self._starts, span[0]) if span else len(self._starts)
        return self._places[at] if span and at < len(self._starts) and self._starts[at] < span[1] else None

    def note_of_rest(self, number: int, notes: Notes) -> tuple[int, int] | None:
        """The one note behind the rest of a quotation's sentence, where that cites nothing.

        It quotes nothing else either, or the note's sign stands right behind what it quotes next.
        """
        quotation = self._quotations[number]
        sentence = self.sentences.around(quotation.outer_start, quotation.outer_end)
        at = bisect_left(self._starts, sentence[0])
        lines = notes.between(*sentence)
        if len(lines) != 1 or (at < len(self._starts) and self._starts[at] < sentence[1]):
            return None
        beside = (*self._quotations[max(number - 1, 0) : number], *self._quotations[number + 1 : number + 2])
        others = (one for one in beside if one.outer_start < sentence[1] and sentence[0] < one.outer_end)
        goes_on = all(notes.at(_behind_lead(self._text, one.outer_end)) == lines[0] for one in others)
        return lines[0] if goes_on else None

    def of(self, number: int) -> tuple[int | None, bool]:
        """The place of a quotation's citation, and whether the text says that these are words of it."""
        text, citations, quotation = self._text, self._citations, self._quotations[number]
        sentence = self.sentences.around(quotation.outer_start, quotation.outer_end)
        paragraph = self.sentences.paragraph(quotation.outer_start, quotation.outer_end)
        following = next((one.outer_start for one in self._quotations[number + 1 : number + 2]), len(text))
        before, behind = self._before(quotation.outer_start), self._behind(quotation.outer_end)
        # `Id.` is a sentence of its own
        inside = (
            before is not None and citations[before].start >= sentence[0] and text[citations[before].end - 1] != "."
        )
        opens = not text[paragraph[0] : quotation.outer_start].strip(" \t\n>")
        above = self.sentences.paragraph(max(paragraph[0] - 1, 0), max(paragraph[0] - 1, 0))
        near_above = before is not None and citations[before].start >= above[0]
        is_led = opens and near_above and text[above[0] : paragraph[0]].rstrip().endswith((":", "–", "—"))
        lead = text[max(sentence[0], citations[before].end if before is not None else 0) : quotation.outer_start]
        is_said = _SPEAKS.search(lead) is not None

        same = _SAME_BEHIND.match(text, quotation.outer_end)
        mark = text[quotation.outer_end : same.end()].lstrip()[:1] if same else ""
        alone = (
            same is not None
            and behind
            and _goes_on(text, same.end(), citations[behind[0]].start)
            and _ENDS.match(text, citations[behind[0]].end) is not None
        )
        if (inside or is_led) and not alone and (mark == "." or (mark.isalpha() and not mark.islower())):
            same = None  # `…, which reads: “…” Ibid, section 9 goes further.`, but not `“…,” id. § 9.`
        if same and behind and _goes_on(text, same.end(), citations[behind[0]].start):
            return behind[0], not is_said
        if same and before is not None:
            return before, not is_said
        if behind and citations[behind[0]].start < following:
            start, end = citations[behind[0]].start, citations[behind[0]].end
            is_last = not any(citations[place].start < following for place in behind[1:])
            leads_on = is_last and following < self.sentences.around(start, end)[1]  # `C1 says “…”, C2 “…”`
            named = inside or is_led
            if _is_beside(text, quotation, start, paragraph_end=paragraph[1], is_named_before=named, leads_on=leads_on):
                return behind[0], not is_said
        if inside or is_led:
            return before, not is_said
        if behind and citations[behind[0]].end <= sentence[1]:
            return behind[0], not is_said
        if behind and _is_behind(text, sentence[1], citations[behind[0]]):
            return behind[0], not is_said
        if before is not None and (citations[before].start >= paragraph[0] or (opens and near_above)):
            return before, not is_said and _INTRODUCES.search(lead) is not None
        return None, False

    def _before(self, start: int) -> int | None:
        """The last one that ends before a character."""
        at = bisect_left(self._starts, start)
        ended = (place for place in reversed(self._places[max(at - 3, 0) : at]) if self._citations[place].end <= start)
        return next(ended, None)

    def _behind(self, end: int) -> Sequence[int]:
        """The first two that begin behind a character."""
        at = bisect_left(self._starts, end)
        return self._places[at : at + 2]


def _is_behind(text: str, start: int, citation: Place) -> bool:
    """Whether a citation is all that follows in the sentence: `… is final. 3 U.S.C. § 5.`, `…; see section 5`."""
    between = text[start : citation.start]
    lead = _LEADS_BEHIND.fullmatch(between) if len(between) <= _BEHIND else None
    return lead is not None and (lead["signal"] is not None or _ENDS.match(text, citation.end) is not None)


def _goes_on(text: str, end: int, citation_start: int) -> bool:
    """`(ibid, section 4)`, but not `ibid. Section 4`."""
    between = text[end:citation_start].strip(" ,;")
    return not between or (between == "." and not text[citation_start].isupper())


def _is_beside(
    text: str, quotation: Quotation, citation_start: int, *, paragraph_end: int, is_named_before: bool, leads_on: bool
) -> bool:
    """Whether hardly a word stands between: `“…” (section 5)`, `"…", ראו סעיף 5`.

    Where the sentence has named a citation before, none may, unless a bracket opens, nor may a quotation follow that
    this one `leads_on` to.
    """
    between = text[quotation.outer_end : citation_start]
    sign, count = between.strip()[:1], len(_WORD.findall(between))
    if len(between) > _BESIDE or count > _WORDS_BESIDE:
        return False
    opens = any(between.count(opening) > between.count(closing) for opening, closing in ("()", "[]"))
    if _PARAGRAPH.search(between) and citation_start >= paragraph_end:
        return sign in _OPENS
    if opens:
        return True
    goes_on = leads_on or not sign or _AND.match(text, citation_start)  # `…, which reads: “…” Section 5 says more.`
    if is_named_before and goes_on:
        return False
    ended = text[quotation.end - 1 : quotation.end] in _STOPS
    return sign not in _STOPS and not (is_named_before and (count > 0 or ended))


def sentence_before(text: str, end: int) -> str:
    """A sentence as far as a quotation in it that begins there."""
    return SENTENCE.split(text[max(end - MAX_LEAD_LENGTH, 0) : end])[-1]


def is_told(text: str, quotation: tuple[int, int], citation: tuple[int, int]) -> bool:
    """Whether a witness or a letter speaks in the sentence before a quotation, in which nothing is cited before it."""
    before = sentence_before(text, quotation[0])
    return citation[1] <= quotation[0] - len(before) and _SPEAKS.search(before) is not None


def says(text: str, citation: tuple[int, int], quotation: tuple[int, int]) -> bool:
    """Whether a sentence is no more than that a provision says words: `Section 4 provides “…”.`"""
    between = text[citation[1] : quotation[0]].rstrip(OPENING)
    is_said = 0 < len(between) <= MAX_SAYING_LENGTH and _SAYS.fullmatch(between) is not None
    opens = not sentence_before(text, citation[0]).strip(OPENING)
    return is_said and opens and citation[1] <= quotation[0] and _SAID.match(text, quotation[1]) is not None
