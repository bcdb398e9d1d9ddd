"""Ways to leave a form half filled. Nothing that was typed is lost, and nothing that was saved comes back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import BrowserContext, Page, expect

from ingest.models import BatchName
from keeping.models import Note
from tests.browser.dropping import drop_files
from tests.factories import LAW, first_topic, make_label, make_source
from tests.keeping.matters.test_api import checked
from tests.keeping.notebooks.notes import gardens_act, kept, notebook
from tests.keeping.watches.watchers import watch, work

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
NEW = "main a.primary[hx-get]"
ASKED = "When is water drawn in allotment gardens?"
TYPED = "Half a sentence, not sav"


@dataclass
class Form:
    """A field on a page, and what opens its form there."""

    path: str
    field: str
    opener: str = ""
    folded: str = ""

    def come(self, page: Page, server: str) -> None:
        page.goto(server + self.path)
        if self.opener:
            page.locator(self.opener).first.click()

    def fill(self, page: Page) -> Any:
        if self.folded:
            page.locator(self.folded).first.click()
        box = page.locator(self.field).first
        box.fill(TYPED)
        return box


def escape(page: Page, _server: str) -> None:
    page.keyboard.press("Escape")


def press_back(page: Page, _server: str) -> None:
    page.locator("dialog[open] [data-close]").click()


def reload(page: Page, _server: str) -> None:
    page.reload()


def go_elsewhere(page: Page, server: str) -> None:
    page.goto(f"{server}/documents/")


def follow_a_link(page: Page, _server: str) -> None:
    page.locator(".site-name").click()


def change_the_language(page: Page, _server: str) -> None:
    page.locator(".languages button").first.click()
    page.wait_for_load_state("networkidle")


def go_back_in_history(page: Page, server: str) -> None:
    page.goto(f"{server}/documents/")
    page.go_back()


def close_the_tab(page: Page, server: str) -> None:
    other = page.context.new_page()
    other.goto(f"{server}/documents/")
    page.close()


def lose_the_network(page: Page, _server: str) -> None:
    """When it is sent."""
    page.context.set_offline(True)
    with page.expect_event("requestfailed"):
        page.locator("main form:has(:focus) .primary, dialog[open] .primary").first.click(no_wait_after=True)
    page.context.set_offline(False)


WAYS: list[tuple[str, str, Callable[[Page, str], None]]] = [
    ("remark", "in a dialog", escape),
    ("remark", "in a dialog", press_back),
    ("remark", "in a dialog", reload),
    ("remark", "in a dialog", lose_the_network),
    ("notebook", "in a dialog", escape),
    ("notebook", "in a dialog", close_the_tab),
    ("keep", "on a page", go_elsewhere),
    ("keep", "on a page", go_back_in_history),
    ("check", "on a page", follow_a_link),
    ("check", "on a page", change_the_language),
    ("check", "on a page", lose_the_network),
    ("finding", "folded", go_elsewhere),
    ("label", "in a dialog", escape),
    ("synonym", "in a dialog", press_back),
    ("question", "in a dialog", reload),
    ("topic", "on a page", go_elsewhere),
    ("source", "on a page", close_the_tab),
    ("person", "in a dialog", escape),
    ("webhook", "in a dialog", go_elsewhere),
    ("mark", "in a dialog", escape),
    ("mark", "in a dialog", reload),
    ("further", "below an answer", go_elsewhere),
    ("survey", "in a dialog", escape),
    ("table", "in a dialog", go_elsewhere),
    ("batch", "on a page", reload),
    ("batch", "on a page", change_the_language),
]


def forms() -> dict[str, Form]:
    """Each form that is left."""
    act, staff = gardens_act(), User.objects.get(is_staff=True)
    work()
    note = kept(notebook(staff), act, "sec_3")
    report = checked(staff, act)
    make_label("Tenancy")
    watch(staff, work_id=act.work_id)
    source = make_source(title="Old title")
    return {
        "remark": Form(f"/notebooks/{note.notebook_id}/", "dialog [name=remark]", "[hx-get$='/edit/'] >> nth=-1"),
        "notebook": Form("/notebooks/", "dialog [name=name]", "[hx-get='/notebooks/new/']"),
        "keep": Form(f"/notebooks/keep/?keep=provision&source={act.pk}&eid=sec_3", "[name=remark]"),
        "check": Form("/check/", "#check-text"),
        "finding": Form(f"/check/{report.pk}/", "[name=remark]", folded=".citations summary"),
        "label": Form("/labels/", "dialog [name=name]", NEW),
        "synonym": Form("/synonyms/", "dialog textarea, dialog input[type=text]", NEW),
        "question": Form("/evaluation/", "dialog textarea, dialog input[type=text]", NEW),
        "topic": Form(f"/topics/{first_topic().pk}/", "main form [name=name]"),
        "source": Form(f"/library/{source.pk}/", "#id-title"),
        "person": Form("/people/", "dialog textarea, dialog input[type=email]", NEW),
        "webhook": Form("/watches/", "dialog [name=url]", "[hx-get='/watches/webhook/']"),
        "mark": Form(f"/documents/{act.pk}/", "#mark-note", "#sec_5 [data-menu]"),
        "survey": Form("/surveys/", "dialog [name=name], dialog input[type=text], dialog textarea", NEW),
        "table": Form("/tables/", "dialog [name=name], dialog input[type=text], dialog textarea", NEW),
        "batch": Form("/review/upload/", "#upload [name=name]"),
        "further": Form(f"/?{urlencode({'q': ASKED, 'ask': 1})}", "#further-question"),
    }


@pytest.mark.parametrize(("name", "where", "leave"), WAYS, ids=lambda one: getattr(one, "__name__", str(one)))
def test_what_is_typed_is_there_again(
    name: str, where: str, leave: Callable[[Page, str], None], staff_page: Page, asgi_server: str, complaints: list[str]
) -> None:
    page, form = staff_page, forms()[name]

    def come(page: Page) -> None:
        form.come(page, asgi_server)
        if name == "mark":
            page.locator("[data-mark-provision]").click()

    come(page)
    form.fill(page)
    leave(page, asgi_server)
    complaints.clear()  # of the lost network
    page = page.context.pages[-1]
    come(page)
    expect(page.locator(form.field).first).to_have_value(TYPED)
    if where == "folded":
        expect(page.locator(form.field).first).to_be_visible()
        expect(page.locator(form.field).nth(1)).to_have_value("")


def test_what_was_saved_does_not_come_back(staff_page: Page, context: BrowserContext, asgi_server: str) -> None:
    page, given = staff_page, forms()
    remark = given["remark"]
    remark.come(page, asgi_server)
    remark.fill(page)
    page.locator("dialog[open] .primary").click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert Note.objects.get().remark == TYPED
    remark.come(page, asgi_server)
    expect(page.locator("#notice")).to_be_hidden()
    check = given["check"]
    check.come(page, asgi_server)
    check.fill(page)
    page.locator("main form .primary").last.click()
    page.wait_for_url("**/check/*-*/")
    check.come(page, asgi_server)
    expect(page.locator(check.field)).to_have_value("")
    batch = given["batch"]
    batch.come(page, asgi_server)
    batch.fill(page)
    drop_files(page, {"a.txt": LAW.encode()})
    expect(page.locator('.upload-item[data-state="accepted"]')).to_have_count(1)
    assert BatchName.objects.get().name == TYPED
    page.locator("#upload [name=kind]").select_option(index=1)
    batch.come(page, asgi_server)
    expect(page.locator(batch.field)).to_have_value("")
    expect(page.locator("#upload [name=kind]")).to_have_value("")
    assert not [one for one in context.cookies() if one["name"] == "kb_taken"]
