"""Django's admin and its login page in a real browser: nothing the Content Security Policy stops, nothing cut off."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from kb_project import audit
from tests.browser.axe import complaints_of_axe
from tests.factories import first_topic, make_job, make_source, make_staff
from topics.edit import edit
from topics.keys import issue_key

# The label of a search box is a picture with a name; the icons of its chooser have names they need not have.
DJANGO_S_OWN = {"label-title-only", "aria-prohibited-attr"}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pages(transactional_db: None) -> list[str]:
    """Addresses in the admin, with something to show on each."""
    edit(1, {"name": "דיני צרכנות <b>", "slug": "consumers"}, by="dana")
    key = issue_key(name="לילה", by="dana")[0]
    source, job = make_source(title='חוק "הספריות"'), make_job()
    entry = audit.AuditEntry.objects.get(action="topic.edit")
    user = make_staff("root", is_superuser=True)
    paths = ["", "topics/topic/", "topics/topic/add/", "topics/apikey/add/", "auth/user/", "kb_project/auditentry/"]
    paths += [f"topics/topic/{first_topic().pk}/change/", f"topics/apikey/{key.pk}/change/", "ingest/job/"]
    paths += [f"sources/source/{source.pk}/change/", f"ingest/job/{job.pk}/change/", "search/chunk/"]
    paths += [f"kb_project/auditentry/{entry.pk}/change/", f"auth/user/{user.pk}/change/", "password_change/"]
    return [f"/admin/{path}" for path in paths]


@pytest.mark.parametrize("language", ["en", "he"])
def test_the_browser_has_nothing_to_complain_of_on_any_page(
    staff_page: Page, log_in: Callable[..., None], asgi_server: str, pages: list[str], language: str
) -> None:
    page = staff_page
    log_in(language=language, username="root")
    for address in pages:
        response = page.goto(asgi_server + address)
        assert response is not None
        assert response.status == 200, address
        expect(page.locator("html")).to_have_attribute("dir", "rtl" if language == "he" else "ltr")


def test_axe_finds_nothing_but_what_is_django_s_own(
    page: Page, log_in: Callable[..., None], asgi_server: str, pages: list[str]
) -> None:
    log_in(language="he", username="root")
    found: list[str] = []
    for address in pages:
        page.goto(asgi_server + address)
        found += [sentence for sentence in complaints_of_axe(page) if sentence.split(" ")[1] not in DJANGO_S_OWN]
    assert found == []


def test_one_signs_in_in_hebrew_and_out_again(page: Page, complaints: list[str], asgi_server: str) -> None:
    make_staff("ruth")
    page.goto(f"{asgi_server}/review/")
    page.get_by_role("button", name="עברית").click()
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    page.locator("[name=username]").fill("ruth")
    page.locator("[name=password]").fill("x")
    page.locator("#login-form [type=submit]").click()
    page.wait_for_url(f"{asgi_server}/review/")
    expect(page.locator(".account")).to_contain_text("ruth")
    page.get_by_role("button", name="יציאה").click()
    page.wait_for_url(f"{asgi_server}/admin/logout/")
    page.goto(f"{asgi_server}/review/")
    expect(page.locator("#login-form")).to_be_visible()
    assert complaints == []


def test_the_admin_shows_a_new_key_once(staff_page: Page, log_in: Any, asgi_server: str) -> None:
    User.objects.create_superuser("boss")
    log_in(username="boss")
    page = staff_page
    page.goto(f"{asgi_server}/admin/topics/apikey/add/")
    page.get_by_label("Name:").fill("partner")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist code")).to_have_text(re.compile(r"^\w{8}\.\w{32}$"))
    page.reload()
    expect(page.locator(".messagelist code")).to_have_count(0)
