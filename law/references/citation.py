"""References as a text makes them: acts as they are named, and what is cited of them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from law.citations.cited_items import CitedDivision, CitedItem, Clause
from law.patterns import regex
from law.references.reasons import Reason, weaker

MAX_UNREAD_LENGTH = 80  # characters
_KIND = regex(r"(?<![^\W\d_])[^\W\d_]{4,}")  # a word that is no abbreviation


@dataclass(frozen=True, slots=True)
class Act:
    """An act as it is named between two places of the text. `ends` is behind what the document calls it from here on.

    `title` is how it is really called, '' where that is not known. `identifier` is a number in its place, of a circular
    or a part of a collection, `unread` are the words of a name that no form reads. `beside` is a number that stands
    right behind it, and `country` is the code of the country that is named behind a number: `Act 12 of 2031 (Kenya)`.
    `reason` is what says that it is this one, None where it is not known.
    """

    start: int
    end: int
    ends: int
    title: str = ""
    internal: bool = False
    identifier: str = ""
    unread: str = ""
    beside: str = ""
    country: str = ""
    reason: Reason | None = None

    @property
    def is_numbered(self) -> bool:
        """Whether it is known by a number, which is no lease or claim that a text speaks of in passing."""
        return bool(self.identifier) or any(map(str.isdigit, self.unread))

    @property
    def is_nameless(self) -> bool:
        """Whether no word says of which kind it is: `that Order` may be `S.I. 2020/351`."""
        return not self.title and _KIND.search(self.unread) is None

    def because(self, reason: Reason) -> "Act":
        """The same act where another place means it for that reason."""
        return replace(self, reason=weaker(self.reason, reason))


@dataclass(frozen=True, kw_only=True, slots=True)
class Citation:
    """A reference as the text makes it. `start` and `end` are characters of the text.

    `internal` says that it is to this very document. `title` is the act as it is really called, where the text says
    so: what the document defines stands in place of `the principal Act`. It is '' if internal or unknown.
    `identifier` is the number of a case or circular, or a part of a collection (`5 U.S.C.`), if there is one instead.
    `number` is the section as printed, '' for an act as a whole, `clauses` the way to what is meant inside it,
    `divisions` the schedule or part named with it. A range is two mentions, of its ends: that of the first knows the
    `last`, that of the last the `first`, and what is between them is cited by the former. Where both are in clauses it
    also knows the `last_clauses`, with which a range may be one of clauses of a single section. `unread` are the words
    beside it that say of which act it is, in a form that is not read, `beside` is a number that stands right behind the
    title, `country` the code of a country that is named there. `reason` is what says that it is of this act, None where
    no act is known.
    """

    start: int
    end: int
    internal: bool = False
    title: str = ""
    identifier: str = ""
    number: str = ""
    clauses: tuple[str, ...] = ()
    divisions: tuple[CitedDivision, ...] = ()
    first: str = ""
    last: str = ""
    last_clauses: tuple[str, ...] = ()
    unread: str = ""
    beside: str = ""
    country: str = ""
    reason: Reason | None = None

    @property
    def written_as_one(self) -> str:
        """`1-102` may be a range, or the number of a single section."""
        if self.number in (self.first, self.last):
            return ""
        return "-".join((self.first or self.number, self.last or self.number)) if self.first or self.last else ""


def cited_again(last: Citation, *, start: int, end: int) -> Citation:
    """What was cited last, where words say that the same is meant."""
    is_known = last.internal or last.title or last.identifier
    return replace(last, start=start, end=end, reason=weaker(last.reason, Reason.SAID_LAST) if is_known else None)


def mentions_of_items(whole: Citation, items: Sequence[CitedItem]) -> list[Citation]:
    """The mentions of sections that are listed together, or that of none of them."""
    found = [
        replace(
            whole,
            start=end.start,
            end=end.end,
            number=end.number,
            clauses=next(iter(end.clauses), ()),
            first=item.number if item.last and not end.last else "",
            last=end.last,
            last_clauses=next(iter(item.last_clauses), ()) if end.last else (),
        )
        for item in items
        for end in item.each
    ]
    if found:
        found[0] = replace(found[0], start=whole.start)
        found[-1] = replace(found[-1], end=whole.end)
    return found or [whole]


def with_ranges(clauses: Sequence[Clause], found: Sequence[Citation]) -> list[Citation]:
    """The mentions of clauses without their section, those of ranges with what they reach to."""
    mentions = list(found)
    for place, clause in enumerate(clauses[:-1]):
        if clause.up_to:
            one, last = mentions[place : place + 2]
            mentions[place] = replace(one, last=last.number, last_clauses=last.clauses)
            mentions[place + 1] = replace(last, first=one.number)
    return mentions


def mention_of(act: Act, place: Citation) -> Citation:
    """What is cited at a place, as of that act."""
    title = "" if act.internal else act.title
    identifier = "" if act.internal or title else act.identifier
    return replace(
        place,
        internal=act.internal,
        title=title,
        identifier=identifier,
        unread=act.unread[:MAX_UNREAD_LENGTH],
        beside=act.beside if title else "",
        country=act.country if title else "",
        reason=act.reason if act.internal or title or identifier else None,
    )
