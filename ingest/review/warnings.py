"""What a reviewer is told of a job in the reader's language: warnings, and why it failed."""

import re
from dataclasses import dataclass
from functools import lru_cache

from django.db.models import TextChoices
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from ingest.decisions import FIELD_LABELS
from ingest.models import Job
from ingest.review.phases import Phase, phase_of

_NUMBER = re.compile(r"\d+")
SENTENCES = {
    "empty": gettext_lazy("There is no text in the file."),
    "corrupt": gettext_lazy("The file is damaged and cannot be read."),
    "encrypted": gettext_lazy("The file is protected by a password. Upload a copy without one."),
    "no_text_layer": gettext_lazy("The pages are images, and no OCR is available to read them."),
    "unsupported_type": gettext_lazy("The file is of a type that is not read here."),
    "too_many_pages": gettext_lazy("The file has too many pages."),
    "too_large": gettext_lazy("The file is too large."),
    "extraction_timeout": gettext_lazy("Reading the file took too long."),
    "extraction_crashed": gettext_lazy(
        "The file stopped the program that reads it: it is damaged or needs too much memory."
    ),
    "worker_lost": gettext_lazy(
        "Processing was cut off three times. The file may be damaged; retry it or save it anew."
    ),
    "file_missing": gettext_lazy("The stored file is gone. Upload the document again."),
    "provider_error": gettext_lazy("An outside service failed. Retry the job."),
    "database_error": gettext_lazy("The database failed. Retry the job."),
    "storage_error": gettext_lazy("The file store failed. Retry the job."),
    "internal_error": gettext_lazy("Something went wrong inside the service. Retry the job."),
    "discarded": gettext_lazy("Discarded; the file was deleted."),
}
# What can go wrong while a file is sent, besides what is wrong with the file.
SENDING = {
    "unavailable": gettext_lazy("The service cannot take the file just now. Try again in a moment."),
    "throttled": gettext_lazy("Too many requests at once. Try again in a moment."),
    "permission_denied": gettext_lazy("You may not do this."),
    "unknown_topic": gettext_lazy("There is no such topic."),
}


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


def warnings_of(job: Job) -> list[ReviewWarning]:
    """The warnings of a job, those about its proposal only while that is to be decided."""
    language = get_language()
    found = [_duplicate(language)] if job.duplicate_of else []
    found += [_about_reading(sentence, language) for sentence in job.warnings or ()]
    if phase_of(job) is Phase.AWAITING_REVIEW:
        suggestions = job.ai_suggestions or {}
        lacking = tuple(field for field in ("title", "summary") if not suggestions.get(field))
        found += _about_proposal(bool(suggestions), lacking, tuple(suggestions.get("unsupported", ())), language)
    return found


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


def translated_codes() -> dict[str, str]:
    """The sentence of each code where the reader's language is not that of the stored sentences."""
    return {} if _reads_english() else {code: str(text) for code, text in (SENTENCES | SENDING).items()}


def _reads_english() -> bool:
    return (get_language() or "en").startswith("en")


def sentence_of(code: str, sentence: str) -> str:
    """What to show for a stored sentence, or one of the readers, which say theirs in English alone."""
    translated = SENTENCES.get(code)
    return sentence if translated is None or _reads_english() else str(translated)


def why_failed(job: Job) -> str:
    """The sentence to show; empty for a job that did not fail."""
    return sentence_of(job.error_code, job.error_message) if job.error_code else ""
