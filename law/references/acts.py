"""Which act a text names: by its title, by what the document calls it, or as the one named before."""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from law.citations import grammar
from law.citations.collections import SeriesIndex
from law.citations.unread import more_of_name, unread_behind
from law.languages import LANGUAGES
from law.patterns import regex
from law.references import patterns
from law.references.names import Meaning, NameIndex
from law.references.patterns import ActPatterns
from law.references.places import ProvisionIndex
from law.references.reasons import Reason, weaker

_REMEMBERED = 50  # acts that were named before
_LONGEST_LEAD = 160
_QUOTES = '"”“'
_CLOSING = str.maketrans("([", ")]")
_BEFORE_TITLE = 110
_LONGEST_PREFIX = 2  # letters
_LONGEST_PINPOINT = 80  # characters of the section that stands between an act and what it is called
_MOST_PINPOINTS = 20
_PREFIXES = frozenset(letter for language in LANGUAGES for letter in language.prefixes)
_LONGEST_SAID = 3_000  # characters from an act to `that Act`
_YEAR = regex(r"(?<!\d)(?:1[5-9]|20)\d\d(?!\d)")


@dataclass(frozen=True, slots=True)
class Act:
    """An act as it is named between two places of the text. `ends` is behind what the document calls it from here on.

    `title` is how it is really called, '' where that is not known. `unread` are the words of a name that no form reads.
    `reason` is what says that it is this one, None where it is not known.
    """

    start: int
    end: int
    ends: int
    title: str = ""
    internal: bool = False
    unread: str = ""
    reason: Reason | None = None

    def because(self, reason: Reason) -> "Act":
        """The same act where another place means it for that reason."""
        return replace(self, reason=weaker(self.reason, reason))


@dataclass
class ActIndex:
    """The acts that a document names. It is read once for their titles and for what it calls them."""

    text: str
    places: ProvisionIndex
    title: str
    _dated: dict[int, Act] = field(default_factory=dict, init=False)  # with the acts named by a number
    _names: NameIndex = field(default_factory=NameIndex, init=False)
    _last: deque[Act] = field(default_factory=lambda: deque(maxlen=_REMEMBERED), init=False)
    _starts: dict[int, int | None] = field(default_factory=dict, init=False)  # looked for twice, of each hint

    def __post_init__(self) -> None:
        self.series = SeriesIndex(self.text)
        self._own_name = self._name_of(self.title)
        self.numbered = {one.start: one for one in self._read_numbers()}
        self._dated.update(self.numbered)
        done = 0
        for hint in patterns.HINT.finditer(self.text):
            if hint.start() >= done and (act := self._read_title(hint.start())):
                done = act.end
                self._forget_number_in(act)
        self._names.close()

    # What the document says of them

    def _read_numbers(self) -> Iterator[Act]:
        found = [match.span() for language in patterns.ALL for match in language.numbered.finditer(self.text)]
        for start, end in sorted([*found, *((one.start, one.end) for one in self.series.instruments.values())]):
            number = self.text[start:end]  # the longest of those that begin at one place comes last
            yield Act(start, end, end, number, self._is_own(number, number), reason=Reason.NAMED)

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
        title, ends = match["title"], self._behind_number(match.end(), language, dated=True)
        if after := language.defined_after.match(self.text, ends):
            ends = after.end()
            self._define(after, title, place=start)
        elif after := self._defined_behind(ends, language):
            self._define(after, title, place=start)
        if before := self._defined_before(start, language):
            self._define(before, title, place=start)
        if name:
            self._names.add_title(name, title)
        self._dated[start] = act = Act(start, match.end(), ends, title, self._is_own(name, title), reason=reason)
        return act

    def _forget_number_in(self, act: Act) -> None:
        """`Act No. 61 of 1973` is no name of its own in `Companies Act No. 61 of 1973`."""
        for place in range(act.start + 1, act.end):
            if self.numbered.pop(place, None):
                self._dated.pop(place)

    def _behind_number(self, place: int, language: ActPatterns, *, dated: bool = False) -> int:
        """Where a title ends with its number: `Ports Act, 2000 (Act No. 32 of 2000)`, `Ports Act, Cap. 57`.

        The year of a number tells of a title without one which act it is.
        """
        between = language.number_behind.match(self.text, place)
        number = self.numbered.get(between.end()) if between else None
        if between is None or number is None or (not dated and _YEAR.search(number.title)):
            return place
        closing = between[0].strip(" ,")[:1].translate(_CLOSING)
        end = self.text.find(closing, number.end, number.end + 2)
        return place if end < 0 else end + len(closing)

    def _defined_before(self, start: int, language: ActPatterns) -> re.Match[str] | None:
        before = self.text[max(0, start - _BEFORE_TITLE) : start]
        return language.defined_before.search(before) if any(mark in before for mark in _QUOTES) else None

    def _defined_behind(self, place: int, language: ActPatterns) -> re.Match[str] | None:
        """What the act that ends here is called, if that is said behind a section of it: `, section 5 (“the Act”)`."""
        link = language.before_sections.match(self.text, place)
        bracket = self.text.find(" (", place, place + _LONGEST_PINPOINT) if link and link[0] else -1
        while link and bracket >= 0:
            definition = language.defined_after.match(self.text, bracket)
            if definition:
                cited = grammar.read_in_document(self.text, link.end(), most=_MOST_PINPOINTS)
                return definition if cited and cited.end == bracket else None
            bracket = self.text.find(" (", bracket + 1, place + _LONGEST_PINPOINT)
        return None

    def _define(self, definition: re.Match[str], title: str, *, place: int) -> None:
        section = self.places.section(place) if definition["here"] else None
        meaning = Meaning(title, section.span_start, section.span_end) if section else Meaning(title, place)
        aliases = (value for key, value in definition.groupdict().items() if key.startswith("alias") and value)
        self._names.define(aliases, meaning)

    def _name_of(self, title: str) -> str:
        for language in patterns.ALL:
            if match := language.dated.match(title):
                return match["name"]
        return title

    def _is_own(self, name: str, title: str = "") -> bool:
        """Whether the document is called so, and its year, if both have one, is that of the title."""
        if not name or name != self._own_name:
            return False
        years, own = _YEAR.findall(title), _YEAR.findall(self.title)
        return not years or not own or years[-1] == own[-1]

    # What a place of the text names

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
        if language.lead.fullmatch(self.text, word, hint):
            return word
        before = language.before.search(self.text[max(0, word - _LONGEST_LEAD) : hint])
        return hint - len(before[0]) if before else None

    def by_number(self, place: int) -> Act | None:
        """The act that is named there by its number."""
        act = self.numbered.get(place)
        before = self._last[-1] if act and self._last else None
        # `Ports Act, R.S.C. 1985, c. P-5`
        if act and before and before.title and self.text[before.end : place] == ", ":
            act = replace(act, title=before.title, internal=before.internal)
        return self._note(act) if act else None

    def by_number_behind(self, place: int) -> Act | None:
        """The act whose number a citation goes on with, behind letters that belong to the sentence or none."""
        for start in range(place, place + _LONGEST_PREFIX + 1):
            if act := self.numbered.get(start):
                return self._note(replace(act, start=place))
            if self.text[start : start + 1] not in _PREFIXES:
                break
        return None

    def at(self, place: int, *, cited: bool) -> Act | None:
        """The act that is named from this place on. `cited` says that a section of it is."""
        act = self._at(place, cited=cited)
        if act is None or not cited or act.ends != act.end:
            return act
        more = more_of_name(self.text, act.end, act.title)
        if more is None:
            return act
        unread = Act(place, more.end(), more.end(), unread=self.text[place : more.end()])
        is_title = act.title and self.text.endswith(act.title, place, act.end)
        return (
            replace(act, title=act.title + more[0], end=more.end(), ends=more.end(), reason=Reason.NAMED)
            if is_title and more["year"]
            else unread
        )

    def _at(self, place: int, *, cited: bool) -> Act | None:
        language = patterns.of_letter(self.text[place : place + 1])
        if language is None:
            return None
        prefix = language.prefix.match(self.text, place)
        name = prefix.end() if prefix else place
        dated = self._dated.get(place) or self._dated.get(name)
        if dated:
            return self._note(replace(dated, start=place))
        if this := language.own.match(self.text, place):
            return Act(place, this.end(), this.end(), internal=True, reason=Reason.SAID_OWN)
        if said := language.said.match(self.text, place):
            last = self._said(language, patterns.held(said, "genre"), place).because(Reason.SAID_LAST)
            return replace(last, start=place, end=said.end(), ends=said.end())
        if named := self._named(place, name, language):
            return self._note(named)
        if cited and (led := language.led.match(self.text, place)):
            ends = self._behind_number(led.end(), language, dated=True)
            return self._note(self._in_short(place, led.end(), ends, led["title"], led["title"]))
        if abridged := language.abridged.match(self.text, place):
            title = self._of_year(abridged, language)
            act = Act(place, abridged.end(), abridged.end(), title, reason=Reason.NAMED_IN_SHORT)
            return self._note(act) if title or cited else None
        return self._short_or_bare(place, language, cited=cited)

    def _short_or_bare(self, place: int, language: ActPatterns, *, cited: bool) -> Act | None:
        """An act by a short title, or by its kind alone: `the Act`."""
        bare = language.bare.match(self.text, place)
        if not bare or not bare["definite"]:
            is_defined = bare is not None and bool(self._names.meaning(patterns.held(bare, "genre"), place))
            titles = language.short if cited and not is_defined else language.sure
            if short := titles.match(self.text, place):
                ends = self._behind_number(short.end(), language)
                return self._note(self._in_short(place, short.end(), ends, short["title"]))
            if not cited and language.short.match(self.text, place):
                return None  # more is named than can be told
        kind = patterns.held(bare, "genre") if bare else ""
        meant, reason = self._meant(kind, place, language) if bare else ("", None)
        if bare and not meant and not self.title and (bare["definite"] or not self._goes_on(bare.end())):
            meant, reason = self._only(language.types.get(kind, kind)), Reason.LAST_NAMED
        if bare and (meant or cited):
            own = not meant and self._is_own_type(language.types.get(kind, kind))
            reason = Reason.OWN if own else reason
            return self._note(Act(place, bare.end(), bare.end(), meant, internal=own, reason=reason))
        return None

    def _in_short(self, start: int, end: int, ends: int, name: str, title: str = "") -> Act:
        """The act that is called by a name without its year."""
        return Act(start, end, ends, name, self._is_own(name, title), reason=Reason.NAMED_IN_SHORT)

    def _by_letters(self, start: int, end: int, letters: str) -> Act:
        """The act for which letters stand, in this document or everywhere: `TFEU`."""
        if title := self._names.meaning(letters, start):
            return Act(start, end, end, title, self._is_own(title, title), reason=Reason.DEFINED_HERE)
        return self._in_short(start, end, end, letters, letters)

    def foreign(self, citation: int, place: int) -> Act | None:
        """The act that a citation from `citation` up to here goes on with in another language: `§ 5 BGB`."""
        for language in patterns.ALL:
            if language.foreign_unit.match(self.text, citation) and (named := language.foreign.match(self.text, place)):
                return self._note(self._by_letters(place, named.end(), patterns.held(named, "alias")))
        return None

    def behind(self, place: int, *, of_section: bool, is_named: bool) -> Act | None:
        """What a citation that ends here is surely of, though it is not named by a title: `TFEU`, `of the lease`.

        Where its act `is_named` before it, what follows a comma is something else.
        """
        for language in patterns.ALL:
            if short := language.abbreviated.match(self.text, place):
                return self._by_letters(place, short.end(), patterns.held(short, "alias"))
        if name := unread_behind(self.text, place, of_section=of_section, is_listed=not is_named):
            own = name.word == name.words and self._is_own_type(name.word)
            if own:
                return Act(place, name.end, name.end, internal=True, reason=Reason.OWN)
            return Act(place, name.end, name.end, unread=name.words)
        return None

    def before(self, place: int) -> Act | None:
        """The act whose abbreviated name stands right before a citation: `CPR r 24.2`, `Cal. Civ. Code § 5`."""
        for language in patterns.ALL:
            before = self.text[max(0, place - _BEFORE_TITLE) : place]
            if language.short_unit.match(self.text, place) and (named := language.name_before.search(before)):
                start = place - len(before) + named.start("title")
                return replace(self._by_letters(start, place, named["title"]), internal=False)
        return None

    def _of_year(self, match: re.Match[str], language: ActPatterns) -> str:
        """The title of that type and year, if the document has one only."""
        kind, year = patterns.held(match, "genre"), patterns.held(match, "year")
        kind = language.types.get(kind, kind)
        titles = {act.title for act in self._dated.values()}
        fit = {title for title in titles if kind in title and year in _YEAR.findall(title)}
        return fit.pop() if len(fit) == 1 else ""

    def _is_own_type(self, word: str) -> bool:
        """Whether the document's own title begins or ends with the word for such acts."""
        title, word = self.title.casefold(), word.casefold()
        return bool(word) and (title.startswith(word) or title.rstrip("0123456789 ,").endswith(word))

    def _note(self, act: Act) -> Act:
        self._last.append(act)
        return act

    def _named(self, place: int, name: int, language: ActPatterns) -> Act | None:
        """An act by a name of several words that the document gave it, or by its title without the year."""
        for one in self._names.at(self.text, name):
            if title := self._names.meaning(one, place):
                end = name + len(one)
                ends, own = self._behind_number(end, language), self._is_own(one, title)
                reason = Reason.DEFINED_HERE if self._names.is_defined(one) else Reason.NAMED_IN_SHORT
                return Act(place, end, ends, title, own, reason=reason)
        return None

    def _meant(self, kind: str, place: int, language: ActPatterns) -> tuple[str, Reason | None]:
        """What `the Act` is: as defined, or the act under which these regulations are made."""
        if title := self._names.meaning(kind, place):
            return title, Reason.DEFINED_HERE
        form = language.parents.get(kind)
        secondary = language.secondary.match(self.title) if form else None
        if form and secondary:
            return form.format(secondary["subject"].strip()), Reason.PARENT
        return "", None

    def _goes_on(self, place: int) -> bool:
        """Whether a word follows, which may be that of a name: where the article is in a prefix."""
        return self.text[place : place + 1] == " " and self.text[place + 1 : place + 2].isalpha()

    def _only(self, word: str) -> str:
        """The one act of that type that a text without a title has named so far."""
        titles = {act.title for act in self._last if word in act.title}
        return titles.pop() if len(titles) == 1 else ""

    def parent(self, place: int) -> str:
        """The act that these regulations are made under."""
        found = (self._meant(kind, place, language)[0] for language in patterns.ALL for kind in language.parents)
        return next(filter(None, found), "")

    def _said(self, language: ActPatterns, kind: str, place: int) -> Act:
        """The last act of that type, if it was named just before. Without a title where it may be an unknown one."""
        word = language.types.get(kind, kind)
        near = (act for act in reversed(self._last) if place - act.end <= _LONGEST_SAID)
        return next((act for act in near if not act.title or word in act.title), Act(place, place, place))
