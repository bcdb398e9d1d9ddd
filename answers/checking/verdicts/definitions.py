"""What citations take from what a text said before: the names it gave to documents, `ibid`, the section of a clause."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from law.languages import LANGUAGES
from law.languages.scripts import either, language_of
from law.references.mentions import ActMention
from law.references.patterns import ALL, foreign_units
from law.words.analysis import term_offsets, terms
from sources.citations import named_anywhere
from sources.models import Source
from sources.references import ReferenceTarget, ResolutionStatus
from sources.scope import Scope

MOST_DEFINITIONS = 40  # of a text
LONGEST_ASSUMED = 1_500  # characters from a section to a clause without one
LONGEST_TITLE = 200  # characters before the bracket
MOST_OF_YEAR = 2  # words behind a title, of two calendars
LONGEST_LISTED = 6  # characters between citations of one list
LONGEST_LINK = 12  # characters between a citation and what its act is called
_QUOTES = "\"“”„״'‘’׳"
_BRACKET = re.compile(rf"\((?P<inside>[^()\n]{{0,60}}?[{_QUOTES}][^()\n]{{2,100}}?[{_QUOTES}])\)")
_CALLED = re.compile(rf"[{_QUOTES}]([^()\n{_QUOTES}]{{2,60}})[{_QUOTES}]")
_APART = re.compile(r"[,;:.()\n]")  # `s 3; the Act, s 4`
_GAP = re.compile(r"[\s,*_]{0,4}")
_ENDED = re.compile(r"[\n;“”„«»‘]|[.!?] ")
_PREFIXES = "".join(letter for language in LANGUAGES for letter in language.prefixes)


_SAME = either(language.quoting.same for language in LANGUAGES)
# `(ibid.)`, or a sentence of it alone: `Id.`
_ALONE = re.compile(
    rf"[(\[] ?(?P<inside>{_SAME}\.?)(?= ?[)\]])"
    rf"|(?<=[.”\"’] )(?P<sentence>{_SAME}\.)(?=\s+(?:[{_QUOTES}]|(?-i:[^\W\d_a-z]))|\s*$)",
    re.IGNORECASE,
)


def with_same(text: str, mentions: Sequence[ActMention]) -> list[ActMention]:
    """The mentions, and one for each `ibid` without a number: of what was cited last."""
    found = list(mentions)
    for alone in _ALONE.finditer(text):
        start, end = alone.span("inside" if alone["inside"] else "sentence")
        place = next((place for place, one in enumerate(found) if one.start >= start), len(found))
        if place and found[place - 1].end <= start:
            found.insert(place, replace(found[place - 1], start=start, end=end))
    return found


def with_sections(mentions: Sequence[ActMention]) -> tuple[list[ActMention], set[int]]:
    """The mentions, and the places of clauses without a section, which are of the section that was cited last."""
    found: list[ActMention] = []
    assumed: set[int] = set()
    last: ActMention | None = None
    for one in mentions:
        if one.clauses and not (one.number or one.title or one.identifier or one.divisions or one.unread):
            if last and last.number and one.start - last.end <= LONGEST_ASSUMED:
                assumed.add(len(found))
                one = replace(last, start=one.start, end=one.end, clauses=one.clauses)
        elif one.number:
            last = one
        found.append(one)
    return found, assumed


@dataclass
class Definitions:
    """The titles of documents by what a text calls them. `main` are those that it calls by a word such as `the Act`."""

    mentions: list[ActMention] = field(default_factory=list)  # of documents whose name is none of an act by its words
    _titles: dict[str, str] = field(default_factory=dict)
    _main: list[tuple[int, str]] = field(default_factory=list)
    _bare: set[str] = field(default_factory=set)
    _brackets: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def of(cls, text: str, mentions: Sequence[ActMention], *, scope: Scope) -> "Definitions":
        found = cls()
        for bracket in islice(_BRACKET.finditer(text), MOST_DEFINITIONS):
            names = list(_names(bracket["inside"]))
            title = found._title_before(text, bracket.start(), mentions, scope=scope) if names else ""
            for name, is_bare in names if title else ():
                found._titles[name] = title
                if is_bare:
                    found._bare.add(name)
                    found._main.append((bracket.end(), title))
            if title:
                found._brackets.append(bracket.span())
        return found

    def defines(self, one: ActMention) -> bool:
        """Whether it is the name that a text gives, and no citation."""
        return not one.number and any(start < one.start and one.end <= end for start, end in self._brackets)

    def _title_before(self, text: str, place: int, mentions: Sequence[ActMention], *, scope: Scope) -> str:
        """The title of the document that is named right before this place."""
        before = [one for one in mentions if one.title and one.end <= place and _GAP.fullmatch(text, one.end, place)]
        if before:
            return before[-1].title
        near = _ENDED.split(text[max(place - LONGEST_TITLE, 0) : place])[-1]
        words, offsets = terms(near), term_offsets(near)
        for one in named_anywhere(words, scope=scope):
            if one.complete and (one.same_year or not one.title.year) and len(words) - one.end <= MOST_OF_YEAR:
                title = Source.objects.get(pk=one.source_id).title
                start, end = offsets[one.start][0], offsets[one.end - 1][1]
                begins = place - len(near)
                self.mentions.append(ActMention(start=begins + start, end=begins + end, title=title))
                return title
        return ""

    def of_citation(self, text: str, one: ActMention, *, says: bool) -> str:
        """The title of the document that a citation calls by such a name: `Article 2 of the Convention`.

        One that `says` the name of an act has no other.
        """
        if says and one.title in self._titles:
            return self._titles[one.title]
        for name in sorted(self._titles, key=len, reverse=True):
            if says and not (one.title and name.startswith(one.title)):  # `PLA` of `PLA 2024`
                continue
            before = re.search(rf"(?<!\w){re.escape(name)},? \Z", text[max(one.start - len(name) - 3, 0) : one.start])
            is_bare = name in self._bare  # `Ropes Act, s 4` is not of what is called `the Act`
            if before and (not is_bare or text[: one.start].rstrip(" ,").endswith(f"he {name}")):
                return self._titles[name]
            said = text[one.start : one.end + LONGEST_LINK + len(name)]
            called = re.search(rf"(?<!\w)[{_PREFIXES}]{{0,2}}{re.escape(name)}(?!\w)", said)
            link = said[one.end - one.start : called.start()] if called else ""
            if called and len(link) <= LONGEST_LINK and not _APART.search(link):
                return self._titles[name]
        return ""

    def main(self, text: str, one: ActMention) -> str:
        """The title of the document that bare citations are of, if such documents have sections that are called so."""
        titles = [title for place, title in self._main if place <= one.start]
        fit = [title for title in titles if not ((units := foreign_units(title)) and units.match(text, one.start))]
        return fit[-1] if fit else ""


def _names(inside: str) -> Iterator[tuple[str, bool]]:
    """The names in a bracket without their article, and whether each is a word for acts alone."""
    for called in _CALLED.finditer(inside):
        name = called[1].strip(" ,.")
        bare = next((it for one in ALL if (it := one.bare.fullmatch(name) or one.bare.fullmatch(f"the {name}"))), None)
        if bare:
            yield bare["genre"], True
        elif name[:1].isupper() or name.startswith("the ") or name[:1] in _PREFIXES or language_of(name).prefixes:
            yield name.removeprefix("the "), False


def bounds_of_name(mentions: Sequence[ActMention], place: int) -> tuple[int, int]:
    """Between which characters the name of an act is that of this citation, and not of the one before or behind it."""
    one, ends, begins = mentions[place], 0, mentions[place].end + LONGEST_TITLE
    for other in (*mentions[max(place - 1, 0) : place], *mentions[place + 1 : place + 2]):
        gap = max(one.start - other.end, other.start - one.end)
        if not other.number or (gap <= LONGEST_LISTED and other.title == one.title):
            continue
        if other.end <= one.start:
            ends = other.end
        else:
            begins = other.start
    return ends, begins


def ends_of_lists(mentions: Sequence[ActMention]) -> dict[int, int]:
    """Where the list or range ends that each citation is in, by where it begins: there the act of all is named."""
    ends: dict[int, int] = {}
    later: ActMention | None = None
    for one in reversed(mentions):
        is_listed = later and one.number and later.title == one.title and later.start - one.end <= LONGEST_LISTED
        ends[one.start] = ends[later.start] if later and is_listed else one.end
        later = one
    return ends


def is_part_of_name(one: ActMention, target: ReferenceTarget, named: Sequence[tuple[int, int]]) -> bool:
    """Whether an act that is not here is the end of a longer name that was found."""
    is_whole = not (one.number or one.clauses or one.divisions)
    is_unknown = target.status == ResolutionStatus.NOT_HERE
    return is_whole and is_unknown and any(start <= one.start and one.end <= end for start, end in named)
