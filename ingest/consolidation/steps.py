"""What the page of an amending act shows: each instruction with its change or why not, and the days that wait."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ingest.consolidation.planning import PlannedVersion, plan
from law.amendments.beginning.orders import FixedDay, days_of
from law.amendments.beginning.provisions_named import never_begun
from law.amendments.carrying_out import Outcome
from law.amendments.corrections import Correction
from law.amendments.finding import Failure
from law.amendments.instructions import Instruction
from law.languages.scripts import main_language
from reading.compare.screens import grouped_lines
from sources.comparison import DiffRow
from sources.instructions import section_eids
from sources.models import Source
from sources.provisions import address, in_order

FAILURES = {
    Failure.NOT_FOUND: gettext_lazy("The place, or the words, are not there."),
    Failure.TWICE: gettext_lazy("The place, or the words, are there more than once."),
    Failure.TWO_TEXTS: gettext_lazy("The place gets two texts on one day. Give one of them another day."),
    Failure.ALREADY_SO: gettext_lazy(
        "The text says so already, or it began by the day on which the text here begins: whether it is in it was not"
        " looked at."
    ),
    Failure.TARGET_UNKNOWN: gettext_lazy("The act is not in this topic."),
    Failure.OTHER_VERSION: gettext_lazy("It is of the text in another language."),
    Failure.DAY_UNKNOWN: gettext_lazy("From which day it is in force is not said here."),
    Failure.NOT_YET: gettext_lazy("It is in force from a later day."),
    Failure.ENDED: gettext_lazy("It was temporary and has ended."),
    Failure.RETURNS: gettext_lazy(
        "It was temporary and is in the text. What was there before has to come back, and is not known here."
    ),
    Failure.END_UNKNOWN: gettext_lazy("It is temporary, and until when is not said as a day. Carry it out by hand."),
    Failure.CONDITION: gettext_lazy("It depends on what another act does."),
    Failure.READ_AS: gettext_lazy("The text stays, and is to be read otherwise in some matters."),
    Failure.WHOLE_ACT: gettext_lazy("It repeals the act. Say so by its last day."),
    Failure.NOT_UNDERSTOOD: gettext_lazy("It was not understood, or not in full. Carry it out by hand."),
}


@dataclass(frozen=True, slots=True)
class Step:
    """An instruction as it is shown. `number` is its place among all of the amending act, `path` where it is read."""

    number: int
    outcome: Outcome
    path: str
    proposed_by: str

    @property
    def why_not(self) -> str:
        return str(FAILURES[self.outcome.failure]) if self.outcome.failure else ""

    @property
    def waits_for_day(self) -> bool:
        return self.outcome.failure is Failure.DAY_UNKNOWN and bool(self.outcome.instruction.provision)

    @property
    def edits(self) -> list[list[tuple[bool, list[DiffRow]]]]:
        return [grouped_lines(edit.before, edit.after) for edit in self.outcome.edits]

    @property
    def text(self) -> str:
        """What is shown of the act, for the way in which it runs."""
        return "\n".join(edit.before or edit.after for edit in self.outcome.edits)

    @property
    def either(self) -> tuple[str, str]:
        """When the act reads as before, and when with the change."""
        condition = self.outcome.instruction.condition
        language = main_language(condition)
        if re.match(language.amending.pattern("conditional_day"), condition):
            return _("Before that day"), _("From that day on")
        if never_begun(condition, language) is not None:
            return _("If it is so"), _("If it is not so")
        return _("If it is not so"), _("If it is so")


@dataclass(frozen=True, slots=True)
class PlannedAct:
    """A version with its instructions: those that can be carried out, and the others."""

    version: PlannedVersion
    possible: Sequence[Step]
    others: Sequence[Step]
    chosen: frozenset[int]


@dataclass(frozen=True, slots=True)
class OpenDays:
    """The days of provisions whose day the act leaves open. `words` are those of the orders that fix some."""

    by_provision: Mapping[str, dt.date]
    words: Mapping[str, str]

    @classmethod
    def of(cls, fixed: Mapping[str, FixedDay], given: Mapping[str, dt.date | None]) -> OpenDays:
        """What a person gave goes before what an order fixes, and so does what they left open, which is None."""
        said = {**days_of(fixed), **given}
        words = {provision: one.words for provision, one in fixed.items()}
        return cls({provision: day for provision, day in said.items() if day}, words)


def planned_acts(
    amending: Source,
    days: Mapping[str, dt.date],
    chosen: Mapping[int, frozenset[int]],
    corrections: Mapping[int, Correction],
) -> list[PlannedAct]:
    """The next version of each act that a document amends. `chosen` are the places of what is ticked, by base."""
    planned = plan(amending, days=days, corrections=corrections)
    eids = section_eids(in_order(amending.pk)) if planned else {}
    acts = []
    for version in planned:
        steps = []
        for number, outcome in version.outcomes.items():
            of = outcome.instruction.amending
            path = address(amending.pk, eids.get(of[0], "") if of else "")
            said = corrections.get(number)
            steps.append(Step(number, outcome, path, said.proposed_by if said else ""))
        possible = [one for one in steps if one.outcome.failure is None]
        others = [one for one in steps if one.outcome.failure is not None]
        taken = chosen.get(version.base.pk if version.base else 0, frozenset())
        acts.append(PlannedAct(version, possible, others, taken))
    return acts


def provisions_waiting(acts: Sequence[PlannedAct], days: OpenDays) -> list[tuple[str, str, str]]:
    """The provisions whose day is not said, with the words about it and the day that a person or an order gave."""
    waiting = {provision: days.words.get(provision, "") for provision in days.by_provision}
    for step in (step for act in acts for step in act.others if step.waits_for_day):
        waiting.setdefault(step.outcome.instruction.provision, step.outcome.detail)
    given = {provision: day.isoformat() for provision, day in days.by_provision.items()}
    return [(provision, words, given.get(provision, "")) for provision, words in waiting.items()]


def instruction_numbered(number: str, acts: Sequence[PlannedAct]) -> tuple[int, Instruction] | None:
    """The instruction of a number that a request names, with that number."""
    instructions = (one for act in acts for one in act.version.instructions.items())
    return next((one for one in instructions if str(one[0]) == number), None)
