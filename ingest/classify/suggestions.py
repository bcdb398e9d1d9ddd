"""Turn a classifier's raw answer into `ai_suggestions`: clean values, verified evidence, resolved labels."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ingest.classify.clamping import clean, clean_field
from ingest.classify.evidence import verified
from ingest.classify.proposal import FIELDS, DocumentHead, RawEvidence, RawLabel, RawProposal
from labels import naming
from labels.slugs import MAX_NAME_LENGTH, slugify
from sources import fields

MOST_EXISTING_LABELS = 8
MOST_NEW_LABELS = 3
MOST_RAW_LABELS = 50  # each costs a query
MOST_RAW_EVIDENCE = 50


def build(proposal: RawProposal, document: DocumentHead) -> dict[str, Any]:
    """The `ai_suggestions` of a job; `{}` when nothing of the proposal is left."""
    values: dict[str, Any] = {one.name: clean_field(one, getattr(proposal, one.name)) for one in fields.FIELDS}
    values["labels"] = resolve_labels(proposal.labels)
    if not any(values.values()):
        return {}
    return {
        **values,
        "evidence": verified_evidence(proposal.evidence, document, having={name for name in FIELDS if values[name]}),
        "provider": proposal.provider,
        "model": proposal.model,
        "prompt_version": proposal.prompt_version,
    }


def resolve_labels(raw: Iterable[RawLabel]) -> list[dict[str, Any]]:
    """Existing labels, found by slug, alias or name, then new names. Each label once, both lists limited."""
    existing: dict[str, dict[str, Any]] = {}
    new: dict[str, dict[str, Any]] = {}
    for label in list(raw)[:MOST_RAW_LABELS]:
        name = clean(label.name)
        known = (naming.find(label.slug) if label.slug and "\x00" not in label.slug else None) or (
            naming.find_named(name) if name else None
        )
        if known:
            existing.setdefault(known.slug, {"slug": known.slug, "name": known.name, "existing": True})
        elif name and len(name) <= MAX_NAME_LENGTH:
            new.setdefault(slugify(name), {"slug": slugify(name), "name": name, "existing": False})
    return [*list(existing.values())[:MOST_EXISTING_LABELS], *list(new.values())[:MOST_NEW_LABELS]]


def verified_evidence(
    raw: Iterable[RawEvidence], document: DocumentHead, *, having: set[str]
) -> dict[str, dict[str, int | str | None]]:
    """For each proposed field, its first evidence that can be verified."""
    found: dict[str, dict[str, int | str | None]] = {}
    for evidence in list(raw)[:MOST_RAW_EVIDENCE]:
        if evidence.field in having and evidence.field not in found:
            place = verified(evidence, document.pages)
            if place:
                found[evidence.field] = place
    return found
