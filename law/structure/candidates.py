"""The lines of a document that may begin a section, with what speaks for each and against it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from law.languages import LANGUAGES
from law.languages.scripts import either, language_of
from law.structure.clauses import FIRST
from law.structure.contents import find_contents
from law.structure.day_marks import is_mark
from law.structure.gone import numbers_gone
from law.structure.headings import HeadingDivision, looks_like_heading, read_division, run_in_heading
from law.structure.lines import DocumentLine
from law.structure.numbers import IS_GONE, Key, SectionNumber, Style, read_label, step

MOST_TITLES = 3  # lines that head one section
ENTRY_WORDS = 4  # of a line of a table of contents that tell it from others
LONGEST_ENTRY = 200  # characters of a line of a table of contents
_QUOTE_LINES = 120  # a quotation that never closes is a misprint

_WORDS = [language.statutes for language in LANGUAGES]
_INSERTS = re.compile(rf"{either(words.inserts for words in _WORDS)}\s*[:–—-]+$", re.I)
_LEADS_IN = re.compile(
    rf"{either([*(words.inserts for words in _WORDS), *(words.leads_in for words in _WORDS)])}:$", re.I
)
_QUOTE_OPENS = re.compile(r"[\"”“״„]")
_QUOTE_CLOSES = re.compile(r"[\"”“״][.;,]?$")
# The number belongs to the sentence of the line before.
_LEFT_HANGING = re.compile(f"{either(words.hanging for words in _WORDS)}$", re.I)
_ENDED = re.compile(r"[.!?\]][\"'”“״)\]]*$")
_REMARK = re.compile(r"\([^()]+\)$")
_GOES_ON = re.compile(r"[;,]\s*\w{1,3}$")  # the item before the last
_BRACKETED = re.compile(r"\([A-Z][^()\d]{2,100}\)$")
_AMENDMENT = re.compile(either(words.footnote for words in _WORDS))
VERB = re.compile(either(words.verbs for words in _WORDS))
_WORD = re.compile(r"\w+")
_CLAUSE = re.compile(r"[—–-]{0,2}\s*\(")
_FIRST_CLAUSE = re.compile(rf"\.?\({either(FIRST)}\)", re.IGNORECASE)

# What speaks for a candidate, in points. A section with nothing but its number has the points of its form.
FORM = {Style.WORD: 1.2, Style.NUMBER: 1.0, Style.SQUARE: 1.0, Style.BARE: 0.5, Style.BRACKET: 0.5}
HEADED, TITLED, CLAUSED, ALONE, ENDED = 1.0, 0.6, 0.6, 0.6, 0.4
UNFINISHED, AFTER_COMMA, HANGING, SMALL, SMALL_AFTER_STOP = -1.2, -2.0, -4.0, -2.5, -1.0
DEEP = 0.4  # for each component but the first
MOST_OF_TEXT = 2  # components of numbers that stand in sentences, such as amounts
OTHER_ACT = -3.0
LISTED, NOTE, CONTENTS, LATER_CLAUSE, ROW, RUNNING = -0.8, -4.0, -4.0, -1.0, -2.0, -1.0


@dataclass(slots=True)
class NumberCandidate:
    """A line whose number may be a section's. `place` counts the lines, `titles` are those right above it."""

    place: int
    label: SectionNumber
    titles: list[int]
    following: str
    ended: bool  # the text before it and its titles is finished
    entitles: bool = False  # the first of its titles may be that of the chapter above
    is_led_in: bool = False  # text that is inserted into another act may begin with it
    reasons: list[tuple[str, float]] = field(default_factory=list)
    weight: float = 0.0  # the sum of their points

    @property
    def is_evident(self) -> bool:
        """Whether more than its number shows a section."""
        label = self.label
        named = label.style is Style.WORD or label.above or label.clause or not label.rest
        return bool(named) or any(name in ("heading", "titles above") for name, _ in self.reasons)

    @property
    def is_headed(self) -> bool:
        """Whether a heading stands behind its number, which is no sentence."""
        return not self.label.clause and looks_like_heading(self.label.rest)


@dataclass(frozen=True, slots=True)
class Border:
    """A line that opens a chapter or a schedule: behind it, numbers may begin anew."""

    place: int
    division: HeadingDivision


class Quotation:
    """Knows whether the stream is inside a text that is quoted to be inserted into another law."""

    def __init__(self) -> None:
        self._left = 0

    def holds(self, text: str, previous: str) -> bool:
        if not self._left and _QUOTE_OPENS.match(text) and _INSERTS.search(previous):
            self._left = _QUOTE_LINES
        if not self._left:
            return False
        self._left = 0 if _QUOTE_CLOSES.search(text) else self._left - 1
        return True


@dataclass
class Scan:
    """A document as the first step reads it: what each line may be."""

    candidates: list[NumberCandidate] = field(default_factory=list)
    borders: list[Border] = field(default_factory=list)
    quoted: set[int] = field(default_factory=set)  # places of quoted amendments and tables of contents
    gone: set[int] = field(default_factory=set)  # numbers of which the document says that they are repealed


def scan(lines: Sequence[DocumentLine], *, statutory: bool) -> Scan:
    """Every line that may begin a section, a chapter or a schedule."""
    texts = [line.text.strip() for line in lines]
    found, contents, quotation = Scan(), find_contents(texts), Quotation()
    titles: list[int] = []
    untitled = -1  # the place below a chapter without a title
    titled = False
    previous = ""  # the text before the titles
    for place, line in enumerate(lines):
        text = texts[place]
        following = texts[place + 1] if place + 1 < len(texts) else ""
        if not line.opens or not text or line.is_data:
            if text:
                previous, titles = text, []
            continue
        if text.isdecimal():
            continue  # the number of a page
        if place in contents or quotation.holds(text, previous if not titles else texts[titles[-1]]):
            found.quoted.add(place)
            found.gone.update(numbers_gone(text))
            previous, titles = "" if place in contents else text, []
        elif (division := read_division(text)) is not None:
            found.borders.append(Border(place, division))
            untitled = -1 if division.titled else place + 1
            previous, titles = "", []
        elif (label := read_label(text)) is not None and _may_be(label, statutory=statutory):
            before = texts[titles[-1]] if titles and texts[titles[-1]].endswith(".") else previous
            one = _candidate(place, label, titles, following, before)
            one.entitles = titles[:1] == [untitled]
            last = found.candidates[-1].label if found.candidates else None
            if label.clause and last is not None and (last.key, last.prefix) == (label.key, label.prefix):
                one.reasons.append(("a clause of the number before", LATER_CLAUSE))
            found.candidates.append(one)
            previous, titles = "" if looks_like_heading(label.rest) else label.rest, []
        elif _heads_section(text):
            titles = [*titles[1 - MOST_TITLES :], place] if titles else [place] if titled else []
            titled = True  # what the document begins with is its own title
            found.gone.update(numbers_gone(text))
        else:
            found.gone.update(numbers_gone(text))
            previous, titles = text, []
    if statutory:
        _weigh_insertions(found.candidates)
    _join_headings(found.candidates)
    _weigh_contents(found, texts)
    for one in found.candidates:
        one.weight = sum(points for _, points in one.reasons)
    return found


def is_title(text: str) -> bool:
    """May the line head what comes? In some languages headings end in a full stop (`StatuteWords.verbs`)."""
    if looks_like_heading(text) or _BRACKETED.match(text):
        return True
    sentence = text.endswith(".") and ". " not in text and looks_like_heading(text[:-1])
    return sentence and bool(language_of(text).statutes.verbs)


def _heads_section(text: str) -> bool:
    """May the line head a section below it? A definition is text, and a note in square brackets."""
    is_definition = not text[:1].isalpha() and (text.endswith(".") or VERB.search(text) is not None)
    is_note = text[:1] == "[" and text[-1] == "]"
    return not (is_definition or is_note) and is_title(text) and not is_mark(text)


def _may_be(label: SectionNumber, *, statutory: bool) -> bool:
    if statutory:
        return label.style is not Style.BRACKET
    return label.style is not Style.WORD and not label.behind


def _candidate(
    place: int, label: SectionNumber, titles: Sequence[int], following: str, previous: str
) -> NumberCandidate:
    # Whoever enacts a law ends with a colon.
    ended = not previous or _ENDED.search(previous) is not None or _REMARK.match(previous) is not None
    ended = ended or (label.key[-1][0] == 1 and previous.endswith(":"))
    one = NumberCandidate(place, label, list(titles), following, ended)
    one.is_led_in = bool(label.rest) and previous.endswith(":") and _LEADS_IN.search(previous) is not None
    one.reasons.extend(_reasons(one, previous))
    return one


def _reasons(one: NumberCandidate, previous: str) -> Iterator[tuple[str, float]]:
    label, rest = one.label, one.label.rest
    yield label.style.value, FORM[label.style]
    if label.heading or _is_heading(rest) or run_in_heading(rest):
        yield "heading", HEADED
    elif _CLAUSE.match(rest):
        yield "clause", CLAUSED
    elif not rest:
        yield "alone", ALONE
    elif label.style is Style.BARE or label.is_text:
        yield "running text", RUNNING
    if len(label.key) > 1 and label.style is Style.NUMBER:
        yield "several components", DEEP * (len(label.key) - 1)
    if label.above:
        yield "divisions in the number", HEADED
    if label.clause and not _FIRST_CLAUSE.match(label.clause):
        yield "a later clause", LATER_CLAUSE
    if one.titles and one.ended:
        yield "titles above", TITLED
    # A word before the number, as in `SEC. 5.`, is seldom text.
    share = 0.3 if label.style is Style.WORD else 0.4 if len(label.key) > MOST_OF_TEXT else 1.0
    if one.ended:
        yield "after a full stop", ENDED
    elif not one.titles and _LEFT_HANGING.search(previous) and not _GOES_ON.search(previous):
        yield "hangs on the line before", HANGING * share
    elif previous.endswith(","):
        yield "after a comma", AFTER_COMMA * share
    elif not one.titles:
        yield "inside a sentence", UNFINISHED * share
    if rest[:1].islower():
        yield "goes on in small letters", (SMALL if not one.ended else SMALL_AFTER_STOP) * share
    if rest.endswith((";", ",")):
        yield "ends as an item", LISTED
    if _AMENDMENT.match(rest):
        yield "footnote", NOTE


def _is_heading(rest: str) -> bool:
    """A short sentence with a verb is none."""
    return looks_like_heading(rest) or (
        rest.endswith(".") and looks_like_heading(rest.rstrip(".")) and VERB.search(rest) is None
    )


def _weigh_insertions(candidates: Sequence[NumberCandidate]) -> None:
    """What is led in and does not go on from the number before is of another act, with all that goes on from it."""
    last: Key = ()
    inserted: Key = ()
    for one in candidates:
        key = one.label.key
        goes_on = len(last) == len(key) and step(last, key) == 1
        if (inserted and one.label.rest and step(inserted, key) == 1) or (
            one.is_led_in and key[0][0] != 1 and not goes_on
        ):
            one.reasons.append(("text of another act", OTHER_ACT))
            inserted = key
        else:
            last, inserted = key, ()


def _join_headings(candidates: Sequence[NumberCandidate]) -> None:
    """`1 Introduction` right above `1.1 Dogs are …` is of the form of that."""
    for one, below in pairwise(candidates):
        heads = one.label.style is Style.BARE and one.is_headed and below.label.style is Style.NUMBER
        if heads and below.label.key[:-1] == one.label.key and below.label.key[-1][0] <= 1:
            one.label = replace(one.label, style=Style.NUMBER)
            one.reasons[0] = (Style.NUMBER.value, FORM[Style.NUMBER])


def _weigh_contents(found: Scan, texts: Sequence[str]) -> None:
    """Lines right beside one another, whose numbers and headings come again later, are a table of contents.

    Where nothing but the number is printed before their words, they are rows of a list in any case. Chapters that
    stand amid the table are of it.
    """
    candidates = found.candidates
    later: dict[str, list[str]] = {}  # what stands behind each number
    places = set()
    gone = {one.place for one in candidates if one.label.style is Style.BARE and IS_GONE.match(one.label.rest)}
    for at in range(len(candidates) - 1, -1, -1):
        one = candidates[at]
        neighbours = (candidates[near] for near in (at - 1, at + 1) if 0 <= near < len(candidates))
        beside = not one.label.clause and any(
            abs(near.place - one.place) <= 1 for near in neighbours if near.place not in gone
        )
        words = one.label.rest or one.following
        if beside and one.label.style is Style.BARE and one.place not in gone:
            one.reasons.append(("row of a list", ROW))
        known = later.setdefault(one.label.number, [])
        if beside and known and len(one.label.rest) <= LONGEST_ENTRY and _is_entry(words, known):
            one.reasons.append(("contents", CONTENTS))
            places.add(one.place)
        elif not one.label.clause:
            known.append(words)
            known.extend(texts[title] for title in one.titles)
    amid = {border.place for border in found.borders if {border.place - 1, border.place + 1} <= places}
    found.borders = [border for border in found.borders if border.place not in amid]
    found.quoted |= amid


def _is_entry(text: str, later: Sequence[str]) -> bool:
    """Whether a later text begins with its words, but for the number of a page."""
    words = _WORD.findall(text.casefold())
    entries = [words[:ENTRY_WORDS], *([words[:-1][:ENTRY_WORDS]] if words and words[-1].isdecimal() else [])]
    known = [_WORD.findall(one.casefold())[:ENTRY_WORDS] for one in later]
    return any(one[: len(entry)] == entry for entry in entries if entry for one in known)
