"""A text is checked, in both languages, wide and narrow: pasted, read with its findings, filtered, overruled."""

from pathlib import Path

import pdfplumber
import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.answers.checking.verdicts.test_check import HOISTS
from tests.browser.axe import both_looks, looks_wrong
from tests.browser.search_page import speak
from tests.search.corpus import add_document

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
BRIEF = """Section 9 of the Hoists Act 1990 is cited for the appeal.

By section 2(2) of that Act, “An owner shall let the hoist be used before the engineer has signed the book”.

“The fee for an inspection is $200” (s 3 of the Hoists Act 1990)."""
SAID = {
    "en": ("Check", "Text", "no such provision", "Reject the finding", "Remark", "Keep"),
    "he": ("אימות טקסט", "טקסט", "אין הוראה כזאת", "לדחות את הממצא", "הערה", "שמירה"),
}


def test_a_text_is_checked_and_a_verdict_overruled(
    reader: Page, context: BrowserContext, asgi_server: str, transactional_db: None, tmp_path: Path
) -> None:
    page = reader
    add_document(HOISTS, kind="law", title="Hoists Act 1990")
    for language, (check, text, missing, overrule, remark, keep) in SAID.items():
        speak(context, asgi_server, language)
        page.set_viewport_size({"width": 1440, "height": 900})
        page.goto(f"{asgi_server}/check/")
        assert looks_wrong(page) == []
        page.screenshot(path=tmp_path / f"form-{language}.png", full_page=True)
        page.get_by_label(text, exact=True).fill(BRIEF)
        page.get_by_role("button", name=check, exact=True).click()
        findings = page.locator(".citations > li")
        expect(findings.first).to_contain_text(missing)
        expect(page.locator(".answer-text mark", has_text="shall let")).to_be_visible()
        page.keyboard.press("n")
        expect(findings.first).to_be_focused()
        page.keyboard.press("n")
        expect(findings.nth(1)).to_be_focused()
        page.keyboard.press("p")
        expect(findings.first).to_be_focused()
        # It moves behind what is left to look at.
        overruled = page.locator(f"[id='{findings.first.get_attribute('id')}']")
        overruled.get_by_text(overrule, exact=True).click()
        overruled.get_by_label(remark).fill("A typing error")
        overruled.get_by_role("button", name=keep, exact=True).click()
        expect(overruled).to_contain_text("A typing error")
        expect(overruled.locator("s")).to_have_text(missing)
        for _ in both_looks(page):
            assert looks_wrong(page) == []
            page.screenshot(path=tmp_path / f"{language}-{page.viewport_size['width']}.png", full_page=True)  # type: ignore[index]
        page.goto(page.url.split("#")[0])
        expect(overruled).to_be_hidden()  # it is folded
        page.pdf(path=tmp_path / f"{language}.pdf")
        with pdfplumber.open(tmp_path / f"{language}.pdf") as printed:
            assert "A typing error" in "".join(one.extract_text() for one in printed.pages)
        page.locator(".chip").nth(1).click()
        expect(findings).to_have_count(1)
        expect(findings.first).to_have_attribute("value", "2")
