"""Ten answers in two languages, each opened by an office program: one footnote for each quote, in print too."""

import re
from pathlib import Path

import pypdfium2
import pytest
from rest_framework.test import APIClient

from tests.answers.asking.asking import ask
from tests.extraction.offices import needs_libreoffice
from tests.keeping.exports.made import as_pdf, footnotes, pictures
from tests.search.corpus import add_document
from tests.sources.changes.laws import NEW, TITLE

pytestmark = [pytest.mark.django_db, pytest.mark.deep, needs_libreoffice]
HOISTS = """Hoists Act 1990
1. Definitions
In this Act, "hoist" includes a lift and "owner" means whoever holds the keys of the hoist (בעל המעלית).
2. Inspection
(1) An owner shall have each hoist inspected by an engineer once in every year.
(2) The fee for an inspection is 200 coins, to be paid within 30 days.
3. Penalty
An owner who lets an uninspected hoist be used is liable to a fine of 5,000 coins.
4. Repeal
The Lifts Act 1950 is repealed."""
QUESTIONS = (
    "כמה ספרים זכאי תושב לשאול בכל חודש?",
    "מהו ספר לפי חוק השאלת ספרים?",
    "אילו תקנות בטלות לפי חוק השאלת ספרים?",
    "על מה ידווח הספרן לשר?",
    "סעיף 2 לחוק השאלת ספרים",
    "What is the fee for an inspection of a hoist?",
    "How often shall an owner have each hoist inspected?",
    "What fine is an owner of an uninspected hoist liable to?",
    "Who is an owner under the Hoists Act 1990?",
    "Which Act is repealed by the Hoists Act 1990?",
)


def test_ten_answers_are_printed_with_their_footnotes(tmp_path: Path) -> None:
    add_document(NEW, title=TITLE, identifier="ס״ח 2900", kind="law")
    add_document(HOISTS, title="Hoists Act 1990", identifier="Act 12 of 1990", kind="law")
    answered = 0
    for number, question in enumerate(QUESTIONS):
        answer = ask(question)
        content = APIClient().get(f"/kb/answers/{answer['id']}.docx").content
        notes = footnotes(content)
        assert len(notes) == len(answer["citations"]), question
        assert [("נכון ליום" in note, "as of" in note) for note in notes] == [(number < 5, number >= 5)] * len(notes)
        pdf = as_pdf(content, tmp_path, name=f"answer-{number}")
        assert pictures(pdf) == 1
        with pypdfium2.PdfDocument(pdf) as document:
            text = re.sub(r"\s+", "", document[0].get_textpage().get_text_bounded())
        for citation in answer["citations"]:
            assert f"http://testserver{citation['url']}" in text, question
        answered += bool(answer["citations"])
    assert answered == len(QUESTIONS)
