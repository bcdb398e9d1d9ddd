"""What a document calls the acts that it names: `the principal Act`, and titles without their year."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

MOST_NAMES = 500  # that a document gives to acts
MOST_MEANINGS = 50  # of one name


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

    def add_title(self, name: str, title: str) -> None:
        """That an act is called so without its year."""
        self._titles.setdefault(name, title)
        self._titles.setdefault(name.partition(" [")[0], title)

    def define(self, aliases: Iterable[str], meaning: Meaning) -> None:
        for alias in aliases:
            meanings = self._defined.setdefault(alias.strip(" ,"), [])
            if len(meanings) < MOST_MEANINGS:
                meanings.append(meaning)

    def close(self) -> None:
        for name in sorted({*self._titles, *self._defined}, key=len, reverse=True)[:MOST_NAMES]:
            self._by_word.setdefault(name.split(" ")[0], []).append(name)

    def at(self, text: str, place: int) -> Iterator[str]:
        """The names of several words that stand there, the longest first."""
        for one in self._by_word.get(text[place : text.find(" ", place)], ()):
            if (
                " " in one
                and text.startswith(one, place)
                and not text[place + len(one) : place + len(one) + 1].isalnum()
            ):
                yield one

    def is_defined(self, name: str) -> bool:
        """Whether the document says that it calls an act so."""
        return name in self._defined

    def meaning(self, name: str, place: int) -> str:
        """What it means here: the last definition before it that reaches so far, else the first of all, or ''."""
        meanings = self._defined.get(name, ())
        before = [one for one in meanings if one.start <= place and (one.end is None or place < one.end)]
        if before:
            return max(before, key=lambda one: one.start).title
        elsewhere = (one.title for one in meanings if one.end is None or " " in name)
        return next(elsewhere, "") or self._titles.get(name, "")
