"""Warnings for the reviewer: a short list of codes, and a sentence for each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.db.models import TextChoices
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from ingest.classify.proposal import FIELDS
from ingest.decisions import FIELD_LABELS
from ingest.models import Job
from ingest.review.phases import Phase, phase_of


class WarningCode(TextChoices):
    DUPLICATE = "duplicate", gettext_lazy("Duplicate")
    NO_PROPOSAL = "no_proposal", gettext_lazy("Nothing proposed")
    NO_TITLE = "no_title", gettext_lazy("No title")
    NO_SUMMARY = "no_summary", gettext_lazy("No summary")
    NO_EVIDENCE = "no_evidence", gettext_lazy("No evidence for a field")
    REPAIRED = "repaired", gettext_lazy("Text layer repaired")
    OCR = "ocr", gettext_lazy("Read by OCR")
    UNREAD = "unread", gettext_lazy("Pages not read")
    OTHER = "other", gettext_lazy("Other remark")


@dataclass(frozen=True, slots=True)
class ReviewWarning:
    code: WarningCode
    sentence: str

    @property
    def name(self) -> str:
        return str(self.code.label)


# The reader's sentences, by what they are about; the page number is the first number in them.
_READING = (
    (re.compile(r"faulty text layer"), WarningCode.REPAIRED, gettext_lazy("Page %s: the text layer was repaired.")),
    (re.compile(r"by OCR"), WarningCode.OCR, gettext_lazy("Page %s was read by OCR: check numbers and names.")),
    (re.compile(r"not read"), WarningCode.UNREAD, gettext_lazy("Page %s was not read, or not all of it.")),
)
_NUMBER = re.compile(r"\d+")


def warnings_of(job: Job) -> list[ReviewWarning]:
    """The warnings of a job, those about its proposal only while that is to be decided."""
    language = get_language()
    found = [_duplicate(language)] if job.duplicate_of else []
    found += [_about_reading(sentence, language) for sentence in job.warnings or ()]
    if phase_of(job) is Phase.AWAITING_REVIEW:
        suggestions = job.ai_suggestions or {}
        lacking = tuple(field for field in ("title", "summary") if not suggestions.get(field))
        found += _about_proposal(bool(suggestions), lacking, tuple(unsupported(suggestions)), language)
    return found


def unsupported(suggestions: dict[str, Any]) -> list[str]:
    """The proposed fields without evidence. A summary needs none."""
    evidence = suggestions.get("evidence") or {}
    return [field for field in FIELDS if field not in ("summary", "labels", *evidence) and suggestions.get(field)]


# A batch has few different warnings and many of each: to translate each once makes its page faster by a third.


@lru_cache(maxsize=8)
def _duplicate(language: str | None) -> ReviewWarning:
    return ReviewWarning(WarningCode.DUPLICATE, _("The same file is already here."))


@lru_cache(maxsize=1024)
def _about_reading(sentence: str, language: str | None) -> ReviewWarning:
    number = _NUMBER.search(sentence)
    for pattern, code, translated in _READING:
        if number and pattern.search(sentence):
            return ReviewWarning(code, str(translated) % number.group())
    return ReviewWarning(WarningCode.OTHER, sentence)


@lru_cache(maxsize=256)
def _about_proposal(
    proposed: bool, lacking: tuple[str, ...], unquoted: tuple[str, ...], language: str | None
) -> tuple[ReviewWarning, ...]:
    if not proposed:
        nothing = _("The classifier proposed nothing: fill the form in by hand.")
        return (ReviewWarning(WarningCode.NO_PROPOSAL, nothing),)
    found = []
    if "title" in lacking:
        found.append(ReviewWarning(WarningCode.NO_TITLE, _("No title was proposed.")))
    if "summary" in lacking:
        found.append(ReviewWarning(WarningCode.NO_SUMMARY, _("No summary was proposed.")))
    if unquoted:
        names = ", ".join(str(FIELD_LABELS[field]) for field in unquoted)
        found.append(ReviewWarning(WarningCode.NO_EVIDENCE, _("No words of the document were quoted for: %s.") % names))
    return tuple(found)
