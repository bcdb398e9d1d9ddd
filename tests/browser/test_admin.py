"""Django's admin and its login page in a real browser: nothing the Content Security Policy stops, nothing cut off."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group
from playwright.sync_api import Page, expect

from kb_project import audit
from kb_project.configuration.roles import MANAGER
from tests.browser.axe import both_looks, complaints_of_axe
from tests.factories import make_job, make_source, make_staff
from topics.edit import edit

# The label of a search box is a picture with a name; the icons of its chooser have names they need not have.
DJANGO_S_OWN = {"label-title-only", "aria-prohibited-attr"}

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]


@pytest.fixture
def pages(transactional_db: None) -> list[str]:
    """Addresses in the admin, with something to show on each."""
    edit(1, {"name": "דיני צרכנות <b>", "slug": "consumers"}, by="dana")
    source, job = make_source(title='חוק "הספריות"'), make_job()
    entry = audit.AuditEntry.objects.get(action="topic.edit")
    make_staff("root", is_superuser=True)
    paths = ["", "auth/group/", f"auth/group/{Group.objects.get(name=MANAGER).pk}/change/", "kb_project/identity/add/"]
    paths += [f"sources/source/{source.pk}/change/", f"ingest/job/{job.pk}/change/", "sources/chunk/", "ingest/job/"]
    paths += ["sources/source/", "kb_project/auditentry/", f"kb_project/auditentry/{entry.pk}/change/"]
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
    for _look in both_looks(page):
        for address in pages:
            page.goto(asgi_server + address)
            found += [sentence for sentence in complaints_of_axe(page) if sentence.split(" ")[1] not in DJANGO_S_OWN]
    assert found == []
