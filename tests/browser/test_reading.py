"""Reading a document as a lawyer does: a long one on one page, its places, its words, and what is taken from it."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from django.core.cache import cache
from playwright.sync_api import BrowserContext, Page, expect

from keeping.models import Watch
from sources import references
from sources.models import Chunk, Provision, Source
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.long_law import SECTIONS, long_law
from tests.browser.search_page import speak
from tests.law.structure.test_provisions import LAW
from tests.search.corpus import add_document, replace_text
from tests.sources.references.test_background import CITING, TITLE

pytestmark = pytest.mark.django_db(transaction=True)
__all__ = ["long_law"]  # a fixture


@pytest.fixture
def law(transactional_db: None) -> Source:
    return add_document(LAW, kind="law", title="חוק הספריות")


def test_a_link_opens_the_clause_and_says_when_there_is_none(
    reader: Page, asgi_server: str, long_law: Source, complaints: list[str]
) -> None:
    page = reader
    page.goto(f"{asgi_server}/documents/{long_law.pk}/#sec_333__subsec_b__para_1")
    expect(page.get_by_text("(1) פסקה 333.", exact=True)).to_be_in_viewport()
    expect(page.locator("[data-where]")).to_have_text("333. כותרת 333")
    expect(page.locator('[data-eid="sec_333"]')).to_have_attribute("aria-current", "location")
    page.evaluate("location.hash = 'sec_200'")
    expect(page.locator("[data-where]")).to_have_text("200. כותרת 200")
    page.evaluate("location.hash = 'sec_400'")
    expect(page.get_by_text("(1) פסקה 400.", exact=True)).to_be_in_viewport()
    page.evaluate("location.hash = 'sec_401'")
    expect(page.locator("[data-gone]")).to_be_visible()
    complaints.clear()


def test_the_text_comes_whole_and_the_contents_lead_to_it(reader: Page, asgi_server: str, long_law: Source) -> None:
    page = reader
    page.goto(f"{asgi_server}/documents/{long_law.pk}/")
    expect(page.locator("[data-eid]")).to_have_count(SECTIONS)
    expect(page.locator(".provision-head")).to_have_count(SECTIONS)  # for the browser's own find
    assert page.evaluate("scrollY") == 0
    page.locator("[data-filter-contents]").fill("כותרת 27")
    expect(page.locator(".contents-list li:visible")).to_have_count(11)
    page.locator('[data-eid="sec_275"]').click()
    expect(page).to_have_url(re.compile("#sec_275$"))
    expect(page.locator("#sec_275")).to_be_in_viewport()


def test_a_long_law_leaves_its_reader_as_many_searches(
    reader: Page, asgi_server: str, long_law: Source, settings: Any, complaints: list[str]
) -> None:
    page = reader
    rates = {**settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"], "anon": "3/day"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    cache.clear()
    page.goto(f"{asgi_server}/documents/{long_law.pk}/")
    expect(page.locator(".provision-head")).to_have_count(SECTIONS)
    expect(page.locator("[data-eid]")).to_have_count(SECTIONS)
    for _ in range(2):
        answer = page.goto(f"{asgi_server}/?q=aardvark")
        assert answer
        assert answer.status == 200
    refused = page.goto(f"{asgi_server}/documents/{long_law.pk}/")
    assert refused
    assert refused.status == 429
    complaints.clear()
    cache.clear()


def test_words_are_found_in_parts_that_are_not_there_yet(reader: Page, asgi_server: str, long_law: Source) -> None:
    page = reader
    page.goto(f"{asgi_server}/documents/{long_law.pk}/")
    page.locator("h1").click()
    page.keyboard.press("/")
    page.keyboard.type("AARDVARK")
    page.keyboard.press("Enter")
    expect(page.locator("[data-found-count]")).to_have_text("1 of 1")
    expect(page.get_by_text("aardvark")).to_be_in_viewport()
    page.locator("[data-find] input").fill("פסקה 4")
    page.keyboard.press("Enter")
    expect(page.locator("[data-found-count]")).to_contain_text("of 12")
    page.locator("[data-find] input").fill("zebra")
    page.keyboard.press("Enter")
    expect(page.locator("[data-found-count]")).to_have_text("Not found")


def test_link_citation_and_text_of_a_section_are_copied(
    reader: Page, context: BrowserContext, asgi_server: str, law: Source
) -> None:
    page = reader
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=asgi_server)
    page.goto(f"{asgi_server}/documents/{law.pk}/")
    copied: dict[str, str] = {}
    for kind in ("link", "citation", "text"):
        page.locator("#sec_3a [data-menu]").click()
        page.locator(f"[data-copy={kind}]").click()
        expect(page.locator("[data-provision-dialog]")).to_be_hidden()
        copied[kind] = page.evaluate("navigator.clipboard.readText()")
    link = f"{asgi_server}/documents/{law.pk}/#sec_3a"
    citation = "סעיף 3א לחוק הספריות"
    assert copied == {
        "link": link,
        "citation": citation,
        "text": f"3א. איחור\nהמאחר ישלם דמי איחור.\n\n{citation}\n{link}",
    }


def test_the_style_of_citations_is_chosen_once_and_kept(
    staff_page: Page, log_in: Callable[..., None], context: BrowserContext, asgi_server: str, law: Source
) -> None:
    """In the menu of a provision, which also watches it, and with its key."""
    page = staff_page
    Source.objects.filter(pk=law.pk).update(identifier="ס״ח 2900")
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=asgi_server)
    for language in ("en", "he"):
        log_in(language=language)
        page.goto(f"{asgi_server}/documents/{law.pk}/")
        page.locator("#sec_3a [data-menu]").click()
        page.locator("[data-style]").select_option("{title}, {identifier}, {place}")
        page.locator("[data-copy=citation]").click()
        assert page.evaluate("navigator.clipboard.readText()") == "חוק הספריות, ס״ח 2900, סעיף 3א"
        page.locator("#sec_3a [data-menu]").click()
        page.locator("[data-style]").select_option("")
        page.locator("[data-own-style]").fill("{place} [{title}] {link}")
        assert looks_wrong(page) == []
        page.locator("[data-copy=citation]").click()
        page.reload()
        page.locator("#sec_3a").scroll_into_view_if_needed()
        page.locator("#sec_3a [data-menu]").click()
        page.locator("[data-copy=citation]").click()
        link = f"{asgi_server}/documents/{law.pk}/#sec_3a"
        assert page.evaluate("navigator.clipboard.readText()") == f"סעיף 3א [חוק הספריות] {link}"
        page.evaluate("localStorage.clear()")
    page.locator("#sec_3a [data-menu]").click()
    page.locator("[data-provision-dialog] [data-watch] button").click()
    page.wait_for_load_state("networkidle")
    assert Watch.objects.get().eid == "sec_3a"


def test_highlights_can_be_switched_off_and_the_results_are_gone_through(
    reader: Page, asgi_server: str, law: Source, long_law: Source
) -> None:
    page = reader
    page.goto(f"{asgi_server}/?q={quote('חוק')}&group=document")
    documents = page.locator(".hit h3 a").evaluate_all("links => [...new Set(links.map(one => one.pathname))]")
    assert len(documents) == 2
    page.locator(".hit h3 a").first.click()
    expect(page.locator(".document-text mark").first).to_be_visible()
    page.keyboard.press("h")
    expect(page.locator("[data-highlights]")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("[data-previous-result]")).to_be_hidden()
    page.locator("[data-next-result]").click()
    expect(page).to_have_url(re.compile(re.escape(documents[1])))
    expect(page.locator("[data-next-result]")).to_be_hidden()
    page.keyboard.press("u")
    expect(page.locator(".hit").first).to_be_visible()


@pytest.mark.deep
@pytest.mark.parametrize("language", ["en", "he"])
def test_axe_finds_nothing_and_nothing_is_cut_off(
    reader: Page, context: BrowserContext, asgi_server: str, law: Source, language: str
) -> None:
    page = reader
    speak(context, asgi_server, language)
    english = add_document(
        "PART 1: FEES\n1. Fees\nFee\tAmount\nLoan\t5\n2. Terms\n“Loan” means a book lent.", kind="law", title="Fees Act"
    )
    found: list[str] = []
    for _ in both_looks(page):
        for source in (law, english):
            page.goto(f"{asgi_server}/documents/{source.pk}/?q=loan")
            expect(page.locator("[data-eid]")).to_have_count(Provision.objects.filter(source=source).count())
            found += looks_wrong(page)
            page.locator("[data-menu]").first.click()
            found += looks_wrong(page)
            page.keyboard.press("Escape")
    assert found == []


def test_without_scripts_a_long_document_is_read_part_by_part(
    context: BrowserContext, asgi_server: str, long_law: Source
) -> None:
    browser = context.browser
    assert browser
    plain = browser.new_context(java_script_enabled=False)
    page = plain.new_page()
    page.goto(f"{asgi_server}/documents/{long_law.pk}/")
    page.get_by_role("link", name="Next part").click()
    expect(page.locator("#sec_21")).to_be_visible()
    plain.close()


def test_a_reference_shows_what_it_leads_to_and_a_section_who_cites_it(
    reader: Page, asgi_server: str, law: Source
) -> None:
    citing = add_document(CITING, kind="circular", title="חוזר השאלות")
    Source.objects.filter(pk=law.pk).update(title=TITLE)
    replace_text(Source.objects.get(pk=law.pk), LAW)
    while references.run_pending():
        pass
    page = reader
    page.goto(f"{asgi_server}/documents/{citing.pk}/")
    link = page.locator(".document-text").get_by_role("link", name=f"סעיף 3(ב) ל{TITLE}")
    link.hover()
    preview = page.locator("[data-preview]")
    expect(preview).to_contain_text("(ב) הספרן רשאי")
    page.keyboard.press("Escape")
    expect(preview).to_be_hidden()
    link.focus()
    expect(preview).to_be_visible()
    link.click()
    page.wait_for_url(f"**/documents/{law.pk}/#sec_3__subsec_b")
    expect(page.get_by_text("(ב) הספרן רשאי").first).to_be_in_viewport()
    page.locator("#sec_3 [data-cited-by]").click()
    dialog = page.locator("[data-citing-dialog]")
    expect(dialog.get_by_role("link", name="ספר יושאל לפי")).to_be_visible()
    assert [complaint for _ in both_looks(page) for complaint in looks_wrong(page)] == []
    dialog.get_by_role("link", name="ספר יושאל לפי").click()
    page.wait_for_url(f"**/documents/{citing.pk}/#para_1")


def test_beside_the_text_is_who_cites_the_provision_in_view_and_what_it_refers_to(
    reader: Page, asgi_server: str, law: Source
) -> None:
    citing = add_document(CITING, kind="circular", title="חוזר השאלות")
    Source.objects.filter(pk=law.pk).update(title=TITLE)
    replace_text(Source.objects.get(pk=law.pk), LAW)
    while references.run_pending():
        pass
    page = reader
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{asgi_server}/documents/{law.pk}/#sec_3")
    panel = page.get_by_role("complementary", name="About this provision")
    expect(panel.get_by_role("link", name="ספר יושאל לפי")).to_be_visible()
    expect(panel.get_by_role("heading", level=2).first).to_contain_text("סעיף 3")
    assert looks_wrong(page) == []
    panel.get_by_role("link", name="ספר יושאל לפי").click()
    page.wait_for_url(f"**/documents/{citing.pk}/#para_1")
    expect(panel.get_by_role("link", name=f"סעיף 3(ב) ל{TITLE}")).to_be_visible()


@pytest.mark.parametrize("width", [390, 800, 1440])
def test_what_a_hit_leads_to_is_not_hidden_behind_the_bar(
    reader: Page, asgi_server: str, long_law: Source, width: int
) -> None:
    page = reader
    page.set_viewport_size({"width": width, "height": 800})
    chunk = Chunk.objects.filter(source=long_law, text__contains="פסקה 299.").get()
    Chunk.objects.filter(pk=chunk.pk).update(eid="")  # as before the first provision
    for path, place in (("?q=הוראה#sec_300", "#sec_300"), (f"?chunk={chunk.pk}", ".chosen")):
        page.goto(f"{asgi_server}/documents/{long_law.pk}/{path}")
        expect(page.locator(place)).to_be_in_viewport()
        expect(page.locator(".provision-head")).to_have_count(SECTIONS)
        page.wait_for_timeout(300)  # what comes above moves nothing
        top = page.locator(place).bounding_box()["y"]  # type: ignore[index]
        bottom = page.evaluate("""() => [...document.querySelectorAll(".document-bar, [data-where]")]
            .filter((one) => getComputedStyle(one).position === "sticky")
            .map((one) => one.getBoundingClientRect().bottom)[0]""")
        assert bottom <= top < 400
