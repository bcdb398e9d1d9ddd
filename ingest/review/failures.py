"""Why a job failed, in the reader's language. The stored sentence is English; translations go by its code."""

from __future__ import annotations

from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from ingest.models import Job

SENTENCES = {
    "empty": _("There is no text in the file."),
    "corrupt": _("The file is damaged and cannot be read."),
    "encrypted": _("The file is protected by a password. Upload a copy without one."),
    "no_text_layer": _("The pages are images, and no OCR is available to read them."),
    "unsupported_type": _("The file is of a type that is not read here."),
    "too_many_pages": _("The file has too many pages."),
    "too_large": _("The file is too large."),
    "extraction_timeout": _("Reading the file took too long."),
    "extraction_crashed": _("The file stopped the program that reads it: it is damaged or needs too much memory."),
    "worker_lost": _("Processing was cut off three times. The file may be damaged; retry it or save it anew."),
    "file_missing": _("The stored file is gone. Upload the document again."),
    "provider_error": _("An outside service failed. Retry the job."),
    "database_error": _("The database failed. Retry the job."),
    "storage_error": _("The file store failed. Retry the job."),
    "internal_error": _("Something went wrong inside the service. Retry the job."),
    "discarded": _("Discarded; the file was deleted."),
}


# What can go wrong while a file is sent, besides what is wrong with the file.
SENDING = {
    "unavailable": _("The service cannot take the file just now. Try again in a moment."),
    "throttled": _("Too many requests at once. Try again in a moment."),
    "permission_denied": _("You may not do this."),
    "unknown_topic": _("There is no such topic."),
}


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
