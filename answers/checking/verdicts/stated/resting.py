"""On which citations a sentence rests: its own, those of its notes, and those that are all that the next one has."""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence

from answers.checking.verdicts.cited import CheckedCitation
from law.checking.quotations import Quotation
from law.checking.sentences import Notes, Sentences
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.words.analysis import Term, terms
from law.words.stop_words import is_content_word

MIN_WORDS, MIN_WORDS_QUOTING = 1, 4  # of a statement besides its citations, and where it leads to a quotation
MIN_WORDS_BEFORE = 3  # of one whose citation is the sentence behind it, or is not here
_META = frozenset(term.stem for language in LANGUAGES for term in terms(language.meta_words))
_SIGNALS = regex(either(language.quoting.signals for language in LANGUAGES), re.IGNORECASE)
_REFERS = regex(either(language.quoting.refers for language in LANGUAGES), re.IGNORECASE)
_THAT = regex(rf"\s*[,;]?\s*(?:\w+\s+)?(?:{either(language.quoting.that for language in LANGUAGES)})", re.IGNORECASE)
_SET_APART = regex(
    rf"[(\[:;,–—-]\s*(?:(?:{either(language.quoting.signals for language in LANGUAGES)})\s*)?\Z", re.IGNORECASE
)
_LEAD = regex(
    rf"(?<!\w)(?:{either(words for one in LANGUAGES for words in (one.quoting.signals, one.quoting.same))})[\s,.]*\Z",
    re.IGNORECASE,
)
_BRACKET = regex(r"\([^()\n]{0,120}\)")  # in which a citation gives the act a short name
_LAST_CLAUSE = regex(r"[,;]\s(?:[^,;]|[,;](?!\s)){0,300}\Z")
_NAME = regex(r"(?<![^\W_])[A-Z][\w.’'&-]*")  # in a language with capitals


class RestingSentences:
    """The sentences of a text that rest on what it cites of an act or judgment."""

    def __init__(
        self, text: str, outside: str, quotations: Sequence[Quotation], citations: Sequence[CheckedCitation]
    ) -> None:
        self._outside = outside
        self._sentences = Sentences(outside, quotations)
        self._citations = [one for one in citations if not one.names_no_section]
        self._starts = [one.mention.start for one in self._citations]
        self._quoted = [one.outer_start for one in quotations if not _is_bracketed(text, one.outer_start)]
        self._notes = Notes(text)

    def found(self) -> dict[tuple[int, int], list[CheckedCitation]]:
        """The characters of each with its citations: in it, in a note of it, or all that the next one has."""
        within: dict[tuple[int, int], list[CheckedCitation]] = defaultdict(list)
        for one in self._citations:
            within[self._sentences.around(one.mention.start, one.mention.end)].append(one)
        found: dict[tuple[int, int], list[CheckedCitation]] = defaultdict(list)
        for span, some in within.items():
            found[self._stated_by(span, some) or span] += some
        return found

    def _stated_by(self, span: tuple[int, int], citations: Sequence[CheckedCitation]) -> tuple[int, int] | None:
        """The sentence for which one that only cites stands, None where it says something itself."""
        if not self._only_cites(span, citations):
            return None
        if sign := self._notes.sign_of(citations[0].mention.start):
            return self._sentences.around(sign, sign + 1)
        before = self._sentences.around(max(span[0] - 1, 0), span[0])
        is_free = not self._cites(before)
        is_beside = self._sentences.paragraph(*before) == self._sentences.paragraph(*span)
        says_enough = _content_words(self._outside[slice(*before)]) >= MIN_WORDS_BEFORE
        return before if is_free and is_beside and says_enough else None

    def _only_cites(self, span: tuple[int, int], citations: Sequence[CheckedCitation]) -> bool:
        """Whether a sentence has no words but citations, what introduces them, and names of the acts."""
        if bisect_left(self._quoted, span[0]) < bisect_left(self._quoted, span[1]):
            return False  # `Section 8 provides that “…”`
        own = without_citations(self._outside, span, citations)
        for pattern in (_BRACKET, _SIGNALS, _REFERS, _NAME):
            own = pattern.sub(" ", own)
        titles = {one.mention.title for one in citations} | {one.source.title for one in citations if one.source}
        names = {term.stem for title in titles for term in terms(title)}
        return not any(_tells(term) and _is_word(term) and term.stem not in names for term in terms(own))

    def _cites(self, span: tuple[int, int]) -> bool:
        """Whether a provision is cited in a sentence. `The Act` alone is none."""
        at = bisect_left(self._starts, span[0])
        return at < len(self._starts) and self._starts[at] < span[1]


def _is_bracketed(text: str, start: int) -> bool:
    """Whether a bracket opens right before a place: `12 CFR 1015.9(a) (“within five years”)`."""
    return text[max(start - 1, 0) : start] in ("(", "[")


def without_citations(
    outside: str, span: tuple[int, int], citations: Sequence[CheckedCitation], *, leads: bool = True
) -> str:
    """A sentence without its citations, and without the words that introduce these if it is to have no `leads`."""
    own, at = "", span[0]
    for one in sorted(citations, key=lambda one: one.mention.start):
        if not span[0] <= one.mention.start < span[1]:
            continue
        before = outside[at : one.mention.start]
        own += (before if leads else _LEAD.sub("", before)) + " "
        at = max(at, one.mention.end)
    return own + outside[at : span[1]]


def words_taken(
    outside: str, span: tuple[int, int], citations: Sequence[CheckedCitation], names: Sequence[CheckedCitation]
) -> str:
    """The words that a sentence plainly takes from its first citation, '' where that may be of some of them alone.

    All where it stands in a note or sentence of its own, those before it where it is set apart at the end, `… (s 5)`,
    and those behind it where it opens the sentence. `An officer appointed under section 5 …` takes none. Of several the
    first must say that, `It is clear from section 5 that …`, and what is said ends before the clause of the next one.
    """
    if not citations:
        return ""
    cited, said = citations[0].mention, outside[slice(*span)]
    for one in names:
        start, end = (max(place - span[0], 0) for place in (one.mention.start, one.mention.end))
        said = said[:start] + " " * (end - start) + said[end:]
    if not span[0] <= cited.start < span[1]:
        return said if len(citations) == 1 else ""
    before, behind = said[: cited.start - span[0]], said[cited.end - span[0] :]
    if len(citations) == 1 and not _words(behind):
        apart = _SET_APART.search(before)
        return before[: apart.start()] if apart else ""
    opens, says_that = _words(before), _THAT.match(behind) is not None
    if len(citations) == 1:
        return behind if opens == 0 or (opens == 1 and says_that) else ""
    if opens > 1 or not says_that:
        return ""
    starts = [one.mention.start - cited.end for one in citations[1:] if cited.end <= one.mention.start < span[1]]
    return _LAST_CLAUSE.sub("", behind[: min(starts)]) if starts else behind


def _words(text: str) -> int:
    """How many tell something, without those that introduce a citation or refer to it."""
    for pattern in (_SIGNALS, _REFERS):
        text = pattern.sub(" ", text)
    return sum(_tells(term) and _is_word(term) for term in terms(text))


def says_something(own: str, *, quoting: bool = False, of_what_is_here: bool = True) -> bool:
    """Whether words are left that could be true or false of the law. `The court is referred to …:` has few."""
    least = MIN_WORDS if of_what_is_here else MIN_WORDS_BEFORE
    return _content_words(own) >= (MIN_WORDS_QUOTING if quoting else least)


def _content_words(own: str) -> int:
    return sum(map(_tells, terms(own)))


def _is_word(term: Term) -> bool:
    """Whether it is more than a number or letter of a title: `44 U.S.C.`, `SC 2014, c 20, s 376`."""
    return len(term.word) > 1 and term.word.isalpha()


def _tells(term: Term) -> bool:
    return is_content_word(term.word) and term.stem not in _META
