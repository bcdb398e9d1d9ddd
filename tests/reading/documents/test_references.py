"""References on the reading page: links, counts, previews and who cites a provision."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from sources import references
from sources.models import Source
from tests.law.structure.test_provisions import LAW
from tests.search.corpus import add_document
from tests.sources.references.test_background import CITING, TITLE

pytestmark = pytest.mark.django_db


@pytest.fixture
def library(db: None) -> Source:
    return add_document(LAW, kind="law", title=TITLE)


@pytest.fixture
def lending(library: Source) -> Source:
    source = add_document(CITING + '\n3. הפניה\nלפי חוק הטיס, התשע"א–2011.', kind="law", title="חוק ההשאלות")
    while references.run_pending():
        pass
    return source


def page(path: str, **headers: str) -> Any:
    return Client().get(path, headers=headers)


def test_references_are_links_and_what_is_not_here_says_so(library: Source, lending: Source) -> None:
    text = page(f"/documents/{lending.pk}/").content.decode()
    assert f'<a class="reference" href="/documents/{library.pk}/#sec_3__subsec_b">סעיף 3(ב) לחוק הספריות' in text
    assert '<a class="reference" href="#sec_2">סעיף 2</a>' in text
    assert '<span class="reference-missing" title="This document is not here.">חוק הטיס' in text
    assert "Cited 1 time" not in text  # its own reference to its section 2 says nothing of its weight
    cited = page(f"/documents/{library.pk}/").content.decode()
    assert f'href="/documents/{library.pk}/cited-by/?eid=sec_3">Cited 1 time</a>' in cited


def test_both_ends_of_a_range_are_links_and_the_middle_is_cited(library: Source) -> None:
    source = add_document(f"1. הפניה\nסעיפים 1 עד 3 ל{TITLE} יחולו.", kind="regulation", title="תקנות")
    while references.run_pending():
        pass
    text = page(f"/documents/{source.pk}/").content.decode()
    leads = f'<a class="reference" href="/documents/{library.pk}/#'
    assert f'{leads}sec_1">סעיפים 1 עד</a> {leads}sec_3">3 לחוק הספריות' in text
    middle = f"/documents/{library.pk}/cited-by/?eid=sec_2"
    assert f'href="{middle}">Cited 1 time</a>' in page(f"/documents/{library.pk}/").content.decode()
    cited_by = page(middle).content.decode()
    assert f'href="/documents/{source.pk}/' in cited_by
    assert "<mark>סעיפים 1 עד</mark> 3 לחוק" in cited_by


def test_what_is_not_found_is_no_link() -> None:
    add_document("1. Scope\nAll.", kind="law", title="Oats Act 2010")
    text = "1. Scope\nAs section 9 says, section 7 of the Oats Act 2010, the Oats Act 2010 and the Pier Act 2020 say."
    source = add_document(text, kind="law", title="Pier Act 2020")
    while references.run_pending():
        pass
    shown = page(f"/documents/{source.pk}/").content.decode()
    missing = '<span class="reference-missing" title="This provision was not found in the document.">'
    assert f"{missing}section 9</span>" in shown
    assert f"{missing}section 7 of the Oats Act 2010</span>" in shown
    assert shown.count('class="reference"') == 1
    assert "the Pier Act 2020 say" in shown
    xml = b"".join(page(f"/kb/sources/{source.pk}.akn.xml").streaming_content).decode()
    assert re.findall(r"<ref [^>]*>([^<]*)", xml) == ["Oats Act 2010", "Pier Act 2020"]


def test_a_clause_beside_a_number_that_went_before_its_heading_has_a_place() -> None:
    source = add_document("Fees\n1. (1) As subsection (1) says.\n(2) Due.", kind="law", title="Pier Act 2020")
    while references.run_pending():
        pass
    shown = page(f"/documents/{source.pk}/").content.decode()
    assert 'href="#sec_1__subsec_1"' in shown
    assert 'id="sec_1__subsec_1"' in shown


def test_words_of_a_query_are_marked_inside_a_link(library: Source, lending: Source) -> None:
    text = page(f"/documents/{lending.pk}/?q=הספריות").content.decode()
    assert "לחוק <mark>הספריות</mark>" in text.split('class="reference"')[1].split("</a>")[0]


def test_references_and_the_numbers_of_footnotes_lead_each_to_its_own() -> None:
    source = add_document("1. אגרה\nהאגרה¹ לפי סעיף 2.\n¹ ראו סעיף 2.\n2. תשלום\nמראש.", kind="law", title="חוק האגרות")
    while references.run_pending():
        pass
    text = page(f"/documents/{source.pk}/").content.decode()
    cited = '<a class="reference" href="#sec_2">סעיף 2</a>'
    marked = re.search(rf'האגרה<a class="note-mark" href="#(note-\d+)">¹</a> לפי {cited}\.', text)
    assert marked
    assert re.search(rf'role="note" id="{marked[1]}"[^>]*>¹ ראו {cited}\.', text)


def test_a_preview_shows_the_provision(library: Source) -> None:
    text = page(f"/documents/{library.pk}/preview/?eid=sec_3__subsec_b").content.decode()
    assert "(ב) הספרן רשאי" in text
    assert f'href="/documents/{library.pk}/#sec_3__subsec_b"' in text
    assert page(f"/documents/{library.pk}/preview/").status_code == 200
    assert page(f"/documents/{library.pk}/preview/?eid=sec_99").status_code == 404


def test_who_cites_is_narrowed_to_a_section_and_grouped_by_document(library: Source, lending: Source) -> None:
    text = page(f"/documents/{library.pk}/cited-by/").content.decode()
    sections = re.findall(r'<option value="(\w+)"( selected)?>(\S+)', text)
    assert ("sec_3", "", "3") in sections
    assert text.count(f'<a href="/documents/{lending.pk}/"><bdi>') == 1
    narrowed = page(f"/documents/{library.pk}/cited-by/?eid=sec_3").content.decode()
    assert '<option value="sec_3" selected>' in narrowed


def test_who_cites_a_provision_is_grouped_by_kind(library: Source, lending: Source) -> None:
    for year in range(12):
        add_document(CITING, kind="circular", title=f"חוזר {year}", published_at=f"{2000 + year}-01-01")
    while references.run_pending():
        pass
    path = f"/documents/{library.pk}/cited-by/?eid=sec_3"
    text = page(path).content.decode()
    assert text.index("Law") < text.index('Circular <span class="count">12</span>')
    text = text.split("</figure>")[1]
    assert text.index("חוזר 11") < text.index("חוזר 2")
    assert "חוזר 1 " not in text
    assert f'href="/documents/{lending.pk}/#sec_1"' in text
    everything = page(f"{path}&group=circular").content.decode()
    assert "חוזר 0" in everything
    assert "חוק ההשאלות" not in everything
    fragment = page(path, **{"HX-Request": "true"}).content.decode()
    assert "<html" not in fragment
    assert "חוזר 11" in fragment
    assert "Nothing refers to it." in page(f"/documents/{lending.pk}/cited-by/?eid=sec_3").content.decode()
    assert page(f"/documents/{library.pk}/cited-by/?eid=sec_99").status_code == 404


def test_the_page_draws_which_documents_cite_it_and_lists_what_it_cites(library: Source, lending: Source) -> None:
    page = Client().get(f"/documents/{library.pk}/cited-by/").content.decode()
    assert page.count('class="picture"') == 1
    assert str(lending)[:20] in page.split("<figure")[1].split("</figure>")[0]
    citing = Client().get(f"/documents/{lending.pk}/cited-by/").content.decode()
    assert f'href="/documents/{library.pk}/"' in citing.split('id="cites-title"')[1]
    assert (
        "<figure"
        not in Client().get(f"/documents/{library.pk}/cited-by/", headers={"HX-Request": "true"}).content.decode()
    )


def test_a_provision_is_listed_once_and_all_counts_agree(library: Source) -> None:
    text = (
        f"1. השאלה\nהשאלה היא לפי סעיף 3(ב) ל{TITLE}. אין להאריך אותה, אלא לפי סעיף 3 ל{TITLE}.\n2. ביטול\nהשאלה תבוטל."
    )
    lending = add_document(text, kind="law", title="חוק ההשאלות")
    own = add_document("1. השאלה\nכאמור בסעיף 2.\n2. ביטול\nהשאלה תבוטל.", kind="law", title="חוק הביטולים")
    while references.run_pending():
        pass
    fragment = page(f"/documents/{library.pk}/cited-by/?eid=sec_3", **{"HX-Request": "true"}).content.decode()
    assert fragment.count(f'href="/documents/{lending.pk}/#sec_1"') == 1
    assert f"השאלה היא לפי <mark>סעיף 3(ב) ל{escape(TITLE)}</mark>.</q>" in fragment
    assert "×2" in fragment
    assert "<details" not in fragment
    for eid, cited in ("", library), ("", own), ("sec_2", own):
        shown = page(f"/documents/{cited.pk}/").content.decode()
        listed = page(f"/documents/{cited.pk}/cited-by/?eid={eid}").content.decode()
        counts = [int(count) for count in re.findall(r'<span class="count">(\d+)</span></h2>', listed)]
        start = f'cited-by/?eid={eid}">' if eid else 'cited-by/">'
        # What a law cites of itself says nothing of its weight.
        assert (f"{start}Cited {sum(counts)} time" in shown) == (cited is library)
    assert '<details class="citing-own"><summary>' in listed
