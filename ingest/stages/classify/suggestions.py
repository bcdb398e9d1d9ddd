"""Turn a classifier's raw answer into `ai_suggestions`: clean values, verified evidence, resolved labels.

`unsupported` names the fields that no words of the document support: those whose evidence was false, or that lack it.
`ends` has the documents that this one says it replaces or repeals: what each is `named`, whether it is `replaced` or
else repealed, the `day`, if the words give one, and the words (`quote`) with their `page`.
"""

from collections.abc import Iterable
from typing import Any

from ingest.stages.classify.cleaning import clean, clean_field, verified, verified_evidence
from ingest.stages.classify.proposal import FIELDS, RawProposal
from labels import naming
from law.metadata.endings import find_endings
from law.metadata.head import DocumentHead, LabelName, RawEvidence
from law.metadata.sentences import sentences_of
from law.words.slugs import MAX_NAME_LENGTH, slugify
from sources import fields

MAX_EXISTING_LABELS = 8
MAX_NEW_LABELS = 3
MAX_RAW_LABELS = 50  # each costs a query
NEED_NO_EVIDENCE = ("summary", "labels")  # no words of the document may say what they say


def build(proposal: RawProposal, document: DocumentHead) -> dict[str, Any]:
    """The `ai_suggestions` of a job. `{}` when nothing of the proposal is left."""
    values: dict[str, Any] = {one.name: clean_field(one, getattr(proposal, one.name)) for one in fields.FIELDS}
    values["labels"] = resolve_labels(proposal.labels)
    endings = ending_clauses(document)
    if not any(values.values()) and not endings:
        return {}
    evidence = verified_evidence(proposal.evidence, document, having={name for name in FIELDS if values[name]})
    claimed = {one.field for one in proposal.evidence}
    lacking = [name for name in FIELDS if values[name] and name not in evidence]
    return {
        **values,
        "evidence": evidence,
        "unsupported": [name for name in lacking if name in claimed or name not in NEED_NO_EVIDENCE],
        **({"ends": endings} if endings else {}),
        "provider": proposal.provider,
        "model": proposal.model,
        "prompt_version": proposal.prompt_version,
    }


def ending_clauses(document: DocumentHead) -> list[dict[str, Any]]:
    """What the document says that it ends, whoever proposes its fields: only words that stand on their page."""
    found = []
    for one in find_endings(sentences_of(document)):
        place = verified(RawEvidence("ends", one.page, one.quote), (*document.pages, *document.further))
        if place:
            day = one.day.isoformat() if one.day else None
            found.append({"named": one.named, "replaced": one.replaced, "day": day, **place})
    return found


def resolve_labels(raw: Iterable[LabelName]) -> list[dict[str, Any]]:
    """Existing labels, found by slug, alias or name, then new names. Each label once, both lists limited."""
    existing: dict[str, dict[str, Any]] = {}
    new: dict[str, dict[str, Any]] = {}
    for label in list(raw)[:MAX_RAW_LABELS]:
        name = clean(label.name)
        known = (label.slug and naming.find(label.slug)) or (name and naming.find_named(name))
        if known:
            existing.setdefault(known.slug, {"slug": known.slug, "name": known.name, "existing": True})
        elif name and len(name) <= MAX_NAME_LENGTH:
            new.setdefault(slugify(name), {"slug": slugify(name), "name": name, "existing": False})
    return [*list(existing.values())[:MAX_EXISTING_LABELS], *list(new.values())[:MAX_NEW_LABELS]]
