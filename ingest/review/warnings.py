"""What a reviewer is told of a job in the reader's language: warnings, and why it failed."""

from dataclasses import dataclass
from functools import lru_cache

from django.db.models import TextChoices
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from ingest.decisions import FIELD_LABELS
from ingest.models import Job
from ingest.review.phases import ReviewPhase, phase_of
from ingest.review.stored_sentences import said_again
from ingest.similar.naming import most_similar
from ingest.stages.classify.proposal import FELL_BACK, NO_PROPOSAL, NO_TEXT
from kb_project.isolates import isolated
from sources.remarks import RemarkCode, remarks

SENTENCES = {
    "empty": gettext_lazy("There is no text in the file."),
    "corrupt": gettext_lazy("The file is damaged and cannot be read."),
    "encrypted": gettext_lazy("The file is protected by a password. Save it without a password and upload it again."),
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
    "discarded": gettext_lazy("It was discarded."),
    "source_deleted": gettext_lazy("Its source was deleted."),
    "overtaken": gettext_lazy("The act has another version or another text by now."),
    "source_replaced": gettext_lazy("Another document has replaced its source."),
    "classifier_away": gettext_lazy("The classifier did not answer. Classify the file again, or fill in the form."),
    "classifier_failed": gettext_lazy("The classifier gave nothing that can be used. Fill in the form."),
    "budget_spent": gettext_lazy("The tokens of the day are used up. Classify the file tomorrow, or fill in the form."),
    "classifier_fell_back": gettext_lazy("The first classifier failed. What is proposed comes from the next one."),
    "nothing_to_classify": gettext_lazy("The first pages have no text to classify."),
    "nothing_proposed": gettext_lazy("The classifier found nothing to propose."),
}
OF_THE_FILE = frozenset({"empty", "corrupt", "encrypted", "unsupported_type", "too_many_pages", "too_large"})
"""The codes of failures that another try does not change."""
# What can go wrong while a file is sent, besides what is wrong with the file.
SENDING = {
    "unavailable": gettext_lazy("The service cannot take the file just now. Try again in a moment."),
    "throttled": gettext_lazy("Too many requests at once. Try again in a moment."),
    "permission_denied": gettext_lazy("You may not do this."),
    "unknown_topic": gettext_lazy("There is no such topic."),
}


class WarningCode(TextChoices):
    DUPLICATE = "duplicate", gettext_lazy("Duplicate")
    SIMILAR = "similar", gettext_lazy("Nearly the same document")
    NOT_CLASSIFIED = "not_classified", gettext_lazy("Not classified")
    FELL_BACK = "fell_back", gettext_lazy("By another classifier")
    NO_PROPOSAL = "no_proposal", gettext_lazy("Nothing proposed")
    NO_TITLE = "no_title", gettext_lazy("No title")
    NO_SUMMARY = "no_summary", gettext_lazy("No summary")
    NO_EVIDENCE = "no_evidence", gettext_lazy("No evidence for a field")
    REPAIRED = RemarkCode.REPAIRED.value, RemarkCode.REPAIRED.label
    OCR = RemarkCode.OCR.value, RemarkCode.OCR.label
    UNREAD = RemarkCode.UNREAD.value, RemarkCode.UNREAD.label
    TABLE = RemarkCode.TABLE.value, RemarkCode.TABLE.label
    LOST = RemarkCode.LOST.value, RemarkCode.LOST.label
    NUMBERS = RemarkCode.NUMBERS.value, RemarkCode.NUMBERS.label
    HEAD = RemarkCode.HEAD.value, RemarkCode.HEAD.label
    OTHER = RemarkCode.OTHER.value, RemarkCode.OTHER.label


@dataclass(frozen=True, slots=True)
class ReviewWarning:
    """`address` is that of a page that shows it."""

    code: WarningCode
    sentence: str
    address: str = ""

    @property
    def name(self) -> str:
        return str(self.code.label)

    @property
    def is_mild(self) -> bool:
        """Whether it is said for completeness: most documents are longer than what a proposal is made from."""
        return self.code is WarningCode.HEAD


_OF_CLASSIFIER = {
    FELL_BACK: WarningCode.FELL_BACK,
    NO_TEXT: WarningCode.NO_PROPOSAL,
    NO_PROPOSAL: WarningCode.NO_PROPOSAL,
}


def warnings_of(job: Job) -> list[ReviewWarning]:
    """The warnings of a job, those about its proposal only while that is to be decided."""
    language = get_language()
    found = [_duplicate(language)] if job.duplicate_of else []
    read = remarks(job.warnings, job.unread_pages, job.numbering, job.lost)
    found += [ReviewWarning(WarningCode(remark.code), remark.sentence) for remark in read]
    if phase_of(job) is ReviewPhase.AWAITING_REVIEW:
        found += _similar(job) if job.source_id is None else []  # a reopened one was told apart before
        suggestions = job.ai_suggestions or {}
        if job.error_code:
            found.append(_about_classifier(job.error_code, job.error_message, language))
            if not suggestions:
                return found
        lacking = tuple(field for field in ("title", "summary") if not suggestions.get(field))
        found += _about_proposal(bool(suggestions), lacking, tuple(suggestions.get("unsupported", ())), language)
    return found


def _similar(job: Job) -> list[ReviewWarning]:
    one = most_similar(job)
    if one is None:
        return []
    sentence = _("Nearly the same as “%(title)s” (%(percent)s%%).") % {
        "title": isolated(one.title),
        "percent": one.percent,
    }
    return [ReviewWarning(WarningCode.SIMILAR, sentence, f"/review/{job.batch_id}/{job.pk}/similar/{one.row.pk}/")]


# A batch has few different warnings and many of each: to translate each once makes its page faster by a third.


@lru_cache(maxsize=8)
def _duplicate(language: str | None) -> ReviewWarning:
    return ReviewWarning(WarningCode.DUPLICATE, _("The same file is already here."))


@lru_cache(maxsize=256)
def _about_classifier(code: str, message: str, language: str | None) -> ReviewWarning:
    return ReviewWarning(_OF_CLASSIFIER.get(code, WarningCode.NOT_CLASSIFIED), sentence_of(code, message))


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
    """What to show for a stored sentence in the reader's language: that of its code where it is not known."""
    translated = SENTENCES.get(code)
    return sentence if translated is None or _reads_english() else said_again(sentence) or str(translated)


def details_of(code: str, sentence: str) -> str:
    """The stored sentence, in English, where the reader is shown only that of its code."""
    return "" if sentence == sentence_of(code, sentence) or said_again(sentence) else sentence


def why_failed(job: Job) -> str:
    """Why it failed, or why its classifier did, as a sentence to show, empty for other jobs."""
    return sentence_of(job.error_code, job.error_message) if job.error_code not in ("", *_OF_CLASSIFIER) else ""
