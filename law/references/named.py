"""Which acts a text names in full or explains, and what it calls them."""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from law.citations import grammar
from law.citations.collections import SeriesIndex
from law.citations.unread import unread_alone
from law.languages import LANGUAGES
from law.languages.scripts import first_letter, language_of
from law.patterns import regex
from law.references import patterns
from law.references.citation import Act
from law.references.names import Meaning, NameIndex, names_behind
from law.references.patterns import ActPatterns
from law.references.places import ProvisionIndex
from law.references.reasons import Reason
from law.words.countries import country_behind
from law.words.stop_words import FUNCTION_WORDS

_REMEMBERED = 50  # acts that were named before
_MAX_LEAD_LENGTH = 160
_QUOTES = '"”“״'
_OPENING = frozenset("([")
_CLOSING = str.maketrans("([", ")]")
MAX_BEFORE_LENGTH = 110  # characters in which a name stands before its act
_MAX_GAP_LENGTH = 6  # characters from an act to a bracket behind it
_MAX_EDITION_LENGTH = 16  # characters from a number to the bracket behind it: `(Cap. 51, 2010 Rev Ed)`
_MAX_PROPOSED_LENGTH = 12  # characters in which a word says that an act is only proposed
_ARTICLES = frozenset(article for language in LANGUAGES for article in language.citations.articles.split("|"))
_LANDS = frozenset(land for language in LANGUAGES for land in language.acts.lands)
_MAX_AHEAD_LENGTH = 30  # characters from the end of a sentence to the second word of the next
# With its first word. `Reg.` ends none.
_SENTENCE_BEGINS = regex(
    r"(?:^|(?:\b[a-z]+|\w{5}|[^A-Za-z\s])[.;!?](?:[^\w\s]|[¹²³⁰⁴-⁹]){0,3}\s)\s*(?P<word>[^\W\d_]+)?\s*$"
)
YEAR = regex(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


@dataclass
class NamedActs:
    """The acts that a document names. It is read once for their titles and for what it calls them."""

    text: str
    places: ProvisionIndex
    title: str
    known: Mapping[int, int] = field(default_factory=dict)  # names of known documents: where each begins and ends
    defined: dict[int, Act] = field(default_factory=dict, init=False)  # such of which it says what it calls them
    is_late: bool = field(default=False, init=False)  # whether a name was used before the text said what it is
    _dated: dict[int, Act] = field(default_factory=dict, init=False)  # with the acts named by a number
    _names: NameIndex = field(default_factory=NameIndex, init=False)
    _last: deque[Act] = field(default_factory=lambda: deque(maxlen=_REMEMBERED), init=False)
    _starts: dict[int, int | None] = field(default_factory=dict, init=False)  # looked for twice, of each hint

    def __post_init__(self) -> None:
        self.known = {start: end for start, end in self.known.items() if not self._goes_further(start, end)}
        self._known_ends = {end: start for start, end in self.known.items()}
        self.series = SeriesIndex(self.text)
        self._own_name = self._name_of(self.title)
        self.numbered = {one.start: one for one in self._read_numbers()}
        self._dated.update(self.numbered)
        alone = ((start, Act(start, end, end, unread=self.text[start:end])) for start, end in unread_alone(self.text))
        read = self.numbered.keys() | self.series.parts.keys()
        self.alone = {start: act for start, act in alone if read.isdisjoint(range(start, act.end))}
        done = 0
        for hint in patterns.HINT.finditer(self.text):
            if hint.start() >= done and (act := self._read_title(hint.start())):
                done = act.end
                for place in range(act.start + 1, act.end):  # `Act No. 61 of 1973` in `Companies Act No. 61 of 1973`
                    if self.numbered.pop(place, None):
                        self._dated.pop(place)
        longer = {act.end: act.start for act in self._dated.values()}  # `Peru Hoists Act 1990` is another act
        for start in self.known:
            if " " in self.text[longer.get(self.known[start], start) : start]:
                continue
            language, act = patterns.of_letter(self.text[start]), self._known(start, start)
            is_called = act.ends != act.end or (language and self._defined_before(start, language))
            if is_called and start not in self._dated:
                self.defined[start] = act
        self._names.close()

    # What the document says of them

    def _read_numbers(self) -> Iterator[Act]:
        found = [match.span() for language in patterns.ALL for match in language.numbered.finditer(self.text)]
        for start, end in sorted([*found, *((one.start, one.end) for one in self.series.instruments.values())]):
            number = self.text[start:end]  # the longest of those that begin at one place comes last
            country, ends = country_behind(self.text, end)
            own = not country and self._is_own(number, number)
            yield Act(start, end, ends, number, own, country=country, reason=Reason.NAMED)

    def _read_title(self, hint: int) -> Act | None:
        """The title that begins at a hint, with its year or where it explains a name. Both are remembered."""
        language = patterns.of_letter(self.text[hint])
        start = self.start(hint)
        if language is None or start is None:
            return None
        match = language.dated.match(self.text, start)
        name, reason = match["name"] if match else "", Reason.NAMED if match else Reason.NAMED_IN_SHORT
        if match is None and self._defined_before(start, language):
            match = language.explained.match(self.text, start) or language.short.match(self.text, start)
        if match is None:
            return None
        if (really := self._really_from(Act(start, match.end(), 0))) != start:
            self._dated[start] = act = self._beginning_at(really)
            return act
        title, ends = match["title"], self._behind_number(match.end(), language, dated=True)
        ends = self._define_around(start, ends, title, language)
        if name:
            self._names.add_title(name, title)
        self._dated[start] = act = Act(start, match.end(), ends, title, self._is_own(name, title), reason=reason)
        return act

    def _define_around(self, start: int, ends: int, title: str, language: ActPatterns) -> int:
        """Note what the act between two places is called. Returns where the definition behind it ends."""
        if before := self._defined_before(start, language):
            self._define(before, title, place=start)
        return self._define_behind(ends, title, place=start, language=language)[1]

    def _define_behind(self, ends: int, title: str, *, place: int, language: ActPatterns) -> tuple[Sequence[str], int]:
        """The names behind an act, and where they end."""
        if after := language.defined_after.match(self.text, ends):
            return self._define(after, title, place=place), after.end()
        names, end = names_behind(self.text, ends, title)
        self._names.define(names, Meaning(title, place))
        return names, end

    def define_behind(self, title: str, ends: int) -> int:
        """Note what an act is called behind a section of it: `, section 5 (“the Act”)`. Returns where that ends."""
        language = patterns.of_letter(first_letter(title))
        if language is None or _OPENING.isdisjoint(self.text[ends : ends + _MAX_GAP_LENGTH]):
            return ends
        names, end = self._define_behind(ends, title, place=ends, language=language)
        self.is_late |= any(self.text.find(name, 0, ends) >= 0 for name in names)
        return end

    def _define(self, definition: re.Match[str], title: str, *, place: int) -> list[str]:
        section = self.places.section(place) if definition["here"] else None
        meaning = Meaning(title, section.span_start, section.span_end) if section else Meaning(title, place)
        said = [value for key, value in definition.groupdict().items() if key.startswith("alias") and value]
        years = YEAR.findall(title)[-1:]  # `made under the Ports Act 1998 (the 2008 Regulations)` is another's name
        aliases = [alias for alias in said if YEAR.findall(alias) in ([], years)]
        self._names.define(aliases, meaning)
        return aliases

    def _goes_further(self, start: int, end: int) -> bool:
        """Whether what begins like the title of a document is a longer name: `Hoists Act of Atlantis`.

        Without capitals a name ends nowhere, but in brackets: `חוק החוזים (תרופות בשל הפרת חוזה),`.
        """
        language = patterns.of_letter(self.text[start])
        goes_on = " " if language_of(self.text[start]).has_capitals else " ("
        longer = language.short.match(self.text, start) if language and self.text.startswith(goes_on, end) else None
        return longer is not None and longer.end() > end

    def _really_from(self, act: Act) -> int:
        """Where its name begins, if words of the sentence stand before it: `Under Hoists Act 1990`."""
        known = self._known_ends.get(act.end)
        names = (act.end - len(name) for name in self._names.ending(self.text, act.end))
        start = known if known is not None else next(names, act.start)
        before = self.text[act.start : max(start, act.start)]
        is_sentence = ". " in before or all(word.casefold() in FUNCTION_WORDS for word in before.split())
        return start if is_sentence or self._is_aside(act.start, before) else act.start

    def _is_aside(self, start: int, words: str) -> bool:
        """Whether a sentence begins with no more than a word or a land and an article: `In Peru the Hoists Act 1990`.

        Others may be of a name: `the Act Amending the Hoists Act 1990`.
        """
        aside, _, article = words.rstrip().rpartition(" ")
        if article.casefold() not in _ARTICLES or not (aside.isalpha() or aside in _LANDS):
            return False
        ahead = _SENTENCE_BEGINS.search(self.text, max(0, start - _MAX_AHEAD_LENGTH), start)
        return ahead is not None and (not ahead["word"] or ahead["word"].casefold() in FUNCTION_WORDS - _ARTICLES)

    def _beginning_at(self, start: int) -> Act:
        """The known or defined one that begins there."""
        if start in self.known:
            return self._known(start, start)
        name = next(self._names.at(self.text, start))
        return Act(
            start, start + len(name), start + len(name), self._names.meaning(name, start), reason=Reason.DEFINED_HERE
        )

    def _known(self, place: int, name: int) -> Act:
        """The document whose whole title begins at `name`."""
        end, language = self.known[name], patterns.of_letter(self.text[name])
        title = self.text[name:end]
        ends = self._define_around(name, end, title, language) if language else end
        reason = Reason.NAMED if YEAR.search(title) else Reason.NAMED_IN_SHORT
        return Act(place, end, ends, title, self._is_own(title, title), reason=reason)

    def _behind_number(self, place: int, language: ActPatterns, *, dated: bool = False) -> int:
        """Where a title ends with its number: `Ports Act, 2000 (Act No. 32 of 2000)`, `Ports Act, Cap. 57`.

        The year of a number tells of a title without one which act it is.
        """
        between = language.number_behind.match(self.text, place)
        number = self.numbered.get(between.end()) if between else None
        if between is None or number is None or (not dated and YEAR.search(number.title)):
            return place
        closing = between[0].strip(" ,")[:1].translate(_CLOSING)
        end = self.text.find(closing, number.end, number.end + _MAX_EDITION_LENGTH)
        return place if end < 0 else end + len(closing)

    def _defined_before(self, start: int, language: ActPatterns) -> re.Match[str] | None:
        before = self.text[max(0, start - MAX_BEFORE_LENGTH) : start]
        return language.defined_before.search(before) if any(mark in before for mark in _QUOTES) else None

    def _name_of(self, title: str) -> str:
        for language in patterns.ALL:
            if match := language.dated.match(title):
                return match["name"]
        return title

    def _is_own(self, name: str, title: str = "") -> bool:
        """Whether the document is called so, and its year, if both have one, is that of the title."""
        if not name or name != self._own_name:
            return False
        years, own = YEAR.findall(title), YEAR.findall(self.title)
        return not years or not own or years[-1] == own[-1]

    def start(self, hint: int) -> int | None:
        """Where the name begins of which this is a hint."""
        if hint not in self._starts:
            self._starts[hint] = self._look_for_start(hint)
        return self._starts[hint]

    def _look_for_start(self, hint: int) -> int | None:
        language = patterns.of_letter(self.text[hint])
        if language is None:
            return None
        word = grammar.word_start(self.text, hint)
        if language.proposed.search(self.text, max(0, word - _MAX_PROPOSED_LENGTH), word):
            return None
        if language.lead.fullmatch(self.text, word, hint):
            return word
        before = language.before.search(self.text[max(0, word - _MAX_LEAD_LENGTH) : hint])
        if before is None:
            return None
        start = hint - len(before[0])  # without another act's defined name: `HoA and the Hoists Act 1990`
        ends = (start + len(name) for name in self._names.at(self.text, start))
        return next((joined.end() for end in ends if (joined := language.joined.match(self.text, end))), start)
