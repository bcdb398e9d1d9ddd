"""Cleaning single values: one line each, within their limits, a date that exists."""

from __future__ import annotations

import datetime as dt
import re

from labels.slugs import clean_name

SUMMARY_SHORTEST, SUMMARY_LONGEST = 80, 200
TITLE_LONGEST = 300
SUBJECT_LONGEST = 200
IDENTIFIER_LONGEST = 80

_ISO_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_DANGLING = ' ,;:–—-([{"“”״'


def clean(text: str | None) -> str:
    """One line of visible characters."""
    return clean_name(text or "")


def cut_at_word(text: str, longest: int) -> str:
    """The text if it fits, else as many whole words of it as fit; a word longer than that is cut."""
    if len(text) <= longest:
        return text
    whole = text[: longest + 1].rpartition(" ")[0].rstrip(_DANGLING)
    return whole or text[:longest]


def clean_summary(text: str | None) -> str | None:
    """A summary of 80 to 200 characters: one that is too long is cut at a word, one that is too short is dropped."""
    text = clean(text)
    summary = cut_at_word(text, SUMMARY_LONGEST)
    if len(summary) < SUMMARY_SHORTEST:  # too short from the start, or made so by a monstrous word
        summary = text[:SUMMARY_LONGEST]
    return summary if len(summary) >= SUMMARY_SHORTEST else None


def clean_identifier(text: str | None) -> str | None:
    """An identifier in one line; one that is too long cannot be one, and half of it would be wrong."""
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
