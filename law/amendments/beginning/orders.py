"""Days that an amending act leaves to an order, and the order fixes: `fixes 1 May 2026 as the day on which …`."""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, islice
from operator import attrgetter

from law.amendments.beginning.commencement import (
    LABELS_ALONE,
    MAX_LINE_LENGTH,
    MAX_STATEMENTS,
    Commencement,
    breadth,
    with_list,
)
from law.amendments.beginning.provisions_named import ProvisionsNamed, read_provisions
from law.amendments.instructions import Instruction, folded, is_named
from law.languages import Language
from law.languages.dates import find_dates
from law.languages.scripts import main_language
from law.patterns import regex
from law.words.series import find_series, series_keys

MAX_ORDERS = 50  # about one amending act
MAX_LINES_ABOVE = 60  # in which the act is looked for that `that Act` means
MAX_LEAD_LENGTH = 300  # characters before the name of an act that may be of a longer name
_YEAR = regex(r"\b\d{4}\b")
_ITEM_ENDS = regex(r"[;.](?: \w{1,4})?\s*$")


@dataclass(frozen=True, slots=True)
class FixedDay:
    """`words` are those of the order."""

    day: dt.date
    words: str


def days_fixed(
    instructions: Iterable[Instruction], *, orders: Iterable[str], titles: Sequence[str]
) -> dict[str, FixedDay]:
    """The days that texts of orders fix for instructions whose day is open, by provision of the amending act.

    `titles` are names of the amending act, and its number (`S.C. 2021, c. 1`). What an order says of another act is
    left alone, and so is a provision for which two say different days. So is a sentence that is not understood whole:
    one with a condition, a purpose, a region or a second day fixes nothing. At most MAX_ORDERS are read.
    """
    fixed = [one for text in islice(orders, MAX_ORDERS) for one in islice(_of_order(text, titles), MAX_STATEMENTS)]
    fixed.sort(key=breadth)
    found = {}
    for one in instructions:
        if one.day is None and one.provision and (day := _fixed_for(one, fixed)):
            found[one.provision] = day
    return found


def days_of(fixed: Mapping[str, FixedDay]) -> dict[str, dt.date]:
    """The days alone, as `instructions_of` takes them."""
    return {provision: one.day for provision, one in fixed.items()}


def _fixed_for(instruction: Instruction, fixed: Iterable[Commencement]) -> FixedDay | None:
    told = [FixedDay(one.day, one.words) for one in fixed if one.day and one.covers(instruction)]
    return told[-1] if len({one.day for one in told}) == 1 else None


def _of_order(text: str, titles: Sequence[str]) -> Iterator[Commencement]:
    """What an order fixes of the act of these titles."""
    language = main_language(text)
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    named = _acts_named(text, titles, language)
    for at in range(len(lines)):
        said = _sentence(lines, at, language)
        rows = (*language.amending.fixes, *language.amending.commences)
        if match := next((match for one in rows if (match := re.match(one, said))), None):
            first = max(0, at - MAX_LINES_ABOVE)
            is_meant = next((one.is_own for one in reversed(named) if starts[first] < one.end <= starts[at]), False)
            yield from _fixed(match, language, titles, "\n".join(lines[first:at]), is_meant=is_meant)


def _fixed(
    match: re.Match[str], language: Language, titles: Sequence[str], above: str, *, is_meant: bool
) -> Iterator[Commencement]:
    """What a sentence fixes, nothing where a part of it is not understood.

    `above` are the lines before it, and `is_meant` says whether the act that they name last is that of these titles.
    """
    of = match.groupdict()
    what, *excepted = re.split(language.amending.excepts, f"{of['what']}{of.get('behind') or ''}", maxsplit=1)
    day = _day_alone(of["when"], language, above)
    named = read_provisions(what.strip(" ,"), language)
    left_out = read_provisions(" and ".join(excepted).strip(" ,()"), language)
    if day is None or named.unread or left_out.unread or bool(excepted) != bool(left_out):
        return
    here = _acts_named(match.string[: match.start("what")], titles, language)
    is_meant = here[-1].is_own if here else is_meant
    is_that = re.fullmatch(language.amending.pattern("act_meant"), named.act) is not None
    if not (is_meant if is_that else any(is_named(title, named.act) for title in titles)):
        return
    if _is_doubted(of.get("before") or "", titles, language):
        return
    if named:
        for one in (ProvisionsNamed(parts=named.parts), ProvisionsNamed(named.places)):
            if one:
                yield Commencement(match.string, day, named=one, excepted=left_out)
    elif named.is_whole_act:
        yield Commencement(match.string, day, "act", excepted=left_out)


def _day_alone(when: str, language: Language, above: str) -> dt.date | None:
    """The day that words give if they say nothing else: `on or after 1 May` and `1 May, except …` do.

    That of the order itself stands in its head, `above`: `the day after the day on which this Order is made`.
    """
    rows = language.amending
    if own := re.fullmatch(rows.pattern("day_of_order"), when):
        kind = "registered" if own["registered"] else "made"
        *_, day = (None, *(_only_day(one["day"]) for one in re.finditer(rows.pattern(kind), above, re.MULTILINE)))
        return day and day + dt.timedelta(days=1 if own["after"] else 0)
    dates = list(find_dates(when))
    is_led = bool(dates) and re.fullmatch(rows.pattern("before_day"), when[: dates[0].start])
    return _only_day(when[dates[0].start :]) if is_led else None


def _only_day(words: str) -> dt.date | None:
    """The day that words are, None where they have more than one or say more."""
    dates = list(find_dates(words))
    is_alone = len(dates) == 1 and not words[dates[0].end :].strip(" ,.;:—–-)")
    return dates[0].date if is_alone else None


@dataclass(frozen=True, slots=True, order=True)
class _NamedAct:
    """Where a text names an act, and whether that is the one whose orders are looked for."""

    end: int
    start: int
    is_own: bool


def _acts_named(text: str, titles: Sequence[str], language: Language) -> list[_NamedAct]:
    """The acts that a text names, in its order: by their numbers too.

    One in the title of an act that amends it is another one. Acts of many years have the same long title, so a number
    behind one has to be the act's.
    """
    acts, numbers = _acts_in(text, language), find_series(text)
    keys = {key for title in titles for key in series_keys(title)}
    own = {(one.start, one.end) for one in numbers if keys.intersection(one.keys)}
    for title in titles:
        words = r"\W+".join(map(re.escape, folded(title).split()))
        spans = [one.span() for one in re.finditer(rf"\b{words}\b", text, re.IGNORECASE)] if words else []
        for start, end in [*spans, *(one.span("name") for one in acts if is_named(title, one["name"] or ""))]:
            around = bisect_right(acts, start, key=_start) - 1
            longer = acts[around] if around >= 0 and acts[around].end() >= end else None
            of_longer = longer and (_is_name(text[_start(longer) : start]) or longer.end() > end)
            behind = bisect_left(numbers, end, key=attrgetter("start"))
            number = numbers[behind] if behind < len(numbers) else None
            if number and text[end : min(number.start, end + MAX_LEAD_LENGTH)].strip(" ,("):
                number = None
            is_sure = not number or (not keys.isdisjoint(number.keys) if keys else bool(_YEAR.search(title)))
            lead = text[max(0, start - MAX_LEAD_LENGTH) : start]
            if is_sure and not of_longer and not re.search(language.amending.pattern("long_title"), lead):
                own.add((start, number.end if number else end))
    series = {one.series.name for one in numbers if keys.intersection(one.keys)}
    named = [(_start(one), one.end()) for one in acts]
    named += [(one.start, one.end) for one in numbers if one.series.name in series]
    told = bytearray(len(text))
    for start, end in own:
        told[start:end] = bytes([1]) * (end - start)
    others = (_NamedAct(end, start, False) for start, end in named if not told[end - 1])
    return sorted([*others, *(_NamedAct(end, start, True) for start, end in own)])


def _start(act: re.Match[str]) -> int:
    return act.start("name") if act["name"] else act.start()


def _is_name(before: str) -> bool:
    """Whether words before a name belong to it: `Small` does, `(2) of the` does not."""
    return any(one.isalpha() and not one.islower() for one in before)


def _is_doubted(before: str, titles: Sequence[str], language: Language) -> bool:
    """Whether an order may not fix what stands behind these words: `unless …`, `refused to`, `an order that`."""
    for one in _acts_named(before, titles, language):
        before = before[: one.start].ljust(one.end) + before[one.end :]
    return any(find_dates(before)) or bool(re.search(language.amending.pattern("doubted"), before, re.IGNORECASE))


def _acts_in(text: str, language: Language) -> list[re.Match[str]]:
    return list(re.finditer(language.amending.pattern("names_act"), text))


def _sentence(lines: Sequence[str], at: int, language: Language) -> str:
    """A line without its label and with the list below it, or, in a list, with the line that leads to it."""
    if len(lines[at]) > MAX_LINE_LENGTH:
        return ""
    said = with_list(lines, at, language)
    for above in reversed(lines[max(0, at - MAX_LINES_ABOVE) : at] if LABELS_ALONE.match(lines[at].strip()) else []):
        if not LABELS_ALONE.match(above.strip()):
            lead = with_list([above], 0, language)
            return said if lead[-1:] in ("", ".") or len(lead) > MAX_LINE_LENGTH else f"{lead} {said}"
        if not _ITEM_ENDS.search(above):
            return ""  # a list in a list: what it leads to is not read
    return said
