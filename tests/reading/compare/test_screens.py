"""What changed from one document to another, and the history of a provision, as pages."""

from datetime import date
from typing import Any

import pytest
from django.test import Client

from reading.compare import screens
from sources.comparison import sources
from sources.models import Source
from tests.factories import make_topic
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db

FIRST = """Library Loans Act
1. Short title
This Act may be cited as the Library Loans Act.
2. Loans
(1) A reader may borrow five books at a time.
(2) A book is lent for three weeks.
3. Fines
A reader who returns a book late pays one shekel for each day."""
SECOND = FIRST.replace("five books", "six books")
THIRD = SECOND.replace("2. Loans", "2A. Loans").replace("3. Fines", "3. Maps\nMaps are not lent.\n4. Fines")


def page(path: str, *, status: int = 200) -> str:
    answer: Any = Client().get(path)
    assert answer.status_code == status
    return str(answer.content.decode())


def act(text: str, **fields: Any) -> Source:
    return add_document(text, kind="law", title="Library Loans Act", **fields)


@pytest.fixture
def versions(db: None) -> tuple[Source, Source, Source]:
    first = act(FIRST, valid_from=date(2020, 1, 1), valid_to=date(2021, 1, 1))
    work_id = first.work_id
    second = act(SECOND, work_id=work_id, valid_from=date(2021, 1, 1), valid_to=date(2022, 1, 1))
    return first, second, act(THIRD, work_id=work_id, valid_from=date(2022, 1, 1))


def test_the_words_that_changed_are_marked_in_one_text(versions: tuple[Source, Source, Source]) -> None:
    first, second, _ = versions
    text = page(f"/documents/{first.pk}/compare/{second.pk}/")
    assert '<del><span class="unseen" lang="en">removed: </span>five</del>' in text
    assert '<ins><span class="unseen" lang="en">added: </span>six</ins>' in text
    assert "changed: <bdi>1</bdi>" in text
    assert f'href="/documents/{first.pk}/#sec_2"' in text
    assert f'href="/documents/{second.pk}/#sec_2"' in text
    assert "one shekel" not in text


def test_two_versions_of_a_work_are_chosen_by_their_days(versions: tuple[Source, Source, Source]) -> None:
    first, second, third = versions
    text = page(f"/documents/{first.pk}/compare/{second.pk}/")
    assert f'<option value="{first.pk}" selected>1 Jan 2020, superseded</option>' in text
    assert f'<option value="{third.pk}">1 Jan 2022, in force</option>' in text
    chosen: Any = Client().get(f"/documents/{second.pk}/compare/", {"before": first.pk, "after": third.pk})
    assert chosen.headers["Location"] == f"/documents/{first.pk}/compare/{third.pk}/"
    stranger: Any = Client().get(f"/documents/{second.pk}/compare/", {"before": str(act(FIRST).pk), "after": "x"})
    assert stranger.headers["Location"] == f"/documents/{first.pk}/compare/{second.pk}/"


def test_two_columns_have_each_its_own_words(versions: tuple[Source, Source, Source]) -> None:
    first, second, _ = versions
    text = page(f"/documents/{first.pk}/compare/{second.pk}/?view=columns")
    left, right = text.split('data-of="Before">')[2].split('data-of="After">')[:2]
    assert "five" in left
    assert "six" not in left
    assert "six" in right.split("</div>")[0]
    assert "five" not in right.split("</div>")[0]


def test_what_came_and_what_moved_is_told(versions: tuple[Source, Source, Source]) -> None:
    _, second, third = versions
    text = page(f"/documents/{second.pk}/compare/{third.pk}/")
    assert "Section 3: Maps" in text
    assert "It was</span>" not in text
    assert "It was <bdi>section 2</bdi>" in text
    assert "It was <bdi>section 3</bdi>" in text


def test_the_version_before_is_one_step_away(versions: tuple[Source, Source, Source]) -> None:
    first, second, third = versions
    assert f"/documents/{first.pk}/compare/{second.pk}/" in page(f"/documents/{second.pk}/")
    assert "What changed from the version before" not in page(f"/documents/{first.pk}/")
    assert f"/documents/{first.pk}/compare/{third.pk}/" in page(f"/documents/{first.pk}/")  # with that of today
    assert Client().get(f"/documents/{third.pk}/compare/").headers["Location"] == (
        f"/documents/{second.pk}/compare/{third.pk}/"
    )
    page(f"/documents/{first.pk}/compare/", status=404)


def test_the_same_text_has_no_changes(versions: tuple[Source, Source, Source]) -> None:
    first = versions[0]
    assert "Both say the same." in page(f"/documents/{first.pk}/compare/{first.pk}/")


def test_many_changes_come_in_pages(versions: tuple[Source, Source, Source], monkeypatch: pytest.MonkeyPatch) -> None:
    first, _, third = versions
    monkeypatch.setattr(screens, "CHANGES_A_PAGE", 1)
    monkeypatch.setattr(screens, "MAX_NAMED", 2)
    text = page(f"/documents/{first.pk}/compare/{third.pk}/?page=2")
    assert text.count('<article class="change"') == 1
    assert "1 more is not in this list." in text
    assert "?page=1#change-1" in text


def test_a_document_that_is_too_long_is_refused_with_a_sentence(
    versions: tuple[Source, Source, Source], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, _ = versions
    monkeypatch.setattr(sources, "MAX_CHARACTERS", 100)
    text = page(f"/documents/{first.pk}/compare/{second.pk}/", status=413)
    assert "A document of more than 100 characters is not compared." in text


def test_what_is_not_there_is_404(versions: tuple[Source, Source, Source]) -> None:
    first = versions[0]
    page(f"/documents/{first.pk}/compare/999999/", status=404)
    page(f"/documents/999999/compare/{first.pk}/", status=404)
    page(f"/documents/{first.pk}/history/?eid=sec_99", status=404)
    page(f"/documents/{first.pk}/history/?eid=%00", status=404)
    page(f"/documents/{first.pk}/history/", status=404)


def test_a_provision_is_followed_through_the_versions(versions: tuple[Source, Source, Source]) -> None:
    for source, eid in zip(versions, ("sec_2", "sec_2", "sec_2a"), strict=True):
        text = page(f"/documents/{source.pk}/history/?eid={eid}")
        assert text.count('<li class="change">') == 3
        assert '<ins><span class="unseen" lang="en">added: </span>six</ins>' in text
        assert "section 2A" in text


def test_what_is_in_another_language_than_the_page_says_so(versions: tuple[Source, Source, Source]) -> None:
    first, second, _ = versions
    compared, history = f"/documents/{first.pk}/compare/{second.pk}/", f"/documents/{first.pk}/history/?eid=sec_2"
    assert 'id="change-1" dir="ltr"' in page(compared)  # with its heading
    for path, turned in ((compared, ""), (history, ' dir="ltr"')):
        hebrew = Client().get(path, headers={"Accept-Language": "he"}).content.decode()
        assert f'<div class="change-text"{turned} lang="en">' in hebrew
        assert hebrew.count('<bdi lang="en">') > 1
        assert '<ins><span class="unseen" lang="he">' in hebrew
        assert f'<div class="change-text"{turned}>' in page(path)
        assert '<bdi lang="en">' not in page(path)


def test_versions_without_a_change_are_told_as_one(versions: tuple[Source, Source, Source]) -> None:
    first, _, third = versions
    text = page(f"/documents/{first.pk}/history/?eid=sec_1")
    assert text.count('<li class="change">') == 1
    assert "the same in 3 versions" in text
    assert "This Act may be cited" in text
    assert page(f"/documents/{third.pk}/history/?eid=sec_3").count('<li class="change">') == 1


def test_a_provision_that_went_says_so() -> None:
    first = act(FIRST, valid_to=date(2021, 1, 1))
    later = act(FIRST.split("\n3.")[0], work_id=first.work_id, valid_from=date(2021, 1, 1))
    text = page(f"/documents/{first.pk}/history/?eid=sec_3")
    assert "These versions do not have it." in text
    assert f'href="/documents/{later.pk}/"' in text


def test_text_is_escaped() -> None:
    before, after = act("1. Tags\nA tag is <b>bold</b>."), act("1. Tags\nA tag is <i>bold</i>.")
    text = page(f"/documents/{before.pk}/compare/{after.pk}/")
    assert "<b>bold" not in text
    assert "&lt;" in text


def test_documents_of_any_topic_are_compared_by_their_readers() -> None:
    before, after = act(FIRST), act(SECOND, topic=make_topic())
    assert "changed: <bdi>1</bdi>" in page(f"/documents/{before.pk}/compare/{after.pk}/")
