"""What an act says once a temporary change has ended: its text made anew from the version before, without it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any

from law.amendments.chains import carried_out_in_order
from law.amendments.consolidating import instructions_of, is_due
from law.amendments.corrections import Correction, PlaceNotRead, corrected
from law.amendments.instructions import Instruction
from sources.consolidation import MAX_WORDS_LENGTH
from sources.models import Source
from sources.provisions import whole_text

MAX_VERSIONS = 100  # that were made one of the other


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
