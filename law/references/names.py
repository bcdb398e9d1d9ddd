"""What a document calls the acts that it names: `(“the Levy Act”, “VLSA”)`, `the principal Act`, and their titles."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from law.languages import LANGUAGES
from law.languages.scripts import PREFIXES
from law.patterns import regex
from law.references import patterns

_MARKS = "\"“”„״'‘’׳"
_BRACKET = regex(rf"[\s,*_]{{0,4}}\((?P<inside>[^()\n]{{0,60}}?[{_MARKS}][^()\n]{{2,100}}?[{_MARKS}])\)")
# `[Levy Act]`, `[VLSA]`, without marks, as in Canada
_SQUARE = regex(r"[\s,*_]{0,4}\[(?P<inside>[A-Z][^\[\]\n:;]{1,60})\]")
_CALLED = regex(rf"[{_MARKS}]([^()\n{_MARKS}]{{2,60}})[{_MARKS}]")
_ARTICLES = ("", "the ", *PREFIXES)
_CASELESS = [regex(f"[{language.letters}]") for language in LANGUAGES if not language.has_capitals]
MAX_NAMES = 500  # that a document gives to acts
MAX_MEANINGS = 50  # of one name
_WORD = regex(r"[^\W_]+(?:[\"״'’&.-][^\W_]+)*")


def names_behind(text: str, place: int, title: str) -> tuple[list[str], int]:
    """The names that a title has in a bracket, or behind words for it, without their article, and where they end.

    Either begins at `place`. None and `place` if there is none.
    """
    called = next(filter(None, (one.called.match(text, place) for one in patterns.ALL)), None)
    if called and (said := _CALLED.match(text, called.end())):
        return _names([said[1]]), said.end()
    if (square := _SQUARE.match(text, place)) and _is_name_of_act(square["inside"], title):
        return _names([square["inside"]]), square.end()
    bracket = _BRACKET.match(text, place)
    if bracket is None:
        return [], place
    inside = list(_CALLED.finditer(bracket["inside"]))
    lead = bracket["inside"][: inside[0].start()].strip(" ,:–—-") if inside else ""
    defines = not lead or any(one.defines.fullmatch(lead) for one in patterns.ALL)
    return _names(one[1] for one in inside if defines or not _is_caseless(one[1])), bracket.end()


def _names(said: Iterable[str]) -> list[str]:
    names = [name.strip(" ,.").removeprefix("the ") for name in said]
    return [_without_article(name) for name in names if _is_name(name)]


def is_kind(name: str) -> bool:
    """Whether it is a word for acts alone, which names one only with its article: `the Act`."""
    return any(one.bare.fullmatch(article + name) for one in patterns.ALL for article in _ARTICLES)


def _without_article(name: str) -> str:
    bare = next(filter(None, (one.bare.fullmatch(name) for one in patterns.ALL)), None)
    return bare["genre"] if bare else name


def _is_name_of_act(name: str, title: str) -> bool:
    """Whether it is words of the title, or its initials: no remark, as `[NSW]` and `[Amended by the Levy Act]` are."""
    words, of_title = _WORD.findall(name), _WORD.findall(title)
    if not all(word.isupper() or word in of_title for word in words):
        return False
    if set(words) <= set(of_title) and any(one.short.fullmatch(name) for one in patterns.ALL):
        return True
    letters = "".join(word if word.isupper() else word[0] for word in words)  # `CRTC Act`
    initials = [word[0] for word in of_title if word[0].isalpha()]  # of `of` one may be left out
    return re.fullmatch("".join(f"{one}?" if one.islower() else one for one in initials), letters, re.I) is not None


def _is_name(name: str) -> bool:
    return name[:1].isupper() or name[:1].isdigit() or _is_caseless(name) or is_kind(name)


def _is_caseless(name: str) -> bool:
    """Whether its letters do not tell a name: then only words before it do."""
    return any(one.match(name) for one in _CASELESS)


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a name means: in a section only, or before all from its definition on."""

    title: str
    start: int
    end: int | None = None


@dataclass
class NameIndex:
    """The names of a document. Once all are told, `close` it."""

    _titles: dict[str, str] = field(default_factory=dict, init=False)  # by what they are without the year
    _defined: dict[str, list[Meaning]] = field(default_factory=dict, init=False)
    _by_word: dict[str, list[str]] = field(default_factory=dict, init=False)
    _of_kind: list[Meaning] = field(default_factory=list, init=False)  # of words for acts alone
    _short: list[str] = field(default_factory=list, init=False)  # defined ones that are no words for acts alone

    def add_title(self, name: str, title: str) -> None:
        """That an act is called so without its year."""
        self._titles.setdefault(name, title)
        self._titles.setdefault(name.partition(" [")[0], title)

    def define(self, aliases: Iterable[str], meaning: Meaning) -> None:
        for alias in aliases:
            name = alias.strip(" ,")
            if name not in self._defined and len(self._short) < MAX_NAMES and not is_kind(name):
                self._short.append(name)
                self._by_word.setdefault(name.split(" ")[0], []).insert(0, name)
            meanings = self._defined.setdefault(name, [])
            if len(meanings) < MAX_MEANINGS:
                meanings.append(meaning)
                if is_kind(name):
                    self._of_kind.append(meaning)

    def close(self) -> None:
        for name in sorted(self._titles, key=len, reverse=True)[:MAX_NAMES]:
            if " " in name:
                self._by_word.setdefault(name.split(" ")[0], []).append(name)
        for names in self._by_word.values():
            names.sort(key=len, reverse=True)

    def at(self, text: str, place: int) -> Iterator[str]:
        """The names that stand there, the longest first: those of several words, and what the document defined."""
        first = _WORD.match(text, place)
        for one in self._by_word.get(first[0], ()) if first else ():
            if text.startswith(one, place) and not text[place + len(one) : place + len(one) + 1].isalnum():
                yield one

    def ending(self, text: str, place: int) -> Iterator[str]:
        """The names that the document defined and that end there."""
        for one in self._short:
            if text.endswith(one, 0, place) and not text[max(0, place - len(one) - 1) : place - len(one)].isalnum():
                yield one

    def is_defined(self, name: str) -> bool:
        """Whether the document says that it calls an act so."""
        return name in self._defined

    def last_of_kind(self, place: int) -> str:
        """The title that was called by a word for acts alone, last before this place, or ''."""
        before = (one for one in self._of_kind if one.start <= place and (one.end is None or place < one.end))
        last = max(before, key=lambda one: one.start, default=None)
        return last.title if last else ""

    def meaning(self, name: str, place: int) -> str:
        """What it means here: the last definition before it that reaches so far, else the first of all, or ''."""
        meanings = self._defined.get(name, ())
        before = [one for one in meanings if one.start <= place and (one.end is None or place < one.end)]
        if before:
            return max(before, key=lambda one: one.start).title
        elsewhere = (one.title for one in meanings if one.end is None or " " in name)
        return next(elsewhere, "") or self._titles.get(name, "")
