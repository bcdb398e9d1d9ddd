"""The check of a text: what it cites, quotes and states, held against the law of a scope on a day."""

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise, takewhile

from django.utils import timezone

from answers.checking.verdicts.cited import MAX_ENDED, CheckedCitation, check_citations
from answers.checking.verdicts.findings import (
    NotChecked,
    QuotationFinding,
    QuotationVerdict,
    Report,
    UncheckedPlace,
)
from answers.checking.verdicts.phrases import PhraseFinder
from answers.checking.verdicts.quoted import QuotationChecker
from answers.checking.verdicts.stated.elsewhere import stands_elsewhere
from answers.checking.verdicts.stated.statements import JUDGED_AT_ONCE_S, Statement, check_statements, statements_of
from answers.checking.verdicts.texts import ProvisionTexts
from kb_project.llm.roles import CHECKING
from law.checking.judgments import with_judgments, with_repeated
from law.checking.pairing import Place, pair
from law.checking.quotations import Quotation, find_quotations, without_quotations
from law.checking.sentences import without_line_ends
from law.languages.dates import day_of_text
from law.references.mentions import read_references
from sources.citations.acts_meant import read_text
from sources.scope import Scope

MAX_TEXT_LENGTH = 1_000_000  # characters; what follows is not read
MIN_WORDS_BLANKED = 6  # of a quotation whose citations are the law's own
MAX_CITATIONS = 3_000
MAX_QUOTATIONS = 3_000
MAX_LISTED = 10  # citations together that a quotation may be of
MAX_LISTED_LENGTH = 6  # characters between citations of one list
MAX_PHRASES = 200  # looked for in the index, or for every second quotation
Progress = Callable[[int, int], object]


def no_progress(done: int, total: int) -> None:
    """The progress of what nobody waits for."""


def check(
    text: str,
    *,
    scope: Scope,
    day_of_document: bool = False,
    on_progress: Progress = no_progress,
    judged_within_s: float = JUDGED_AT_ONCE_S,
    turn: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> Report:
    """The report on a text. `day_of_document`: as of the day that the text itself gives, if it gives one.

    `on_progress` is told how many quotations and statements of all are done, and may raise to stop. `judged_within_s`
    is what models may take for all statements. All but that is done in a `turn`.
    """
    with turn():
        found = _found(text, scope=scope, day_of_document=day_of_document, on_progress=on_progress)
    statements = check_statements(
        found.stated, topic_id=scope.topic_id, within_s=judged_within_s, on_judged=found.steps.step
    )
    return Report(
        as_of=found.day,
        citations=[finding for one in found.citations for finding in one.findings],
        quotations=found.quotations,
        statements=statements,
        model=CHECKING.shown,
        not_checked=sorted(found.unchecked, key=lambda one: one.start),
    )


@dataclass(frozen=True, kw_only=True)
class _Found:
    """What a text cites and quotes, and what it states, which is still to be judged."""

    day: date
    citations: Sequence[CheckedCitation]
    quotations: Sequence[QuotationFinding]
    stated: Sequence[Statement]
    unchecked: Sequence[UncheckedPlace]
    steps: "_Steps"


def _found(text: str, *, scope: Scope, day_of_document: bool, on_progress: Progress) -> _Found:
    unchecked: list[UncheckedPlace] = []
    day = scope.as_of or timezone.localdate()
    if day_of_document:
        day = day_of_text(text) or _add_unchecked(unchecked, NotChecked.NO_DAY_FOUND, day)
    scope = replace(scope, as_of=day)
    read = text[:MAX_TEXT_LENGTH]
    if len(text) > MAX_TEXT_LENGTH:
        unchecked.append(UncheckedPlace(start=MAX_TEXT_LENGTH, end=len(text), why=NotChecked.BOUND_REACHED.value))
    part = _read(read, scope=scope, on_progress=on_progress)
    if false_blocks := part.false_block_quotes(read):
        part = _read(read, scope=scope, on_progress=on_progress, no_blocks=false_blocks)
    kept = [one for one in part.found if one]
    unchecked += [*part.unchecked, *_of_ranges(part.citations)]
    return _Found(
        day=day, citations=part.citations, quotations=kept, stated=part.stated, unchecked=unchecked, steps=part.steps
    )


@dataclass(frozen=True, kw_only=True)
class _Part:
    """What was read of a text. `found` are the findings on its quotations, None for what is none after all."""

    citations: Sequence[CheckedCitation]
    quotations: Sequence[Quotation]
    found: Sequence[QuotationFinding | None]
    stated: Sequence[Statement]
    unchecked: Sequence[UncheckedPlace]
    steps: "_Steps"

    def false_block_quotes(self, text: str) -> frozenset[int]:
        """Where indented paragraphs begin that no law has, and that cite or quote themselves: parts of the text."""
        found = zip(self.quotations, self.found, strict=True)
        none = [one for one, finding in found if finding is None or finding.why == NotChecked.NO_MARKS]
        insides = [(one.outer_start, text[one.start : one.end]) for one in none if not one.certain]
        return frozenset(
            start for start, said in insides if find_quotations(said) or read_references(said, (), title="", kind="")
        )


def _read(text: str, *, scope: Scope, on_progress: Progress, no_blocks: Collection[int] = ()) -> _Part:
    unchecked: list[UncheckedPlace] = []
    quotations = find_quotations(text, no_blocks=no_blocks)
    joined = without_line_ends(text)
    outside = without_quotations(joined, quotations, longer_than=MIN_WORDS_BLANKED)
    mentions = with_repeated(outside, with_judgments(outside, read_text(outside, scope=scope)))
    for some, most in ((mentions, MAX_CITATIONS), (quotations, MAX_QUOTATIONS)):
        if len(some) > most:
            unchecked.append(UncheckedPlace(start=some[most].start, end=len(text), why=NotChecked.BOUND_REACHED.value))
            del some[most:]
    texts = ProvisionTexts()
    citations = check_citations(text, mentions, scope=scope, texts=texts, joined=joined)
    places = [Place(one.mention.start, one.mention.end, one.names_no_section) for one in citations]
    phrases = PhraseFinder(scope=scope, most=max(MAX_PHRASES, len(quotations) // 2), texts=texts)
    checker = QuotationChecker(text, phrases, texts, joined=joined)
    stated = statements_of(text, outside, quotations, citations, provision_texts=texts)
    of_stated = PhraseFinder(scope=scope, most=MAX_PHRASES, texts=texts)
    stated = [replace(one, elsewhere=stands_elsewhere(one, phrases=of_stated, texts=texts)) for one in stated]
    steps = _Steps(len(quotations) + len(stated), on_progress)
    found = []
    pairs = pair(joined, quotations, places)
    texts.read(section for of in pairs if of and (section := citations[of.place].section))
    for quotation, of in zip(quotations, pairs, strict=True):
        listed = _listed(citations, of.place) if of else [None]
        findings = [checker.check(quotation, one, pairing=of) for one in listed]
        right = (one for one in findings if one and one.verdict == QuotationVerdict.VERBATIM)
        found.append(next(right, findings[0]))
        steps.step()
    return _Part(
        citations=citations, quotations=quotations, found=found, stated=stated, unchecked=unchecked, steps=steps
    )


def _listed(citations: Sequence[CheckedCitation], place: int) -> list[CheckedCitation]:
    """The citation, and those of the same act that are listed with it: `sections 3, 4 and 7`, `section 2(1) and (2)`.

    Of a range also its other end.
    """
    before = list(reversed(citations[max(place - MAX_LISTED, 0) : place + 1]))
    behind = list(citations[place : place + 1 + MAX_LISTED])
    around = takewhile(lambda two: _are_listed(two[1], two[0]), pairwise(before))
    onward = takewhile(lambda two: _are_listed(*two) and not _is_named_in(two[0]), pairwise(behind))
    return [citations[place], *(one for _, one in around), *(one for _, one in onward)]


def _are_listed(one: CheckedCitation, other: CheckedCitation) -> bool:
    """Whether the other citation follows right behind one of the same act. An act as a whole is not of a list."""
    near, last = one.mention, other.mention
    is_behind = last.start - near.end <= MAX_LISTED_LENGTH and near.title == last.title and one.source == other.source
    return is_behind and not (one.names_no_section or other.names_no_section)


def _is_named_in(one: CheckedCitation) -> bool:
    """Whether a citation names its act itself: then what follows is no list of it."""
    return bool(one.mention.title) and one.mention.title in one.finding.text


class _Steps:
    """How far a check is."""

    def __init__(self, total: int, on_progress: Progress) -> None:
        self._done, self._total, self._on_progress = 0, total, on_progress

    def step(self) -> None:
        self._done += 1
        self._on_progress(self._done, self._total)


def _add_unchecked(unchecked: list[UncheckedPlace], why: NotChecked, day: date) -> date:
    unchecked.append(UncheckedPlace(start=0, end=0, why=why.value))
    return day


def _of_ranges(citations: Sequence[CheckedCitation]) -> list[UncheckedPlace]:
    """The ranges of which not all provisions are told that are not in force."""
    return [
        UncheckedPlace(start=one.finding.start, end=one.finding.end, why=NotChecked.BOUND_REACHED.value)
        for one in citations
        if len(one.ended) == MAX_ENDED
    ]
