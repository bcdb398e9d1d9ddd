"""The quotations of a text, each with a verdict: whether what it is quoted from has these words."""

import re
from dataclasses import dataclass, field, replace

from answers.checking.verdicts.cited import CheckedCitation, place_of
from answers.checking.verdicts.doubts import is_told_earlier
from answers.checking.verdicts.findings import CitationVerdict, NotChecked, QuotationFinding, QuotationVerdict
from answers.checking.verdicts.phrases import PhraseFinder, innermost
from answers.checking.verdicts.texts import ProvisionTexts
from law.checking.clauses import has_in_clause
from law.checking.comparing import MIN_ALMOST, ComparedText, Comparison, QuotedWords, Wording
from law.checking.pairing import MAX_LEAD_LENGTH, OPENING, SENTENCE, Pairing, is_told, says, sentence_before
from law.checking.quantities import is_forbidding, is_negation
from law.checking.quotations import Quotation
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from sources import provisions
from sources.models import Provision, Source

MAX_LAW_LENGTH = 600  # characters of the law that are shown beside a quotation
MAX_WORD_LENGTH = 40
_THAT = regex(rf"(?:{either(language.quoting.that for language in LANGUAGES)})\Z", re.IGNORECASE)
_NUMBER = re.compile(r"\d{1,6}")
_COUNTED = re.compile(r"(?:(?<=__)|\A)([^_]+_[^_]+)_\d+(?=__|\Z)")  # the second section 14: `sec_14_2`
_NOTHING = (QuotationVerdict.NOT_FOUND, QuotationVerdict.NOT_CHECKED, QuotationVerdict.TOO_SHORT_TO_TELL)
_OF_NOW = (QuotationVerdict.OTHER_VERSION, QuotationVerdict.DIFFERS, QuotationVerdict.NOT_FOUND)
_NOT_HERE = (CitationVerdict.NO_SUCH_DOCUMENT_HERE, CitationVerdict.ANOTHER_YEAR, CitationVerdict.AMBIGUOUS)


@dataclass
class QuotationChecker:
    """Holds quotations against the law. What it reads it keeps for the next one."""

    text: str
    phrases: PhraseFinder
    texts: ProvisionTexts = field(default_factory=ProvisionTexts)
    joined: str = ""  # the text `without_line_ends`, where it has more than a quotation
    _versions: dict[int, list[Source]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.joined = self.joined or self.text

    def check(
        self, quotation: Quotation, cited: CheckedCitation | None, *, pairing: Pairing | None = None
    ) -> QuotationFinding | None:
        """The verdict on a quotation of what is cited, or None where it is none after all.

        Where the `pairing` is not sure that the quotation is of this citation, words of another provision of its act
        are no error. Where it is not introduced as words of the law, no words are.
        """
        words = self.text[quotation.start : quotation.end]
        quoted = QuotedWords(self.joined[quotation.start : quotation.end])
        finding = QuotationFinding(
            start=quotation.start, end=quotation.end, text=words, verdict=QuotationVerdict.TOO_SHORT_TO_TELL.value
        )
        is_sure = (pairing is None or pairing.is_sure) and not (cited and cited.is_guessed)
        if quoted.words:
            finding = replace(finding, verdict=QuotationVerdict.NOT_CHECKED.value)
            finding = self._judged(finding, quoted, cited, sure=is_sure)
        if finding.verdict in _OF_NOW and cited and is_told_earlier(self.joined, cited.mention):
            finding = _of_earlier(finding)
        if is_sure and cited and finding.verdict == QuotationVerdict.VERBATIM:
            finding = replace(finding, is_of_cited=cited.finding.verdict == CitationVerdict.EXISTS)
        elif pairing and not pairing.is_introduced:
            finding = _unsure(finding, NotChecked.NOT_LAW)
        elif not is_sure:
            finding = _unsure(finding, NotChecked.NO_CITATION)
        return finding if quotation.certain or finding.verdict not in _NOTHING else _unmarked(finding, pairing)

    def _judged(
        self, finding: QuotationFinding, quoted: QuotedWords, cited: CheckedCitation | None, *, sure: bool
    ) -> QuotationFinding:
        """`sure` where it is of this citation and of no other."""
        if cited is None or cited.source is None:
            return self._without_act(finding, quoted, cited)
        finding = replace(finding, cited=cited.finding.to)
        source, section = cited.source, cited.section
        compared = self._law(source, section).compare(quoted)
        if section and compared.wording is Wording.VERBATIM:
            return self._within(finding, quoted, cited, section)
        if compared.wording is Wording.VERBATIM and cited.mention.number and not quoted.is_short:
            return self._in_another(finding, quoted, cited, source)
        if compared.wording is Wording.VERBATIM:
            return replace(finding, verdict=QuotationVerdict.VERBATIM.value, at=cited.finding.to)
        if quoted.is_short and not (section and self._differs_in_short(finding, quoted, compared, cited, sure=sure)):
            return replace(finding, verdict=QuotationVerdict.TOO_SHORT_TO_TELL.value)
        if section and (other := self._in_other_version(source, section, quoted)):
            version, provision = other
            at = place_of(version, provision.eid, provision.number)
            return replace(finding, verdict=QuotationVerdict.OTHER_VERSION.value, at=at)
        found = self._elsewhere(finding, quoted, source, compared, section)
        is_cited = found.at and found.at.source_id == source.pk and _is_between(cited, found.at.eid)
        return replace(found, verdict=QuotationVerdict.VERBATIM.value) if is_cited else found

    def _differs_in_short(
        self,
        finding: QuotationFinding,
        quoted: QuotedWords,
        compared: Comparison,
        cited: CheckedCitation,
        *,
        sure: bool,
    ) -> bool:
        """Of four words one that changes the law. Else only of what is said to say so, where its act has it nowhere."""
        span, mention = (finding.start, finding.end), (cited.mention.start, cited.mention.end)
        if compared.wording is not Wording.DIFFERS or cited.source is None or is_told(self.joined, span, mention):
            return False
        is_grave = compared.severe and len(quoted.words) >= MIN_ALMOST
        is_said = sure and says(self.joined, mention, span)
        return is_grave or (is_said and not self.texts.whole(cited.source.pk).find(quoted))

    def _in_another(
        self, finding: QuotationFinding, quoted: QuotedWords, cited: CheckedCitation, source: Source
    ) -> QuotationFinding:
        """Of words that the act has, but not the provision that is cited, which was not found: where they stand."""
        found = self.phrases.find(quoted, source_id=source.pk, elsewhere=False)
        if found and _is_apart(cited.mention.number, found[1].eid):
            at = place_of(found[0], found[1].eid, _number(None, found[1]))
            return replace(finding, verdict=QuotationVerdict.OTHER_PROVISION.value, at=at)
        return replace(finding, verdict=QuotationVerdict.VERBATIM.value, at=finding.cited)

    def _within(
        self, finding: QuotationFinding, quoted: QuotedWords, cited: CheckedCitation, section: Provision
    ) -> QuotationFinding:
        """Of words that the section has: whether they are in the clause that is cited, or lead up to it."""
        holder = innermost(section, self.texts.of(section), self.texts.clauses(section), quoted) or section
        printed = cited.mention.clauses if cited.eid == section.eid else ()
        if printed and not quoted.is_short and not has_in_clause(self.texts.of(section).text, printed, quoted):
            return replace(finding, verdict=QuotationVerdict.OTHER_PROVISION.value, at=cited.finding.to)
        is_cited = _is_of(cited.eid, holder.eid) or _is_of(holder.eid, cited.eid) or _is_between(cited, holder.eid)
        if not is_cited and not self._again(quoted, cited, section):
            if quoted.is_short:
                return replace(finding, verdict=QuotationVerdict.TOO_SHORT_TO_TELL.value)
            at = place_of(cited.source, holder.eid, _number(section, holder)) if cited.source else None
            return replace(finding, verdict=QuotationVerdict.OTHER_PROVISION.value, at=at)
        denied, is_whole = self._denied(finding, quoted, self.texts.of(section))
        mention = (cited.mention.start, cited.mention.end)
        if denied and is_whole and not is_told(self.joined, (finding.start, finding.end), mention):
            first = finding.start + len(finding.text.split(maxsplit=1)[0])
            return replace(
                finding,
                verdict=QuotationVerdict.DIFFERS.value,
                at=cited.finding.to,
                differs=((finding.start, first),),
                severe=True,
                law=denied[:MAX_LAW_LENGTH],
            )
        if denied:
            return replace(finding, at=cited.finding.to, why=NotChecked.NEGATION_BEFORE.value)
        return replace(finding, verdict=QuotationVerdict.VERBATIM.value, at=cited.finding.to)

    def _denied(self, finding: QuotationFinding, quoted: QuotedWords, law: ComparedText) -> tuple[str, bool]:
        """What the law says, if it begins with a negation that the sentence leaves out: `shall not | be let at night`.

        And whether it was left out for certain: the quotation begins a sentence or clause (`provides that “…”`).
        """
        spans = list(law.each(quoted))
        leads = [law.text[max(start - MAX_WORD_LENGTH, 0) : start].split()[-1:] for start, _ in spans]
        if not spans or not all(word and is_negation(word[0].casefold()) for word in leads):
            return "", False
        before = sentence_before(self.joined, finding.start)
        behind = SENTENCE.split(self.joined[finding.end : finding.end + MAX_LEAD_LENGTH])[0]
        before = before.rstrip(OPENING)
        is_whole = not quoted.is_short and (not before or before[-1] in ":–—" or _THAT.search(before) is not None)
        if is_forbidding(before) or (not is_whole and is_forbidding(behind)):
            return "", False
        return f"{leads[0][0]} {law.text[slice(*spans[0])]}", is_whole

    def _again(self, quoted: QuotedWords, cited: CheckedCitation, section: Provision) -> bool:
        """Whether the cited clause has the words as well."""
        text = self.texts.of(section).text
        clause = next((one for one in self.texts.clauses(section) if one.eid == cited.eid), None)
        if clause is None:
            return True
        inside = text[clause.span_start - section.span_start : clause.span_end - section.span_start]
        return ComparedText(inside).find(quoted) is not None

    def _elsewhere(
        self,
        finding: QuotationFinding,
        quoted: QuotedWords,
        source: Source,
        compared: Comparison,
        section: Provision | None,
    ) -> QuotationFinding:
        """Of words that the cited provision has not as they stand: where they do, or how it has them."""
        differs = compared.wording is Wording.DIFFERS
        if found := self.phrases.find(quoted, source_id=source.pk, elsewhere=not differs):
            return _found_at(finding, *found)
        if differs:
            law = self._law(source, section).text
            shifted = tuple((start + finding.start, end + finding.start) for start, end in compared.differs)
            return replace(
                finding,
                verdict=QuotationVerdict.DIFFERS.value,
                at=finding.cited,
                differs=shifted,
                severe=compared.severe,
                law=law[compared.start : compared.end][:MAX_LAW_LENGTH],
            )
        is_too_long = section is None and not self.texts.whole(source.pk).text
        if self.phrases.is_spent or is_too_long:
            return replace(finding, why=NotChecked.BOUND_REACHED.value)
        return replace(finding, verdict=QuotationVerdict.NOT_FOUND.value)

    def _without_act(
        self, finding: QuotationFinding, quoted: QuotedWords, cited: CheckedCitation | None
    ) -> QuotationFinding:
        """A quotation of what is not known, or not here: it may be found, and is never accused."""
        if quoted.is_short:
            return replace(finding, verdict=QuotationVerdict.TOO_SHORT_TO_TELL.value)
        why = _why(cited)
        if self.phrases.is_spent:
            return replace(finding, why=NotChecked.BOUND_REACHED.value)
        found = self.phrases.find(quoted)
        if found is None:
            return replace(finding, why=why.value)
        at = place_of(found[0], found[1].eid, found[1].number)
        if cited is None:
            return replace(finding, verdict=QuotationVerdict.FOUND_HERE.value, at=at)
        return replace(finding, at=at, why=why.value)

    def _law(self, source: Source, section: Provision | None) -> ComparedText:
        return self.texts.of(section) if section else self.texts.whole(source.pk)

    def _in_other_version(
        self, source: Source, section: Provision, quoted: QuotedWords
    ) -> tuple[Source, Provision] | None:
        """The version of the same work that has the words in the same provision."""
        versions = {one.pk: one for one in self._others(source)}
        stored = provisions.stored((pk, section.eid) for pk in versions) if versions else {}
        for (pk, _), provision in stored.items():
            if self.texts.of(provision).find(quoted):
                return versions[pk], provision
        return None

    def _others(self, source: Source) -> list[Source]:
        """The other versions of its work."""
        if source.pk not in self._versions:
            versions = Source.objects.filter(work_id=source.work_id, topic_id=source.topic_id)
            self._versions[source.pk] = list(versions.exclude(pk=source.pk))
        return self._versions[source.pk]


def _found_at(finding: QuotationFinding, source: Source, provision: Provision) -> QuotationFinding:
    at = place_of(source, provision.eid, _number(None, provision))
    if finding.cited and source.pk == finding.cited.source_id and _is_of(provision.eid, finding.cited.eid):
        return replace(finding, verdict=QuotationVerdict.VERBATIM.value, at=at)
    return replace(finding, verdict=QuotationVerdict.OTHER_PROVISION.value, at=at)


def _is_between(cited: CheckedCitation, eid: str) -> bool:
    """Whether a provision stands between the ends of the range that is cited."""
    return not set(cited.between).isdisjoint(provisions.upwards(eid))


def _unsure(found: QuotationFinding, why: NotChecked) -> QuotationFinding:
    """The verdict where the quotation may be of another citation, or no words of the law. Then it is never accused."""
    if found.verdict == QuotationVerdict.OTHER_PROVISION:
        return replace(found, verdict=QuotationVerdict.FOUND_HERE.value)
    if found.verdict == QuotationVerdict.NOT_FOUND:
        return replace(found, verdict=QuotationVerdict.NOT_CHECKED.value, why=why.value)
    return found


def _of_earlier(found: QuotationFinding) -> QuotationFinding:
    """The verdict where the text says that it quotes an earlier version. Without that one nothing can be told."""
    if found.verdict == QuotationVerdict.OTHER_VERSION:
        return replace(found, is_told=True)
    why = NotChecked.EARLIER_VERSION.value
    return replace(found, verdict=QuotationVerdict.NOT_CHECKED.value, differs=(), severe=False, why=why)


def _unmarked(found: QuotationFinding, pairing: Pairing | None) -> QuotationFinding | None:
    """The verdict on words without marks that were not found: none, unless the text says that the law reads so."""
    if pairing is None or not (pairing.is_introduced and pairing.is_sure):
        return None
    return replace(found, verdict=QuotationVerdict.NOT_CHECKED.value, why=NotChecked.NO_MARKS.value)


def _number(section: Provision | None, holder: Provision) -> str:
    """The number of a provision, of a clause with the way to it."""
    if section is None or holder.eid == section.eid:
        names = holder.eid.split("__")
        clauses = "".join(f"({name.partition('_')[2]})" for name in names[len(names) - _clauses(holder) :])
        return holder.number if not clauses else f"{names[0].partition('_')[2]}{clauses}"
    inside = holder.eid.removeprefix(section.eid).split("__")[1:]
    return section.number + "".join(f"({name.partition('_')[2]})" for name in inside)


def _clauses(holder: Provision) -> int:
    return 0 if holder.kind != "clause" else holder.eid.count("__")


def _is_of(eid: str, above: str) -> bool:
    """Of provisions with the same number either may be meant, so what counts them makes no difference."""
    eid, above = (_COUNTED.sub(r"\1", one) for one in (eid, above))
    return eid == above or eid.startswith(f"{above}__") or not above


def _is_apart(number: str, eid: str) -> bool:
    """Whether a provision is not the cited one under a number that was misread by one."""
    cited, there = (map(int, _NUMBER.findall(text)) for text in (number, eid.split("__")[0]))
    return any(abs(one - other) > 1 for one, other in zip(cited, there, strict=False))


def _why(cited: CheckedCitation | None) -> NotChecked:
    if cited is None:
        return NotChecked.NO_CITATION
    if cited.finding.verdict == CitationVerdict.AMBIGUOUS:
        return NotChecked.SEVERAL_ACTS
    if cited.finding.why == NotChecked.ACT_UNREAD:
        return NotChecked.ACT_UNREAD
    return NotChecked.ACT_NOT_HERE if cited.finding.verdict in _NOT_HERE else NotChecked.NO_ACT_NAMED
