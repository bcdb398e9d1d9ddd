"""Provisions of published documents: found by address, with their text and their neighbours."""

import pytest

from law.structure.provisions import ProvisionKind
from sources import provisions
from sources.models import Chunk, Provision
from tests.law.structure.test_provisions import LAW
from tests.search.corpus import add_document, replace_text

pytestmark = pytest.mark.django_db
SENTENCE = "הספרן רשאי לעיין בכל ספר שבספרייה, ולרשום את מצבו בפנקס הספרים לפני השאלתו ולאחר שהוחזר. "


def read(source_id: int, eid: str) -> provisions.Passage:
    found = provisions.read(source_id, eid)
    assert found
    return found


def test_a_section_has_its_text_place_and_neighbours() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    section = read(law.pk, "sec_3")
    assert section.text.startswith("3. זכות השאלה\n(א) כל תושב")
    assert section.text.endswith("(2) לדחות בקשה.")
    assert not section.truncated
    assert [one.eid for one in section.ancestors] == ["chp_2"]
    assert (section.previous, section.next) == ("sec_2", "sec_3a")
    assert [one.eid for one in section.children] == ["sec_3__subsec_a", "sec_3__subsec_b"]
    assert [one.eid for one in read(law.pk, "chp_1").children] == ["sec_1", "sec_2"]


def test_a_clause_is_worked_out_from_the_text_of_its_section() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    clause = read(law.pk, "sec_3__subsec_b__para_2")
    assert clause.provision.kind == ProvisionKind.CLAUSE
    assert clause.text == "(2) לדחות בקשה."
    assert [one.eid for one in clause.ancestors] == ["chp_2", "sec_3", "sec_3__subsec_b"]
    assert (clause.previous, clause.next) == ("sec_3__subsec_b__para_1", None)
    subsection = read(law.pk, "sec_3__subsec_b")
    assert subsection.text == "(ב) הספרן רשאי –\n(1) לקבוע פיקדון;\n(2) לדחות בקשה."
    assert [one.number for one in subsection.children] == ["1", "2"]


def test_numbers_in_brackets_differ_in_hebrew_and_english() -> None:
    hebrew = add_document("1. סמכות\n(1) לקבוע פיקדון;\n(2) לדחות בקשה.", kind="law", title="חוק א")
    english = add_document(
        "1. Powers\n(1) A librarian may refuse.\n(a) in writing;\n(b) at once.", kind="law", title="Act"
    )
    assert read(hebrew.pk, "sec_1__para_2").text == "(2) לדחות בקשה."
    assert read(english.pk, "sec_1__subsec_1__para_b").text == "(b) at once."


@pytest.mark.parametrize(
    "eid",
    ["", "sec_9", "sec_3__subsec_z", "nothing", "sec_3__", "__", "x" * 10_000, "sec_3\0", "sec_3__x__y__z"],
)
def test_an_address_that_is_not_there_is_none(eid: str) -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    assert provisions.find(law.pk, eid) is None


def test_a_section_of_several_passages_is_put_together_again() -> None:
    text = "1. פנקס\n" + "\n".join(f"({number}) {SENTENCE * 4}".strip() for number in range(1, 30)) + "\n2. סוף\nסוף."
    law = add_document(text, kind="law", title="חוק הפנקס")
    assert Chunk.objects.filter(source=law, eid="sec_1").count() > 3
    assert read(law.pk, "sec_1").text == text[: text.index("\n2. סוף")]
    assert read(law.pk, "sec_1__para_17").text == f"(17) {SENTENCE * 4}".strip()


def test_another_text_replaces_the_provisions_and_the_same_text_keeps_them() -> None:
    law = add_document(LAW, kind="law", title="חוק הספריות")
    before = list(provisions.in_order(law.pk).values())
    replace_text(law, LAW)
    assert list(provisions.in_order(law.pk).values()) == before
    replace_text(law, "1. שם\nזה החוק.")
    assert [one.eid for one in provisions.in_order(law.pk)] == ["sec_1"]
    law.delete()
    assert not Provision.objects.exists()
