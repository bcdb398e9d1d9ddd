"""What the lines around the number of a section show that may be its heading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple

from law.patterns import regex
from law.structure.lines.headings import HEADING_LENGTH, looks_like_heading, read_division, run_in_heading, tidy
from law.structure.lines.number_keys import Style
from law.structure.lines.numbers import VERB, read_label
from law.structure.lines.repealed import numbers_repealed
from law.structure.lines.word_numbers import IS_REPEALED
from law.structure.numbering.candidates import (
    NumberCandidate,
    heads_sentence,
    is_margin_note,
    is_title,
    run_in_of_code,
    without_amendments,
)

_NOTE_BEFORE = regex(r"^(?:\[[^\]]{1,80}\]\s*){1,3}(?=\w)")  # `[16 U.S.C. 7102] DEFINITIONS`
_BRACKETED = regex(r"\[[A-Z][a-z]+\]$")  # `[Reserved]`
_IN_BRACKETS = regex(r"\((?P<heading>[A-Z][^()\d]{1,100})\)\s*")  # as some acts print it
_FULL_STOP = regex(r"(?<!etc)\.\d{0,2}$")  # with the mark of a footnote: `DEFINITIONS.2`
_OF_CODE = regex(r"\d+[A-Z]?[.\d]*-|\d{3,4}[A-Z]?\.")  # 28-303, 940.01
MAX_LENGTH = 400  # characters


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


def shown_headings(one: NumberCandidate, texts: Sequence[str], *, has_text: bool) -> dict[HeadingPlace, SectionHeading]:
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
    is_named = one.label.style is Style.WORD and IS_REPEALED.match(rest) is None
    bracketed = _IN_BRACKETS.match(rest) if is_named else None
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
    if may_be and len(rest) < MAX_LENGTH and (is_title(rest) or is_noun):
        return SectionHeading(tidy(rest.rstrip(".")), is_sentence=_is_sentence(rest))
    if may_be and len(rest) < MAX_LENGTH and rest[-1] not in ".;:,–—-":
        in_small_capitals = one.label.style is Style.WORD and len(rest) <= HEADING_LENGTH
        return SectionHeading(tidy(rest), is_odd=not in_small_capitals)
    return None


def _below(below: str) -> SectionHeading:
    if bracketed := _IN_BRACKETS.fullmatch(below):
        return SectionHeading(bracketed["heading"], is_below=True)
    may_be = below[:1].isalpha() and below[-1] not in ";:,–—-" and len(below) < MAX_LENGTH and read_label(below) is None
    return (
        SectionHeading(tidy(below).rstrip("."), 0, True, _is_sentence(below), not is_title(below)) if may_be else NONE
    )


def _above_number(one: NumberCandidate, texts: Sequence[str], inline: SectionHeading) -> SectionHeading:
    own = without_notes(one.titles, texts)
    own = own[1:] if one.entitles and len(own) > 1 else own
    if sentences := [at for at, title in enumerate(own[:-1], 1) if _ends_above(texts[title])]:
        own = own[sentences[-1] :]  # what ends in a full stop above a heading is text
    titles = own[-1:] if own and _IN_BRACKETS.fullmatch(texts[own[-1]]) else own
    is_upper = bool(titles) and texts[titles[-1]].isupper()  # what is not so like the last heads several sections
    joined = " ".join(texts[title] for title in titles if texts[title].isupper() == is_upper)
    has_own = inline.text and inline.is_sure and VERB.search(inline.text) is None  # then it is over several sections
    if not joined or has_own or not (one.ended or _begins_heading(joined)):
        return NONE
    is_odd = not one.ended or (one.entitles and len(one.titles) == 1)
    return SectionHeading(
        heading_above(joined), height_of(one, titles[0]), is_sentence=_is_sentence(joined), is_odd=is_odd
    )


def _begins_heading(text: str) -> bool:
    """Whether it begins with no small letter. Some languages have none."""
    first = text.lstrip("(")[:1]
    return first.isupper() or (first.isalpha() and not first.islower())


def without_notes(titles: Sequence[int], texts: Sequence[str]) -> list[int]:
    return [title for title in titles if not is_margin_note(texts[title])]


def height_of(one: NumberCandidate, title: int) -> int:
    """How many lines there are from a title to the number."""
    return len(one.titles) - one.titles.index(title)


def _ends_above(text: str) -> bool:
    """Whether what heads a section begins below the line: a sentence, or numbers that are repealed."""
    return text.endswith(".") or bool(numbers_repealed(text))


def _in_margin(rest: str) -> str:
    """The note that follows the text of a line, or ''."""
    found = _MARGIN.match(rest)
    return found["heading"] if found and VERB.search(found["text"]) and _is_margin(found["heading"]) else ""


def _is_margin(text: str) -> bool:
    return _WORDS_ONLY.fullmatch(text) is not None and VERB.search(text) is None


def heading_above(text: str) -> str:
    bracketed = _IN_BRACKETS.fullmatch(text)
    return tidy(without_amendments(bracketed["heading"] if bracketed else text)).rstrip(".")


def _is_sentence(text: str) -> bool:
    return _FULL_STOP.search(text) is not None
