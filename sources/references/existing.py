"""What is there of what references point to: their clauses, and what their ranges hold."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from kb_project.database.rows import fetch
from law.references.mentions import Citation
from law.structure.lines.number_keys import lettered_key
from law.timeline import Period
from sources import provisions
from sources.models import Provision
from sources.provisions.clauses import find_clause
from sources.references.targets import ReferenceTarget, candidates_of

MAX_BETWEEN = 500  # whoever cites more means the act, of which the ends are known
SOURCES_AT_ONCE = 100  # whose numbers are in memory
Place = tuple[int, str]
Inside = tuple[Provision, Sequence[Provision]]  # a provision that is stored, and its clauses


class CitedRange(NamedTuple):
    """The ends of a range by the addresses that each may have in a source, the likeliest first.

    The day is that on which it is cited, None for none.
    """

    source_id: int
    firsts: tuple[str, ...]
    lasts: tuple[str, ...]
    day: date | None


def between(ranges: Sequence[CitedRange]) -> dict[CitedRange, tuple[str, ...]]:
    """The addresses between the ends of each, in the order of its source, in one query for a hundred sources.

    None where the range goes backwards, its ends are not of one sequence, or there are more than `MAX_BETWEEN`.
    """
    of_source: dict[int, set[CitedRange]] = defaultdict(set)
    for one in ranges:
        of_source[one.source_id].add(one)
    ids = sorted(of_source)
    found: dict[CitedRange, tuple[str, ...]] = {}
    for start in range(0, len(ids), SOURCES_AT_ONCE):
        for source_id, sequences in _sequences(ids[start : start + SOURCES_AT_ONCE]):
            found.update((one, sequences.between(one)) for one in of_source[source_id])
    return found


class _Sequences:
    """The numbered provisions of a source by what they count in: sections, or the items of one schedule."""

    def __init__(self, rows: Iterable[tuple[str, Period]]) -> None:
        self._printed: dict[str, dict[str, list[tuple[str, Period]]]] = defaultdict(lambda: defaultdict(list))
        for eid, days in rows:
            unit, number = _parted(eid)
            self._printed[unit][number].append((eid, days))

    def between(self, cited: CitedRange) -> tuple[str, ...]:
        """An end that is not there has its place by its number."""
        for first, last in zip(cited.firsts, cited.lasts, strict=True):
            (unit, start), (_, end) = _parted(first), _parted(last)
            printed = self._printed.get(unit, {})
            if start in printed or end in printed:
                numbers = list(_numbers_between(list(printed), start, end))
                chosen = tuple(_on(cited.day, printed[number]) for number in numbers[: MAX_BETWEEN + 1])
                return chosen if len(chosen) <= MAX_BETWEEN else ()
        return ()


def _numbers_between(numbers: Sequence[str], start: str, end: str) -> Iterator[str]:
    if start in numbers and end in numbers:
        yield from numbers[numbers.index(start) + 1 : numbers.index(end)]
        return
    (prefix, lowest), (_, highest) = lettered_key(start), lettered_key(end)
    for number in numbers:
        of, key = lettered_key(number)
        if of == prefix and lowest < key < highest:
            yield number


def _parted(eid: str) -> tuple[str, str]:
    """What a provision counts in, and its number: `sched_1__item` and 4, for each time that it is printed."""
    above, joint, last = eid.rpartition("__")
    unit, _, number = last.partition("_")
    return f"{above}{joint}{unit}", number.partition("_")[0]


def _on(day: date | None, printed: Sequence[tuple[str, Period]]) -> str:
    """The address that reads so on the day, of a provision that is printed once or more."""
    return next((eid for eid, days in printed if day is not None and days.hold(day)), printed[0][0])


def _sequences(source_ids: Sequence[int]) -> Iterator[tuple[int, _Sequences]]:
    """For each source that has any, its numbered provisions with their days, in the order of the text."""
    rows: dict[int, list[tuple[str, Period]]] = defaultdict(list)
    for source_id, eid, begin, end in fetch(
        """
        SELECT source_id, eid, valid_from, valid_to FROM kb_provision
        WHERE source_id = ANY(%s::bigint[]) AND number <> '' ORDER BY source_id, position
        """,
        [list(source_ids)],
    ):
        rows[source_id].append((eid, Period(begin, end)))
    return ((source_id, _Sequences(found)) for source_id, found in rows.items())


def to_existing(
    mentions: Sequence[Citation], targets: Sequence[ReferenceTarget], *, days: Sequence[date | None] = ()
) -> list[ReferenceTarget]:
    """The targets without the clauses that their sections do not have, and with what their ranges hold.

    In two queries, and one for each hundred acts of which ranges are cited.
    """
    inside = _inside(
        (target.source_id, target.eid)
        for mention, target in zip(mentions, targets, strict=True)
        if mention.clauses and target.source_id is not None and target.eid
    )
    cited = [
        _range(mention, target, day)
        for mention, target, day in zip(mentions, targets, days or [None] * len(mentions), strict=True)
    ]
    held = between([one for one in cited if one])
    return [
        replace(
            target,
            eid=_there(target.eid, *known) if known else target.eid,
            between=held.get(one, ()) if one else _between_clauses(mention, *known) if known else (),
        )
        for mention, target, one in zip(mentions, targets, cited, strict=True)
        for known in [inside.get((target.source_id or 0, target.eid))]
    ]


def _range(mention: Citation, target: ReferenceTarget, day: date | None) -> CitedRange | None:
    """The range of sections that a mention begins. None where it is of a part that the act does not have."""
    is_one = mention.last in ("", mention.number)
    if is_one or target.source_id is None or (mention.divisions and not target.eid):
        return None
    other = replace(mention, number=mention.last, first=mention.number, last="")
    return CitedRange(target.source_id, tuple(candidates_of(mention)), tuple(candidates_of(other)), day)


def _inside(named: Iterable[Place]) -> dict[Place, Inside]:
    """What is stored at each place or around it, with its clauses."""
    holders = provisions.holders(named)
    sections = list({(one.source_id, one.eid): one for one in holders.values()}.values())
    clauses = {
        (section.source_id, section.eid): list(provisions.clauses_of(section, text))
        for section, text in zip(sections, provisions.texts_of(sections), strict=True)
    }
    return {place: (holder, clauses[holder.source_id, holder.eid]) for place, holder in holders.items()}


def _there(eid: str, holder: Provision, clauses: Sequence[Provision]) -> str:
    """The address if there is such a clause, or else that of the innermost provision around it."""
    known = {holder.eid, *(one.eid for one in clauses)}
    return next(above for above in provisions.upwards(eid) if above in known)


def _between_clauses(mention: Citation, holder: Provision, clauses: Sequence[Provision]) -> tuple[str, ...]:
    """The addresses between the ends of a range of clauses that stand beside each other in one section."""
    if not mention.last_clauses:
        return ()
    first = find_clause(clauses, mention.clauses, within=holder.eid)
    last = find_clause(clauses, mention.last_clauses, within=holder.eid)
    if first is None or last is None or first.parent != last.parent:
        return ()
    beside = [one.eid for one in clauses if one.parent == first.parent]
    return tuple(beside[beside.index(first.eid) + 1 : beside.index(last.eid)][:MAX_BETWEEN])
