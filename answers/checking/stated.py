"""What a text states beside a citation. Without a model only its numbers are held against the provision."""

from collections import defaultdict
from collections.abc import Sequence

from answers.checking.cited import CheckedCitation
from answers.checking.findings import NotChecked, StatementFinding, StatementVerdict
from law.checking.quantities import contradicted
from law.checking.quotations import Quotation
from law.checking.sentences import Sentences
from sources import provisions
from sources.models import Provision


def check_statements(
    text: str, quotations: Sequence[Quotation], citations: Sequence[CheckedCitation]
) -> list[StatementFinding]:
    """A finding for each sentence that cites a provision which is here. `text` has no quotations any more."""
    sentences = Sentences(text, quotations)
    of_sentence: dict[tuple[int, int], list[CheckedCitation]] = defaultdict(list)
    for one in citations:
        if one.section and one.mention.number:
            of_sentence[sentences.around(one.mention.start, one.mention.end)].append(one)
    texts = _texts([one[0] for one in of_sentence.values() if len(one) == 1])
    return [
        _finding(text, span, some[0], texts.get(id(some[0]), "") if len(some) == 1 else "")
        for span, some in of_sentence.items()
    ]


def _texts(alone: Sequence[CheckedCitation]) -> dict[int, str]:
    """What the provisions say, in one query: of a clause itself alone."""
    sections: list[Provision] = [one.section for one in alone if one.section]
    texts = provisions.texts_of(sections)
    return {id(one): _inside(one, text) for one, text in zip(alone, texts, strict=True)}


def _inside(one: CheckedCitation, text: str) -> str:
    section = one.section
    if section is None or one.eid == section.eid:
        return text
    clause = next((clause for clause in provisions.clauses_of(section, text) if clause.eid == one.eid), None)
    return text[clause.span_start - section.span_start : clause.span_end - section.span_start] if clause else text


def _finding(text: str, span: tuple[int, int], cited: CheckedCitation, law: str) -> StatementFinding:
    start, end = span
    start += len(text[start:end]) - len(text[start:end].lstrip())
    end -= len(text[start:end]) - len(text[start:end].rstrip())
    mention = cited.mention
    statement = f"{text[start : mention.start]} {text[mention.end : end]}"
    to = cited.finding.to
    if law and (differing := contradicted(statement, law)):
        words = "; ".join(law[there.start : there.end] for _, there in differing)
        return StatementFinding(start=start, end=end, verdict=StatementVerdict.CONTRADICTS.value, to=to, words=words)
    return StatementFinding(
        start=start, end=end, verdict=StatementVerdict.NOT_CHECKED.value, to=to, why=NotChecked.NO_MODEL.value
    )
