"""Which act a place of a text names: by its title, by what the text calls it, or as the one named before."""

import re
from dataclasses import replace

from law.citations import grammar
from law.citations.titles import parse_title
from law.citations.unread import is_number_of_act, more_of_name, number_beside, unread_behind
from law.languages import LANGUAGES
from law.languages.scripts import MAX_PREFIXES, PREFIX_LETTERS, PREFIXES, either, language_of
from law.patterns import regex
from law.references import patterns
from law.references.citation import Act
from law.references.named import MAX_BEFORE_LENGTH, YEAR, NamedActs
from law.references.patterns import ActPatterns
from law.references.reasons import Reason

_UNSAID = (Reason.OWN, Reason.LAST_NAMED, Reason.PARENT)  # of `the Act` that no word says more of
_MAX_LAND_LENGTH = 40  # characters
_MAX_UNIT_LENGTH = 20  # characters, with the number behind it
# `ל-Loi n° 78-17`, `s 12 Malta Cap 386`
_PREFIXED = rf"[{PREFIX_LETTERS}]{{0,{MAX_PREFIXES}}}[־–-]?"
_LANDS = either(land for language in LANGUAGES for land in language.acts.lands)
_BEFORE_NUMBER = regex(rf"{_PREFIXED}[\[(]?|(?P<land>{_LANDS} )")
_MAX_SAID_LENGTH = 3_000  # characters from an act to `that Act`
_GAPS = (" ", ", ", " (")  # between a name and a citation of its sections
_DASHES = regex(r"[־‑–-]")
# What may be of a name: no clause, remark or definition
_NO_NAME = either(
    words
    for one in LANGUAGES
    for words in (one.quoting.signals, one.quoting.refers, one.quoting.naming, one.quoting.same)
)
_BRACKETS = regex(rf" \((?!(?:{_NO_NAME}))[^()\d\n:;\"“”„״–—]{{4,80}}\)", re.IGNORECASE)
_GOES_ON = [regex(words) for language in LANGUAGES if (words := language.quoting.goes_on)]  # `the Convention on …`


class ActIndex(NamedActs):
    """The acts of a text, asked place by place in its order."""

    def by_number(self, place: int) -> Act | None:
        """The act that is named there by its number."""
        act = self.numbered.get(place)
        before = self._last[-1] if act and self._last else None
        # `Ports Act, R.S.C. 1985, c. P-5`
        if act and before and before.title and self.text[before.end : place] == ", ":
            act = replace(act, title=before.title, internal=before.internal, beside=act.title)
        return self._note(act) if act else None

    def by_number_behind(self, place: int, *, in_brackets: bool) -> Act | None:
        """The act whose number a citation goes on with, behind letters of the sentence, a land, a bracket, nothing."""
        numbers = (self.numbered.get(start) for start in range(place, place + _MAX_LAND_LENGTH))
        act = next(filter(None, numbers), None)
        before = _BEFORE_NUMBER.fullmatch(self.text, place, act.start) if act else None
        if act is None or before is None or (before["land"] and patterns.HINT.match(self.text, act.start)):
            return None  # `Kenya Act 29` is not the `Act 29` of another land
        if before[0][-1:] in ("(", "[") and not in_brackets:
            return None  # `Pier Act, section 3 (Act 12 of 2031)`
        return self._note(replace(act, start=place))

    def at(self, place: int, *, cited: bool) -> Act | None:
        """The act that is named from this place on. `cited` says that a section of it is."""
        act = self._at(place, cited=cited)
        if act and (start := self._really_from(act)) != act.start:
            act = self._note(self._beginning_at(start))
        act = self._with_number(act, cited=cited) if act else None
        if act is None or not cited or act.ends != act.end:
            return act
        if act.reason is Reason.NAMED_IN_SHORT and (brackets := self._brackets_of_name(act)):
            return Act(place, brackets, brackets, unread=self.text[place:brackets])
        is_title = bool(act.title) and self.text.endswith(act.title, place, act.end)
        more = more_of_name(self.text, act.end, act.title)
        if more and is_title and more["year"]:
            return replace(act, title=act.title + more[0], end=more.end(), ends=more.end(), reason=Reason.NAMED)
        is_letters = self.text[place : act.end].rpartition(" ")[2].isupper()  # `section 5 HOTA on registers`
        if more is None and not (is_title or is_letters):
            more = next(filter(None, (pattern.match(self.text, act.end) for pattern in _GOES_ON)), None)
        return Act(place, more.end(), more.end(), unread=self.text[place : more.end()]) if more else act

    def _with_number(self, act: Act, *, cited: bool) -> Act:
        """The act with the number behind its name. `the Act (R.S.A. c. H50)` is the one of that number."""
        beside = number_beside(self.text, act.end)
        if act.title and act.reason not in _UNSAID:
            return replace(act, beside=beside)
        number = self.numbered.get(act.end + len(" ("))
        if not cited or not (number or is_number_of_act(beside)):
            return act
        unread = replace(act, title="", internal=False, unread=beside)
        return self._note(replace(number, start=act.start) if number else unread)

    def _brackets_of_name(self, act: Act) -> int:
        """Where brackets end that may be of its name, in a language without capitals: `חוק החוזים (תרופות)`, else 0."""
        if "(" in act.title or language_of(act.title).has_capitals:
            return 0
        brackets = _BRACKETS.match(self.text, act.end)
        return brackets.end() if brackets else 0

    def _at(self, place: int, *, cited: bool) -> Act | None:
        language = patterns.of_letter(self.text[place : place + 1])
        if language is None:
            return None
        prefix = language.prefix.match(self.text, place)
        name = prefix.end() if prefix else self._behind_letters(place)
        dated = self._dated.get(place) or self._dated.get(name)
        if cited and name in self.known and not (dated and dated.end >= self.known[name]):
            return self._note(self._known(place, name))
        if dated:
            return self._note(replace(dated, start=place))
        if this := language.own.match(self.text, place):
            return Act(place, this.end(), this.end(), internal=True, reason=Reason.SAID_OWN)
        if said := language.anaphor.match(self.text, place):
            last = self._anaphor(language, patterns.held(said, "genre"), place).because(Reason.SAID_LAST)
            return replace(last, start=place, end=said.end(), ends=said.end())
        if named := self._named(place, name, cited=cited, language=language):
            return self._note(named)
        if cited and (led := language.led.match(self.text, place)):
            ends = self._behind_number(led.end(), language, dated=True)
            return self._note(self._in_short(place, led.end(), ends, led["title"], led["title"]))
        if abridged := language.abridged.match(self.text, place):
            title = self._of_year(abridged, language)
            act = Act(place, abridged.end(), abridged.end(), title, reason=Reason.NAMED_IN_SHORT)
            return self._note(act) if title or cited else None
        return self._short_or_bare(place, name, language, cited=cited)

    def _behind_letters(self, place: int) -> int:
        """Where a known name begins, behind letters that belong to the sentence or none."""
        known = (start for start in range(place, place + MAX_PREFIXES + 1) if start in self.known)
        start = next(known, place)
        return start if PREFIXES.issuperset(self.text[place:start]) else place

    def _short_or_bare(self, place: int, name: int, language: ActPatterns, *, cited: bool) -> Act | None:
        """An act by a short title, or by its kind alone: `the Act`. A known title that goes on further is that."""
        bare = language.bare.match(self.text, place)
        if not bare or not bare["definite"]:
            is_defined = bare is not None and bool(self._names.meaning(patterns.held(bare, "genre"), place))
            titles = language.short if cited and not is_defined else language.sure
            short = titles.match(self.text, place)
            if short and not (bare and short["title"] == patterns.held(bare, "genre")):
                if self.known.get(name, 0) > short.end():
                    return self._note(self._known(place, name))
                ends = self._behind_number(short.end(), language)
                return self._note(self._in_short(place, short.end(), ends, short["title"]))
            if not cited and language.short.match(self.text, place):
                return None  # more is named than can be told
        kind = patterns.held(bare, "genre") if bare else ""
        meant, reason = self._meant(kind, place, language) if bare else ("", None)
        if bare and not meant and not self.title and (bare["definite"] or cited or not self._goes_on(bare.end())):
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
                letters = self._by_letters(place, short.end(), patterns.held(short, "alias"))
                return replace(letters, beside=short[0][-4:]) if YEAR.fullmatch(short[0][-4:]) else letters
        if name := unread_behind(self.text, place, of_section=of_section, is_listed=not is_named):
            own = name.word == name.words and self._is_own_type(name.word)
            if own:
                return Act(place, name.end, name.end, internal=True, reason=Reason.OWN)
            return self._note(Act(place, name.end, name.end, unread=name.words))
        return None

    def before(self, place: int, *, number: str) -> Act | None:
        """The act whose abbreviated name stands right before a citation: `CPR r 24.2`, `Cal. Civ. Code § 5`.

        In letters alone it also stands before a whole word, where the number is one of a book: `COBS Rule 3.4.1`.
        """
        for gap in _GAPS if place else ():
            if not self.text.endswith(gap, 0, place):
                continue
            end = place - len(gap)
            if end in self._known_ends:
                return self._note(self._known(self._known_ends[end], self._known_ends[end]))
            for name in self._names.ending(self.text, end):
                start = end - len(name)
                if title := self._names.meaning(name, start):
                    own = self._is_own(name, title)
                    return self._note(Act(start, end, end, title, own, reason=Reason.DEFINED_HERE))
        before = self.text[max(0, place - MAX_BEFORE_LENGTH) : place]
        is_coded = not number.isalnum() or f"{number}-" in self.text[place : place + _MAX_UNIT_LENGTH]  # `Rule 48-501`
        if is_coded and number and self.text[place + 1].islower() and (letters := grammar.NAME_BEFORE.search(before)):
            start = place - len(letters[0])
            return replace(self._by_letters(start, place, letters[0].strip()), internal=False)
        for language in patterns.ALL:
            if language.short_unit.match(self.text, place) and (named := language.name_before.search(before)):
                start = place - len(before) + named.start("title")
                return replace(self._by_letters(start, place, named["title"]), internal=False)
        return None

    def _of_year(self, match: re.Match[str], language: ActPatterns) -> str:
        """The title of that type and year, if the document has one only."""
        kind, year = patterns.held(match, "genre"), patterns.held(match, "year")
        kind = language.types.get(kind, kind)
        titles = {act.title for act in self._dated.values()}
        fit = {title for title in titles if kind in title and year in YEAR.findall(title)}
        return fit.pop() if len(fit) == 1 else ""

    def _is_own_type(self, word: str) -> bool:
        """Whether the document's own title begins or ends with the word for such acts."""
        title, word = self.title.casefold(), word.casefold()
        return bool(word) and (title.startswith(word) or title.rstrip("0123456789 ,").endswith(word))

    def is_kind_of(self, act: Act, said: Act) -> bool:
        """Whether an act is of the kind by which alone another place names one: `the Act`."""
        language = patterns.of_letter(self.text[said.start])
        bare = language.bare.match(self.text, said.start) if language else None
        if language is None or bare is None:
            return False
        kind = patterns.held(bare, "genre")
        return _folded(language.types.get(kind, kind)) in _folded(act.title)

    def _note(self, act: Act) -> Act:
        self._last.append(act)
        return act

    def _named(self, place: int, name: int, *, cited: bool, language: ActPatterns) -> Act | None:
        """An act by a name that the document gave it, of one word where it is cited, or its title without the year."""
        for one in self._names.at(self.text, name):
            if (cited or " " in one) and (title := self._names.meaning(one, place)):
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

    def main(self, place: int) -> str:
        """What the text called by a word for acts alone, last before this place: `the Act`."""
        return self._names.last_of_kind(place)

    def _only(self, word: str) -> str:
        """The one act of that type that a text without a title has named so far, with its year and brackets or without.

        Another word makes another act: `חוק החברות` is none that is called `חוק החברות הממשלתיות`.
        """
        titles = {_folded(act.title): act.title for act in self._last if _folded(word) in _folded(act.title)}
        longest = [title for title in titles if not any(_is_longer(one, title) for one in titles)]
        return titles[longest[0]] if len(longest) == 1 else ""

    def parent(self, place: int) -> str:
        """The act that these regulations are made under."""
        found = (self._meant(kind, place, language)[0] for language in patterns.ALL for kind in language.parents)
        return next(filter(None, found), "")

    def _anaphor(self, language: ActPatterns, kind: str, place: int) -> Act:
        """The last act of that type, if it was named just before. Without a title where it may be an unknown one."""
        word = language.types.get(kind, kind)
        for act in reversed(self._last):
            is_titled = _folded(word) in _folded(act.title) or word.casefold() in act.unread.casefold().split()
            if place - act.end <= _MAX_SAID_LENGTH and (act.is_nameless or is_titled):
                return act
        return Act(place, place, place)


def _is_longer(title: str, other: str) -> bool:
    """Whether a title is the other one with a year or brackets behind it."""
    words, others = ([word.term.stem for word in parse_title(one).required] for one in (title, other))
    return title != other and title.startswith(other) and words == others


def _folded(title: str) -> str:
    """A title in which `חוק־יסוד`, `חוק-יסוד` and `חוק יסוד` are the same."""
    return _DASHES.sub(" ", title)
