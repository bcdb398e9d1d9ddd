"""`/check/` and the report of a check."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from answers.checking.word import is_word
from answers.models import TextCheck
from sources.models import Source
from tests.answers.checking.test_check import HOISTS
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
BRIEF = (
    "Section 9 of the Hoists Act 1990 is cited.\n\nSection 2(2) of that Act: “An owner shall let the hoist be used”."
)


@pytest.fixture(autouse=True)
def law(db: None) -> Source:
    return add_document(HOISTS, kind="law", title="Hoists Act 1990")


def sent(client: Client, **more: Any) -> Any:
    return client.post("/check/", {"text": BRIEF, "as_of": "2025-01-01", **more}, follow=True)


def test_the_report_shows_the_text_with_its_findings(client: Client) -> None:
    page = sent(client).content.decode()
    assert "An owner <mark>shall let</mark> the hoist be used" in page
    assert "The law reads: “An owner shall not let the hoist be used”." in page
    assert 'href="/documents/' in page
    assert "No model reads whether the law says so" in page
    first = page.index('id="finding-1"')
    assert "no such provision" in page[first : page.index('id="finding-2"')]


def test_findings_are_filtered(client: Client) -> None:
    path = sent(client).redirect_chain[-1][0]
    page = client.get(f"{path}?only=right").content.decode()
    assert "no such provision" not in page
    assert 'id="finding-1"' in page


def test_a_verdict_is_overruled_with_a_remark(client: Client) -> None:
    path = sent(client).redirect_chain[-1][0]
    page = client.post(f"{path}overrule/", {"finding": "citations:0", "remark": "A typing error"}, follow=True)
    assert "A typing error" in page.content.decode()
    assert TextCheck.objects.get().remarks == {"citations:0": "A typing error"}
    client.post(f"{path}overrule/", {"finding": "citations:0", "remark": ""})
    assert TextCheck.objects.get().remarks == {}


def test_what_cannot_be_checked_is_said_on_the_form(client: Client) -> None:
    page = sent(client, text=" ")
    assert page.status_code == 400
    assert "Paste a text, or choose a file." in page.content.decode()
    assert sent(client, as_of="soon").status_code == 400
    broken = SimpleUploadedFile("brief.pdf", b"\x7fELF\0\0")
    assert sent(client, file=broken).status_code == 415


def test_nothing_is_kept_without_days(client: Client, settings: Any) -> None:
    settings.KB_CHECK_DAYS = 0
    page = sent(client).content.decode()
    assert "shall let</mark>" in page
    assert not TextCheck.objects.exists()


def test_the_report_of_others_is_not_there(staff_client: Client) -> None:
    path = sent(staff_client).redirect_chain[-1][0]
    assert Client().get(path).status_code == 404


def test_word_has_the_findings(client: Client) -> None:
    path = sent(client).redirect_chain[-1][0]
    answer = client.get(path.removesuffix("/") + ".docx")
    assert is_word(answer.content)
