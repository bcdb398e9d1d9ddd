"""What an act does to others, and what was done to it here, as Akoma Ntoso says it beside and in a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import accumulate, groupby

from law.amendments.consolidating import instructions_of
from law.amendments.instructions import Action, Instruction
from reading.akn.text import ChangeLine, ReferenceLink
from sources.instructions import MAX_TEXT_LENGTH, section_eids
from sources.models import Provision, Source

FORCE = ("entryIntoForce", "endOfEnactment")  # types of a `forceMod`
_MARKS = '“”„"‘’'  # that stand around what is quoted
_TYPES = {
    Action.REPEAL: "repeal",
    Action.STRIKE_FROM: "repeal",
    Action.STRIKE_END: "repeal",
    Action.INSERT: "insertion",
    Action.INSERT_WORDS: "insertion",
    Action.ADD_END: "insertion",
    Action.RENUMBER: "renumbering",
}


@dataclass(frozen=True, kw_only=True)
class Modification:
    """One change of a text: addresses of what says so and of what is changed, and from when to when it is in force.

    `type` is that of a `textualMod`, one of FORCE for what an act says of its own beginning and end, and '' where the
    text stays and is to be read so in some matters. `act` is the
    name of what is changed where that has no address, `is_conditional` says that it depends on something else.
    """

    type: str
    source: str
    destinations: tuple[str, ...] = ()
    act: str = ""
    begins: date | None = None
    ends: date | None = None
    is_conditional: bool = False


@dataclass(frozen=True, kw_only=True)
class Modifications:
    """Those that a text makes, with the places in it that say so, and those that made it, by an act with an address."""

    active: Sequence[Modification] = ()
    changes: Sequence[ChangeLine] = ()
    passive: Sequence[Modification] = ()
    amending: tuple[str, str] | None = None
    """The address and the title of the act that made it."""

    @cached_property
    def all(self) -> list[Modification]:
        return [*self.active, *self.passive]

    @cached_property
    def days(self) -> list[date]:
        """Those on which something begins or ends, in order."""
        return sorted({day for one in self.all if one.begins for day in (one.begins, one.ends) if day})

    @cached_property
    def periods(self) -> list[tuple[date, date | None]]:
        """Those in which something is in force."""
        return list(dict.fromkeys((one.begins, one.ends) for one in self.all if one.begins))

    @cached_property
    def named(self) -> list[str]:
        """The acts that are changed and have no address."""
        return list(dict.fromkeys(one.act for one in self.active if not one.destinations))


def made_by(text: str, provisions: Iterable[Provision], links: Sequence[ReferenceLink]) -> Modifications:
    """What an amending act changes: what was understood whole, in the order of the text."""
    if len(text) > MAX_TEXT_LENGTH:
        return Modifications()
    read = [one for one in instructions_of(text) if one.places and one.action is not Action.UNREAD and not one.unread]
    lines = text.split("\n")
    starts = [0, *accumulate(len(line) + 1 for line in lines)]
    provisions = list(provisions)
    eids = section_eids(provisions)
    active, changes = list(_of_force(read, lines, starts, provisions)), []
    for at, group in groupby(read, key=lambda one: one.line):
        said = list(group)
        change = _change(said, lines, starts)
        targets = _targets(change, starts[at], links)
        targets = targets if len(targets) == 1 or len(said) == 1 else ()  # of several it is not seen which means which
        changes.append(change)
        active += [_active(one, targets, eids) for one in said]
    return Modifications(active=active, changes=changes)


def _of_force(
    read: Sequence[Instruction], lines: Sequence[str], starts: Sequence[int], provisions: Sequence[Provision]
) -> Iterator[Modification]:
    """What an amending act says of when its own sections begin, and end, with the section that says so."""
    eids = section_eids(provisions)
    said: dict[tuple[str, int, date, date | None], list[str]] = {}
    for one in read:
        section = eids.get(one.amending[0], "") if one.amending and one.day else ""
        places = ((one.commences, one.commences_line), (one.lapses if one.until else "", one.lapses_line))
        for kind, (words, line) in zip(FORCE, places, strict=True):
            if section and words and one.day:
                said.setdefault((kind, line, one.day, one.until), []).append(f"#{section}")
    for (kind, line, begins, ends), sections in said.items():
        at = starts[line] + len(lines[line].rstrip()) - 1  # a line may begin with white space before its provision
        source = next((one.eid for one in reversed(provisions) if one.span_start <= at < one.span_end), "")
        if source:
            yield Modification(
                type=kind,
                source=f"#{source}",
                destinations=tuple(dict.fromkeys(sections)),
                begins=begins,
                ends=ends,
            )


def _targets(change: ChangeLine, start: int, links: Sequence[ReferenceLink]) -> tuple[str, ...]:
    """Where the words of a line lead in other documents, without those that it quotes."""
    within = [one for one in links if start <= one.start and one.end <= change.end and not one.href.startswith("#")]
    meant = [one for one in within if not any(begin < one.end and one.start < end for begin, end in change.quoted)]
    return tuple(dict.fromkeys(one.href for one in meant))


def made_here(source: Source, provisions: Iterable[Provision], address: str) -> Modifications:
    """What made an unofficial consolidation, with the address of its amending act, '' where that is not here."""
    said = source.consolidation
    if not said:
        return Modifications()
    eids = section_eids(provisions)
    passive = [
        Modification(
            type=_type(Action(one["action"]) if "action" in one else None),
            source=f"{address}#{one['eid']}" if address and one["eid"] else address or "#amending",
            destinations=tuple(f"#{eids[number]}" for number in one["sections"] if number in eids) or ("",),
            begins=source.valid_from,
        )
        for one in said["changes"]
    ]
    return Modifications(passive=passive, amending=(address, said["amending"]["title"]))


def _type(action: Action | None, *, is_new: bool = False) -> str:
    """The word of the standard; words that take the place of what is struck out make it a substitution."""
    found = _TYPES.get(action, "substitution") if action else "substitution"
    return "substitution" if found == "repeal" and is_new else found


def _active(one: Instruction, targets: tuple[str, ...], eids: dict[str, str]) -> Modification:
    section = eids.get(one.amending[0], "") if one.amending else ""
    return Modification(
        type="" if one.is_reading else _type(one.action, is_new=bool(one.new)),
        source=f"#{section}" if section else "",
        destinations=targets,
        act=one.act or "unknown",
        begins=one.day,
        ends=one.until,
        is_conditional=bool(one.condition),
    )


def _change(said: Sequence[Instruction], lines: Sequence[str], starts: Sequence[int]) -> ChangeLine:
    """The line of instructions, with the words in it that they quote, and the lines of new text behind it."""
    at = said[0].line
    start, end = starts[at], starts[at] + len(lines[at].rstrip())
    quoted: list[tuple[int, int]] = []
    for words in dict.fromkeys(words for one in said for words in (*one.old, *one.new)):
        found = re.search(f"[{_MARKS}]({re.escape(words)})[{_MARKS}]", lines[at])
        if found and all(found.start(1) >= until or found.end(1) <= begin for begin, until in quoted):
            quoted.append(found.span(1))
    text = next((one.text for one in said if one.text), ())
    behind = lines[at + 1 : at + 1 + len(text)]
    is_block = bool(text) and all(new in line for new, line in zip(text, behind, strict=False))
    return ChangeLine(
        end=end,
        quoted=tuple((start + begin, start + until) for begin, until in sorted(quoted)),
        structure_end=starts[at + len(text)] + len(behind[-1].rstrip()) if is_block and behind else 0,
    )
