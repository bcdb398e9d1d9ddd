"""The citations of a text, each with a verdict: whether what it cites is here, and in force on a day."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from django.utils import timezone

from answers.checking.verdicts.doubts import is_told_earlier, is_told_ended, may_be_of_another
from answers.checking.verdicts.findings import CitationFinding, CitationVerdict, Location, NotChecked
from answers.checking.verdicts.other_years import OtherYears
from answers.checking.verdicts.texts import ProvisionTexts
from answers.checking.verdicts.unnumbered import with_sections
from law.checking.clauses import has_no_marks, is_beyond, is_printed
from law.citations.titles import leaves_out, parse_title
from law.references.mentions import Citation
from law.references.reasons import Reason
from law.structure.lines.repealed import MAX_LENGTH, says_repealed, title_says_repealed
from sources import provisions
from sources.citations.acts_meant import is_short_name
from sources.citations.missing import maybe_meant, missing_section
from sources.models import Provision, Source
from sources.references import ReferenceTarget, ResolutionStatus
from sources.references.existing import to_existing
from sources.references.texts import resolve_read
from sources.scope import Scope

MAX_NEAREST = 4
MAX_LOOKED_FOR = 20  # acts of one text that are not here, by documents whose titles share their words
MAX_ENDED = 20  # provisions of one range that are told not to be in force
# What is no mark, but counts the paragraphs or sentences that the text does not number.
_COUNTS = re.compile(r"(?i:\bart)|(?<=[\s.,])(?i:para|sent|abs)")


@dataclass(frozen=True, kw_only=True)
class CheckedCitation:
    """A citation as it was read, and what was found for it.

    `source` and `section` are what it leads to: the document, and the stored provision that it stands in. `between` are
    those up to the other end of a range, with a finding for each that is `ended`, `MAX_ENDED` of them. `is_guessed`
    where the citation does not say of which document or section it is.
    """

    mention: Citation
    finding: CitationFinding
    source: Source | None = None
    section: Provision | None = None
    eid: str = ""
    between: Sequence[str] = ()
    ended: Sequence[CitationFinding] = ()
    is_guessed: bool = False

    @property
    def findings(self) -> Sequence[CitationFinding]:
        return (self.finding, *self.ended)

    @property
    def names_no_section(self) -> bool:
        """Whether it names an act, or a part of one, alone."""
        return not (self.mention.number or self.mention.clauses)


def check_citations(
    text: str, mentions: Sequence[Citation], *, scope: Scope, texts: ProvisionTexts, joined: str
) -> list[CheckedCitation]:
    """The verdict on each mention of a text, in a bounded number of queries. `joined` is it `without_line_ends`."""
    mentions, assumed = with_sections(mentions)
    day = scope.as_of or timezone.localdate()
    found = resolve_read(mentions, scope=scope, day=day)
    mentions, meant = [one.mention for one in found], [one.target for one in found]
    existing = to_existing(mentions, meant, days=[day] * len(mentions))
    reader = _Reader(text, mentions, meant, existing, scope=scope, texts=texts, joined=joined)
    return [reader.checked(place, assumed=place in assumed) for place in range(len(mentions))]


class _Reader:
    """What the database knows of all mentions of a text, read together."""

    def __init__(
        self,
        text: str,
        mentions: Sequence[Citation],
        meant: Sequence[ReferenceTarget],
        existing: Sequence[ReferenceTarget],
        *,
        scope: Scope,
        texts: ProvisionTexts,
        joined: str,
    ) -> None:
        self._text, self._joined = text, joined
        self._mentions, self._meant, self._existing = mentions, meant, existing
        self._day = scope.as_of or timezone.localdate()
        self._years = OtherYears(self._joined, mentions, meant, scope=scope)
        ids = {one.source_id for one in meant if one.source_id} | {pk for one in meant for pk in one.candidates}
        ids |= {pk for some in self._years.sources.values() for pk in some}
        self._uncertain = _uncertain(mentions, meant, scope=scope)
        ids |= {pk for some in self._uncertain.values() for pk in some}
        self._sources = Source.objects.in_bulk(scope.seen(ids))
        self._named = {  # which the text names, and does not only call so in short: another act may be called so too
            source.pk
            for one, target in zip(mentions, meant, strict=True)
            if (source := self._sources.get(target.source_id or 0))
            if not one.title
            or is_short_name(one.title)  # `FOISA`, which is that of one act
            or not leaves_out(parse_title(one.title), parse_title(source.title))
        }
        self._held = provisions.holders((one.source_id, one.eid) for one in existing if one.source_id)
        self._dated = _dated(existing)
        self._texts = texts
        texts.read(one for (_, eid), one in self._held.items() if eid != one.eid or _is_short(one))

    def checked(self, place: int, *, assumed: bool) -> CheckedCitation:
        one, target, there = self._mentions[place], self._meant[place], self._existing[place]
        source = self._sources.get(target.source_id or 0)
        if source and source.pk not in self._named:
            finding = self._finding(one, CitationVerdict.AMBIGUOUS, nearest=[place_of(source)])
            return CheckedCitation(mention=one, finding=finding)
        if target.status == ResolutionStatus.RESOLVED and source:
            section = self._held.get((source.pk, there.eid))
            finding = self._of_source(one, target, there, source, section, assumed=assumed)
            finding = self._unless_doubtful(finding, place)
            return CheckedCitation(
                mention=one,
                finding=finding,
                source=source,
                section=section,
                eid=there.eid,
                between=there.between,
                ended=list(islice(self._ended(one, there, source), MAX_ENDED)),
                is_guessed=assumed,
            )
        return CheckedCitation(mention=one, finding=self._not_here(one, target))

    def _unless_doubtful(self, finding: CitationFinding, place: int) -> CitationFinding:
        """The finding on what is missing or not in force, where nothing in the text says that it may well be so."""
        one = self._mentions[place]
        missing = (CitationVerdict.NO_SUCH_PROVISION, CitationVerdict.NOT_IN_FORCE)
        if finding.verdict not in missing:
            return finding
        is_missing, is_ended = finding.verdict == missing[0], is_told_ended(self._joined, one)
        if is_missing and may_be_of_another(self._joined, self._mentions, self._meant, place):
            return self._finding(one, CitationVerdict.UNREADABLE, why=NotChecked.NO_ACT_NAMED)
        if is_ended and not is_missing:
            return replace(finding, is_told=True)
        if is_ended or is_told_earlier(self._joined, one):
            return self._finding(one, CitationVerdict.UNREADABLE, to=finding.to, why=NotChecked.EARLIER_VERSION)
        return finding

    def _not_here(self, one: Citation, target: ReferenceTarget) -> CitationFinding:
        here = [self._sources[pk] for pk in target.candidates if pk in self._sources]
        if here:
            return self._finding(
                one, CitationVerdict.AMBIGUOUS, nearest=[place_of(source) for source in here[:MAX_NEAREST]]
            )
        if not (one.title or one.identifier):
            why = NotChecked.ACT_UNREAD if one.unread else NotChecked.NO_ACT_NAMED
            return self._finding(one, CitationVerdict.UNREADABLE, why=why)
        others = [self._sources[pk] for pk in self._years.sources.get(one.title, ()) if pk in self._sources]
        if others and one.reason is Reason.LAST_NAMED:  # the year was told there, and perhaps of another act
            return self._finding(one, CitationVerdict.UNREADABLE, why=NotChecked.NO_ACT_NAMED)
        if others:
            return self._finding(
                one, CitationVerdict.ANOTHER_YEAR, nearest=[place_of(source) for source in others[:MAX_NEAREST]]
            )
        if alike := [self._sources[pk] for pk in self._uncertain.get(one.title, ()) if pk in self._sources]:
            return self._finding(one, CitationVerdict.AMBIGUOUS, nearest=[place_of(source) for source in alike])
        return self._finding(one, CitationVerdict.NO_SUCH_DOCUMENT_HERE, why=NotChecked.ACT_NOT_HERE)

    def _of_source(
        self,
        one: Citation,
        target: ReferenceTarget,
        there: ReferenceTarget,
        source: Source,
        section: Provision | None,
        *,
        assumed: bool,
    ) -> CitationFinding:
        if self._years.is_another(one, source):
            if one.reason is Reason.LAST_NAMED:  # the year was told there
                return self._finding(one, CitationVerdict.UNREADABLE, why=NotChecked.NO_ACT_NAMED)
            return self._finding(one, CitationVerdict.ANOTHER_YEAR, nearest=[place_of(source)])
        if not target.found:
            return self._missing(one, source, assumed=assumed)
        if repealed := self._repealed(there, source, section):
            to = place_of(source, there.eid, _cited_number(one, there, section))
            return self._finding(one, CitationVerdict.NOT_IN_FORCE, to=to, law=repealed)
        if one.number and target.eid != there.eid and section:
            text = self._texts.of(section).text
            if not is_printed(text, one.clauses):
                return self._missing_clause(one, there, source, section, text, assumed=assumed)
        to = place_of(source, there.eid, _cited_number(one, there, section))
        return self._on_day(one, to, [source, *([section] if section else ())])

    def _repealed(self, there: ReferenceTarget, source: Source, section: Provision | None) -> str:
        """The words in which what is cited says that it is repealed, '' where it does not."""
        if section is None:
            return title_says_repealed(source.title)
        if there.eid == section.eid:
            return says_repealed(self._texts.of(section).text) if _is_short(section) else ""
        clause = next((one for one in self._texts.clauses(section) if one.eid == there.eid), None)
        if clause is None:
            return ""
        start, end = clause.span_start - section.span_start, clause.span_end - section.span_start
        return says_repealed(self._texts.of(section).text[start:end])

    def _on_day(self, one: Citation, to: Location, dated: Sequence[Source | Provision]) -> CitationFinding:
        """Whether a place is in force on the day: its source, and the provision that it is in."""
        left = next((it.days for it in dated if not it.days.hold(self._day)), None)
        if left is None:
            return self._finding(one, CitationVerdict.EXISTS, to=to)
        since = left.begin if self._day < left.first else left.end
        now = self._now(self._sources[to.source_id], to.eid, to.number)
        return self._finding(one, CitationVerdict.NOT_IN_FORCE, to=to, since=since, now=now)

    def _ended(self, one: Citation, there: ReferenceTarget, source: Source) -> Iterator[CitationFinding]:
        """What a range holds between its ends that is not in force on the day, where the source is."""
        held = (self._dated.get((source.pk, eid)) for eid in there.between) if source.days.hold(self._day) else ()
        for provision in held:
            if provision is not None and not provision.days.hold(self._day):
                yield self._on_day(one, place_of(source, provision.eid, provision.number), [provision])

    def _now(self, source: Source, eid: str, number: str) -> Location | None:
        """The version of the work that is in force on the day, at the same address."""
        versions = Source.objects.filter(work_id=source.work_id, topic_id=source.topic_id)
        found = versions.in_force(self._day).exclude(pk=source.pk).first()
        return place_of(found, eid, number) if found else None

    def _missing(self, one: Citation, source: Source, *, assumed: bool) -> CitationFinding:
        is_plain = one.number and not one.divisions
        if is_plain and not assumed and (repealed := self._texts.repealed(source.pk).get(one.number)):
            to = place_of(source, "", one.number)
            return self._finding(one, CitationVerdict.NOT_IN_FORCE, to=to, law=repealed)
        missing = missing_section(source.pk, one.number, as_one=one.written_as_one) if is_plain else None
        if missing is None or not missing.certain or assumed:
            return self._finding(one, CitationVerdict.UNREADABLE, to=place_of(source), why=NotChecked.NUMBERING_UNSURE)
        near = [place_of(source, it.eid, it.number) for it in missing.nearest[:MAX_NEAREST]]
        return self._finding(one, CitationVerdict.NO_SUCH_PROVISION, to=place_of(source), nearest=near)

    def _missing_clause(
        self,
        one: Citation,
        there: ReferenceTarget,
        source: Source,
        section: Provision,
        text: str,
        *,
        assumed: bool,
    ) -> CitationFinding:
        """A clause that its section does not have: for certain only where it has others beside it, or none at all."""
        clauses = self._texts.clauses(section)
        beside = [clause for clause in clauses if clause.parent == there.eid]
        to = place_of(source, there.eid, section.number)
        has_none = has_no_marks(text) and not _COUNTS.search(self._joined, one.start, one.end)
        is_double = provisions.stored([(source.pk, f"{section.eid}_2")])  # the other may have it
        if assumed or is_double or not (beside or has_none or is_beyond(text, one.clauses)):
            return self._finding(one, CitationVerdict.UNREADABLE, to=to, why=NotChecked.NUMBERING_UNSURE)
        near = [place_of(source, clause.eid, _printed(section, clause)) for clause in beside[:MAX_NEAREST]]
        return self._finding(one, CitationVerdict.NO_SUCH_PROVISION, to=to, nearest=near)

    def _finding(
        self,
        one: Citation,
        verdict: CitationVerdict,
        **more: object,
    ) -> CitationFinding:
        text = self._text[one.start : one.end]
        return CitationFinding(start=one.start, end=one.end, text=text, verdict=verdict.value, **more)  # type: ignore[arg-type]


def _uncertain(mentions: Sequence[Citation], meant: Sequence[ReferenceTarget], *, scope: Scope) -> dict[str, list[int]]:
    """By titles of acts that are not here: the documents of which it is not certain whether one is meant."""
    pairs = zip(mentions, meant, strict=True)
    titles = dict.fromkeys(one.title for one, target in pairs if target.status == ResolutionStatus.NOT_HERE)
    wanted = islice(filter(None, titles), MAX_LOOKED_FOR)
    return {title: [source.source_id for source in maybe_meant(title, scope=scope)] for title in wanted}


def _is_short(section: Provision) -> bool:
    return section.span_end - section.span_start <= MAX_LENGTH


def _dated(targets: Sequence[ReferenceTarget]) -> dict[tuple[int, str], Provision]:
    """The provisions with days of their own of the sources of which ranges are cited."""
    ids = {one.source_id for one in targets if one.source_id and one.between}
    dated = Provision.objects.filter(source_id__in=ids).exclude(valid_from=None, valid_to=None) if ids else ()
    return {(one.source_id, one.eid): one for one in dated}


def _cited_number(one: Citation, there: ReferenceTarget, section: Provision | None) -> str:
    """The number of the section, with the clauses that are cited if they are there."""
    if section is None or there.eid == section.eid:
        return section.number if section else ""
    return section.number + "".join(f"({clause})" for clause in one.clauses)


def _printed(section: Provision, clause: Provision) -> str:
    return f"{section.number}({clause.number})" if clause.parent == section.eid else f"({clause.number})"


def place_of(source: Source, eid: str = "", number: str = "") -> Location:
    return Location(
        source_id=source.pk, title=source.title, eid=eid, number=number, url=provisions.address(source.pk, eid)
    )
