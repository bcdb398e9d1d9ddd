"""Turn a classifier's raw answer into `ai_suggestions`: clean values, verified evidence, resolved labels.

`unsupported` names the fields that no words of the document support: those whose evidence was false, or that lack it.
`ends` has the documents that this one says it replaces or repeals: what each is `named`, whether it is `replaced` or
else repealed, the `day`, if the words give one, and the words (`quote`) with their `page`.
"""

import datetime as dt
import re
from collections.abc import Iterable, Sequence
from typing import Any

from ingest.stages.classify.proposal import FIELDS, RawProposal
from labels import naming
from law.metadata.days import find_endings
from law.metadata.head import DocumentHead, HeadPage, LabelName, RawEvidence
from law.metadata.sentences import sentences_of
from law.metadata.summary import MAX_SUMMARY_LENGTH, MIN_SUMMARY_LENGTH, cut_at_word
from law.words.slugs import MAX_NAME_LENGTH, clean_name, slugify
from sources import fields
from sources.fields import MAX_NAMES, DocumentField, FieldType
from sources.kinds import SourceKind

MAX_RAW_EVIDENCE = 50
MIN_QUOTE_LENGTH = 2
MAX_QUOTE_LENGTH = 600
_SPACE = re.compile(r"\s+")
MAX_IDENTIFIER_LENGTH = 80
MAX_LENGTHS = {"title": 300, "subject": 200}
"""Most characters of a proposed text, where a person may write a longer one."""
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
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


def verified_evidence(
    raw: Iterable[RawEvidence], document: DocumentHead, *, having: set[str]
) -> dict[str, dict[str, int | str | None]]:
    """For each proposed field, its first evidence that can be verified."""
    found: dict[str, dict[str, int | str | None]] = {}
    for evidence in list(raw)[:MAX_RAW_EVIDENCE]:
        if evidence.field in having and evidence.field not in found:
            place = verified(evidence, (*document.pages, *document.further))
            if place:
                found[evidence.field] = place
    return found


def verified(evidence: RawEvidence, pages: Sequence[HeadPage]) -> dict[str, int | str | None] | None:
    """`{page, quote}` with the words as printed, or None when no page has them.

    A wrong page number is corrected when exactly one other page has the words.
    """
    words = evidence.quote.split()
    if len("".join(words)) < MIN_QUOTE_LENGTH or len(evidence.quote) > MAX_QUOTE_LENGTH:
        return None
    named = [page for page in pages if page.number == evidence.page]
    others = [page for page in pages if page.number != evidence.page]
    for page in named:
        if quote := _as_it_stands(words, page.text):
            return {"page": page.number, "quote": quote}
    found = [(page.number, quote) for page in others if (quote := _as_it_stands(words, page.text))]
    return {"page": found[0][0], "quote": found[0][1]} if len(found) == 1 else None


def _as_it_stands(words: Sequence[str], text: str) -> str:
    """The passage that has these words in sequence, or an empty text."""
    normal = _SPACE.sub(" ", text)
    at = normal.find(" ".join(words))
    if at < 0:
        return ""
    # The n-th visible character of the normalised text is the n-th visible one of the original.
    first = sum(not character.isspace() for character in normal[:at])
    length = sum(len(word) for word in words)
    visible = [index for index, character in enumerate(text) if not character.isspace()]
    return text[visible[first] : visible[first + length - 1] + 1]


def clean_field(field: DocumentField, text: str | None) -> str | list[str] | None:
    """The value to propose for a field, or None when nothing of it is left."""
    if field.name in _CLEANERS:
        return _CLEANERS[field.name](text)
    if field.type is FieldType.KIND:
        return text if text in SourceKind.values else None
    if field.type is FieldType.DATE:
        return clean_date(text)
    if field.type is FieldType.NAMES:
        return clean_names(field, text)
    longest = MAX_LENGTHS.get(field.name, field.longest)
    return (cut_at_word(clean(text), longest) if longest else clean(text)) or None


def clean(text: str | None) -> str:
    """One line of visible characters."""
    return clean_name(text or "")


def clean_summary(text: str | None) -> str | None:
    """A summary of 80 to 200 characters. A longer one is cut at a word, a shorter one is dropped."""
    text = clean(text)
    summary = cut_at_word(text, MAX_SUMMARY_LENGTH)
    if len(summary) < MIN_SUMMARY_LENGTH:  # too short, or cut before a very long word
        summary = text[:MAX_SUMMARY_LENGTH]
    return summary if len(summary) >= MIN_SUMMARY_LENGTH else None


def clean_identifier(text: str | None) -> str | None:
    """An identifier in one line. One that is too long is dropped, because half of it would be wrong."""
    text = clean(text)
    return text if 0 < len(text) <= MAX_IDENTIFIER_LENGTH else None


def clean_names(field: DocumentField, text: str | None) -> list[str] | None:
    """Names that came in a line each. Those that are too long are dropped, because half of them would be wrong."""
    names: list[str] = field.trim([clean(line) for line in (text or "").splitlines()])
    return [name for name in names if field.longest is None or len(name) <= field.longest][:MAX_NAMES] or None


def clean_date(text: str | None) -> str | None:
    """A day that exists, as `YYYY-MM-DD`."""
    text = (text or "").strip()
    if not _ISO_DATE.fullmatch(text):
        return None
    try:
        return dt.date.fromisoformat(text).isoformat()
    except ValueError:
        return None


_CLEANERS = {"summary": clean_summary, "identifier": clean_identifier}
