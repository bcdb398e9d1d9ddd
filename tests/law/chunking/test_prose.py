"""Circulars, judgments and tools are cut by paragraph and size."""

import pytest

from extraction import Page
from law.chunking import PROSE_SIZES, chunk
from law.chunking.packing import ChunkDraft

SENTENCE = "המפקח רשאי לדרוש מכל תאגיד מידע ומסמכים הנוגעים לעסקיו. "


def drafts(*paragraphs: str, kind: str = "circular") -> list[ChunkDraft]:
    return list(chunk([Page(number=None, paragraphs=paragraphs)], kind=kind))


@pytest.mark.parametrize("kind", ["circular", "caselaw", "tool"])
def test_short_paragraphs_are_merged_and_long_ones_cut(kind: str) -> None:
    found = drafts(*(SENTENCE.strip() for _ in range(200)), SENTENCE * 100, kind=kind)
    lengths = [len(draft.text) for draft in found]
    assert max(lengths) <= PROSE_SIZES.maximum
    assert sorted(lengths)[len(lengths) // 2] >= 900
    assert all(draft.text.endswith(".") for draft in found)


def test_numbered_paragraphs_carry_their_number() -> None:
    found = drafts(*(f"{number}. {SENTENCE * 6}" for number in range(1, 15)), kind="caselaw")
    assert [draft.section for draft in found] == [str(number) for number in range(1, 15)]


def test_decimal_numbers_of_circular_stand_below_their_headings() -> None:
    found = drafts("1. כללי", f"1.1 {SENTENCE * 5}", f"1.2 {SENTENCE * 5}", "2. דיווח", f"2.1 {SENTENCE * 5}")
    assert [(draft.section, draft.path) for draft in found] == [
        ("1.1", ("1 כללי",)),
        ("1.2", ("1 כללי",)),
        ("2.1", ("2 דיווח",)),
    ]


def test_heading_stays_with_the_text_below_it() -> None:
    found = drafts(SENTENCE * 30, "תחולה והיקף", SENTENCE * 20, "תחילה", SENTENCE * 20)
    starts = [draft for draft in found if draft.text.startswith(("תחולה", "תחילה"))]
    assert [draft.heading for draft in starts] == ["תחולה והיקף", "תחילה"]
    assert not any(draft.text.endswith(("תחולה והיקף", "תחילה")) for draft in found)


def test_list_inside_a_numbered_paragraph_stays_inside() -> None:
    found = drafts(
        f"1. {SENTENCE}", f"2. {SENTENCE}", "אלה הטענות:", "1. הראשונה;", "2. השנייה.", f"3. {SENTENCE}", kind="caselaw"
    )
    assert [draft.section for draft in found] == ["1", "2", "3"]


def test_words_about_sections_do_not_make_a_circular_statutory() -> None:
    found = drafts(SENTENCE, "סעיף 5 לחוק הבנקאות קובע את החובה.", SENTENCE)
    assert len(found) == 1
    assert found[0].section == ""


@pytest.mark.parametrize("kind", ["circular", "caselaw", "tool"])
@pytest.mark.parametrize(
    "quoted",
    ["סעיף 12. המוכר ישיב את כספו.", "סעיף 12", "תקנה 12 – השבה", "Section 12. The seller shall pay.", "§ 12 Duty"],
)
def test_a_section_of_a_law_that_is_quoted_is_no_section_of_the_document(kind: str, quoted: str) -> None:
    found = drafts(SENTENCE * 2, quoted, SENTENCE * 2, kind=kind)
    assert {draft.section for draft in found} == {""}
    assert quoted in "\n".join(draft.text for draft in found)


def test_quoted_section_takes_no_part_in_numbers_of_paragraphs() -> None:
    found = drafts(
        f"1. {SENTENCE * 6}",
        f"2. {SENTENCE * 6}",
        "סעיף 3. המוכר ישיב ללקוח את כספו.",
        f"3. {SENTENCE * 6}",
        f"4. {SENTENCE * 6}",
        kind="caselaw",
    )
    assert [draft.section for draft in found] == ["1", "2", "3", "4"]
    assert "סעיף 3. המוכר" in found[1].text
