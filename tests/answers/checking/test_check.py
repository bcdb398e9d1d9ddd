"""Checking a text against the law that is here."""

import datetime as dt

import pytest

from answers.checking.check import check
from sources.models import Source
from sources.scope import Scope
from tests.factories import first_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db

HOISTS = """1. Names
In this Act “hoist” means a machine that lifts.
2. Inspection
(1) The owner of a hoist must have it inspected by an engineer within 14 days of its repair.
(2) An owner shall not let the hoist be used before the engineer has signed the book.
3. Fees
The fee for an inspection is $200 and is paid by the owner to the registrar of hoists.
4. Appeals
A person who is refused a certificate may appeal to the tribunal within 30 days of the refusal."""
ROPES = """1. Ropes
A rope that carries a person must be replaced every five years by a qualified rigger.
2. Register
The registrar keeps a register of all ropes that were replaced in the district."""
DAY = dt.date(2026, 1, 1)


@pytest.fixture(autouse=True)
def law(db: None) -> Source:
    add_document(ROPES, kind="law", title="Ropes Act 2001")
    return add_document(HOISTS, kind="law", title="Hoists Act 1990")


def verdicts(text: str) -> tuple[list[str], list[str]]:
    report = check(text, scope=Scope(topic_id=first_topic().pk, as_of=DAY))
    return [one.verdict for one in report.citations], [one.verdict for one in report.quotations]


@pytest.mark.parametrize(
    ("text", "cited", "quoted"),
    [
        (
            "Section 2(2) of the Hoists Act 1990 says that “An owner shall not let the hoist be used”.",
            ["exists"],
            ["verbatim"],
        ),
        ("“The fee for an inspection is $200” (s. 3 of the Hoists Act 1990).", ["exists"], ["verbatim"]),
        ("Under section 9 of the Hoists Act 1990 a fee is due.", ["no_such_provision"], []),
        ("Under section 2(7) of the Hoists Act 1990 a fee is due.", ["no_such_provision"], []),
        ("Under section 2 of the Hoists Act 1991 a fee is due.", ["another_year"], []),
        ("Under section 2 of the Cranes Act 1991 a fee is due.", ["no_such_document_here"], []),
        (
            "Section 2(2) of the Hoists Act 1990: “An owner shall let the hoist be used before the engineer”.",
            ["exists"],
            ["differs"],
        ),
        (
            "Section 2(1) of the Hoists Act 1990: “An owner shall not let the hoist be used before the engineer”.",
            ["exists"],
            ["other_provision"],
        ),
        (
            "Section 3 of the Hoists Act 1990: “The registrar keeps a register of all ropes that were replaced”.",
            ["exists"],
            ["other_provision"],
        ),
        (
            "Section 3 of the Hoists Act 1990: “Whoever paints a wall blue without leave is liable to a fine”.",
            ["exists"],
            ["not_found"],
        ),
        (
            "In section 3 of the Cranes Act 1991: “Whoever paints a wall blue shall pay”.",
            ["no_such_document_here"],
            ["not_checked"],
        ),
    ],
)
def test_verdicts(text: str, cited: list[str], quoted: list[str]) -> None:
    assert verdicts(text) == (cited, quoted)


def test_a_citation_ends_with_the_name_of_its_act() -> None:
    add_document("7. השבה\nהמשכיר ישיב את הפיקדון.", kind="law", title="חוק הגנה על פיקדונות שכירות, התשפ״ד–2024")
    text = "לפי סעיף 7 לחוק הגנה על פיקדונות שכירות הכסף יושב."
    [found] = check(text, scope=Scope(topic_id=first_topic().pk, as_of=DAY)).citations
    assert text[found.start : found.end] == found.text == "סעיף 7 לחוק הגנה על פיקדונות שכירות"


def test_an_act_that_is_too_long_to_compare_is_not_said_to_lack_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("answers.checking.quoted.LONGEST_WHOLE", 10)
    text = "The Hoists Act 1990 says “an owner may let the hoist be used before the engineer has signed”."
    report = check(text, scope=Scope(topic_id=first_topic().pk, as_of=DAY))
    assert [(one.verdict, one.why) for one in report.quotations] == [("not_checked", "bound_reached")]
    assert "bound_reached" in [one.why for one in report.not_checked]
