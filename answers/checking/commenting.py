"""The findings of a check as comments in Word."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from answers.checking.sentences import with_sentences
from answers.checking.verdicts.findings import VERDICTS
from answers.checking.word import WordComment, is_word, plain_document, with_comments
from answers.models import TextCheck
from kb_project.errors import Conflict
from kb_project.web.attachments import attachment
from kb_project.word_files import TYPE
from law.languages.scripts import main_language


def as_word(one: TextCheck) -> bytes:
    """The DOCX that was checked, or one of the text, with a comment for each finding. Raises Conflict and Invalid."""
    if one.report is None:
        raise Conflict(_("The check is not done yet."))
    content = bytes(one.file) if one.file is not None else b""
    if not is_word(content):
        content = plain_document(one.text, rtl=not main_language(one.text).has_capitals)
    return with_comments(content, list(comments_of(one)), at=one.at)


def comments_of(one: TextCheck) -> Iterator[WordComment]:
    """What is said of each finding, in the order of the text."""
    told = with_sentences(one.report or {})
    found: list[tuple[int, str, int, dict[str, Any]]] = [
        (finding["start"], kind, place, finding)
        for kind in VERDICTS
        for place, finding in enumerate(told.get(kind, ()))
    ]
    for _start, kind, place, finding in sorted(found, key=lambda row: row[:3]):
        said = f"{VERDICTS[kind](finding['verdict']).label}. {finding['reason']}"
        if remark := one.remarks.get(f"{kind}:{place}"):
            said = f"{said} — {remark}"
        yield WordComment(one.text[finding["start"] : finding["end"]], said)


def word_response(one: TextCheck) -> HttpResponse:
    """The file, to be kept under the name of the one that was sent."""
    name = (one.filename.rpartition(".")[0] or "check") + ".docx"
    return attachment(as_word(one), content_type=TYPE, filename=name)
