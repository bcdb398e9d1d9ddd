"""`/documents/{id}/`: a document to read."""

import re
from html import unescape

import pytest
from django.test import Client

from labels import assign
from reading.documents.screens import CHUNKS_A_PART
from sources.models import Chunk, Source
from tests.factories import make_label
from tests.law.structure.test_provisions import LAW
from tests.pages import page
from tests.search.corpus import add_document, add_source

pytestmark = pytest.mark.django_db


@pytest.fixture
def long_document() -> Source:
    """100 sections, two on each page."""
    pages = [f"{n}. Heading\nText {n} of all.\n{n + 1}. Heading\nText {n + 1} of all." for n in range(1, 101, 2)]
    return add_document(*pages, kind="law", title="Long", filename="long.pdf", file_key="processed/long.pdf", pages=50)


@pytest.fixture
def law() -> Source:
    return add_document(LAW, kind="law", title="חוק הספריות")


def text_of(html: str) -> str:
    """What a reader sees, on one line."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def numbers(text: str) -> list[int]:
    return [int(n) for n in re.findall(r"Text (\d+) of all", text_of(text))]


def test_the_page_has_the_first_part_and_places_for_the_others(client: Client, long_document: Source) -> None:
    text = page(client, f"/documents/{long_document.pk}/")
    assert numbers(text) == list(range(1, CHUNKS_A_PART + 1))
    assert re.findall(r'data-part="(\d+)"', text) == ["1", "2", "3", "4", "5"]
    assert 'href="?part=2"' in text


@pytest.mark.parametrize(("name", "drawn"), [("a.pdf", True), ("A.PNG", True), ("a.tif", True), ("a.xlsx", False)])
def test_pictures_are_offered_of_pages_that_can_be_drawn(
    client: Client, long_document: Source, name: str, drawn: bool
) -> None:
    Source.objects.filter(pk=long_document.pk).update(filename=name)
    text = page(client, f"/documents/{long_document.pk}/")
    assert ("data-picture=" in text, "#page=2" in text) == (drawn, True)


def test_a_part_comes_by_its_number_and_by_a_character_in_it(client: Client, long_document: Source) -> None:
    address = f"/documents/{long_document.pk}/part/"
    assert numbers(page(client, address, part=5)) == list(range(81, 101))
    at = Chunk.objects.get(source=long_document, section="50").span_start + 5
    assert numbers(page(client, address, at=at)) == list(range(41, 61))
    assert numbers(page(client, address, eid="sec_50")) == list(range(41, 61))
    for wrong in ("part=6", "part=0", "part=x", "eid=sec_101", ""):
        assert client.get(f"{address}?{wrong}").status_code == 404


@pytest.mark.parametrize(("text", "direction"), [(LAW, "rtl"), ("1. Name\nThis act is the Harbour Act of לוד.", "ltr")])
def test_a_document_runs_in_the_direction_of_its_text_whatever_its_title(
    client: Client, text: str, direction: str
) -> None:
    for title in ("scan-0017.pdf", "חוק הספריות"):
        source = add_document(text, kind="law", title=title)
        assert f'class="document-text" dir="{direction}"' in page(client, f"/documents/{source.pk}/")
        contents = client.get(f"/documents/{source.pk}/contents/").content.decode()
        assert f'class="contents-list" dir="{direction}"' in contents


def test_its_labels_lead_to_the_documents_that_carry_them(client: Client, law: Source) -> None:
    assign.add(law, [make_label("Rent")], by="test")
    [address] = re.findall(r'<a class="chip" href="([^"]+)" dir="auto">Rent</a>', page(client, f"/documents/{law.pk}/"))
    assert "חוק הספריות" in text_of(page(client, unescape(address)))


def test_words_of_the_query_are_marked(client: Client, long_document: Source) -> None:
    assert "<mark>Text</mark> 7 of all" in page(client, f"/documents/{long_document.pk}/", q="text of")
    assert "<mark>Text</mark> 99" in page(client, f"/documents/{long_document.pk}/part/", part=5, q="text")


def test_the_name_of_an_act_is_not_marked_all_over_it(client: Client) -> None:
    source = add_document("1. Name\nThis act is the Harbour Act.", kind="law", title="Harbour Act 2012")
    assert "<mark>" not in page(client, f"/documents/{source.pk}/", q="Harbour Act")
    assert "the <mark>Harbour</mark> Act" in page(client, f"/documents/{source.pk}/", q="harbour")
    asked = page(client, f"/documents/{source.pk}/", q="which act is of the harbour")
    assert "the <mark>Harbour</mark> <mark>Act</mark>" in asked


def test_a_quote_is_marked_where_it_stands_first(client: Client, long_document: Source) -> None:
    text = page(client, f"/documents/{long_document.pk}/", quote="Text 3 of all.", q="text")
    assert re.findall("<mark>([^<]+)</mark>", text) == ["Text 3 of all."]


def test_a_document_opens_at_a_quote(client: Client, long_document: Source) -> None:
    text = page(client, f"/documents/{long_document.pk}/", quote="Text 77 of all.")
    assert re.findall("<mark>([^<]+)</mark>", text) == ["Text 77 of all."]


def test_a_document_opens_at_a_page(client: Client, long_document: Source) -> None:
    text = page(client, f"/documents/{long_document.pk}/", page=45)
    assert 'id="page-45"' in text
    assert f'href="/kb/sources/{long_document.pk}/file#page=45"' in text
    assert numbers(text) == list(range(81, 101))
    assert 'id="page-40"' not in page(client, f"/documents/{long_document.pk}/part/", part=5)  # it begins before


def test_a_link_to_a_passage_leads_to_its_provision(client: Client, law: Source) -> None:
    chunk = Chunk.objects.get(source=law, eid="sec_3a")
    answer = client.get(f"/documents/{law.pk}/", {"chunk": str(chunk.pk), "q": "איחור"})
    assert answer.headers["Location"] == f"/documents/{law.pk}/?q=%D7%90%D7%99%D7%97%D7%95%D7%A8#sec_3a"


def test_link_to_passage_without_a_provision_leads_to_its_part(client: Client) -> None:
    source = add_source(*(f"Text {n} of all." for n in range(30)), title="Old")
    chunk = Chunk.objects.get(source=source, seq=25)
    text = page(client, f"/documents/{source.pk}/", chunk=chunk.pk)
    assert numbers(text) == list(range(20, 30))


def test_a_passage_that_is_gone_is_told(client: Client, long_document: Source) -> None:
    assert "That place is not there any more" in page(client, f"/documents/{long_document.pk}/", chunk=10**15)
    foreign = Chunk.objects.get(source=add_source("elsewhere", title="Other"))
    assert "That place is not there any more" in page(client, f"/documents/{long_document.pk}/", chunk=foreign.pk)


def test_every_provision_and_clause_has_its_address_in_the_text(client: Client, law: Source) -> None:
    text = page(client, f"/documents/{law.pk}/")
    ids = re.findall(r' id="((?:chp|sec|sched)_[^"]+)"', text)
    assert ids == [
        *("chp_1", "sec_1", "sec_2", "chp_2", "sec_3", "sec_3__subsec_a", "sec_3__subsec_b"),
        *("sec_3__subsec_b__para_1", "sec_3__subsec_b__para_2", "sec_3a", "sched_1", "sched_1__item_1"),
        *("sched_1__item_2", "sched_2", "sched_2__item_1"),
    ]
    assert 'data-cited="סעיף 3א לחוק הספריות"' in text
    assert 'dir="rtl"' in text
    assert "<dfn>&quot;ספר&quot;</dfn> – לרבות כתב עת;" in text
    assert re.search(r'<p class="line level-2" data-at="\d+">\(2\) לדחות בקשה\.</p>', text)
    assert text_of(text).count("לדחות בקשה.") == 1


def test_all_of_the_text_is_there_once_and_in_order(client: Client, law: Source) -> None:
    text = page(client, f"/documents/{law.pk}/part/", part=1)
    shown = re.sub("Copy or open: [^…⋯]+", "", text_of(text)).replace("⋯", "")
    assert shown.split() == LAW.split()


def test_a_heading_in_the_margin_is_shown_behind_its_number(client: Client) -> None:
    law = add_document(
        "חוק הספרים\nמטרה\n1.\nמטרתו של חוק זה להגן על ספרים.\nתחולה\n2.\nהוא חל על כל ספרייה.", kind="law", title="חוק"
    )
    text = page(client, f"/documents/{law.pk}/part/", part=1)
    assert [text_of(head) for head in re.findall(r"<h3>(.*?)</h3>", text, re.S)] == ["1. מטרה", "2. תחולה"]


def test_rows_with_tabs_are_a_table(client: Client) -> None:
    source = add_document("Fees\nFee\tAmount\nLoan\t5 <ILS>\nThe end.", kind="circular", title="Fees")
    text = page(client, f"/documents/{source.pk}/part/", part=1)
    assert [text_of(cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", text)] == ["Fee", "Amount", "Loan", "5 <ILS>"]


def test_the_contents_name_each_provision_and_its_part(client: Client, law: Source) -> None:
    text = page(client, f"/documents/{law.pk}/contents/")
    entries = re.findall(r'data-eid="([^"]+)" data-in-part="(\d+)">(.*?)</a>', text)
    assert [eid for eid, _, _ in entries][:3] == ["chp_1", "sec_1", "sec_2"]
    assert text_of(entries[0][2]).startswith("פרק א'"), "in the language of the law, whatever the reader's"
    assert text_of(entries[1][2]) == "1 הגדרות"
    assert {part for _, part, _ in entries} == {"1"}


def test_words_are_found_by_the_characters_where_they_stand(client: Client, law: Source) -> None:
    def found(text: str) -> list[str]:
        answer = client.get(f"/documents/{law.pk}/find/", {"text": text}).json()
        assert answer["more"] is False
        return [LAW[at : at + answer["length"]] for at in answer["places"]]

    assert found("פיקדון") == ["פיקדון", "פיקדון"]
    assert found("100% _") == found("") == found("\0") == []
    english = add_document("A Loan is a loan.", kind="circular", title="Loans")
    assert client.get(f"/documents/{english.pk}/find/", {"text": "loan"}).json()["places"] == [2, 12]


def test_there_is_a_page_for_a_document_that_is_not_there(client: Client) -> None:
    assert "There is no such document" in page(client, "/documents/999/", status=404)
    assert "There is no such document" in page(client, f"/documents/{10**30}/", status=404)
    for part in ("part/", "contents/", "find/", "pages/1.png"):
        assert client.get(f"/documents/999/{part}").status_code == 404


def test_footnotes_stand_apart_and_their_numbers_lead_to_them(client: Client) -> None:
    text = "The fee¹ is due.\n¹ As of 2020.\nThe fine¹ of 10 m².\n¹ As of 2021¹.\n"
    judgment = add_document(text, kind="caselaw", title="A v B")
    shown = page(client, f"/documents/{judgment.pk}/part/", part=1)
    notes = re.findall(r'<p class="line level-0 note" role="note" id="note-(\d+)"[^>]*>(.*?)</p>', shown)
    assert [note for _, note in notes] == ["¹ As of 2020.", "¹ As of 2021¹."]
    assert re.findall(r'(\w+)<a class="note-mark" href="#note-(\d+)">¹</a>', shown) == [
        ("fee", notes[0][0]),
        ("fine", notes[1][0]),
    ]


def test_a_definition_stands_as_deep_as_the_first_one(client: Client) -> None:
    text = (
        '1. הגדרות\nבחוק זה –\n"ספר" –\n(1) כתב עת;\n(2) כרך;\n"ספרן" –\n(1) עובד;\n"קורא" – אדם.\n2. תחולה\n(א) הכול.'
    )
    law = add_document(text, kind="law", title="חוק")
    shown = page(client, f"/documents/{law.pk}/part/", part=1)
    levels = [int(level) for level in re.findall(r'<p class="line level-(\d)', shown)]
    assert levels == [0, 0, 1, 1, 0, 1, 0, 1]


DATED = """חוק בתי קפה, התש"ף–2020
1. רישיון
בית קפה יחזיק רישיון.
2. שעות
בית קפה ייסגר בשעה עשר.
2. שעות
(החל מיום 1.7.2021): בית קפה ייסגר בחצות.
3. אגרה
(א) האגרה תשולם בדואר.(החל מיום 1.7.2199): האגרה תשולם ברשת.
(ב) אגרה ששולמה לא תוחזר."""


def test_a_provision_says_on_which_days_it_reads_so(client: Client) -> None:
    source = add_document(DATED, kind="law", title="חוק בתי קפה")
    text = page(client, f"/documents/{source.pk}/")
    part = text[text.index('<div class="part"') :]
    said = re.findall(r'<p class="text-days[^"]*">(.*?)</p>|class="line[^"]*"[^>]*>([^<]+)', part, re.DOTALL)
    assert [text_of(days or line) for days, line in said] == [
        'חוק בתי קפה, התש"ף–2020',
        "בית קפה יחזיק רישיון.",
        "superseded in force until 30 Jun 2021",
        "בית קפה ייסגר בשעה עשר.",
        "in force from 1 Jul 2021",
        "(החל מיום 1.7.2021): בית קפה ייסגר בחצות.",
        "in force until 30 Jun 2199",
        "(א) האגרה תשולם בדואר.",
        "not yet in force from 1 Jul 2199",
        "(החל מיום 1.7.2199): האגרה תשולם ברשת.",
        "(ב) אגרה ששולמה לא תוחזר.",
    ]


@pytest.mark.parametrize(("number", "css"), [("1.", "no hangs"), ("Section 1.", "no")])
def test_the_number_of_a_section_is_a_link_in_the_margin_if_it_is_short(client: Client, number: str, css: str) -> None:
    law = add_document(f"{number} Name\nThis is the Harbour Act.", kind="law", title="Harbour Act")
    text = page(client, f"/documents/{law.pk}/")
    assert re.search(
        rf'<a class="{css}" href="#sec_1" data-at="0">{number}\s*</a> <span data-at="\d+">Name</span>', text
    )


def test_a_judgment_says_its_court_and_judges_and_its_signatures_are_no_headings(client: Client) -> None:
    caption = "IN THE HARBOUR COURT\nBuoy Ltd v Anchor Ltd\nBefore: Judge R Tide"
    text = f"{caption}\n\nFACTS\n1. A buoy sank.\n\n# Ms L Ashworth\n\n# Member"
    judgment = add_document(text, kind="caselaw", title="Buoy Ltd v Anchor Ltd")
    page = text_of(client.get(f"/documents/{judgment.pk}/").content.decode())
    assert "IN THE HARBOUR COURT" in page
    assert "Before Judge R Tide" in " ".join(page.split())
    contents = client.get(f"/documents/{judgment.pk}/contents/").content.decode()
    assert "Ashworth" not in contents
    assert "Member" not in contents
    assert "FACTS" in contents
