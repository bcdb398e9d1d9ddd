"""Our own answers held against the law, as anybody's text is: what they cite, what they quote and what they state."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from answers.checking.verdicts.check import check
from answers.checking.verdicts.cited import CheckedCitation, place_of
from answers.checking.verdicts.findings import CitationFinding, CitationVerdict
from answers.checking.verdicts.phrases import PhraseFinder
from answers.checking.verdicts.quoted import QuotationChecker
from answers.checking.verdicts.stated.resting import says_something
from answers.checking.verdicts.stated.statements import Statement, check_statements, texts_of
from answers.checking.verdicts.texts import ProvisionTexts
from answers.writing.protocol import Answer, AnswerCitation
from answers.writing.statements.support import MARK, is_quoted, pieces
from law.checking.quotations import Quotation
from law.references.mentions import Citation
from sources import provisions
from sources.models import Source
from sources.scope import Scope

MAX_PHRASES = 20  # of an answer that are looked for in the index
Verdicts = Mapping[str, Mapping[str, int]]


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
