"""The acts that an amending act is about, each as it would read after it. No text is kept."""

import datetime as dt
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.core.cache import cache

from law.amendments.carrying_out import Outcome
from law.amendments.consolidating import carry_out_due, instructions_of, provisions_of
from law.amendments.finding import Failure
from law.amendments.instructions import Instruction, folded, is_named
from law.amendments.reading import read_instructions
from law.comparison.comparing import compare
from law.comparison.provision_texts import own_texts
from sources.comparison import ProvisionChange
from sources.instructions import MAX_TEXT_LENGTH, bounded
from sources.models import Source
from sources.provisions import whole_text
from sources.references.texts import resolve_text
from sources.scope import Scope

KEPT_S = 3600  # how many instructions a text has
MAX_ACTS = 30  # acts of one amending act: more are not looked for


@dataclass(frozen=True)
class AmendedAct:
    """An act after an amending act. `text` is None, and nothing changes, for one that is neither here nor given."""

    title: str
    outcomes: list[Outcome]
    source: Source | None = None
    text: str | None = None
    changes: list[ProvisionChange] = field(default_factory=list)


def amended_acts(
    amending: str, *, scope: Scope, given: Sequence[str], on: dt.date, days: Mapping[str, dt.date]
) -> list[AmendedAct]:
    """Each act that instructions name, in their order: a text that is given, or the document of the scope.

    A document is read as it was in force the day before the first of its instructions begins. Raises `TooLarge` for
    one of more than MAX_TEXT_LENGTH characters.
    """
    named = list(by_act(instructions_of(amending, days=days)))
    return [
        _amended(name, list(instructions.values()), amending, scope=scope, given=given, on=on)
        for name, instructions in named[:MAX_ACTS]
    ] + [_not_here(name, list(instructions.values())) for name, instructions in named[MAX_ACTS:]]


def by_act(instructions: Sequence[Instruction]) -> Iterator[tuple[str, dict[int, Instruction]]]:
    """Each act that is named, with its instructions by their places among all, from 0."""
    names: dict[str, str] = {}
    of_act: dict[str, dict[int, Instruction]] = {}
    for number, one in enumerate(instructions):
        key = folded(one.act)
        names.setdefault(key, one.act)
        of_act.setdefault(key, {})[number] = one
    for key, name in names.items():
        yield name, of_act[key]


def _amended(
    name: str,
    instructions: Sequence[Instruction],
    amending: str,
    *,
    scope: Scope,
    given: Sequence[str],
    on: dt.date,
) -> AmendedAct:
    text = next((one for one in given if is_named(first_line(one), name)), None)
    begins = first_day(instructions, default=on)
    source = None if text is not None else find_act(name, scope, before=begins)
    if text is None and source is None:
        return _not_here(name, instructions)
    text = bounded(whole_text(source.pk)) if source else (text or "").strip()
    title = source.title if source else first_line(text)
    since = source.valid_from if source else None
    made = carry_out_due(instructions, text=text, titles=[name, title], amending=amending, on=on, since=since)
    changes = compare(own_texts(text, provisions_of(text)), own_texts(made.text, provisions_of(made.text)))
    return AmendedAct(title, made.outcomes, source, made.text, changes)


def _not_here(name: str, instructions: Sequence[Instruction]) -> AmendedAct:
    return AmendedAct(title=name, outcomes=[of_no_act_here(one, name) for one in instructions])


def of_no_act_here(instruction: Instruction, name: str) -> Outcome:
    """What becomes of an instruction whose act is not here."""
    return Outcome(instruction=instruction, failure=Failure.TARGET_UNKNOWN, detail=name)


def first_day(instructions: Iterable[Instruction], *, default: dt.date) -> dt.date:
    """The day on which the first of them begins."""
    return min((one.day for one in instructions if one.day), default=default)


def find_act(name: str, scope: Scope, *, before: dt.date | None) -> Source | None:
    """The document of a name in the version that was in force the day before, or in any for None."""
    if not name:
        return None
    day = before - dt.timedelta(days=1) if before else None
    for one in resolve_text(name, scope=replace(scope, as_of=day, all_versions=not day), least_certainty=1.0):
        if one.target.source_id and not one.mention.number:
            return Source.objects.filter(pk=one.target.source_id).first()
    return None


def count_instructions(source: Source) -> int:
    """How many instructions to change other acts what is read of a document has. Kept for an hour for each text."""
    text = whole_text(source.pk)[:MAX_TEXT_LENGTH]
    key = f"kb:instructions:{hashlib.sha256(text.encode()).hexdigest()}"
    kept: int | None = cache.get(key)
    if kept is None:
        kept = len(read_instructions(text))
        cache.set(key, kept, KEPT_S)
    return kept


def first_line(text: str) -> str:
    return text.strip().split("\n")[0].strip()
