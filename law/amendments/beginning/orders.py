"""Days that an amending act leaves to an order, and the order fixes: `fixes 1 May 2026 as the day on which …`."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from law.amendments.beginning.commencement import (
    MAX_LINE_LENGTH,
    MAX_STATEMENTS,
    Commencement,
    breadth,
    day_in,
    with_list,
)
from law.amendments.beginning.provisions_named import ProvisionsNamed, read_provisions
from law.amendments.instructions import Instruction, folded, is_named
from law.languages import Language
from law.languages.scripts import main_language

MAX_ORDERS = 50  # about one amending act


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
    which two say different days. At most MAX_ORDERS are read.
    """
    fixed = [one for text in islice(orders, MAX_ORDERS) for one in islice(_of_order(text, titles), MAX_STATEMENTS)]
    fixed.sort(key=breadth)
    found = {}
    for one in instructions:
        if one.day is None and one.provision and (day := _fixed_for(one, fixed)):
            found[one.provision] = day
    return found


def _fixed_for(instruction: Instruction, fixed: Iterable[Commencement]) -> FixedDay | None:
    told = [FixedDay(one.day, one.words) for one in fixed if one.day and one.covers(instruction)]
    return told[-1] if len({one.day for one in told}) == 1 else None


def _of_order(text: str, titles: Sequence[str]) -> Iterator[Commencement]:
    """What an order fixes of the act of these titles."""
    if not any(folded(title) in folded(text) for title in titles if folded(title)):
        return
    language = main_language(text)
    for said in _sentences(text, language):
        rows = (*language.amending.fixes, *language.amending.commences)
        if match := next((match for one in rows if (match := re.match(one, said))), None):
            yield from _fixed(match, said, language, titles)


def _fixed(match: re.Match[str], words: str, language: Language, titles: Sequence[str]) -> Iterator[Commencement]:
    what, *excepted = re.split(language.amending.excepts, match["what"], maxsplit=1)
    day = day_in(match["when"], language, None)
    named = read_provisions(what.strip(" ,"), language)
    is_same = re.fullmatch(language.amending.same, named.act)
    if not named.act or not (is_same or any(is_named(title, named.act) for title in titles)):
        return
    left_out = read_provisions(" and ".join(excepted).strip(" ,()"), language)
    if named:
        for one in (ProvisionsNamed(parts=named.parts), ProvisionsNamed(named.places)):
            if one:
                yield Commencement(words, day, named=one, excepted=left_out)
    elif named.is_whole_act:
        yield Commencement(words, day, "act", excepted=left_out)


def _sentences(text: str, language: Language) -> Iterator[str]:
    """The lines of an order without their labels, each with the list below it."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if len(line) <= MAX_LINE_LENGTH:
            yield with_list(lines, at, language)
