"""What a document calls the acts that it names: `the principal Act`, and titles without their year."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from law.patterns import regex
from law.references.definitions import is_kind

MAX_NAMES = 500  # that a document gives to acts
MAX_MEANINGS = 50  # of one name
_WORD = regex(r"[^\W_]+(?:[\"״'’&.-][^\W_]+)*")


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
