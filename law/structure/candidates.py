"""The lines of a document that may begin a section, with what speaks for each and against it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from law.languages import LANGUAGES
from law.languages.scripts import either, language_of
from law.structure.clauses import FIRST
from law.structure.contents import find_contents
from law.structure.day_marks import is_mark
from law.structure.headings import Division, looks_like_heading, read_division, run_in_heading
from law.structure.lines import Line
from law.structure.numbers import Label, Style, read_label

MOST_TITLES = 3  # lines that head one section
LONGEST_ENTRY = 200  # characters of a line of a table of contents
_QUOTE_LINES = 120  # a quotation that never closes is a misprint

_WORDS = [language.statutes for language in LANGUAGES]
_INSERTS = re.compile(rf"{either(words.inserts for words in _WORDS)}\s*[:–—-]+$", re.I)
_QUOTE_OPENS = re.compile(r"[\"”“״„]")
_QUOTE_CLOSES = re.compile(r"[\"”“״][.;,]?$")
# The number belongs to the sentence of the line before.
_LEFT_HANGING = re.compile(f"{either(words.hanging for words in _WORDS)}$", re.I)
_ENDED = re.compile(r"[.!?\]][\"'”“״)\]]*$")
_AMENDMENT = re.compile(either(words.footnote for words in _WORDS))
_WORD = re.compile(r"\w+")
_CLAUSE = re.compile(r"[—–-]{0,2}\s*\(")
_FIRST_CLAUSE = re.compile(rf"\.?\({either(FIRST)}\)", re.IGNORECASE)

# What speaks for a candidate, in points. A section with nothing but its number has the points of its form.
FORM = {Style.WORD: 1.2, Style.NUMBER: 1.0, Style.SQUARE: 1.0, Style.BARE: 0.5, Style.BRACKET: 0.5}
HEADED, TITLED, CLAUSED, ALONE, ENDED = 1.0, 0.6, 0.6, 0.6, 0.4
UNFINISHED, AFTER_COMMA, HANGING, SMALL, SMALL_AFTER_STOP = -1.2, -2.0, -4.0, -2.5, -1.0
LISTED, NOTE, CONTENTS, LATER_CLAUSE, ROW, RUNNING = -0.8, -4.0, -4.0, -1.0, -2.0, -1.0


@dataclass(slots=True)
class Candidate:
    """A line whose number may be a section's. `place` counts the lines, `titles` are those right above it."""

    place: int
    label: Label
    titles: list[int]
    following: str
    ended: bool  # the text before it and its titles is finished
    reasons: list[tuple[str, float]] = field(default_factory=list)

    @property
    def weight(self) -> float:
        return sum(points for _, points in self.reasons)

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
    division: Division


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

    candidates: list[Candidate] = field(default_factory=list)
    borders: list[Border] = field(default_factory=list)
    quoted: set[int] = field(default_factory=set)  # places of quoted amendments and tables of contents


def scan(lines: Sequence[Line], *, statutory: bool) -> Scan:
    """Every line that may begin a section, a chapter or a schedule."""
    texts = [line.text.strip() for line in lines]
    found, contents, quotation = Scan(), find_contents(texts), Quotation()
    titles: list[int] = []
    titled = False
    previous = ""  # the text before the titles
    for place, line in enumerate(lines):
        text = texts[place]
        following = texts[place + 1] if place + 1 < len(texts) else ""
        if not line.opens or not text or line.is_data:
            if text:
                previous, titles = text, []
            continue
        if place in contents or quotation.holds(text, previous if not titles else texts[titles[-1]]):
            found.quoted.add(place)
            previous, titles = "" if place in contents else text, []
        elif (division := read_division(text)) is not None:
            found.borders.append(Border(place, division))
            previous, titles = "", []
        elif (label := read_label(text)) is not None and _may_be(label, statutory=statutory):
            before = texts[titles[-1]] if titles and texts[titles[-1]].endswith(".") else previous
            one = _candidate(place, label, titles, following, before)
            last = found.candidates[-1].label if found.candidates else None
            if label.clause and last is not None and (last.key, last.prefix) == (label.key, label.prefix):
                one.reasons.append(("a clause of the number before", LATER_CLAUSE))
            found.candidates.append(one)
            previous, titles = "" if looks_like_heading(label.rest) else label.rest, []
        elif is_title(text) and not is_mark(text):
            titles = [*titles[1 - MOST_TITLES :], place] if titles else [place] if titled else []
            titled = True  # what the document begins with is its own title
        else:
            previous, titles = text, []
    _weigh_contents(found.candidates, texts)
    return found


def is_title(text: str) -> bool:
    """May the line head what comes? In some languages headings end in a full stop (`StatuteWords.verbs`)."""
    if looks_like_heading(text):
        return True
    sentence = text.endswith(".") and ". " not in text and looks_like_heading(text[:-1])
    return sentence and bool(language_of(text).statutes.verbs)


def _may_be(label: Label, *, statutory: bool) -> bool:
    if statutory:
        return label.style is not Style.BRACKET
    return label.style is not Style.WORD and not label.behind


def _candidate(place: int, label: Label, titles: Sequence[int], following: str, previous: str) -> Candidate:
    # Whoever enacts a law ends with a colon.
    ended = not previous or _ENDED.search(previous) is not None or (label.key[0][0] == 1 and previous.endswith(":"))
    one = Candidate(place, label, list(titles), following, ended)
    one.reasons.extend(_reasons(one, previous))
    return one


def _reasons(one: Candidate, previous: str) -> Iterator[tuple[str, float]]:
    label, rest = one.label, one.label.rest
    yield label.style.value, FORM[label.style]
    if label.heading or looks_like_heading(rest.rstrip(".")) or run_in_heading(rest):
        yield "heading", HEADED
    elif _CLAUSE.match(rest):
        yield "clause", CLAUSED
    elif not rest:
        yield "alone", ALONE
    elif label.style is Style.BARE:
        yield "running text", RUNNING
    if label.above:
        yield "divisions in the number", HEADED
    if label.clause and not _FIRST_CLAUSE.match(label.clause):
        yield "a later clause", LATER_CLAUSE
    if one.titles and one.ended:
        yield "titles above", TITLED
    # A word before the number, as in `SEC. 5.`, is seldom text.
    share = 0.3 if label.style is Style.WORD else 1.0
    if one.ended:
        yield "after a full stop", ENDED
    elif _LEFT_HANGING.search(previous):
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


def _weigh_contents(candidates: Sequence[Candidate], texts: Sequence[str]) -> None:
    """Lines right beside one another, whose numbers and headings come again later, are a table of contents.

    Where nothing but the number is printed before their words, they are rows of a list in any case.
    """
    later: set[str] = set()
    for at in range(len(candidates) - 1, -1, -1):
        one = candidates[at]
        neighbours = (candidates[near] for near in (at - 1, at + 1) if 0 <= near < len(candidates))
        beside = not one.label.clause and any(abs(near.place - one.place) <= 1 for near in neighbours)
        if beside and one.label.style is Style.BARE:
            one.reasons.append(("row of a list", ROW))
        if beside and len(one.label.rest) <= LONGEST_ENTRY and _entry(one, one.label.rest or one.following) in later:
            one.reasons.append(("contents", CONTENTS))
        elif not one.label.clause:
            later.add(_entry(one, one.label.rest or one.following))
            later.update(_entry(one, texts[title]) for title in one.titles)


def _entry(one: Candidate, words: str) -> str:
    return " ".join([one.label.number, *_WORD.findall(words)[:4]]).casefold()
