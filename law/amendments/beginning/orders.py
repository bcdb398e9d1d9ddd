"""Days that an amending act leaves to an order, and the order fixes: `fixes 1 May 2026 as the day on which …`."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

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

MAX_ORDERS = 50  # about one amending act
MAX_LINES_ABOVE = 60  # in which the act is looked for that `that Act` means
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

    `titles` are names of the amending act. What an order says of another act is left alone, and so is a provision for
    which two say different days. So is a sentence that is not understood whole: one with a condition, a purpose, a
    region or a second day fixes nothing. At most MAX_ORDERS are read.
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
    if not any(folded(title) in folded(text) for title in titles if folded(title)):
        return
    language = main_language(text)
    lines = text.split("\n")
    for at in range(len(lines)):
        said = _sentence(lines, at, language)
        rows = (*language.amending.fixes, *language.amending.commences)
        if match := next((match for one in rows if (match := re.match(one, said))), None):
            above = "\n".join(lines[max(0, at - MAX_LINES_ABOVE) : at])
            yield from _fixed(match, language, titles, f"{above}\n{said[: match.start('what')]}")


def _fixed(match: re.Match[str], language: Language, titles: Sequence[str], above: str) -> Iterator[Commencement]:
    """What a sentence fixes, nothing where a part of it is not understood. `above` is what stands before its `what`."""
    what, *excepted = re.split(language.amending.excepts, match["what"], maxsplit=1)
    day = _day_alone(match["when"], language)
    named = read_provisions(what.strip(" ,"), language)
    left_out = read_provisions(" and ".join(excepted).strip(" ,()"), language)
    if day is None or named.unread or left_out.unread or bool(excepted) != bool(left_out):
        return
    if not _is_of(named.act, titles, language, above) or _is_doubted(match.groupdict().get("before") or "", language):
        return
    if named:
        for one in (ProvisionsNamed(parts=named.parts), ProvisionsNamed(named.places)):
            if one:
                yield Commencement(match.string, day, named=one, excepted=left_out)
    elif named.is_whole_act:
        yield Commencement(match.string, day, "act", excepted=left_out)


def _day_alone(when: str, language: Language) -> dt.date | None:
    """The day that words give if they say nothing else: `on or after 1 May` and `1 May, except …` do."""
    dates = list(find_dates(when))
    if len(dates) != 1 or when[dates[0].end :].strip(" ,.;:—–-)"):
        return None
    return dates[0].date if re.fullmatch(language.amending.pattern("before_day"), when[: dates[0].start]) else None


def _is_of(act: str, titles: Sequence[str], language: Language, above: str) -> bool:
    """Whether words name the act of these titles; `that Act` does where it is the one that was named last."""
    if re.fullmatch(language.amending.pattern("act_meant"), act):
        act = next((one["name"] for one in reversed(_acts_in(above, language))), "")
    return any(is_named(title, act) for title in titles)


def _is_doubted(before: str, language: Language) -> bool:
    """Whether an order may not fix what stands behind these words: `unless …`, `refused to`, `an order that`."""
    for one in reversed(_acts_in(before, language)):
        before = f"{before[: one.start('name')]}{before[one.end('name') :]}" if one["name"] else before
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
