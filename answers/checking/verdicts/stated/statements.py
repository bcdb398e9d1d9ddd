"""What a text states beside its citations: each sentence with the provisions that it cites, held against them."""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from answers.checking.verdicts.cited import CheckedCitation
from answers.checking.verdicts.findings import (
    CitationVerdict,
    Location,
    NotChecked,
    StatementFinding,
    StatementVerdict,
)
from answers.checking.verdicts.stated.resting import RestingSentences, says_something, without_citations, words_taken
from answers.checking.verdicts.stated.votes import MAX_BEFORE_LENGTH, MAX_LAW_LENGTH, Judge, Judgement, Proposition
from answers.checking.verdicts.texts import ProvisionTexts
from kb_project.database.connections import release
from kb_project.database.rows import storable
from kb_project.llm.protocol import LanguageModel
from kb_project.llm.roles import CHECKING
from law.checking.agreement import Agreement, compared, is_doubtful
from law.checking.duties import contradicted_duty
from law.checking.quotations import Quotation
from sources import provisions
from sources.models import Provision
from topics.models import Topic

MAX_JUDGED = 300  # statements of a text that models read
JUDGED_AT_ONCE_S = 60.0  # what all statements of a text may take where somebody waits
JUDGED_LATER_S = 1_800.0
_UNHEARD: Callable[[], object] = lambda: None  # noqa: E731


@dataclass(frozen=True)
class Statement:
    """A sentence of the text, its citations, and what they cite says. `own` is it without citations and quotations.

    `claim` is that without the names of acts, `taken` are the words of which the citation is plainly the source. Of its
    citations those count whose provision is here, or all where none is.
    """

    start: int
    end: int
    said: str
    own: str
    claim: str
    taken: str
    before: str
    citations: tuple[CheckedCitation, ...]
    is_quoting: bool  # it leads to a quotation, whose words are looked at as such
    laws: tuple[str, ...] = ()
    elsewhere: Location | None = None  # where its words stand, if not in what it cites

    @cached_property
    def law(self) -> str:
        """What all of them say, of one section no clause twice."""
        some = list(dict.fromkeys(self.laws))
        if self._is_of_one:
            some = [one for one in some if not any(one != other and one in other for other in some)]
        return "\n\n".join(some)

    @property
    def _is_of_one(self) -> bool:
        """Whether one section alone is cited, or a clause of it."""
        return len({one.section and one.section.pk for one in self.citations}) == 1

    def said_by(self, words: str) -> Location | None:
        """The provision that has the words."""
        places = zip(self.laws, self.citations, strict=True)
        return next((one.finding.to for law, one in places if words in law), self.citations[0].finding.to)

    @property
    def finding(self) -> StatementFinding:
        """Of a statement that no model reads: its numbers, duties, days and words are compared, with one section."""
        to = self.citations[0].finding.to
        if words := self._contradicted if self._is_of_one and self.law else "":
            verdict = StatementVerdict.CONTRADICTS.value
            return StatementFinding(start=self.start, end=self.end, verdict=verdict, to=to, words=words)
        if self.elsewhere:
            verdict = StatementVerdict.DOES_NOT_SAY.value
            return StatementFinding(start=self.start, end=self.end, verdict=verdict, to=to, at=self.elsewhere)
        return StatementFinding(
            start=self.start,
            end=self.end,
            verdict=StatementVerdict.NOT_CHECKED.value,
            to=to,
            why=self._why.value,
        )

    @property
    def is_of_what_is_here(self) -> bool:
        return any(one.section for one in self.citations)

    @property
    def _why(self) -> NotChecked:
        if not self.is_of_what_is_here:
            return why_not_here(self.citations[0])
        return NotChecked.NUMBERS_NOT_COMPARED if self._has_open_numbers else NotChecked.NO_MODEL

    @property
    def _has_open_numbers(self) -> bool:
        """Whether it has a number with its unit of which it cannot be told whether the law says so."""
        return compared(self.own, self.law)[0] in (Agreement.UNSURE, Agreement.OTHER)

    @cached_property
    def _contradicted(self) -> str:
        """Words of the law that say otherwise beyond doubt, '' where none do."""
        _agreement, differing = compared(self.own, self.law)
        words = "; ".join(self.law[there.start : there.end] for _, there in differing)
        return words or contradicted_duty(self.claim, self.law)

    @property
    def proposition(self) -> Proposition:
        """What models are asked. Where numbers, negations, duties or days differ one vote is not enough."""
        cited = "; ".join(one.finding.text for one in self.citations)
        doubtful = is_doubtful(self.own, self.law)
        said, before = storable(self.said), storable(self.before)
        laws = tuple(dict.fromkeys(self.laws))
        return Proposition(statement=said, laws=laws, cited=storable(cited), before=before, doubtful=doubtful)


def statements_of(
    text: str,
    outside: str,
    quotations: Sequence[Quotation],
    citations: Sequence[CheckedCitation],
    *,
    provision_texts: ProvisionTexts,
) -> list[Statement]:
    """Each sentence that says something of a provision that it cites. `outside` is the text without its quotations.

    Its citations stand in it, or in a note whose sign it has, or are all that the next sentence has.
    """
    resting = RestingSentences(text, outside, quotations, citations)
    names = [one for one in citations if one.names_no_section]
    starts = [one.mention.start for one in names]
    found = [
        _statement(text, outside, span, some, names[bisect_left(starts, span[0]) : bisect_left(starts, span[1])])
        for span, some in resting.found().items()
    ]
    kept = [
        one for one in found if says_something(one.own, quoting=one.is_quoting, of_what_is_here=one.is_of_what_is_here)
    ]
    texts = iter(texts_of([cited for one in kept for cited in one.citations], provision_texts))
    laws = [tuple(next(texts) for _ in one.citations) for one in kept]
    return [replace(one, laws=some if all(some) else ()) for one, some in zip(kept, laws, strict=True)]


def _statement(
    text: str,
    outside: str,
    span: tuple[int, int],
    citations: Sequence[CheckedCitation],
    names: Sequence[CheckedCitation],
) -> Statement:
    start, end = span
    start += len(text[start:end]) - len(text[start:end].lstrip())
    end -= len(text[start:end]) - len(text[start:end].rstrip())
    said, own = text[start:end], without_citations(outside, (start, end), citations, leads=False)
    claim = without_citations(outside, (start, end), [*citations, *names], leads=False)
    taken = words_taken(outside, (start, end), citations, names)
    before = text[max(start - MAX_BEFORE_LENGTH, 0) : start]
    here = tuple(one for one in citations if one.section) or tuple(citations)
    cited_words = sum(len(one.finding.text.split()) for one in citations if start <= one.mention.start < end)
    others = without_citations(outside, (start, end), citations)
    is_quoting = len(said.split()) > len(others.split()) + cited_words or said.endswith(":")
    return Statement(start, end, said, own, claim, taken, before, here, is_quoting)


def why_not_here(one: CheckedCitation) -> NotChecked:
    """Why what it cites is not here to be held against."""
    if one.finding.verdict == CitationVerdict.AMBIGUOUS:
        return NotChecked.SEVERAL_ACTS
    return NotChecked(one.finding.why) if one.finding.why else NotChecked.PROVISION_NOT_HERE


def texts_of(citations: Sequence[CheckedCitation], texts: ProvisionTexts) -> list[str]:
    """What the provisions say, in two queries: of a clause itself alone, of a range all but its other end.

    '' for a range that is too long to be read.
    """
    between = _between(citations)
    sections = [one.section for one in citations if one.section]
    texts.read([*sections, *(one for some in between for one in some or ())])
    found = []
    for one, some in zip(citations, between, strict=True):
        said = [_inside(one, texts), *(texts.of(other).text for other in some or ())]
        found.append("" if some is None else "\n\n".join(said))
    return found


def _between(citations: Sequence[CheckedCitation]) -> list[list[Provision] | None]:
    """The provisions between the ends of the range that each citation begins, None where they are too long."""
    wanted = [[(one.source.pk, eid) for eid in one.between] if one.source else [] for one in citations]
    stored = provisions.stored(place for places in wanted for place in places)
    held = [[stored[place] for place in places if place in stored] for places in wanted]
    return [some if sum(one.span_end - one.span_start for one in some) <= MAX_LAW_LENGTH else None for some in held]


def _inside(one: CheckedCitation, texts: ProvisionTexts) -> str:
    section = one.section
    text = texts.of(section).text if section else ""
    if section is None or one.eid == section.eid:
        return text
    spans = [
        (clause.span_start - section.span_start, clause.span_end - section.span_start)
        for clause in texts.clauses(section)
        if clause.eid == one.eid or clause.eid in one.between
    ]
    return text[spans[0][0] : spans[-1][1]] if spans else text


def check_statements(
    some: Sequence[Statement],
    *,
    topic_id: int | None,
    within_s: float = JUDGED_AT_ONCE_S,
    on_judged: Callable[[], object] = _UNHEARD,
) -> list[StatementFinding]:
    """A finding for each statement. Without a model only numbers, duties and days count. `within_s` bounds models."""
    findings = [one.finding for one in some]
    models = CHECKING.models()
    if not models or not some:
        return findings
    readable = [place for place, one in enumerate(some) if one.law and len(one.law) <= MAX_LAW_LENGTH][:MAX_JUDGED]
    judged = _judged([some[place].proposition for place in readable], models, topic_id, within_s, on_judged)
    by_place = dict(zip(readable, judged, strict=True))
    after = [
        _after(one, finding, by_place.get(place))
        for place, (one, finding) in enumerate(zip(some, findings, strict=True))
    ]
    return [one for one in after if one]


def _judged(
    propositions: Sequence[Proposition],
    models: Sequence[LanguageModel],
    topic_id: int | None,
    within_s: float,
    on_judged: Callable[[], object],
) -> list[Judgement]:
    topic = Topic.objects.filter(pk=topic_id).first() if topic_id else None
    release()
    judge = Judge(models, topic_name=topic.name if topic else "", within_s=within_s)
    return list(judge.judge(propositions, on_judged=on_judged))


def _after(stated: Statement, one: StatementFinding, judgement: Judgement | None) -> StatementFinding | None:
    """The finding by what models say, None for what states nothing. Where no model answers, its numbers still tell."""
    if judgement is None and not stated.is_of_what_is_here:
        return one
    if judgement is None or judgement.why:
        why = judgement.why if judgement else NotChecked.BOUND_REACHED.value
        return replace(one, why=why) if one.why else one
    if judgement.verdict is None:
        return None
    to, verdict = stated.said_by(judgement.words), judgement.verdict.value
    if one.verdict != StatementVerdict.NOT_CHECKED and verdict == StatementVerdict.SUPPORTS:
        words = one.words or judgement.words  # the numbers or duties differ, or the words stand elsewhere
        return replace(one, verdict=StatementVerdict.UNDECIDED.value, words=words, at=None)
    at = one.at if verdict == StatementVerdict.DOES_NOT_SAY else None
    return replace(one, verdict=verdict, to=to, at=at, words=judgement.words, why="")
