"""Asking one question as `POST /kb/ask` does, and holding its answer against what must be cited.

Our own answers are also checked as any text is: what they cite, what they quote and what they state.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.utils import timezone

from answers.asking import traces
from answers.asking.ask import prepare
from answers.checking.verdicts.check import check
from answers.checking.verdicts.cited import CheckedCitation, place_of
from answers.checking.verdicts.findings import CitationFinding, CitationVerdict
from answers.checking.verdicts.phrases import PhraseFinder
from answers.checking.verdicts.quoted import QuotationChecker
from answers.checking.verdicts.stated.resting import says_something
from answers.checking.verdicts.stated.statements import Statement, check_statements, texts_of
from answers.checking.verdicts.texts import ProvisionTexts
from answers.models import AnswerTrace, EvaluationQuestion
from answers.writing.protocol import Answer, AnswerCitation, AnswerStatus
from answers.writing.quotes.verify import find_words
from answers.writing.statements.support import MARK, is_quoted, pieces
from kb_project.errors import ApiError
from law.checking.quotations import Quotation
from law.references.mentions import Citation
from search.results import SearchHit
from sources import provisions
from sources.models import Source
from sources.scope import Scope

MAX_PHRASES = 20  # of an answer that are looked for in the index
Verdicts = Mapping[str, Mapping[str, int]]
ASKED_BY = "evaluation"
END = 2**31  # of a document, in characters


def verdicts_of(answer: Answer, *, scope: Scope) -> Verdicts:
    """How often each verdict was given, by the kind of finding.

    What the text itself cites and quotes counts, each quote of its citations, and each sentence with their numbers,
    unless it stands in a quote.
    """
    text = MARK.sub(lambda mark: " " * len(mark[0]), answer.answer)
    report = check(text, scope=scope)
    cited = _cited(answer.citations)
    quoted = _quoted(answer.citations, cited, scope=scope)
    stated = check_statements(list(_stated(answer, cited)), topic_id=scope.topic_id)
    return {
        "citations": dict(Counter(one.verdict for one in report.citations)),
        "quotations": dict(Counter([*(one.verdict for one in report.quotations), *quoted])),
        "statements": dict(Counter(one.verdict for one in [*report.statements, *stated])),
    }


def _cited(citations: Sequence[AnswerCitation]) -> dict[int, CheckedCitation]:
    """What each number of the answer leads to."""
    sources = Source.objects.in_bulk([one.source_id for one in citations])
    held = provisions.holders((one.source_id, one.eid) for one in citations if one.eid)
    found = {}
    for one in citations:
        source = sources.get(one.source_id)
        section = held.get((one.source_id, one.eid))
        to = place_of(source, one.eid, one.section) if source else None
        name = f"{one.title}, {one.section}" if one.section else one.title
        finding = CitationFinding(start=0, end=0, text=name, verdict=CitationVerdict.EXISTS.value, to=to)
        mention = Citation(start=0, end=0, number=one.section)
        found[one.n] = CheckedCitation(mention=mention, finding=finding, source=source, section=section, eid=one.eid)
    return found


def _quoted(
    citations: Sequence[AnswerCitation], cited: Mapping[int, CheckedCitation], *, scope: Scope
) -> Iterator[str]:
    """The verdict on each quote."""
    phrases = PhraseFinder(scope=scope, most=MAX_PHRASES)
    for one in citations:
        whole = Quotation(0, len(one.quote), 0, len(one.quote))
        if found := QuotationChecker(one.quote, phrases).check(whole, cited[one.n]):
            yield found.verdict


def _stated(answer: Answer, cited: Mapping[int, CheckedCitation]) -> Iterator[Statement]:
    """The sentences with numbers of citations. The numbers of one stand behind it."""
    quotes = [one.quote for one in answer.citations]
    texts = ProvisionTexts()
    for start, end in pieces(answer.answer):
        sentence = answer.answer[start:end]
        own = MARK.sub("", sentence).strip()
        numbers = [int(mark[0].strip("[]")) for mark in MARK.finditer(sentence)]
        of = tuple(cited[number] for number in dict.fromkeys(numbers) if number in cited and cited[number].section)
        if of and says_something(own) and not is_quoted(own, quotes):
            before = answer.answer[max(start - 300, 0) : start]
            laws = tuple(texts_of(of, texts))
            yield Statement(start, end, own, own, own, own, before, of, is_quoting=False, laws=laws)


@dataclass(frozen=True, slots=True)
class QuestionOutcome:
    """How a question was answered.

    `rank` is the place, from 1, of the first passage of what must be cited. `status` that of the answer, or `failed`.
    `right` says that it cites what it must, or is silent where nothing answers. `unsupported` counts its sentences
    that no citation supports. `verdicts` are what a check of its text gives (`checked.verdicts_of`).
    """

    rank: int | None
    status: str
    right: bool
    unsupported: int
    answer_id: str
    verdicts: Verdicts


@dataclass(frozen=True, slots=True)
class CitableSpan:
    """Characters of a document, any of which may be cited."""

    source_id: int
    start: int
    end: int

    def meets(self, source_id: int, start: int, end: int) -> bool:
        return source_id == self.source_id and start < self.end and end > self.start


def judge(question: EvaluationQuestion) -> QuestionOutcome:
    """Ask it in its topic and judge the answer. The answer leaves a trace. A provider that fails is an outcome."""
    prepared = prepare(question.question, scope=scope_of(question), topic=question.topic)
    passages, answer = prepared.retrieval.hits, None
    targets = targets_of(question)
    with suppress(ApiError), traces.saved_trace(prepared, by=ASKED_BY) as trace:  # the trace says what was refused
        answer = trace.answer = prepared.answer()
    return QuestionOutcome(
        rank=rank_of(passages, question, targets),
        status=answer.status if answer else AnswerTrace.FAILED,
        right=answer is not None and _is_right(answer, passages, question, targets),
        unsupported=_unsupported(answer),
        answer_id=str(prepared.id),
        verdicts=verdicts_of(answer, scope=prepared.scope) if answer else {},
    )


def scope_of(question: EvaluationQuestion) -> Scope:
    """What it is searched for in: its topic, as of today."""
    return Scope(topic_id=question.topic_id, as_of=timezone.localdate())


def targets_of(question: EvaluationQuestion) -> list[CitableSpan]:
    """Where the provisions stand now, in the version that is in force. One that is not there any more is left out."""
    found = []
    for one in question.provisions:
        source_id = _in_force(one["source_id"])
        if not one["eid"]:
            found.append(CitableSpan(source_id, 0, END))
        elif provision := provisions.find(source_id, one["eid"]):
            found.append(CitableSpan(source_id, provision.span_start, provision.span_end))
    return found


def _in_force(source_id: int) -> int:
    """The version of a source's work that is in force today. The source itself where none is."""
    versions = Source.objects.in_force(timezone.localdate()).filter(work__versions=source_id)
    return versions.values_list("pk", flat=True).first() or source_id


def rank_of(passages: Sequence[SearchHit], question: EvaluationQuestion, targets: Sequence[CitableSpan]) -> int | None:
    """The place, from 1, of the first passage of a target, or with the words where there are words alone."""
    for rank, hit in enumerate(passages, 1):
        if any(target.meets(hit.source.id, hit.span_start, hit.span_end) for target in targets):
            return rank
        if question.words and not question.provisions and find_words(question.words, hit.text):
            return rank
    return None


def _is_right(
    answer: Answer, passages: Sequence[SearchHit], question: EvaluationQuestion, targets: Sequence[CitableSpan]
) -> bool:
    if question.nothing_answers:
        return answer.status is AnswerStatus.INSUFFICIENT_EVIDENCE
    by_id = {hit.chunk_id: hit for hit in passages}
    return any(
        (not question.words or find_words(question.words, citation.quote) is not None)
        and (not question.provisions or _is_of(citation, by_id.get(citation.chunk_id), targets))
        for citation in answer.citations
    )


def _is_of(citation: AnswerCitation, passage: SearchHit | None, targets: Sequence[CitableSpan]) -> bool:
    """Whether the quote stands in a target."""
    at = passage.text.find(citation.quote) if passage else -1
    if passage is None or at < 0:
        return False
    start = passage.span_start + at
    return any(target.meets(citation.source_id, start, start + len(citation.quote)) for target in targets)


def _unsupported(answer: Answer | None) -> int:
    """Sentences that are marked as unsupported, and those that were taken out."""
    return len(answer.unsupported) + answer.removed if answer else 0
