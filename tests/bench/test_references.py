"""Scores of references against marked ones, on two small laws."""

from bench.references import Document, measure, table
from extraction.document import Page
from law.structure.lines.document_lines import document_text, lines
from law.structure.provisions import Outline
from law.structure.recogniser import Recogniser


def document(name: str, title: str, *paragraphs: str) -> Document:
    pages = [Page(number=None, paragraphs=paragraphs)]
    outline = Outline()
    for _ in outline.follow(Recogniser(statutory=True).units(lines(pages))):
        pass
    return Document(name, title, "law", document_text(pages), outline.provisions)


def test_what_is_missed_and_what_points_elsewhere_is_told_apart() -> None:
    gardens = document("gardens.txt", "חוק הגנים, התש״ן–1990", "1. גנים", "לפי סעיף 2.", "2. אגרה", "תשולם.")
    text = ("1. כללי", "כאמור בסעיף 2 לחוק הגנים, התש״ן–1990, ובסעיף הקודם.", "2. אגרה", "לפי סעיף 1 ולפי סעיף 9.")
    other = document("other.txt", "חוק אחר, התש״ן–1990", *text)
    gold = {"before": "", "after": "", "target_title": gardens.title, "target_file": gardens.name, "internal": False}
    inside = {**gold, "target_title": other.title, "target_file": other.name, "internal": True}
    marked = [
        {**gold, "text": "בסעיף 2 לחוק הגנים", "target_section": "2"},
        {**inside, "text": "ובסעיף הקודם", "target_section": None},
        {**gold, "text": "סעיף 1", "before": "לפי", "after": "ולפי סעיף 9.", "target_section": "1"},
        {**inside, "text": "סעיף 9", "target_section": "9"},
    ]
    result = measure([gardens, other], {"other.txt": marked})
    assert (len(result.missed), len(result.elsewhere), len(result.others)) == (1, 1, 1)
    assert table(result).splitlines()[2:] == [
        "| external | 2 | 1.0000 of 2 | 0.5000 of 2 | 1.0000 of 1 | 1.0000 of 1 |",
        "| internal | 2 | 0.5000 of 2 | 1.0000 of 1 | 1.0000 of 1 | 0.0000 of 1 |",
    ]
