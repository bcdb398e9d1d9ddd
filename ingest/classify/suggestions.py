"""Turn a classifier's raw answer into `ai_suggestions`: clean values, verified evidence, resolved labels.

`unsupported` names the fields that no words of the document support: those whose evidence was false, or that lack it.
"""

from collections.abc import Iterable
from typing import Any

from ingest.classify.cleaning import clean, clean_field, verified_evidence
from ingest.classify.proposal import FIELDS, DocumentHead, LabelName, RawProposal
from labels import naming
from labels.slugs import MAX_NAME_LENGTH, slugify
from sources import fields

MOST_EXISTING_LABELS = 8
MOST_NEW_LABELS = 3
MOST_RAW_LABELS = 50  # each costs a query
NEED_NO_EVIDENCE = ("summary", "labels")  # no words of the document may say what they say


def build(proposal: RawProposal, document: DocumentHead) -> dict[str, Any]:
    """The `ai_suggestions` of a job; `{}` when nothing of the proposal is left."""
    values: dict[str, Any] = {one.name: clean_field(one, getattr(proposal, one.name)) for one in fields.FIELDS}
    values["labels"] = resolve_labels(proposal.labels)
    if not any(values.values()):
        return {}
    evidence = verified_evidence(proposal.evidence, document, having={name for name in FIELDS if values[name]})
    claimed = {one.field for one in proposal.evidence}
    lacking = [name for name in FIELDS if values[name] and name not in evidence]
    return {
        **values,
        "evidence": evidence,
        "unsupported": [name for name in lacking if name in claimed or name not in NEED_NO_EVIDENCE],
        "provider": proposal.provider,
        "model": proposal.model,
        "prompt_version": proposal.prompt_version,
    }


def resolve_labels(raw: Iterable[LabelName]) -> list[dict[str, Any]]:
    """Existing labels, found by slug, alias or name, then new names. Each label once, both lists limited."""
    existing: dict[str, dict[str, Any]] = {}
    new: dict[str, dict[str, Any]] = {}
    for label in list(raw)[:MOST_RAW_LABELS]:
        name = clean(label.name)
        known = (label.slug and naming.find(label.slug)) or (name and naming.find_named(name))
        if known:
            existing.setdefault(known.slug, {"slug": known.slug, "name": known.name, "existing": True})
        elif name and len(name) <= MAX_NAME_LENGTH:
            new.setdefault(slugify(name), {"slug": slugify(name), "name": name, "existing": False})
    return [*list(existing.values())[:MOST_EXISTING_LABELS], *list(new.values())[:MOST_NEW_LABELS]]
