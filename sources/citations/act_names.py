"""The name that a text gives to an act beside a section's number, whether that act is here or not."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache

from law.citations.parsing import CitationReference, ParsedQuery
from law.citations.titles import Title, is_cut_short, of_one_year, parse_title, title_similarity, without_prefixes
from law.citations.unread import number_beside
from law.languages import LANGUAGES
from law.languages.scripts import either, group, with_code
from law.words.analysis import Term, terms
from law.words.series import find_series, is_series_number
from law.words.stop_words import FUNCTION_WORDS

MAX_NAME_LENGTH = 300  # characters looked at
SURELY_OF_NAME = 3  # words besides that for its type; what follows may be no part of the name
MIN_FORM_LENGTH = 3  # letters that are left of a word without its prefixes
MISSPELT = 0.85  # how like each other two words are of which one may be the other misspelt

_NAME = either(with_code(language.acts.asked, language.code) for language in LANGUAGES)
_AT_START = re.compile(_NAME)
_AT_END = re.compile(rf"(?<!\w){_NAME}[\s,:(–—-]*$")
_UNIT = either(unit for language in LANGUAGES for unit in language.citations.unit)
_FURTHER = re.compile(rf"{_UNIT} ?\d", re.IGNORECASE)  # another citation
_BRACKETED_YEAR = re.compile(r"\s*\((\d{4})\)$")
_UNTELLING = FUNCTION_WORDS.union(*(language.acts.editorial_words for language in LANGUAGES))
AMENDING_WORDS = frozenset(word for language in LANGUAGES for word in language.acts.amending_words)  # in brackets
_SMALL = frozenset(word for language in LANGUAGES for word in language.small_title_words.split())


@dataclass(frozen=True)
class ActName:
    """An act's name as a text gives it. `type` is the word that says what it is (`act`), `told` are the other ones.

    It `ends` with brackets or a year. Where it does not, the last words may be no part of it. It stands `behind` the
    number or before it. `is_numbered` where a number of the act's own stands beside it: `Ports Act (Cap. 57)`.
    """

    text: str
    type: Term
    told: tuple[Term, ...]
    year: str
    calendar: str  # the same year in the language's own calendar: one of the two may be misprinted
    ends: bool
    behind: bool
    is_numbered: bool = False

    def may_mean(self, title: Title) -> bool:
        """Whether a source of that title may be meant, if the last words are no part of the name."""
        told = self.told if self.ends else self.told[:SURELY_OF_NAME]
        return self._is_of_type(title) and _have(_words(title), told, _is_form) and not self.contradicts(title)

    @property
    def boilerplate(self) -> frozenset[str]:
        """The stems of words that many names have: of the type and of the year."""
        return frozenset(term.stem for term in terms(self.text)).difference(term.stem for term in self.told)

    @property
    def is_abbreviated(self) -> bool:
        """Whether it has words that are cut short: `N.Y. Alco. Bev. Cont. Law`."""
        return is_cut_short(self.text)

    def is_within(self, title: Title) -> bool:
        """Whether the title has all its words, and that for its type among others: `Borough Code Title 5 – Streets`."""
        return not self.contradicts(title) and _have(_words(title), [self.type, *self.told], title_similarity)

    def is_part_of(self, title: Title) -> bool:
        """Whether the title has all the words."""
        return self.may_mean(title) and _have(_words(title), self.told, title_similarity)

    def is_short_for(self, title: Title) -> bool:
        """Whether the title has all the words and is of the same year: `Exports Act 2024`, of `Welfare (Exports) …`."""
        return of_one_year(title, self.year, self.calendar) is True and self.is_part_of(title)

    def contradicts(self, title: Title) -> bool:
        """Whether the title is another act's: it lacks a word of the name, or is of another year."""
        if self.ends and not _have(_words(title), self.told, title_similarity):
            return True
        return of_one_year(title, self.year, self.calendar) is False or self._lacks_part_of(title)

    def _lacks_part_of(self, title: Title) -> bool:
        """Whether the title has brackets that a dated name would not leave out: `Hoists (Amendment) Act 1990`."""
        if not (self.year or self.calendar):
            return False
        required = [place for place, word in enumerate(title.words) if not word.optional]
        in_midst = bool(required) and self.type.stem == title.words[required[-1]].term.stem
        wanted = [
            word.term
            for place, word in enumerate(title.words)
            if word.optional and (word.term.word in AMENDING_WORDS or (in_midst and place < required[-1]))
        ]
        return not _have([word.term for word in parse_title(self.text).words], wanted, title_similarity)

    def has_all_of(self, title: Title) -> bool:
        """Whether the name has all words of the title."""
        return _have([self.type, *self.told], _words(title), title_similarity)

    def _is_of_type(self, title: Title) -> bool:
        """Whether the word for its type stands at an end of the title, as it does in the name."""
        stems = [word.term.stem for word in title.words if not word.optional]
        return bool(stems) and self.type.stem in (stems[0], stems[-1])


def name_beside(reference: CitationReference) -> ActName | None:
    """The name of an act right behind the number, or right before it where nothing is tied to it from behind."""
    after = reference.after[:MAX_NAME_LENGTH]
    if further := _FURTHER.search(after):
        after = after[: further.start()]
    if behind := _AT_START.match(after):
        named = _named(behind, behind=True)
        return replace(named, is_numbered=bool(number_beside(after, behind.end()))) if named else None
    if reference.linked:
        return None
    before = _AT_END.search(reference.before[-MAX_NAME_LENGTH:])
    return _named(before, behind=False) if before else None


def name_of(text: str) -> ActName | None:
    """The name of an act that a text begins with."""
    found = _AT_START.match(text[:MAX_NAME_LENGTH])
    return _named(found, behind=True) if found else None


def is_name_of(query: ParsedQuery, title: str) -> bool:
    """Whether all that a query says is the title of an act, with its year or without.

    A title without a word for acts is often but a subject. Words in quotation marks are sought as they stand.
    """
    said, act = parse_title(query.text), parse_title(title)
    is_whole = [word.term.stem for word in said.words] == [word.term.stem for word in act.words]
    is_dated_so = of_one_year(act, said.year, said.calendar) is not False
    return is_whole and is_dated_so and not query.phrases and name_of(title) is not None


def _named(match: re.Match[str], *, behind: bool) -> ActName | None:
    text = group(match, "name").strip()
    if _is_mixed(text.split()) or is_series_number(text) or _is_numbered(match.string, match.string.find(text), text):
        return None
    type_ = terms(group(match, "type"))[0]
    title = parse_title(_BRACKETED_YEAR.sub(r", \1", text))
    told = tuple(term for term in _words(title) if term.stem != type_.stem)
    ends = bool(title.year or title.calendar) or any(word.optional for word in title.words)
    return ActName(text, type_, told, title.year, title.calendar, ends, behind) if told else None


def _is_numbered(text: str, place: int, name: str) -> bool:
    """Whether a name is the beginning of a number: `Statutory Rules 1987 No. 214`."""
    numbered = next(iter(find_series(text[place:])), None)
    return bool(numbered and numbered.keys and numbered.start == 0 and numbered.end > len(name))


def _is_mixed(words: Iterable[str]) -> bool:
    """Whether capitals begin in the middle: what goes before is no part of a name."""
    cased = [word[0].isupper() for word in words if word[0].isalpha() and word.casefold() not in _SMALL]
    return False in cased[:-1] and True in cased[:-1]


def _words(title: Title) -> list[Term]:
    return [word.term for word in title.words if word.term.word not in _UNTELLING]


def _have(words: Sequence[Term], wanted: Sequence[Term], alike: Callable[[Term, Term], object]) -> bool:
    """Whether all the wanted words are among the others, in whatever order and spelling."""
    as_written = {word.word for word in words}  # most are, and need not be compared with each
    return all(word.word in as_written or any(_is_met(word, one, alike) for one in words) for word in wanted)


@lru_cache(maxsize=20_000)  # a name is compared with hundreds of titles, which have many words in common
def _is_met(word: Term, one: Term, alike: Callable[[Term, Term], object]) -> bool:
    return bool(alike(word, one)) or _is_misspelt(word.word, one.word)


def _is_form(one: Term, other: Term) -> bool:
    """Whether two words are the same but for prefixes. Having one stem is too little for one word alone."""
    return not _forms(one).isdisjoint(_forms(other))


@lru_cache(maxsize=10_000)
def _forms(word: Term) -> frozenset[str]:
    return frozenset({word.word, *(form.word for form in without_prefixes(word) if len(form.word) >= MIN_FORM_LENGTH)})


def _is_misspelt(one: str, other: str) -> bool:
    if abs(len(one) - len(other)) > 1:
        return False
    compared = SequenceMatcher(None, one, other)
    return compared.quick_ratio() >= MISSPELT and compared.ratio() >= MISSPELT
