"""A kept answer as a file: the question, the answer with a footnote for each quote, and what is uncertain of it."""

from collections.abc import Iterator, Mapping, Sequence

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from answers.asking.traces import REMOVED, citations_of, day_of
from answers.models import AnswerTrace
from answers.writing.numbered_parts import numbered_parts
from answers.writing.protocol import AnswerCitation, AnswerStatus
from answers.writing.statements.support import unsupported
from kb_project.web.origins import Absolute
from keeping.exports.footnotes import FootnoteMaker, without_quote
from keeping.exports.pieces import (
    Caution,
    Export,
    Footnote,
    FootnoteMark,
    Mark,
    Paragraph,
    Piece,
    QuotedText,
    Run,
    TextRun,
    speaking,
    told,
)
from law.languages.scripts import main_language

MAX_TITLE_LENGTH = 200  # characters of a question


def answer_file(trace: AnswerTrace, *, absolute: Absolute) -> Export:
    """The answer as it was given, and what has become of its documents since."""
    language = main_language(trace.question)
    with speaking(language):
        return Export(
            title=Truncator(" ".join(trace.question.split())).chars(MAX_TITLE_LENGTH),
            pieces=list(answer_pieces(trace, absolute=absolute)),
            language=language,
            made_on=timezone.localdate(),
        )


def answer_pieces(trace: AnswerTrace, *, absolute: Absolute) -> Iterator[Piece]:
    """What the screen says of an answer, in the active language."""
    citations = citations_of(trace)
    footnotes = FootnoteMaker(((one.source_id, one.eid) for one in citations), absolute=absolute)
    where = _("in the topic %s") % trace.topic.name if trace.topic else _("in all topics")
    asked_on, day = timezone.localdate(trace.at), day_of(trace)
    about = {"day": date_format(asked_on), "where": where, "of": date_format(day)}
    yield told(_("Asked on %(day)s, %(where)s: the law of %(of)s.") % about)
    if trace.status == AnswerStatus.INSUFFICIENT_EVIDENCE or not citations:
        yield Caution(_("There is no answer."))
        yield from (Paragraph([TextRun(line)]) for line in trace.answer.split("\n") if line.strip())
        return
    yield from footnotes.cautions(citations, day=day)
    yield from _cautions(trace)
    cited = {one.n: _cited(one, trace.answer, footnotes.of_citation(one, day=day)) for one in citations}
    ranges = list(unsupported(trace.answer, [one.quote for one in citations]))
    yield from answer_text(trace.answer, cited, unsupported=ranges)
    named = named_numbers(trace.answer)
    yield from (QuotedText(one.quote, without_quote(cited[one.n])) for one in citations if one.n not in named)


def _cited(citation: AnswerCitation, answer: str, cited: Footnote) -> Footnote:
    """The footnote. A quote that the answer says word for word is not said again."""
    return without_quote(cited) if citation.quote in answer else cited


def _cautions(trace: AnswerTrace) -> Iterator[Caution]:
    removed = sum(row.get("why") == REMOVED for row in trace.dropped)
    if trace.status == AnswerTrace.TRUNCATED:
        yield Caution(_("The model was cut off at the longest answer: this is not all that it had to say."))
    if removed:
        said = ngettext(
            "%(n)d sentence was left out: it stated law, a number, a date or a name without a quote.",
            "%(n)d sentences were left out: they stated law, a number, a date or a name without a quote.",
            removed,
        )
        yield Caution(said % {"n": removed})


def named_numbers(text: str) -> set[int]:
    """Those of the citations that an answer names."""
    return {int(number) for _words, number in numbered_parts(text) if number}


def answer_text(text: str, cited: Mapping[int, Footnote], *, unsupported: Sequence[tuple[int, int]]) -> Iterator[Piece]:
    """A paragraph for each line of an answer, with footnotes in the place of numbers.

    What no quote supports is marked, and a caution before it says so.
    """
    if unsupported:
        yield Caution(_("No quote supports what is underlined. Check it before you rely on it."))
    at = 0
    for line in text.split("\n"):
        runs: list[Run] = []
        start = at
        for first, last in unsupported:
            if first < at + len(line) and last > at:
                runs += _runs(text[start : max(first, start)], cited, Mark.NONE)
                end = min(last, at + len(line))
                runs += _runs(text[max(first, start) : end], cited, Mark.UNSUPPORTED)
                start = end
        runs += _runs(text[start : at + len(line)], cited, Mark.NONE)
        at += len(line) + 1
        if runs:
            yield Paragraph(runs)


def _runs(text: str, cited: Mapping[int, Footnote], mark: Mark) -> Iterator[Run]:
    for part, number in numbered_parts(text):
        words = part.rstrip(" \t") if number else part
        if words:
            yield TextRun(words, mark)
        if number and int(number) in cited:
            yield FootnoteMark(cited[int(number)])
