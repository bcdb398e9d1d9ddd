"""Where a document prints the headings of its sections: those of one level in one place, which most of them show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.structure.lines.headings import (
    HEADING_LENGTH,
    HeadingDivision,
    looks_like_heading,
    read_division,
    run_in_heading,
    tidy,
)
from law.structure.lines.numbers import VERB, Style, read_label
from law.structure.numbering.candidates import NumberCandidate, is_title, run_in_of_code, without_amendments

_NOTE_BEFORE = regex(r"(?:\[[^\]]{1,80}\]\s*){1,3}(?=\w)")  # `[16 U.S.C. 7102] DEFINITIONS`
_BRACKETED = regex(r"\[[A-Z][a-z]+\]$")  # `[Reserved]`
_IN_BRACKETS = regex(r"\((?P<heading>[A-Z][^()\d]{1,100})\)\s*")  # as acts of Japan and Korea print it
_FULL_STOP = regex(r"(?<!etc)\.\d{0,2}$")  # with the mark of a footnote: `DEFINITIONS.2`
_OF_CODE = regex(r"\d+[A-Z]?[.\d]*-|\d{3,4}[A-Z]?\.")  # in the United States: 28-303, 940.01
_STARTS_SENTENCE = regex(rf"{either(language.statutes.sentence_start for language in LANGUAGES)}\s")
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


def headings_of(
    members: Iterable[NumberCandidate], texts: Sequence[str], borders: Mapping[int, HeadingDivision]
) -> dict[int, SectionHeading]:
    """The heading of each section, by the place of its line. `borders` are the chapters by their places."""
    members = list(members)
    heads_document = _heads_document(members)
    levels: dict[tuple[int, bool], list[tuple[NumberCandidate, dict[HeadingPlace, SectionHeading]]]] = {}
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
    return {place: NONE if _begins_sentence(heading.text) else heading for place, heading in found.items()}


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
    level: Sequence[tuple[NumberCandidate, Mapping[HeadingPlace, SectionHeading]]], texts: Sequence[str]
) -> Iterable[tuple[int, SectionHeading]]:
    counts: Counter[HeadingPlace] = Counter()
    sentences: Counter[HeadingPlace] = Counter()
    verbs: Counter[HeadingPlace] = Counter()
    for one, shown in level:
        for place, heading in shown.items():
            if place is HeadingPlace.ABOVE and one.entitles and len(one.titles) == 1:
                continue  # the title of the chapter
            is_text = VERB.search(heading.text) is not None
            has_verb = is_text and (heading.is_sentence or place is HeadingPlace.BELOW)
            counts[place] += 0 if has_verb else 2 - (heading.is_sentence or heading.is_odd)
            sentences[place] += heading.is_sentence
            verbs[place] += is_text if place is HeadingPlace.RUN_IN else has_verb
    texts_there = {
        place
        for place in (HeadingPlace.BELOW, HeadingPlace.RUN_IN)
        if verbs[place] > _VERBS * sum(place in shown for _, shown in level)
    }
    level = [(one, {place: shown[place] for place in shown if place not in texts_there}) for one, shown in level]
    counts = Counter({place: count for place, count in counts.items() if count > _SEEN * 2 * len(level)})
    usual = min(counts, key=lambda place: (-counts[place], list(HeadingPlace).index(place)), default=None)
    rare = usual is None or counts[usual] < len(level)
    there = sum(usual in shown for _, shown in level)
    strict = usual is None or sentences[usual] < _SENTENCES * there or verbs[usual] > _VERBS * there
    sure = 2 * sum(usual in shown and not shown[usual].is_odd for _, shown in level) >= there if usual else False
    heights = Counter(shown[HeadingPlace.ABOVE].titles for _, shown in level if HeadingPlace.ABOVE in shown)
    one_line = heights[1] * 2 >= heights.total()
    for one, shown in level:
        heading = shown.get(usual, NONE) if usual else NONE
        if heading is NONE and usual is HeadingPlace.RUN_IN and _is_noun(shown.get(HeadingPlace.INLINE, NONE).text):
            heading = shown[HeadingPlace.INLINE]  # its text stands on lines of its own
        elif (
            heading is NONE
            or ((strict or _is_text_below(heading)) and heading.is_sentence)
            or (heading.is_odd and not sure)
        ):
            heading = _otherwise(shown, rare=rare)
        if heading.titles > 1 and one_line:
            heading = SectionHeading(_above(texts[one.titles[-1]]), 1)
        yield one.place, heading


def _is_text_below(heading: SectionHeading) -> bool:
    return heading.is_below and VERB.search(heading.text) is not None


def _begins_sentence(text: str) -> bool:
    """Where most sections have no heading, `3.1. The Minister may require` is none."""
    return _STARTS_SENTENCE.match(text) is not None and VERB.search(text) is not None


def _is_noun(text: str) -> bool:
    return bool(text) and VERB.search(text) is None


def _otherwise(shown: Mapping[HeadingPlace, SectionHeading], *, rare: bool) -> SectionHeading:
    """The heading of a section that shows none in the usual place."""
    places = [HeadingPlace.INLINE, HeadingPlace.RUN_IN, *([HeadingPlace.BELOW, HeadingPlace.ABOVE] if rare else [])]
    found = next((shown[place] for place in places if place in shown and shown[place].is_sure), NONE)
    is_sentence = found is shown.get(HeadingPlace.RUN_IN) and VERB.search(found.text) is not None
    return NONE if is_sentence else found


def _shown(one: NumberCandidate, texts: Sequence[str], *, has_text: bool) -> dict[HeadingPlace, SectionHeading]:
    """What of a section may be its heading, in each place where there is something."""
    found = {}
    rest = _NOTE_BEFORE.sub("", one.label.rest, count=1)
    may_be = rest[:1] not in ("", "[", "(") or _BRACKETED.match(rest) is not None
    if margin := _in_margin(rest):
        found[HeadingPlace.BEHIND] = SectionHeading(margin)
        may_be = False
    if rest and (beside := one.following) and _is_margin(beside) and not (read_division(beside) or read_label(beside)):
        found[HeadingPlace.BESIDE] = SectionHeading(tidy(beside).rstrip("."), is_sentence=_is_sentence(beside))
    if one.label.style is Style.WORD and (bracketed := _IN_BRACKETS.match(rest)):
        found[HeadingPlace.RUN_IN] = SectionHeading(bracketed["heading"])
    is_heading = may_be and looks_like_heading(rest)
    if (not is_heading or "." in rest) and (heading := run_in_heading(rest)):
        found[HeadingPlace.RUN_IN] = SectionHeading(heading)
    elif is_heading:
        found[HeadingPlace.INLINE] = SectionHeading(tidy(rest), is_sentence=_is_sentence(rest))
    elif may_be and has_text and is_title(rest):
        found[HeadingPlace.INLINE] = SectionHeading(tidy(rest.rstrip(".")), is_sentence=_is_sentence(rest))
    elif may_be and has_text and len(rest) < LONGEST and rest[-1] not in ".;:,–—-":
        in_small_capitals = one.label.style is Style.WORD and len(rest) <= HEADING_LENGTH
        found[HeadingPlace.INLINE] = SectionHeading(tidy(rest), is_odd=not in_small_capitals)
    elif (run_in := run_in_of_code(rest)) and (one.label.style is Style.WORD or _OF_CODE.match(one.label.number)):
        found[HeadingPlace.RUN_IN] = SectionHeading(tidy(run_in))
    below = one.following if not rest and one.following[:1].isalpha() else ""
    if below and below[-1] not in ";:,–—-" and len(below) < LONGEST and read_label(below) is None:
        found[HeadingPlace.BELOW] = SectionHeading(
            tidy(below).rstrip("."), 0, True, _is_sentence(below), not is_title(below)
        )
    own = one.titles[1:] if one.entitles and len(one.titles) > 1 else one.titles
    if sentences := [at for at, title in enumerate(own[:-1], 1) if texts[title].endswith(".")]:
        own = own[sentences[-1] :]  # what ends in a full stop above a heading is text
    titles = own[-1:] if own and _IN_BRACKETS.fullmatch(texts[own[-1]]) else own
    joined = " ".join(texts[title] for title in titles)
    has_own = (
        (inline := found.get(HeadingPlace.INLINE, NONE)).text and inline.is_sure and VERB.search(inline.text) is None
    )  # then what stands above is over several sections
    if joined and not has_own and (one.ended or joined.lstrip("(")[:1].isupper()):
        found[HeadingPlace.ABOVE] = SectionHeading(
            _above(joined),
            len(titles),
            is_sentence=_is_sentence(joined),
            is_odd=not one.ended or (one.entitles and len(one.titles) == 1),
        )
    return found


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
