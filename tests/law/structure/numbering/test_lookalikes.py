"""What only looks like a number or a heading: marks of footnotes, wrapped sentences, lists, notes of editors."""

import pytest

from extraction import Page
from law.chunking import chunk
from law.structure.provisions import Outline, ParsedProvision, ProvisionKind

NUMBERED = {ProvisionKind.SECTION, ProvisionKind.PARAGRAPH, ProvisionKind.ITEM}


def provisions(*lines: str, kind: str = "law") -> list[ParsedProvision]:
    outline = Outline()
    list(chunk([Page(number=None, paragraphs=lines)], kind=kind, outline=outline))
    return [one for one in outline.provisions if one.kind in NUMBERED]


def numbers(*lines: str, kind: str = "law") -> list[str]:
    return [one.number for one in provisions(*lines, kind=kind)]


def act(heads: list[str], *, below: str = "The keeper feeds the bees in winter.") -> list[str]:
    return ["Law on Bees", *(line for head in heads for line in (head, below))]


@pytest.mark.parametrize(
    "heads",
    [
        ["Article 1", "Article 2¹", "Article 3", "Article 4"],
        ["Article 1¹", "Article 2", "Article 3²", "Article 4"],
        ["Article 1", "Article 2²", "Article 3", "Article 4³", "Article 5"],
        ["Article 1", "Article 2¹", "Article 3²", "Article 4³", "Article 5"],
        ["Article 1¹ Hives", "Article 2² Honey", "Article 3³ Wax", "Article 4 Fines"],
        ["ARTICLE 1 HIVES", "ARTICLE 2¹ HONEY", "ARTICLE 3 WAX", "ARTICLE 4² FINES"],
        ["Article 1 – Hives", "Article 2¹ – Honey", "Article 3 – Wax", "Article 4 – Fines"],
        ["Section 1¹: Hives", "Section 2²: Honey", "Section 3³: Wax", "Section 4: Fines"],
        ["Rule 1 Hives", "Rule 2¹ Honey", "Rule 3 Wax", "Rule 4 Fines"],
        ["Art. 1", "Art. 2¹", "Art. 3²", "Art. 4"],
        ["Regulation 1", "Regulation 2²", "Regulation 3", "Regulation 4"],
        ["סעיף 1¹", "סעיף 2²", "סעיף 3³", "סעיף 4"],
        ["תקנה 1", "תקנה 2¹", "תקנה 3", "תקנה 4"],
        ["Article 1.¹", "Article 2.", "Article 3.²", "Article 4."],
        ["Article 1.", "Article 2¹.", "Article 3.", "Article 4."],
        ["Article 1.¹ Hives", "Article 2.² Honey", "Article 3.³ Wax"],
        ["Section 1. Hives", "Section 2.¹ Honey", "Section 3. Wax", "Section 4.² Fines"],
        ["§ 1.¹ Hives", "§ 2. Honey", "§ 3². Wax"],
        ["סעיף 1.", "סעיף 2.¹", "סעיף 3.", "סעיף 4²."],
    ],
)
def test_the_mark_of_a_footnote_is_no_part_of_a_number(heads: list[str]) -> None:
    assert numbers(*act(heads)) == ["1", "2", "3", "4", "5"][: len(heads)]


@pytest.mark.parametrize("note", ["¹ Changed by the protocol.", "Footnote: changed by the protocol.", "See the annex."])
def test_a_note_headed_by_the_article_that_it_is_on_is_no_article(note: str) -> None:
    heads = act(["Article 1", "Article 2"])
    assert "2-1" not in numbers(*heads, "Article 2¹", note, *act(["Article 3", "Article 4"])[1:])


def test_a_note_behind_the_last_article_is_no_article() -> None:
    assert numbers(*act(["Article 1 Hives", "Article 2 Honey", "Article 3 Wax", "Article 3¹ Protocol"]))[-1] == "3"


def test_an_article_behind_a_chapter_that_begins_anew_is_no_inserted_one() -> None:
    heads = act(["Article 1 Hives"]), act(["Article 1¹ Honey", "Article 2 Wax", "Article 3 Fines"])[1:]
    assert "1-1" not in numbers(*heads[0], "Chapter II", *heads[1])


@pytest.mark.parametrize(
    ("heads", "read"),
    [
        (["Article 5", "Article 5¹", "Article 5²", "Article 6"], ["5", "5-1", "5-2", "6"]),
        (["Article 1 Hives", "Article 1¹ Honey", "Article 2 Wax"], ["1", "1-1", "2"]),
        (["Article 1. Hives", "Article 2. Wax", "Article 2¹. Honey", "Article 3. Fines"], ["1", "2", "2-1", "3"]),
        (["§ 1. Hives", "§ 1¹. Honey", "§ 3¹. Wax", "§ 4. Fines"], ["1", "1-1", "3-1", "4"]),
    ],
)
def test_an_inserted_article_stands_right_behind_its_own(heads: list[str], read: list[str]) -> None:
    assert numbers(*act(heads)) == read


@pytest.mark.parametrize(
    "brackets",
    [
        ["[R.S., c. B-7]"], ["[2011, c. 26]", "[2029, c. 4]"], ["[4,000]"], ["[at most 2]"], ["[0, 1]"], ["[Form 4]"],
        ["[Schedule 2]"], ["[USD 500]"], ["[Part 3]"], ["[zones 1-3]"], ["[mg/m3]"], ["[A4]"], ["[2]"], ["[P80/35]"],
    ],
)  # fmt: skip
def test_a_heading_keeps_its_brackets(brackets: list[str]) -> None:
    printed = [f"Bees Act {bracket}" for bracket in [*brackets, *brackets, *brackets]][:3]
    heads = [f"{number}. {heading}" for number, heading in enumerate(printed, 1)]
    assert [one.heading for one in provisions(*act(heads))] == printed


@pytest.mark.parametrize("brackets", [["[סעיף 12]"], ["[25]"], ["[טופס 4]"]])
def test_a_hebrew_heading_keeps_its_brackets(brackets: list[str]) -> None:
    heads = [f"{number}. עונשין {brackets[0]}" for number in (1, 2, 3)]
    read = provisions(*act(heads, below="מי שלא שילם אגרה דינו קנס."))
    assert [one.heading for one in read] == [f"עונשין {brackets[0]}"] * 3


RULES = ["Rules for Hives", "1. Scope", "These rules apply to hives.", "2. Hives", "Hives are tested."]


@pytest.mark.parametrize(
    "annex",
    [
        ["Annex A", "Hives are tested so. The load is that of clause", "A.2 and the speed is that of clause",
         "A.3 of the standard of the Union."],
        ["Annex A", "Test of hives", "The test was made by", "A.1 Miller and Sons."],
        ["Annex A", "Test of hives", "The load is that of rule", "A.1 Load"],
        ["Annex A", "Test of hives", "The gauge is", "A.2 Gauge of the Union."],
        ["Annex A", "Test of hives", "The gauge is drawn.", "A.2 Gauge"],
        ["Annex A", "Test of hives", "A.1 mm of room is left."],
        ["Annex A", "Test of hives", "The room is as below.", "A.3 Room", "A.4 Door"],
        ["Appendix B", "Parties", "B.2 Ltd of London", "B.1 GmbH of Berlin"],
        ["Appendix B", "Exhibits", "B.1 was shown at noon.", "B.2 was not."],
        ["Schedule B", "The seller owes what is named in", "B.1 Honey", "of the list."],
        ["Annex A", "Test of hives", "The test is that of articles", "A.1 Load"],
        ["Annex A", "Test made under clause", "A.1 Load"],
        ["Annex A", "Values in accordance with Table", "A.1 Load"],
        ["Annex A", "Test made under", "A.1 Load"],
        ["נספח A", "הבדיקה נעשית לפי סעיף", "A.1 עומס"],
    ],
)  # fmt: skip
@pytest.mark.parametrize("kind", ["regulation", "contract"])
def test_the_end_of_a_sentence_is_no_item_of_an_annex(annex: list[str], kind: str) -> None:
    assert numbers(*RULES, *annex, kind=kind) == ["1", "2"]


def test_items_of_an_annex_count_from_one_on() -> None:
    annex = ["Annex A", "Test of hives", "A.1 Gauge", "The gauge is a frame.", "A.2 Order", "A.2.1 Open the hive."]
    assert numbers(*RULES, *annex, kind="regulation") == ["1", "2", "A.1", "A.2", "A.2.1"]


@pytest.mark.parametrize(
    "notes",
    [
        ["Consolidated text", "Amended by decree", "Unchanged since enactment", "In force from Monday"],
        ["Editorial note", "Former law", "Not yet in force", "Version of the spring"],
        ["Option One", "Option Two", "Delete as applicable", "Guidance for the drafter"],
        ["Seller", "Buyer", "Notary", "Seller and Buyer"],
        ["נוסח משולב", "הערת העורך", "טרם נכנס לתוקף", "הנוסח הקודם"],
    ],
)
@pytest.mark.parametrize("kind", ["law", "contract"])
def test_a_note_in_square_brackets_is_no_heading(notes: list[str], kind: str) -> None:
    text = (
        "כוורן יאכיל את הדבורים בחורף. בקיץ ישקה אותן."
        if notes[0] >= "א"
        else "A keeper shall feed the bees, and water them."
    )
    lines = [line for at, note in enumerate(notes, 1) for line in (f"[{note}]", f"{at}. {text}")]
    assert [one.heading for one in provisions("Bees", *lines, kind=kind)] == [""] * 4


SECTIONS = [
    "1 Zones",
    "The town has zones.",
    "2 Maps",
    "Maps show the zones.",
    "3 Fines",
    "A fine is paid.",
]
ENACTED = "Be it enacted by Parliament as follows:"


@pytest.mark.parametrize(
    "listed",
    [
        ["An Ordinance to set zones.", "A1 Farm zone", "Farms are allowed.", "A2 Garden zone", "Huts may stand."],
        [ENACTED, "A1 Licence", "This class is for motorcycles.", "A2 Licence", "This class is for cars."],
        [ENACTED, "A1 Motorcycles", "The driver must be of age.", "A2 Cars", "The driver shall be of age."],
        ["The Minister makes the following Regulations:", "A1 Sheets", "Plans are drawn on these."],
        ["An Act to classify roads.", "A1 London to Dover", "This is a trunk road."],
        [ENACTED, "A1 Agricultural", "Zone A1 is for farms.", "A2 Estates", "Class A2 is for houses."],
        ["An Act to grade eggs.", "A1 Large eggs", "These eggs may be sold, see box A1."],
        ["הכנסת מחוקקת בזה חוק זה:", "A1 רישיון לאופנוע", "רישיון זה הוא לאופנוע קטן."],
        ["בתוקף סמכותי לפי סעיף 5 לחוק אני מתקין תקנות אלה:", "A1 גיליון", "תוכנית תשורטט על גיליון זה."],
        ["An Act to tax ships.", "ZA1 Tankers", "A tanker pays the tax.", "A1 Ferries", "A ferry pays none."],
    ],
)  # fmt: skip
def test_a_list_above_section_1_is_none_of_sections(listed: list[str]) -> None:
    assert numbers("Zones Act 2031", *listed, *SECTIONS) == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("cited", "read"),
    [
        ("A farm of section A1(2) is free, and no other.", ["A1", "1", "2", "3"]),
        ("A zone has a number, as said in section A1.", ["A1", "1", "2", "3"]),
        ("A farm of zone A1 is free, and no other.", ["1", "2", "3"]),
        ("Section A1 of the plan is for farms.", ["1", "2", "3"]),  # a part of the town
    ],
)
def test_a_section_before_section_1_is_cited_as_one(cited: str, read: list[str]) -> None:
    listed = ["A1 Farms", "A farm must have a licence."]
    assert numbers("Zones Act 2031", ENACTED, *listed, *SECTIONS, cited) == read


def test_a_section_whose_number_reads_like_a_day_is_one() -> None:
    heads = ["2010.1.1 Scope", "2010.1.2 Fees", "2010.1.3 Berths", "2010.1.4 Fines"]
    assert numbers(*act(heads)) == ["2010.1.1", "2010.1.2", "2010.1.3", "2010.1.4"]


def test_an_inserted_article_whose_first_is_repealed_is_not_the_one_before() -> None:
    heads = ["Article 1. Hives", "Article 2. Honey", "Article 3. Wax", "Article 3². Brood", "Article 4. Fines"]
    assert numbers(*act(heads)) == ["1", "2", "3", "3-2", "4"]
