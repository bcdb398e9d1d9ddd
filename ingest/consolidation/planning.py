"""What an amending act would make of the acts of its topic, before anybody confirmed it. Nothing is stored.

Where a temporary change has ended, the text is made anew without it from the version before.
"""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from kb_project.errors import TooLarge
from law.amendments.carrying_out import Outcome
from law.amendments.chains import carried_out_in_order
from law.amendments.consolidating import carry_out_due, edits_of_texts, instructions_of, is_due
from law.amendments.corrections import Correction, PlaceNotRead, corrected
from law.amendments.instructions import Instruction
from law.timeline import Period
from reading.amendments.amended import MAX_ACTS, by_act, find_act, first_day, of_no_act_here
from sources import work_versions
from sources.consolidation import MAX_WORDS_LENGTH
from sources.instructions import bounded
from sources.models import Chunk, Source
from sources.provisions import whole_text
from sources.scope import Scope
from sources.work_versions import VersionOverlap

MAX_VERSIONS = 100  # that were made one of the other
MAX_INSTRUCTIONS = 500  # of an amending act


def text_without_ended(base: Source, on: dt.date) -> tuple[str, set[tuple[int, int]]] | None:
    """The text of a version on a later day, and which confirmed instructions have ended by then and are still in it.

    Each is named by its amending act's id and its place there. None for a version that was not made here, and where
    what it was made of is not here any more, reads otherwise, or cannot be carried out without what has ended.
    """
    steps: list[Mapping[str, Any]] = []
    root: Source | None = base
    while root is not None and root.consolidation is not None and len(steps) < MAX_VERSIONS:
        steps.insert(0, root.consolidation)
        root = Source.objects.filter(
            pk=root.consolidation["base"], content_sha256=root.consolidation["base_sha256"]
        ).first()
    if root is None or not steps or root.consolidation is not None:
        return None
    texts = [whole_text(step["amending"]["source_id"]) for step in steps]
    confirmed = [_confirmed(step, text) for step, text in zip(steps, texts, strict=True)]
    if any(one is None for one in confirmed):
        return None
    due: list[tuple[int, Instruction]] = []
    ended: set[tuple[int, int]] = set()
    names = {root.title}
    for at, (step, instructions) in enumerate(zip(steps, confirmed, strict=True)):
        for number, one in (instructions or {}).items():
            names.add(one.act)
            if is_due(one, on, root.valid_from):
                due.append((at, one))
            else:
                ended ^= {(step["amending"]["source_id"], number)}  # confirmed once more, it has left the text
    text, told = carried_out_in_order(due, text=whole_text(root.pk).strip(), titles=list(names), heads=texts)
    return None if any(one.failure for one in told.values()) else (text, ended)


def _confirmed(step: Mapping[str, Any], text: str) -> dict[int, Instruction] | None:
    """The instructions that a version was made of, None where they are not read as they were any more."""
    days = {provision: dt.date.fromisoformat(day) for provision, day in step.get("days", {}).items()}
    read = instructions_of(text, days=days)
    found = {}
    for change in step["changes"]:
        number = change.get("number", -1)
        if not 0 <= number < len(read) or read[number].words[:MAX_WORDS_LENGTH] != change["words"]:
            return None
        try:
            found[number] = corrected(read[number], Correction.from_json(change.get("corrected", {})))
        except PlaceNotRead:  # by the rules of today
            return None
    return found


@dataclass(frozen=True)
class PlannedVersion:
    """The next version of an act.

    `instructions` are those of the amending act about it, by their places among all of that, and `outcomes` what became
    of each if all that can be carried out are. `base` is the last version here, None for an act that is not here. `day`
    is that of the next version, None where nothing can be carried out. `later` are days of versions after it. `refusal`
    says why no version of that day can be made. The version is a text of lines: with `has_tables`, the act loses some.
    """

    title: str
    instructions: Mapping[int, Instruction]
    outcomes: Mapping[int, Outcome]
    amending_text: str = field(repr=False)
    amending_id: int
    base: Source | None = None
    base_text: str = field(default="", repr=False)
    day: dt.date | None = None
    later: tuple[dt.date, ...] = ()
    refusal: str = ""
    has_tables: bool = False

    @property
    def possible(self) -> list[int]:
        """The places of what can be carried out."""
        return [number for number, outcome in self.outcomes.items() if outcome.failure is None]

    @cached_property
    def fingerprint(self) -> str:
        """Another one when anything differs that a person looks at before they confirm it."""
        about = (self.base and self.base.pk, self.base_text, self.day, self.amending_text, tuple(self.outcomes.items()))
        return hashlib.sha256(repr(about).encode()).hexdigest()

    def carried_out(self, chosen: Collection[int]) -> tuple[str, dict[int, Outcome]]:
        """The text of the version, and what became of those instructions, the others left out.

        One that ends on the day is carried out by what was there before it. Raises ValueError without an act or a day.
        """
        if self.base is None or self.day is None:
            raise ValueError("There is no act, or no day, to carry anything out on.")
        taken = {number: one for number, one in self.instructions.items() if number in chosen}
        text, returned = self._returned(taken)
        made = carry_out_due(
            list(taken.values()),
            text=text,
            titles=[*self.names, self.base.title],
            amending=self.amending_text,
            on=self.day,
            since=self.base.valid_from,
        )
        return made.text, {**dict(zip(taken, made.outcomes, strict=True)), **returned}

    def _returned(self, taken: Mapping[int, Instruction]) -> tuple[str, dict[int, Outcome]]:
        """The text without those of the instructions that end on the day, and their outcomes, if it can be made."""
        ends = [number for number, one in taken.items() if one.until and one.until == self.day]
        before = text_without_ended(self.base, self.day) if ends and self.base and self.day else None
        if before is None:
            return self.base_text, {}
        text, ended = before
        if ended != {(self.amending_id, number) for number in ends}:  # more would return than is confirmed
            return self.base_text, {}
        edits = edits_of_texts(self.base_text, text)
        sections = tuple(dict.fromkeys(one.number for one in edits if one.number))
        return text, {number: Outcome(instruction=taken[number], sections=sections, edits=edits) for number in ends}

    @property
    def names(self) -> list[str]:
        """What the instructions call the act."""
        return list(dict.fromkeys(one.act for one in self.instructions.values()))


def plan(
    amending: Source, *, days: Mapping[str, dt.date], corrections: Mapping[int, Correction] | None = None
) -> list[PlannedVersion]:
    """The next version of each act that a document amends, in the order in which it names them.

    `days` are those that its text does not say (`law.amendments.consolidating.instructions_of`), `corrections` what a
    person said of single instructions, by their places among all. Raises `TooLarge`, and `PlaceNotRead`.
    """
    text = bounded(whole_text(amending.pk))
    read = instructions_of(text, days=days)
    if len(read) > MAX_INSTRUCTIONS:
        raise TooLarge(_("A document of more than %d instructions is not carried out here.") % MAX_INSTRUCTIONS)
    for number, correction in (corrections or {}).items():
        if number < len(read):
            read[number] = corrected(read[number], correction)
    scope = Scope(topic_id=amending.topic_id)
    of_base: dict[int, tuple[Source, dict[int, Instruction]]] = {}  # an act may be named in several ways
    planned: list[PlannedVersion] = []
    for count, (name, instructions) in enumerate(by_act(read)):
        begins = first_day(instructions.values(), default=timezone.localdate())
        found = _found(name, scope, before=begins) if count < MAX_ACTS else None
        if found is None:
            planned.append(_not_here(name, instructions, text, amending.pk))
        else:
            base = work_versions.last_of(found.work_id)
            of_base.setdefault(base.pk, (base, {}))[1].update(instructions)
    return [*(_next(base, dict(sorted(one.items())), text, amending.pk) for base, one in of_base.values()), *planned]


def _found(name: str, scope: Scope, *, before: dt.date) -> Source | None:
    """The act in the version of the day before, else in any: it may have ended."""
    return find_act(name, scope, before=before) or find_act(name, scope, before=None)


def _next(base: Source, instructions: Mapping[int, Instruction], text: str, amending_id: int) -> PlannedVersion:
    """The version of the first day on which something can be carried out, or ends."""
    begun = base.valid_from
    days = {day for one in instructions.values() for day in (one.day, one.until) if day}
    due = sorted(day for day in days if begun is None or day > begun)
    version = PlannedVersion(base.title, instructions, {}, text, amending_id, base, bounded(whole_text(base.pk)))
    for at, day in enumerate(due or [timezone.localdate()]):
        version = _on(version, day, later=due[at + 1 :])
        if version.possible:
            has_tables = Chunk.objects.filter(source=base).exclude(tables=[]).exists()
            return replace(version, refusal=_why_not(base, day), has_tables=has_tables)
    return replace(version, day=None, later=())


def _on(version: PlannedVersion, day: dt.date, *, later: Sequence[dt.date]) -> PlannedVersion:
    on_day = replace(version, outcomes={}, day=day, later=tuple(later))
    return replace(on_day, outcomes=on_day.carried_out(version.instructions)[1])


def _why_not(base: Source, day: dt.date) -> str:
    """Why no version of this day can come after the last one, empty when it can."""
    if base.valid_to is not None and base.valid_to <= day:
        return _("Its last version here ends on %s, before this one would begin.") % base.valid_to
    try:
        work_versions.check(base.work_id, Period(day, None))
    except VersionOverlap as refusal:
        return refusal.detail
    return ""


def _not_here(name: str, instructions: Mapping[int, Instruction], text: str, amending_id: int) -> PlannedVersion:
    unknown = {number: of_no_act_here(one, name) for number, one in instructions.items()}
    return PlannedVersion(name, instructions, unknown, text, amending_id)
