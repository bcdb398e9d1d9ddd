"""Which provisions a text has, and what their addresses are."""

from pathlib import Path

import pytest

from extraction.document import Page
from law.chunking import chunk
from law.structure.provisions import Outline, ParsedProvision, address_of_number

LAW = """חוק הספריות, התשפ"ד–2024
פרק א': פרשנות
1. הגדרות
בחוק זה –
"ספר" – לרבות כתב עת;
"תושב" – מי שרשום במרשם.
2. תחולה
חוק זה יחול על כל ספרייה.
פרק ב': השאלה
3. זכות השאלה
(א) כל תושב זכאי לשאול ספרים.
(ב) הספרן רשאי –
(1) לקבוע פיקדון;
(2) לדחות בקשה.
3א. איחור
המאחר ישלם דמי איחור.
תוספת ראשונה
1. דמי איחור: שקל ליום.
2. פיקדון: מאה שקלים.
תוספת שנייה
1. טופס בקשה."""


def outline(text: str, *, kind: str = "law") -> list[ParsedProvision]:
    """The provisions of a text with one paragraph a line, after a look at what holds of all."""
    found = Outline()
    drafts = list(chunk([Page(number=None, paragraphs=tuple(text.split("\n")))], kind=kind, outline=found))
    assert "".join(draft.gap + draft.text for draft in drafts) == text.rstrip()
    eids = [one.eid for one in found.provisions]
    assert len(set(eids)) == len(eids)
    assert {draft.eid for draft in drafts if draft.eid} <= set(eids)
    for one in found.provisions:
        assert one.start < one.end
        assert one.parent is None or (one.parent.start <= one.start and one.end <= one.parent.end)
    return found.provisions


def eids(text: str, *, kind: str = "law") -> list[str]:
    return [one.eid for one in outline(text, kind=kind)]


def test_a_law_is_addressed_by_its_chapters_sections_and_schedules() -> None:
    found = outline(LAW)
    assert [(one.eid, one.kind, one.number, one.parent.eid if one.parent else "") for one in found] == [
        ("chp_1", "chapter", "א'", ""),
        ("sec_1", "section", "1", "chp_1"),
        ("sec_2", "section", "2", "chp_1"),
        ("chp_2", "chapter", "ב'", ""),
        ("sec_3", "section", "3", "chp_2"),
        ("sec_3a", "section", "3א", "chp_2"),
        ("sched_1", "schedule", "ראשונה", ""),
        ("sched_1__item_1", "item", "1", "sched_1"),
        ("sched_1__item_2", "item", "2", "sched_1"),
        ("sched_2", "schedule", "שנייה", ""),
        ("sched_2__item_1", "item", "1", "sched_2"),
    ]
    assert [one.heading for one in found[:3]] == ["פרשנות", "הגדרות", "תחולה"]


def test_a_provision_spans_its_text() -> None:
    spans = {one.eid: LAW[one.start : one.end] for one in outline(LAW)}
    assert spans["sec_2"] == "2. תחולה\nחוק זה יחול על כל ספרייה."
    assert spans["chp_1"].startswith("פרק א'")
    assert spans["chp_1"].endswith("על כל ספרייה.")
    assert spans["sched_1__item_2"] == "2. פיקדון: מאה שקלים."


def test_changed_text_keeps_addresses_of_what_did_not_change() -> None:
    changed = LAW.replace("3א. איחור", "2א. פטור\nהשר רשאי לפטור ספרייה.\n3א. איחור").replace("שקל ליום", "שני שקלים")
    assert set(eids(LAW)) <= set(eids(changed.replace("2א. פטור\nהשר רשאי לפטור ספרייה.\n3א", "3א")))
    inserted = LAW.replace("פרק ב': השאלה", "2א. פטור\nהשר רשאי לפטור ספרייה.\nפרק ב': השאלה")
    assert [eid for eid in eids(inserted) if eid not in eids(LAW)] == ["sec_2a"]
    assert [eid for eid in eids(LAW) if eid not in eids(inserted)] == []


def test_a_number_that_stands_twice_gets_two_addresses() -> None:
    twice = LAW.replace("3א. איחור", "3. זכות השאלה (החל מיום 1.7.2031)\n(א) כל אדם זכאי לשאול ספרים.\n3א. איחור")
    assert "sec_3_2" in eids(twice)


def test_an_english_rulebook_is_addressed_by_its_decimals() -> None:
    text = """PART 1: GENERAL
1. INTRODUCTION
1.1 Application
1.1.1
These rules apply to every library.
1.1.2
They apply to lenders too.
PART 2: LENDING
2. LOANS
2.1 Term
A loan ends after 30 days."""
    found = outline(text, kind="regulation")
    assert [one.eid for one in found] == [
        *("part_1", "sec_1", "sec_1-1", "sec_1-1-1", "sec_1-1-2"),
        *("part_2", "sec_2", "sec_2-1"),
    ]
    assert [one.depth for one in found] == [0, 1, 2, 3, 3, 0, 1, 2]


def test_chapters_are_addressed_within_their_part() -> None:
    text = "PART 1\nCHAPTER 1\n1. Name\nThis is the Act.\nPART 2\nCHAPTER 1\n2. Term\nA loan ends after 30 days."
    assert eids(text) == ["part_1", "part_1__chp_1", "sec_1", "part_2", "part_2__chp_1", "sec_2"]


def test_the_number_of_the_act_itself_is_no_chapter() -> None:
    act = "CHAPTER 395\nKENNELS\nPART I\n1. Name\nThis is the Act.\nPART II\n2. Term\nA loan ends after 30 days."
    assert eids(act) == ["part_1", "sec_1", "part_2", "sec_2"]
    code = "Chapter 5 Kennels\nSec. 5-1. Name\nThis is the code.\nSec. 5-2. Term\nA loan ends after 30 days."
    assert eids(code) == ["chp_5", "sec_5-1", "sec_5-2"]


@pytest.mark.parametrize("title", ["Index\nSection Page", "ARRANGEMENT OF ORDER", "KENNELS ACT 2031 TABLE OF CONTENTS"])
def test_parts_of_a_table_of_contents_are_none(title: str) -> None:
    table = f"KENNELS\n{title}\nPART 1\nNAME 5\n1 Name ........ 5\nPART 2\nTERM 6\n2 Term ........ 6\nENDNOTES 7"
    act = "PART 1\nNAME\n1 Name\nThis is the Act.\nPART 2\nTERM\n2 Term\nA loan ends after 30 days.\nENDNOTES"
    assert eids(f"{table}\n{act}") == ["part_1", "sec_1", "part_2", "sec_2", "hcontainer_endnotes"]


@pytest.mark.parametrize(
    ("schedule", "heading"),
    [
        ("Schedule\nRates\ns 2\nDogs: 1 cent\nCats: 2 cents", "Rates"),
        ("SCHEDULE\n(Section 2)\nRATES\nDogs 1 cent", "RATES"),
        ("SCHEDULE\nSection 2(1)\nRATES OF LEVY\nFOR ANIMALS\nDogs 1 cent", "RATES OF LEVY FOR ANIMALS"),
        ("SCHEDULE Regulations 2 and 3(1)\nRates\n1. Dogs pay one cent a year.", "Rates"),
        ("SCHEDULE\nSection 2.\nRATES\nDogs pay one cent a year, and cats two.", "RATES"),
        ("SCHEDULE\n[Repealed, 2008, c. 33, s. 19]", "[Repealed, 2008, c. 33, s. 19]"),
        ("תוספת\n(סעיף 2)\nשיעורים\nכלבים – אגורה", "שיעורים"),
        ("נספח\nשיעורים\nכלבים – אגורה", "שיעורים"),
    ],
)
def test_a_schedule_has_its_first_line_as_a_title_but_no_reference(schedule: str, heading: str) -> None:
    found = outline(f"Animals Act 2031\n1. This is the Act.\n2. Who keeps an animal pays the levy.\n{schedule}")
    assert [one.number or one.heading for one in found][:3] == ["1", "2", heading]


def test_the_sentence_of_an_article_does_not_head_the_next() -> None:
    text = """Ferry Law
Royal Decree No. M/15
Article One:
In this Law:
Minister: Minister of Environment.
Article Two:
No person may keep a ferry without a license.
Article Three:
The Ministry shall:
1. Issue licenses.
Article Four:
1. A license shall be valid for five years.
Article Five:
This Law enters into force today."""
    assert [one.heading for one in outline(text)][1:] == ["", "", "", ""]


def test_parts_and_schedules_that_came_before_the_first() -> None:
    text = (
        "Part A1\nIntroductory\nPart 1\n1 Name\nThis is the Act.\n2 Offences\nThe fine is in Schedule 1.\n"
        "SCHEDULE A1\nSection A1\nGARDENS OF NOTE\n1 The Royal Garden.\nSCHEDULE 1\nSection 2\nPENALTIES\n1 A fine."
    )
    found = outline(text)
    assert [one.eid for one in found] == [
        *("part_a1", "part_1", "sec_1", "sec_2"),
        *("sched_a1", "sched_a1__item_1", "sched_1", "sched_1__item_1"),
    ]
    assert [one.heading for one in found if one.unit == "sched"] == ["GARDENS OF NOTE", "PENALTIES"]


def test_numbers_begin_anew_in_each_part_of_an_annex() -> None:
    law = "Article 1\nScope\nThis applies to plants.\nArticle 2\nDuties\nPlants of Annex I shall be labelled.\n"
    annex = "ANNEX I\nLIST OF PLANTS\nPart A\n1. Roses\n2. Tulips\nPart B\n1. Oaks"
    assert eids(law + annex)[2:] == [
        *("annex_1", "annex_1__part_a", "annex_1__item_1", "annex_1__item_2"),
        *("annex_1__part_b", "annex_1__item_1_2"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "1. This is the Act.\n2. An operator shall keep these documents:\nRegister\nSchedule\nMap\n1. In the office.\n"
        "2. For an inspector.\n3. Fares are set by the Minister.\n4. Whoever contravenes section 2 is fined.",
        "1. זה החוק.\n2. לבקשה יצורפו מסמכים אלה, לפי הסדר הזה:\nנספח\n1. שם המבקש;\n2. כתובתו.\n3. הבקשה תידון.\n"
        "4. העובר על סעיף 2, דינו קנס.",
    ],
)
def test_a_schedule_among_what_is_listed_opens_nothing(text: str) -> None:
    assert eids(text) == ["sec_1", "sec_2", "sec_3", "sec_4"]


def test_lines_of_a_title_are_one_before_a_section_where_there_are_no_capitals() -> None:
    text = "פרק א'\nהוראות כלליות ופרשנות לעניין\nגנים ציבוריים\nהגדרות\n1. גן הוא מקום.\nתחולה\n2. יחול על כל גן."
    assert outline(text)[0].heading == "הוראות כלליות ופרשנות לעניין גנים ציבוריים"


def test_what_a_schedule_holds_may_be_articles() -> None:
    act = "1. A treaty is law.\nSCHEDULE\nArticle 1\nA ship is a vessel.\nArticle 2\nA port is a place."
    assert eids(act) == ["sec_1", "sched", "sched__item_1", "sched__item_2"]
    later = act.replace("Article 2", "Article 4").replace("Article 1", "Article 3")
    assert eids(later) == ["sec_1", "sched", "sched__item_3", "sched__item_4"]


@pytest.mark.parametrize("head", ["LEGISLATIVE HISTORY", "Endnotes", "LIST OF AMENDMENTS"])
def test_notes_on_the_history_of_an_act_are_no_items_of_its_schedule(head: str) -> None:
    act = "1. This is the Act.\n2. Exempt gardens are listed.\nTHE SCHEDULE\n1. The Old Garden.\n2. The New Garden.\n"
    notes = f"{head}\n1. Act 5 of 2011—Gardens Act 2011\n2. Act 22 of 2016—Gardens (Amendment) Act 2016"
    items = [one for one in outline(act + notes) if one.parent and one.parent.unit == "sched"]
    assert [(act + notes)[one.start : one.end].strip() for one in items] == ["1. The Old Garden.", "2. The New Garden."]


def test_a_judgment_is_addressed_by_its_headings_and_paragraphs() -> None:
    text = """בית משפט השלום
פסק דין
לפניי תביעה להחזר פיקדון.
רקע
1. התובע שאל ספר מן הנתבעת, והחזיר אותו במועד.
2. הנתבעת סירבה להחזיר את הפיקדון.
דיון והכרעה
3. לאחר ששמעתי את הצדדים, דין התביעה להתקבל."""
    found = outline(text, kind="caselaw")
    by_number = {one.number: one for one in found if one.number}
    assert [by_number[number].eid for number in "123"] == ["para_1", "para_2", "para_3"]
    assert by_number["1"].parent is not None
    assert (by_number["1"].parent.heading, by_number["3"].parent and by_number["3"].parent.heading) == (
        "רקע",
        "דיון והכרעה",
    )
    assert by_number["1"].parent.eid == "hcontainer_rqe"


@pytest.mark.parametrize(
    ("number", "address"),
    [
        ("5", "5"),
        ("5א", "5a"),
        ("63א1", "63a1"),
        ("15יא", "15k"),
        ('5כ"ד', "5x"),
        ("18.8.2", "18-8-2"),
        ("12A", "12a"),
        ("A1.2", "a1-2"),
        ("ת", "v"),
        ("", ""),
    ],
)
def test_numbers_become_addresses_as_translators_write_them(number: str, address: str) -> None:
    assert address_of_number(number) == address


def test_sections_above_articles_divide_the_act() -> None:
    text = (Path(__file__).parent / "acts" / "treaty-sections.txt").read_text(encoding="utf-8").partition("\n----\n")[2]
    outline = Outline()
    list(chunk([Page(number=None, paragraphs=tuple(text.strip().split("\n")))], kind="law", outline=outline))
    above = {one.eid: (one.number, one.heading) for one in outline.provisions if one.unit == "dvs"}
    assert above == {
        "part_1__dvs_1": ("I", "GENERAL"),
        "part_1__dvs_2": ("II", "RIGHT OF CROSSING"),
        "part_1__dvs_2__dvs_a": ("A", "RULES FOR ALL FERRIES"),
        "part_1__dvs_2__dvs_b": ("B", "RULES FOR FERRIES AT NIGHT"),
    }


def _counted(word: str, count: int) -> str:
    return "\n".join(f"{word} {number}: Lamps\nA lamp is lit at dusk." for number in range(1, count + 1))


@pytest.mark.parametrize(
    ("text", "sections"),
    [
        (_counted("Canon", 3), ["1", "2", "3"]),
        (_counted("קנון", 3), ["1", "2", "3"]),
        (_counted("Article", 2) + "\n" + _counted("Tafel", 5), ["1", "2"]),
        (_counted("Article", 2) + "\n" + _counted("Table", 5), ["1", "2"]),
        (_counted("Section", 2) + "\n" + _counted("Step", 4) + "\nSection 3: Oil\nOil is dear.", ["1", "2", "3"]),
        ("Table 1: Oil\n1. Lamps\nA lamp is lit.\n2. Oil\nOil is dear.\nTable 2: Wicks\nTable 3: Glass", ["1", "2"]),
        *(
            (_counted(word, 4), [])
            for word in ("Table", "Question", "WEEK", "May", "Fig.", "טבלה", "שאלה", "חודש", "מאי")
        ),
    ],
)
def test_a_word_that_no_language_has_counts_sections_where_none_of_theirs_does(text: str, sections: list[str]) -> None:
    assert [one.number for one in outline(text) if one.kind == "section"] == sections


def test_opinions_head_their_paragraphs_and_counsel_head_nothing() -> None:
    caption = "IN THE HARBOUR COURT\nBuoy Ltd v Anchor Ltd\n1. Dana Cohen\n2. The Town of Quay\nAnn Reed KC\n"
    text = "{0}. A buoy sank in the night of 3 May and nobody saw it. It was found in June.\n"
    opinions = f"LADY QUAY:\nIntroduction\n{text.format(1)}{text.format(2)}LORD PIER (dissenting):\n{text.format(3)}"
    found = outline(caption + opinions, kind="caselaw")
    assert [one.heading or one.number for one in found] == [
        "LADY QUAY", "Introduction", "1", "2", "LORD PIER (dissenting)", "3",
    ]  # fmt: skip


def test_a_heading_keeps_what_its_brackets_hold() -> None:
    text = (
        "1. Term of [12] months\nIt is fixed.\n2. Fee of [EUR] 50\nIt is paid.\n3. [7 U.S.C. 12] Deposit\nIt is held."
    )
    assert [one.heading for one in outline(text)] == ["Term of [12] months", "Fee of [EUR] 50", "Deposit"]
