"""Where a document prints the headings of its sections: those of one level in one place, which most of them show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from law.patterns import regex
from law.structure.lines.gone import numbers_gone
from law.structure.lines.headings import (
    HEADING_LENGTH,
    HeadingDivision,
    looks_like_heading,
    read_division,
    run_in_heading,
    tidy,
)
from law.structure.lines.numbers import VERB, begins_sentence, read_label
from law.structure.lines.section_number import Style
from law.structure.numbering.candidates import (
    NumberCandidate,
    heads_sentence,
    is_title,
    run_in_of_code,
    without_amendments,
)

_NOTE_BEFORE = regex(r"(?:\[[^\]]{1,80}\]\s*){1,3}(?=\w)")  # `[16 U.S.C. 7102] DEFINITIONS`
_BRACKETED = regex(r"\[[A-Z][a-z]+\]$")  # `[Reserved]`
_IN_BRACKETS = regex(r"\((?P<heading>[A-Z][^()\d]{1,100})\)\s*")  # as acts of Japan and Korea print it
_FULL_STOP = regex(r"(?<!etc)\.\d{0,2}$")  # with the mark of a footnote: `DEFINITIONS.2`
_OF_CODE = regex(r"\d+[A-Z]?[.\d]*-|\d{3,4}[A-Z]?\.")  # in the United States: 28-303, 940.01
_VERBS = 0.4  # the share of them with a verb, from which on they are text
LONGEST = 400  # characters
_SEEN = 0.2  # the share of sections that show a heading in one place, up to which it is the place of no heading
_SENTENCES = 0.2  # the share of headings that end in a full stop, from which on such a line may be one


# `The Minister may make rules. [As amended by No. 5 of 1996] Rules`
_MARGIN = regex(
    r"(?P<text>.{20,}?(?:[.;:,]|(?<=\w)[–—-]))(?: \[[^\]\n]{1,80}\])? (?P<heading>[A-Z][^.;:,\[\]()]{2,70})\.?$"
)


_WORDS_ONLY = regex(r"[A-Z][A-Za-z ,’'()-]{3,80}\.?")


class HeadingPlace(Enum):
    """Where the heading of a section is printed, in the order in which one place is believed before another."""

    INLINE = "behind its number"
    RUN_IN = "before its text, on the same line"
    BELOW = "on the line below its number"
    ABOVE = "on the line above its number"
    BEHIND = "at the end of its first line, where the margin was drawn into it"
    BESIDE = "below its first line, where the margin was"


class SectionHeading(NamedTuple):
    """`titles` are the lines above the number that it is printed on. `is_below` says that it is the line below.

    `is_sentence` says that it ends in a full stop, so that it may be text. `is_odd` says that it is long, unfinished or
    in small letters: only where others stand it is one.
    """

    text: str = ""
    titles: int = 0
    is_below: bool = False
    is_sentence: bool = False
    is_odd: bool = False

    @property
    def is_sure(self) -> bool:
        return not (self.is_sentence or self.is_odd)


NONE = SectionHeading()
Shown = Mapping[HeadingPlace, SectionHeading]


def headings_of(
    members: Iterable[NumberCandidate], texts: Sequence[str], borders: Mapping[int, HeadingDivision]
) -> dict[int, SectionHeading]:
    """The heading of each section, by the place of its line. `borders` are the chapters by their places."""
    members = list(members)
    heads_document = _heads_document(members)
    levels: dict[tuple[int, bool], list[tuple[NumberCandidate, Shown]]] = {}
    annex = min((place for place, division in borders.items() if division.annex), default=len(texts))
    for one, after in pairwise([*members, None]):
        if one is not None and not one.label.heading:
            shown = _shown(one, texts, has_text=_has_text(one, after, texts, borders))
            if one is heads_document:
                shown.pop(HeadingPlace.ABOVE, None)
            levels.setdefault((len(one.label.key), one.place > annex), []).append((one, shown))
    found = {one.place: SectionHeading(_above(one.label.heading)) for one in members if one.label.heading}
    found |= {place: heading for level in levels.values() for place, heading in _of_level(level, texts)}
    headed = sum(bool(heading.text) for heading in found.values())
    if 2 * headed >= len(found):
        return found
    # Where most sections have no heading, `3.1. The Minister may require` is none.
    return {place: NONE if begins_sentence(heading.text) else heading for place, heading in found.items()}


def _heads_document(members: Sequence[NumberCandidate]) -> NumberCandidate | None:
    """The first section, where it alone has titles above it: they are those of the document."""
    return members[0] if len(members) > 2 and not any(one.titles for one in members[1:]) else None


def _has_text(
    one: NumberCandidate, after: NumberCandidate | None, texts: Sequence[str], borders: Collection[int]
) -> bool:
    """Whether something stands below the line of a section before the next begins, or a heading of that."""
    below = one.place + 1
    if below >= len(texts) or below in borders:
        return False
    return after is None or (below != after.place and (below not in after.titles or texts[below].endswith(".")))


def _of_level(
    level: Sequence[tuple[NumberCandidate, Shown]], texts: Sequence[str]
) -> Iterable[tuple[int, SectionHeading]]:
    seen = _Seen(level)
    for one, shown in level:
        heading = seen.heading({place: shown[place] for place in shown if place not in seen.text_there})
        if heading.titles > 1 and seen.has_one_line_above:
            heading = SectionHeading(_above(texts[one.titles[-1]]), 1)
        yield one.place, heading


class _Seen:
    """Where the sections of one level show their headings, and what of it is text."""

    def __init__(self, level: Sequence[tuple[NumberCandidate, Shown]]) -> None:
        self._counts: Counter[HeadingPlace] = Counter()
        self._sentences: Counter[HeadingPlace] = Counter()
        self._verbs: Counter[HeadingPlace] = Counter()
        for one, shown in level:
            for place, heading in shown.items():
                if not (place is HeadingPlace.ABOVE and one.entitles and len(one.titles) == 1):  # that of the chapter
                    self._count(place, heading)
        self.text_there = {
            place
            for place in (HeadingPlace.BELOW, HeadingPlace.RUN_IN)
            if self._verbs[place] > _VERBS * sum(place in shown for _, shown in level)
        }
        heights = Counter(shown[HeadingPlace.ABOVE].titles for _, shown in level if HeadingPlace.ABOVE in shown)
        self.has_one_line_above = heights[1] * 2 >= heights.total()
        self._find_usual([shown for _, shown in level])

    def _count(self, place: HeadingPlace, heading: SectionHeading) -> None:
        is_text = VERB.search(heading.text) is not None
        has_verb = is_text and (heading.is_sentence or place is HeadingPlace.BELOW)
        self._counts[place] += 0 if has_verb else 2 - (heading.is_sentence or heading.is_odd)
        self._sentences[place] += heading.is_sentence
        self._verbs[place] += is_text if place is HeadingPlace.RUN_IN else has_verb

    def _find_usual(self, level: Sequence[Shown]) -> None:
        order = list(HeadingPlace)
        counts = {
            place: count
            for place, count in self._counts.items()
            if count > _SEEN * 2 * len(level) and place not in self.text_there
        }
        usual = min(counts, key=lambda place: (-counts[place], order.index(place)), default=None)
        shown = [one[usual] for one in level if usual in one] if usual else []
        self._usual = usual
        self._is_rare = usual is None or counts[usual] < len(level)
        self._is_strict = (
            usual is None
            or self._sentences[usual] < _SENTENCES * len(shown)
            or self._verbs[usual] > _VERBS * len(shown)
        )
        self._is_sure = usual is not None and 2 * sum(not one.is_odd for one in shown) >= len(shown)

    def heading(self, shown: Shown) -> SectionHeading:
        """The heading of a section that shows these."""
        heading = shown.get(self._usual, NONE) if self._usual else NONE
        inline = shown.get(HeadingPlace.INLINE, NONE)
        if heading is NONE and self._usual is HeadingPlace.RUN_IN and _is_noun(inline.text):
            return inline  # its text stands on lines of its own
        is_text = heading.is_sentence and (self._is_strict or _is_text_below(heading))
        if heading is NONE or is_text or (heading.is_odd and not self._is_sure):
            return _otherwise(shown, rare=self._is_rare)
        return heading


def _is_text_below(heading: SectionHeading) -> bool:
    return heading.is_below and VERB.search(heading.text) is not None


def _is_noun(text: str) -> bool:
    return bool(text) and VERB.search(text) is None


def _otherwise(shown: Shown, *, rare: bool) -> SectionHeading:
    """The heading of a section that shows none in the usual place."""
    places = [HeadingPlace.INLINE, HeadingPlace.RUN_IN, *([HeadingPlace.BELOW, HeadingPlace.ABOVE] if rare else [])]
    found = next((shown[place] for place in places if place in shown and shown[place].is_sure), NONE)
    is_sentence = found is shown.get(HeadingPlace.RUN_IN) and VERB.search(found.text) is not None
    return NONE if is_sentence else found


def _shown(one: NumberCandidate, texts: Sequence[str], *, has_text: bool) -> dict[HeadingPlace, SectionHeading]:
    """What of a section may be its heading, in each place where there is something."""
    rest = _NOTE_BEFORE.sub("", one.label.rest, count=1)
    margin = _in_margin(rest)
    on_line = _on_its_line(one, rest, has_text=has_text, may_be=not margin)
    found = {
        HeadingPlace.BEHIND: SectionHeading(margin) if margin else NONE,
        HeadingPlace.BESIDE: _beside(one.following) if rest else NONE,
        HeadingPlace.RUN_IN: _bracketed(one, rest),
        **on_line,
        HeadingPlace.BELOW: NONE if rest else _below(one.following),
        HeadingPlace.ABOVE: _above_number(one, texts, on_line.get(HeadingPlace.INLINE, NONE)),
    }
    return {place: heading for place, heading in found.items() if heading is not NONE}


def _beside(beside: str) -> SectionHeading:
    is_margin = bool(beside) and _is_margin(beside) and not (read_division(beside) or read_label(beside))
    return SectionHeading(tidy(beside).rstrip("."), is_sentence=_is_sentence(beside)) if is_margin else NONE


def _bracketed(one: NumberCandidate, rest: str) -> SectionHeading:
    bracketed = _IN_BRACKETS.match(rest) if one.label.style is Style.WORD else None
    return SectionHeading(bracketed["heading"]) if bracketed else NONE


def _on_its_line(
    one: NumberCandidate, rest: str, *, has_text: bool, may_be: bool
) -> dict[HeadingPlace, SectionHeading]:
    """The heading behind the number, or the one before the text there."""
    may_be = may_be and (rest[:1] not in ("", "[", "(") or _BRACKETED.match(rest) is not None)
    is_named = one.label.style is Style.WORD or _OF_CODE.match(one.label.number) is not None
    is_heading = may_be and looks_like_heading(rest)
    if (not is_heading or "." in rest) and (heading := run_in_heading(rest)):
        return {HeadingPlace.RUN_IN: SectionHeading(heading)}
    if not (is_named and heads_sentence(rest)) and (inline := _inline(one, rest, may_be and has_text, is_heading)):
        return {HeadingPlace.INLINE: inline}
    run_in = run_in_of_code(rest) if is_named else ""
    return {HeadingPlace.RUN_IN: SectionHeading(tidy(run_in))} if run_in else {}


def _inline(one: NumberCandidate, rest: str, may_be: bool, is_heading: bool) -> SectionHeading | None:
    if is_heading:
        return SectionHeading(tidy(rest), is_sentence=_is_sentence(rest))
    is_noun = rest.endswith(".") and ". " not in rest and VERB.search(rest) is None
    if may_be and len(rest) < LONGEST and (is_title(rest) or is_noun):
        return SectionHeading(tidy(rest.rstrip(".")), is_sentence=_is_sentence(rest))
    if may_be and len(rest) < LONGEST and rest[-1] not in ".;:,–—-":
        in_small_capitals = one.label.style is Style.WORD and len(rest) <= HEADING_LENGTH
        return SectionHeading(tidy(rest), is_odd=not in_small_capitals)
    return None


def _below(below: str) -> SectionHeading:
    may_be = below[:1].isalpha() and below[-1] not in ";:,–—-" and len(below) < LONGEST and read_label(below) is None
    return (
        SectionHeading(tidy(below).rstrip("."), 0, True, _is_sentence(below), not is_title(below)) if may_be else NONE
    )


def _above_number(one: NumberCandidate, texts: Sequence[str], inline: SectionHeading) -> SectionHeading:
    own = one.titles[1:] if one.entitles and len(one.titles) > 1 else one.titles
    if sentences := [at for at, title in enumerate(own[:-1], 1) if _ends_above(texts[title])]:
        own = own[sentences[-1] :]  # what ends in a full stop above a heading is text
    titles = own[-1:] if own and _IN_BRACKETS.fullmatch(texts[own[-1]]) else own
    joined = " ".join(texts[title] for title in titles)
    has_own = inline.text and inline.is_sure and VERB.search(inline.text) is None  # then it is over several sections
    if not joined or has_own or not (one.ended or joined.lstrip("(")[:1].isupper()):
        return NONE
    is_odd = not one.ended or (one.entitles and len(one.titles) == 1)
    return SectionHeading(_above(joined), len(titles), is_sentence=_is_sentence(joined), is_odd=is_odd)


def _ends_above(text: str) -> bool:
    """Whether what heads a section begins below the line: a sentence, or numbers that are repealed."""
    return text.endswith(".") or bool(numbers_gone(text))


def _in_margin(rest: str) -> str:
    """The note that follows the text of a line, or ''."""
    found = _MARGIN.match(rest)
    return found["heading"] if found and VERB.search(found["text"]) and _is_margin(found["heading"]) else ""


def _is_margin(text: str) -> bool:
    return _WORDS_ONLY.fullmatch(text) is not None and VERB.search(text) is None


def _above(text: str) -> str:
    bracketed = _IN_BRACKETS.fullmatch(text)
    return tidy(without_amendments(bracketed["heading"] if bracketed else text)).rstrip(".")


def _is_sentence(text: str) -> bool:
    return _FULL_STOP.search(text) is not None
