"""Days that an amending act leaves to an order, and the order fixes: `fixes 1 May 2026 as the day on which …`."""

from __future__ import annotations

import datetime as dt
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
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

    `titles` are the title of the amending act and what else it is known by, of which only a full number counts
    (`S.C. 2021, c. 1`): `27` and `the Act` stand for anything. What an order says of another act is left alone, and so
    is a provision for which two say different days. So is a sentence that is not understood whole: one with
    a condition, a purpose, a region or a second day fixes nothing. At most MAX_ORDERS are read.
    """
    own = _OwnAct(next(iter(titles), ""), frozenset(key for title in titles for key in series_keys(title)))
    fixed = [one for text in islice(orders, MAX_ORDERS) for one in islice(_of_order(text, own), MAX_STATEMENTS)]
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


@dataclass(frozen=True, slots=True)
class _OwnAct:
    """The act whose orders are looked for. `keys` are those of its numbers."""

    title: str
    keys: frozenset[str]


def _of_order(text: str, own: _OwnAct) -> Iterator[Commencement]:
    """What an order fixes of an act. Names are looked for where something is fixed, which in most texts nothing is."""
    is_there = folded(own.title) in folded(text)
    if not is_there and not own.keys:
        return
    language = main_language(text)
    lines = text.split("\n")

    @cache
    def named(at: int) -> list[_NamedAct]:
        return _acts_named(lines[at], own, language)

    for at in range(len(lines)):
        if match := _fixing(_sentence(lines, at, language), language):
            if not is_there and own.keys.isdisjoint(key for one in find_series(text) for key in one.keys):
                return
            is_there, first = True, max(0, at - MAX_LINES_ABOVE)
            above = (one.is_own for line in range(at - 1, first - 1, -1) for one in reversed(named(line)))
            yield from _fixed(match, language, own, lines[first:at], named_above=above)


def _fixing(said: str, language: Language) -> re.Match[str] | None:
    rows = (*language.amending.fixes, *language.amending.commences)
    return next((match for one in rows if (match := re.match(one, said))), None)


def _fixed(
    match: re.Match[str], language: Language, own: _OwnAct, above: Sequence[str], *, named_above: Iterator[bool]
) -> Iterator[Commencement]:
    """What a sentence fixes, nothing where a part of it is not understood.

    `above` are the lines before it. `named_above` says of the acts that they name, the last one first, whether each is
    the one that orders are looked for.
    """
    of = match.groupdict()
    what, *excepted = re.split(language.amending.excepts, f"{of['what']}{of.get('behind') or ''}", maxsplit=1)
    day = _day_alone(of["when"], language, above)
    named = read_provisions(what.strip(" ,"), language)
    left_out = read_provisions(" and ".join(excepted).strip(" ,()"), language)
    if day is None or named.unread or left_out.unread or bool(excepted) != bool(left_out):
        return
    here = _acts_named(match.string[: match.start("what")], own, language)
    act_meant = language.amending.pattern("act_meant")
    if re.fullmatch(act_meant, named.act):
        is_own = here[-1].is_own if here else next(named_above, False)
    else:
        is_own = is_named(own.title, named.act)
    if left_out.act and not re.fullmatch(act_meant, left_out.act):
        is_own = is_own and is_named(own.title, left_out.act)
    if not is_own or _is_doubted(of.get("before") or "", here, language):
        return
    if named:
        for one in (ProvisionsNamed(parts=named.parts), ProvisionsNamed(named.places)):
            if one:
                yield Commencement(match.string, day, named=one, excepted=left_out)
    elif named.is_whole_act:
        yield Commencement(match.string, day, "act", excepted=left_out)


def _day_alone(when: str, language: Language, above: Sequence[str]) -> dt.date | None:
    """The day that words give if they say nothing else: `on or after 1 May` and `1 May, except …` do.

    That of the order itself stands in its head, `above`: `the day after the day on which this Order is made`.
    """
    rows = language.amending
    if own := re.fullmatch(rows.pattern("day_of_order"), when):
        day = _day_of_head(above, language, kind="registered" if own["registered"] else "made")
        return day and day + dt.timedelta(days=1 if own["after"] else 0)
    dates = list(find_dates(when))
    is_led = bool(dates) and re.fullmatch(rows.pattern("before_day"), when[: dates[0].start])
    return _only_day(when[dates[0].start :]) if is_led else None


def _day_of_head(above: Sequence[str], language: Language, *, kind: str) -> dt.date | None:
    """The day of a line that is the number and the day of an order, None where another order is between."""
    for line in reversed(above):
        if head := re.fullmatch(language.amending.pattern(kind), line.strip()):
            return _only_day(head["day"])
        is_item = LABELS_ALONE.match(line.strip())
        is_other_head = re.fullmatch(language.amending.pattern("registered"), line.strip())
        if line.rstrip().endswith(".") or is_other_head or (not is_item and _fixing(line[:MAX_LINE_LENGTH], language)):
            break
    return None


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


def _acts_named(text: str, own: _OwnAct, language: Language) -> list[_NamedAct]:
    """The acts that a text names, in its order: by their numbers too.

    One in the title of an act that amends it is another one, and so is one `as amended by` it. Acts of many years have
    the same long title, so a number behind one has to be the act's.
    """
    acts, numbers = _acts_in(text, language), find_series(text)
    meant = {(one.start, one.end) for one in numbers if own.keys.intersection(one.keys)}
    words = r"\W+".join(map(re.escape, folded(own.title).split())) if _acts_in(own.title, language) else ""
    spans = [one.span() for one in re.finditer(rf"\b{words}\b", text, re.IGNORECASE)] if words else []
    for start, end in [*spans, *(one.span("name") for one in acts if is_named(own.title, one["name"] or ""))]:
        around = bisect_right(acts, start, key=_start) - 1
        longer = acts[around] if around >= 0 and acts[around].end() >= end else None
        of_longer = longer and (_is_name(text[_start(longer) : start]) or longer.end() > end)
        behind = bisect_left(numbers, end, key=attrgetter("start"))
        number = numbers[behind] if behind < len(numbers) else None
        if number and text[end : min(number.start, end + MAX_LEAD_LENGTH)].strip(" ,("):
            number = None
        is_known = own.keys.intersection(number.keys) if number and own.keys else _YEAR.search(own.title)
        lead = text[max(0, start - MAX_LEAD_LENGTH) : start]
        if (not number or is_known) and not of_longer and not re.search(language.amending.pattern("long_title"), lead):
            meant.add((start, number.end if number else end))
    changed_by = language.amending.pattern("changed_by")
    meant = {one for one in meant if not re.search(changed_by, text[max(0, one[0] - MAX_LEAD_LENGTH) : one[0]])}
    series = {one.series.name for one in numbers if own.keys.intersection(one.keys)}
    named = [(_start(one), one.end()) for one in acts]
    named += [(one.start, one.end) for one in numbers if one.series.name in series]
    told = bytearray(len(text))
    for start, end in meant:
        told[start:end] = bytes([1]) * (end - start)
    others = (_NamedAct(end, start, False) for start, end in named if not told[end - 1])
    return sorted([*others, *(_NamedAct(end, start, True) for start, end in meant)])


def _start(act: re.Match[str]) -> int:
    return act.start("name") if act["name"] else act.start()


def _is_name(before: str) -> bool:
    """Whether words before a name belong to it: `Small` does, `(2) of the` does not."""
    return any(one.isalpha() and not one.islower() for one in before)


def _is_doubted(before: str, named: Iterable[_NamedAct], language: Language) -> bool:
    """Whether an order may not fix what stands behind these words: `unless …`, `refused to`, `an order that`.

    What the names of acts in them say is left out.
    """
    for one in named:
        before = before[: one.start].ljust(one.end) + before[one.end :] if one.end <= len(before) else before
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
