"""Every example of every row of the series: the document that has it as its number is found by all who read it."""

import datetime as dt

import pytest
from rest_framework.test import APIClient

from answers.checking.verdicts.check import check
from answers.checking.verdicts.findings import CitationVerdict
from law.languages import LANGUAGES
from law.languages.words import Series
from law.metadata.aliases import find_identifier
from law.metadata.head import HeadPage
from law.metadata.lines import lines_of
from law.metadata.title import find_title
from law.words.series import series_keys
from sources.models import Source
from sources.scope import Scope
from tests.factories import first_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
ROWS = [pytest.param(row, id=row.name) for language in LANGUAGES for row in language.series if not row.rules]
LAW = "{}. Ropes\nA rope that carries a person must be replaced every five years."
WRONG = (CitationVerdict.NO_SUCH_DOCUMENT_HERE, CitationVerdict.ANOTHER_YEAR, CitationVerdict.NO_SUCH_PROVISION)


def act(row: Series, text: str) -> Source:
    kind = "caselaw" if row.judgment else "law"
    sections = "\n".join(LAW.format(number) for number in (3, 4, 5))
    title = text if "(" in text.partition(" Act")[2] else f"Ropes of {row.name} {len(text)}"
    return add_document(sections, kind=kind, title=title, identifier=text)


@pytest.mark.parametrize("row", ROWS)
def test_an_example_leads_to_its_document(row: Series) -> None:
    """Those of collections and judgments are cited as a whole, others by a section."""
    other = add_document("\n".join(LAW.format(number) for number in (3, 4, 5)), kind="law", title="Piers Act 2031")
    for text in row.reads:
        here = act(row, text)
        if row.divided and "itle" not in text and "HAPTER" not in text:
            continue  # which is a section of the part
        whole = row.around or row.judgment or row.name.startswith("eu-journal")
        hebrew = any("א" <= letter <= "ת" for letter in text)
        said = f"לפי סעיף 5 ל{text} תשולם אגרה." if hebrew else f"Under section 5 of {text} a rope is replaced."
        if whole:
            said = f"כפי שנקבע ב{text}." if hebrew else f"As was said in {text}."
        _is_resolved(said, here, row)
        _is_checked(said, here)
        assert other.pk != here.pk
        here.delete()


def _is_resolved(said: str, here: Source, row: Series) -> None:
    found = APIClient().post("/kb/resolve", {"text": said}, format="json").json()["references"]
    to = [one["to"]["source_id"] for one in found if one["to"]]
    assert to == [here.pk] * len(to), said
    assert to or row.around, said


def _is_checked(said: str, here: Source) -> None:
    report = check(said, scope=Scope(topic_id=first_topic().pk, as_of=dt.date(2040, 1, 1)))
    assert [one.verdict for one in report.citations if one.verdict in WRONG] == [], said
    assert {one.to.source_id for one in report.citations if one.to} <= {here.pk}, said


@pytest.mark.parametrize("row", ROWS)
def test_a_head_with_an_example_gives_its_number(row: Series) -> None:
    for text in row.reads if row.shown and not row.around else ():
        if text.startswith("under "):
            continue  # whose number is one only behind such a word
        lines = lines_of([HeadPage(None, f"Ropes Act\n{text}\n1. Ropes are replaced.")])
        number = find_identifier(lines, find_title(lines))
        assert number is not None, text
        assert set(series_keys(number.value)) == {row.reads[text]}, text
