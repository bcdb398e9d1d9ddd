"""Clean proposed values: one line each, within their limits, and dates that exist."""

from __future__ import annotations

import datetime as dt
import re

from labels.slugs import clean_name
from sources.fields import DocumentField, FieldType
from sources.kinds import Kind

SUMMARY_SHORTEST, SUMMARY_LONGEST = 80, 200
IDENTIFIER_LONGEST = 80
LONGEST = {"title": 300, "subject": 200}
"""Most characters of a proposed text, where a person may write a longer one."""

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DANGLING = ' ,;:–—-([{"“”״'


def clean_field(field: DocumentField, text: str | None) -> str | None:
    """The value to propose for a field; None when nothing of it is left."""
    if field.name in _CLEANERS:
        return _CLEANERS[field.name](text)
    if field.type is FieldType.KIND:
        return text if text in Kind.values else None
    if field.type is FieldType.DATE:
        return clean_date(text)
    longest = LONGEST.get(field.name, field.longest)
    return (cut_at_word(clean(text), longest) if longest else clean(text)) or None


def clean(text: str | None) -> str:
    """One line of visible characters."""
    return clean_name(text or "")


def cut_at_word(text: str, longest: int) -> str:
    """As many whole words as fit. A word longer than that is cut."""
    if len(text) <= longest:
        return text
    whole = text[: longest + 1].rpartition(" ")[0].rstrip(_DANGLING)
    return whole or text[:longest]


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
