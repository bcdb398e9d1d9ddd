"""Make the version of an act that a person confirmed: a job, which becomes a version of its work."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from ingest.consolidation.planning import plan
from ingest.intake.upload import Metadata, accept_upload, receive
from ingest.models import Job
from ingest.similar.duplicates import find_duplicate
from kb_project.errors import Conflict, Invalid
from law.amendments.corrections import Correction
from law.amendments.instructions import Instruction
from sources.consolidation import MAX_WORDS_LENGTH
from sources.instructions import section_eids
from sources.models import Source
from sources.provisions import in_order

MAX_FILENAME_LENGTH = 80


def make_version(
    amending: Source,
    *,
    base_id: int,
    chosen: Collection[int],
    days: Mapping[str, dt.date],
    fingerprint: str,
    by: str,
    corrections: Mapping[int, Correction] | None = None,
) -> Job:
    """Carry the chosen instructions out, and queue the job that stores the text as the next version of the act.

    `chosen` are places among the instructions of the amending act, `fingerprint` that of the plan that was looked at.
    `corrections` are those of `plan`.
    Raises `Conflict` where the plan is another one by now, `Invalid` for nothing chosen and where what is chosen cannot
    be carried out without what is left out, and what `accept_upload` raises.
    """
    corrections = corrections or {}
    planned = plan(amending, days=days, corrections=corrections)
    version = next((one for one in planned if one.base and one.base.pk == base_id), None)
    if version is None or version.fingerprint != fingerprint:
        raise Conflict(
            _("The act or what would become of it has changed. Look at it once more."), code="changed_meanwhile"
        )
    base, day = version.base, version.day
    if base is None or day is None or version.refusal:
        raise Conflict(version.refusal or _("Nothing can be carried out."), code="wrong_state")
    chosen = set(chosen)
    if not chosen:
        raise Invalid(_("Confirm at least one instruction."))
    if chosen - set(version.possible):
        raise Invalid(_("What cannot be carried out cannot be confirmed."))
    text, outcomes = version.carried_out(chosen)
    if failed := [one.instruction for one in outcomes.values() if one.failure is not None]:
        names = ", ".join(one.provision or one.words[:MAX_WORDS_LENGTH] for one in failed)
        sentence = _("These cannot be carried out without what is left out: %s.") % names
        raise Invalid(sentence)
    eids = section_eids(in_order(amending.pk))
    about: dict[str, Any] = {
        "amending": {"source_id": amending.pk, "title": str(amending)},
        "base": base.pk,
        "base_sha256": base.content_sha256,
        "by": by,
        "on": timezone.localdate().isoformat(),
        "lost_tables": version.has_tables,
        "days": {provision: day.isoformat() for provision, day in days.items()},
        "changes": [
            {
                "number": number,
                **_about(one.instruction, eids),
                "sections": list(one.sections),
                **({"corrected": corrections[number].as_json()} if number in corrections else {}),
            }
            for number, one in outcomes.items()
        ],
        "left_out": [_about(version.instructions[one], eids) for one in version.possible if one not in chosen],
    }
    decided = Metadata.of_source(
        base, labels=tuple(base.labels.order_by("slug").values_list("slug", flat=True)), version_of=base.pk
    )
    metadata = replace(decided, valid_from=day, valid_to=None, published_at=amending.published_at)
    filename = f"{base.title[:MAX_FILENAME_LENGTH]} {day}.txt"
    with receive([text.encode()], filename=filename) as received:
        return accept_upload(
            received,
            topic=base.topic,
            kind=base.kind,
            metadata=metadata,
            by=by,
            allow_duplicate=_was_before(base, received.sha256),
            consolidation=about,
        )


def _was_before(base: Source, sha256: str) -> bool:
    """Whether an earlier version of the act has these bytes: after a temporary change it reads as before."""
    twin = find_duplicate(topic=base.topic, sha256=sha256)
    return isinstance(twin, Source) and twin.work_id == base.work_id and twin.pk != base.pk


def _about(instruction: Instruction, eids: Mapping[str, str]) -> dict[str, Any]:
    return {
        "provision": instruction.provision,
        "action": instruction.action.value,
        "eid": eids.get(instruction.amending[0], "") if instruction.amending else "",
        "words": instruction.words[:MAX_WORDS_LENGTH],
    }
