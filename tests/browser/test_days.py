"""The boxes of days. What stands in one is what the server gets, a day or what it refuses, never nothing instead."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from sources.models import Source
from tests.browser.languages import EACH

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.parametrize("language", EACH)]
NO_DAY = "31.2.2026"
SHOWN = {"en": "1 Mar 2015", "he": "1.3.2015"}
TYPED = (
    *("1.3.2026", "1/3/2026", "2026-03-01", " 01-03-2026 ", "1 March 2026", "1 Mar. 2026", "March 1, 2026"),
    *("1 במרס 2026", "1 במרץ, 2026", "1 מרץ 2026", "\u200f1.3.2026"),
)
NO_DAYS = (NO_DAY, "1.3.202", "1.3.26", "13/13/2026", "1 Marc 2026", "1.3.2026 noon", "31 June 2026")


@pytest.fixture
def alpha(sources: list[Source]) -> Source:
    Source.objects.filter(pk=sources[0].pk).update(valid_from=date(2015, 3, 1))
    return sources[0]


@pytest.fixture
def box(staff_page: Page, asgi_server: str, alpha: Source, log_in: Callable[..., None], language: str) -> Locator:
    """The box of a day of a document, on its page in the library."""
    log_in(language=language)
    staff_page.goto(f"{asgi_server}/library/{alpha.pk}/")
    return staff_page.locator("#id-valid_from")


def sent(box: Locator) -> str:
    """What its form would send now."""
    return str(box.evaluate("box => new FormData(box.form).get(box.name)"))


def send(box: Locator) -> None:
    with box.page.expect_navigation():
        box.evaluate("box => box.form.requestSubmit()")


def only_refused(complaints: list[str]) -> bool:
    """Whether the browser complained of nothing but pages that say what is refused. They are taken off."""
    found = all("400 (Bad Request)" in one for one in complaints)
    complaints.clear()
    return found


def complaint(box: Locator) -> str:
    return str(box.evaluate("box => box.validationMessage"))


def commit(box: Locator, text: str) -> None:
    box.fill(text)
    box.blur()


def test_what_is_no_day_is_refused_until_it_is_mended(box: Locator, alpha: Source, complaints: list[str]) -> None:
    commit(box, NO_DAY)
    for _ in range(2):
        send(box)
        expect(box).to_have_value(NO_DAY)
        expect(box).to_have_attribute("aria-invalid", "true")
        assert (sent(box), complaint(box) != "") == (NO_DAY, True)
        alpha.refresh_from_db()
        assert alpha.valid_from == date(2015, 3, 1)
    assert only_refused(complaints)
    commit(box, "March 1, 2026")
    send(box)
    expect(box).not_to_have_attribute("aria-invalid", "true")
    alpha.refresh_from_db()
    assert alpha.valid_from == date(2026, 3, 1)


def test_an_address_with_what_is_no_day_keeps_it(box: Locator, asgi_server: str, complaints: list[str]) -> None:
    page = box.page
    page.goto(f"{asgi_server}/?q=Alpha&as_of={NO_DAY}")
    asked = page.locator("#as-of")
    expect(asked).to_have_value(NO_DAY)
    assert (sent(asked), complaint(asked) != "") == (NO_DAY, True)
    assert only_refused(complaints)


def test_days_are_read_as_people_of_both_languages_write_them(box: Locator) -> None:
    for typed in TYPED:
        commit(box, typed)
        assert (sent(box), complaint(box)) == ("2026-03-01", ""), typed
    for typed in NO_DAYS:
        commit(box, typed)
        expect(box).to_have_value(typed)
        assert (sent(box), complaint(box) != "") == (typed, True), typed
    for month in range(1, 13):
        commit(box, f"2026-{month:02}-15")
        expect(box).not_to_have_value(f"2026-{month:02}-15")  # but as the page writes days
        assert sent(box) == f"2026-{month:02}-15"
    commit(box, " ")
    assert (sent(box), complaint(box)) == ("", "")


def test_a_form_put_back_sends_the_day_that_it_shows(box: Locator, language: str) -> None:
    for typed in ("1.3.2026", NO_DAY):
        commit(box, typed)
        box.evaluate("box => { box.form.reset(); return new Promise(setTimeout); }")
        expect(box).to_have_value(SHOWN[language])
        assert (sent(box), complaint(box)) == ("2015-03-01", "")


def test_a_day_half_typed_is_put_back_as_it_was(box: Locator) -> None:
    box.fill("1.3.202")
    box.page.reload()
    expect(box).to_have_value("1.3.202")
    assert (sent(box), complaint(box) != "") == ("1.3.202", True)


def test_a_search_waits_for_the_whole_day(box: Locator, asgi_server: str) -> None:
    page, asked = box.page, list[str]()
    page.goto(f"{asgi_server}/?q=Alpha")
    page.locator(".search-day summary").click()
    page.on("request", lambda request: asked.append(request.url) if "as_of" in request.url else None)
    page.locator("#as-of").press_sequentially("1/6/2022")
    page.keyboard.press("Tab")
    page.wait_for_url("**as_of=2022-06-01**")
    page.wait_for_load_state("networkidle")
    assert len(asked) == 1, asked


def test_the_calendar_opens_whatever_was_typed(box: Locator) -> None:
    commit(box, NO_DAY)
    name = box.evaluate("box => box.labels[0].textContent.trim()")
    button = box.locator("xpath=following-sibling::button")
    expect(button).to_have_accessible_name(f"{button.evaluate('one => one.title').partition(':')[0]}: {name}")
    calendar = box.locator("xpath=..").locator('[type="date"]')
    calendar.evaluate("one => one.showPicker = () => { one.isOpen = true; }")  # a browser without windows has none
    button.click()
    assert calendar.evaluate("one => one.isOpen")
    calendar.evaluate(
        """one => {
          one.value = "2026-03-01";
          for (const name of ["input", "change"]) one.dispatchEvent(new Event(name, { bubbles: true }));
        }"""
    )
    assert (sent(box), complaint(box)) == ("2026-03-01", "")


def test_a_day_before_the_first_is_said_at_its_box(box: Locator, asgi_server: str) -> None:
    page = box.page
    page.goto(f"{asgi_server}/account/keys/new/")
    last, today = page.locator("[name=expires_at]"), timezone.localdate()
    page.locator("[name=name]").fill("Nightly")
    commit(last, (today - timedelta(days=2)).isoformat())
    page.locator("[name=name]").focus()
    page.locator("form:has([name=expires_at]) button.primary").click()
    expect(last).to_be_focused()
    expect(last).not_to_have_attribute("aria-hidden", "true")  # as what nobody sees
    assert complaint(last) != ""
    commit(last, (today + timedelta(days=2)).isoformat())
    assert complaint(last) == ""


def test_a_box_is_required_or_off_as_its_field_is(box: Locator) -> None:
    box.page.evaluate(
        """() => {
          const form = document.createElement("form");
          form.innerHTML = `<label>Asked <input type="date" name="asked" required></label>
            <label>Off <input type="date" name="off" value="2026-03-01" disabled></label>
            <button id="send">Send</button>`;
          document.getElementById("main").append(form);
          document.dispatchEvent(new CustomEvent("htmx:load", { detail: { elt: form } }));
        }"""
    )
    asked, off = box.page.locator("[name=asked]"), box.page.locator("[name=off]")
    expect(asked).to_have_accessible_name("Asked")
    box.page.locator("#send").click()
    expect(asked).to_be_focused()
    assert asked.evaluate("box => box.validity.valueMissing")
    expect(off).to_be_disabled()
    expect(off.locator("xpath=following-sibling::button")).to_be_disabled()
