"""A cited clause is found in its passage, and shown and quoted from its first word."""

import asyncio

import pytest

from answers.writing.answerers.extractive import ExtractiveAnswerer
from answers.writing.protocol import AnswerRequest, Claim
from search.results import Match, SearchHit
from tests.search.citing import first, search
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db

FILLER = "הספרן רשאי לעיין בכל ספר שבספרייה, ולרשום את מצבו בפנקס הספרים לפני השאלתו ולאחר שהוחזר. "
SECOND = "(ב) הספרן רשאי –\n(1) לקבוע פיקדון;\n(2) לדחות בקשה."
LAW = f"13. שם\nזה החוק.\n14. השאלה\n(א) {FILLER * 3}\n{SECOND}\n(ג) סוף.\n15. תחילה\nמיד."
LONG = "14. פנקס\n" + "\n".join(f"({number}) {FILLER * 4}".strip() for number in range(1, 30)) + "\n15. סוף\nסוף."


def shown(hit: SearchHit) -> list[str]:
    return [hit.text[start:end] for start, end in hit.highlights]


def test_a_cited_clause_is_what_the_hit_leads_to_and_highlights() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    for query, eid, highlighted in (
        ("סעיף 14(ב) לחוק הספריות", "sec_14__subsec_b", [SECOND]),
        ("סעיף 14(ב)(2) לחוק הספריות", "sec_14__subsec_b__para_2", ["(2) לדחות בקשה."]),
        ("סעיף קטן (ג) של סעיף 14 לחוק הספריות", "sec_14__subsec_c", ["(ג) סוף."]),
        ("סעיף 14(ב)(7) לחוק הספריות", "sec_14__subsec_b", [SECOND]),
        ("סעיף 14(ג) ו־(ב)(1) לחוק הספריות", "sec_14__subsec_c", ["(1) לקבוע פיקדון;", "(ג) סוף."]),
        ("סעיף 14(ב) ו־(ב)(2) לחוק הספריות", "sec_14__subsec_b", [SECOND]),
    ):
        hit = first(query)
        assert (hit.match, hit.eid, shown(hit)) == (Match.CITATION, eid, highlighted), query
        assert hit.url == f"/documents/{law.pk}/#{eid}"
        assert hit.text.startswith("14. השאלה")


def test_where_no_clause_is_cited_or_there_the_section_stays() -> None:
    add_document(LAW, kind="law", title="חוק הספריות")
    for query in ("סעיף 14 לחוק הספריות", "סעיף 14(ת) לחוק הספריות"):
        hit = first(query)
        assert (hit.eid, hit.clauses) == ("sec_14", ())
        assert "הספריות" not in hit.text
        assert all(" " not in words for words in shown(hit))


def test_clause_of_long_section_has_address_it_has_in_the_whole() -> None:
    add_document(LONG, kind="law", title="חוק הפנקס")
    hits = search("סעיף 14(17) לחוק הפנקס").hits
    assert hits[0].eid == "sec_14__para_17"
    assert shown(hits[0]) == [f"(17) {FILLER * 4}".strip()]
    assert [hit.eid for hit in hits[1:3]] == ["sec_14", "sec_14"]


def test_offline_answer_quotes_the_clause_from_its_first_word() -> None:
    add_document(LAW, kind="law", title="חוק הספריות")
    found = search("מה קובע סעיף 14(ב) לחוק הספריות?")
    assert claims(AnswerRequest(question=found.query, passages=found.hits, weights=found.weights)) == [SECOND]
    hit = found.hits[0]
    assert (hit.eid_of(SECOND), hit.eid_of("(א) הספרן")) == ("sec_14__subsec_b", "sec_14")


def claims(asked: AnswerRequest) -> list[str]:
    async def all_of() -> list[str]:
        return [piece.quote async for piece in ExtractiveAnswerer().answer(asked) if isinstance(piece, Claim)]

    return asyncio.run(all_of())
