"""The findings of a check as comments in Word."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _

from answers.checking.sentences import with_sentences
from answers.checking.verdicts.findings import (
    OUTCOMES,
    VERDICTS,
    Outcome,
    QuotationVerdict,
    StatementVerdict,
    outcome_of,
)
from answers.checking.word import WordComment, is_word, plain_document, with_comments
from answers.checking.word_places import letters
from answers.models import TextCheck
from kb_project.errors import Conflict
from kb_project.web.streams import attachment
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
    """The counts, and then what is said of each item that somebody must look at, in the order of the text."""
    told = with_sentences(one.report or {})
    found: list[tuple[int, str, int, dict[str, Any]]] = [
        (finding["start"], kind, place, finding)
        for kind in VERDICTS
        for place, finding in enumerate(told.get(kind, ()))
    ]
    if found:
        yield WordComment("", summary_of(told))
    text = letters(one.text)
    places = [at for at, char in enumerate(one.text) if letters(char)]
    for start, kind, place, finding in sorted(found, key=lambda row: row[:3]):
        remark = one.remarks.get(f"{kind}:{place}")
        if not (remark or is_to_be_looked_at(kind, finding)):
            continue
        said = f"{OUTCOMES[outcome_of(finding)]}: {VERDICTS[kind](finding['verdict']).label}. {finding['reason']}"
        words = one.text[start : finding["end"]]
        sought, ahead = letters(words), bisect_left(places, start)
        before = text.count(sought, 0, ahead + len(sought) - 1) if sought else 0
        yield WordComment(words, f"{said} — {remark}" if remark else said, before)


def summary_of(report: Mapping[str, Any]) -> str:
    """The counts of a report, a line for each outcome, and what was not read."""
    counts = Counter(outcome_of(one) for kind in VERDICTS for one in report.get(kind, ()))
    lines = [_("Citations, quotations and statements: %d.") % counts.total()]
    lines += [f"{OUTCOMES[outcome]}: {counts[outcome]}" for outcome in Outcome]
    unread = dict.fromkeys(str(one["reason"]) for one in report.get("not_checked", ()))
    return "\n".join([*lines, *unread])


def is_to_be_looked_at(kind: str, found: Mapping[str, Any]) -> bool:
    """Whether an item is wrong, or could not be judged for a reason of its own.

    Statements that nobody read are told together, and so few words as may stand anywhere are only counted.
    """
    outcome, verdict = outcome_of(found), found["verdict"]
    is_counted_alone = verdict == QuotationVerdict.TOO_SHORT_TO_TELL or (
        kind == "statements" and verdict == StatementVerdict.NOT_CHECKED
    )
    return outcome is Outcome.WRONG or (outcome is Outcome.NOT_JUDGED and not is_counted_alone)


def word_response(one: TextCheck) -> HttpResponse:
    """The file, to be kept under the name of the one that was sent."""
    name = (one.filename.rpartition(".")[0] or "check") + ".docx"
    return attachment(as_word(one), content_type=TYPE, filename=name)
