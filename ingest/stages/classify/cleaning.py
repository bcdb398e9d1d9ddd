"""Clean values of a proposal, and evidence that its words stand in the document. Needs no settings."""

import datetime as dt
import re
from collections.abc import Iterable, Sequence

from law.metadata.head import DocumentHead, HeadPage, RawEvidence
from law.metadata.shortening import SUMMARY_LONGEST, SUMMARY_SHORTEST, cut_at_word
from law.words.slugs import clean_name
from sources.fields import MAX_NAMES, DocumentField, FieldType
from sources.kinds import SourceKind

MAX_RAW_EVIDENCE = 50
MIN_QUOTE_LENGTH = 2
MAX_QUOTE_LENGTH = 600
_SPACE = re.compile(r"\s+")
IDENTIFIER_LONGEST = 80
LONGEST = {"title": 300, "subject": 200}
"""Most characters of a proposed text, where a person may write a longer one."""
_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


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
    longest = LONGEST.get(field.name, field.longest)
    return (cut_at_word(clean(text), longest) if longest else clean(text)) or None


def clean(text: str | None) -> str:
    """One line of visible characters."""
    return clean_name(text or "")


def clean_summary(text: str | None) -> str | None:
    """A summary of 80 to 200 characters. A longer one is cut at a word, a shorter one is dropped."""
    text = clean(text)
    summary = cut_at_word(text, SUMMARY_LONGEST)
    if len(summary) < SUMMARY_SHORTEST:  # too short, or cut before a very long word
        summary = text[:SUMMARY_LONGEST]
    return summary if len(summary) >= SUMMARY_SHORTEST else None


def clean_identifier(text: str | None) -> str | None:
    """An identifier in one line. One that is too long is dropped, because half of it would be wrong."""
    text = clean(text)
    return text if 0 < len(text) <= IDENTIFIER_LONGEST else None


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
