"""Notebooks as files: each note with its footnotes, what became of them, and what a reader may not see."""

import json
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.formats import date_format
from rest_framework.test import APIClient

from keeping.models import Notebook, NoteKind
from keeping.notebooks import editing
from keeping.notebooks.keep import NewNote, keep
from keeping.notebooks.pinning import CitedWords
from keeping.people import owner_of
from sources.models import Source
from tests.extraction.offices import needs_libreoffice
from tests.factories import make_topic
from tests.keeping.exports.made import as_pdf, footnotes, pictures, text_of
from tests.keeping.notebooks.notes import look
from tests.search.corpus import add_document
from tests.sources.changes.laws import AMENDED, BEGAN, NEW, OLD, TITLE
from topics.models import OpenTo, Topic

pytestmark = pytest.mark.django_db
QUOTE = "תושב זכאי לשאול חמישה ספרים בכל חודש מן הספרייה הציבורית."
LOOSE = "This has no quote at all, in 1999."
HOISTS = """Hoists Act 1990
1. Definitions
In this Act, "hoist" includes a lift.
2. Inspection
(1) An owner shall have a hoist inspected each year.
(2) The fee for an inspection is 200 coins."""


def signed_in(person: User) -> APIClient:
    client = APIClient()
    client.force_login(person)
    return client


def get(notebook: Notebook, ending: str, *, by: User | None = None, status: int = 200, **query: Any) -> Any:
    response = signed_in(by or notebook.owner).get(f"/kb/notebooks/{notebook.pk}{ending}", query)
    assert response.status_code == status, response.content
    return response


def filled(name: str, *laws: tuple[Source, str, str]) -> Notebook:
    """A notebook with a note of each kind about each law, of which an eid and a quote are given."""
    owner = owner_of(User.objects.get_or_create(username="ruth")[0])
    notebook = editing.make(owner, name)
    for law, eid, quote in laws:
        place, quoted = CitedWords(source_id=law.pk, eid=eid), CitedWords(source_id=law.pk, eid=eid, quote=quote)
        answer: dict[str, Any] = {
            "title": f"{law.title}?",
            "text": f"{quote} [1]\nThis has no quote at all, in 1999.",
            "cited": [quoted],
        }
        for new in (
            NewNote(kind=NoteKind.ANSWER, **answer),
            NewNote(kind=NoteKind.QUOTE, cited=[quoted], remark="לבדוק שוב.\nCheck again.", tags=["urgent", "דחוף"]),
            NewNote(kind=NoteKind.PROVISION, cited=[place]),
            NewNote(kind=NoteKind.SEARCH, query="fee", topic_id=law.topic_id),
            NewNote(kind=NoteKind.COMPARISON, cited=[CitedWords(source_id=law.pk)] * 2),
        ):
            keep(notebook, new, owner=owner)
    look()
    return notebook


@pytest.fixture
def old(db: None) -> Source:
    return add_document(OLD, title=TITLE, identifier="ס״ח 2900", kind="law", valid_from=BEGAN)


@pytest.fixture
def hoists(db: None) -> Source:
    return add_document(HOISTS, title="Hoists Act 1990", kind="law", valid_from=date(1990, 1, 1))


def test_each_note_is_there_with_its_footnotes(old: Source) -> None:
    notebook = filled("מחברת ספרים", (old, "sec_2", QUOTE))
    word = get(notebook, ".docx").content
    text, notes = text_of(word), footnotes(word)
    assert text.count("תושב זכאי לשאול חמישה ספרים") == 3  # the answer, the quote, the provision
    assert "לבדוק שוב." in text
    assert "urgent · דחוף" in text
    csl = json.loads(get(notebook, "/citations").content)
    assert len(notes) == len(csl)
    assert notes[0].startswith(f"סעיף 2 ל{TITLE}, ס״ח 2900, נוסח מיום 1.1.2021")
    markdown = get(notebook, ".md").content.decode()
    assert f"<u>{LOOSE}</u>" in markdown
    get(notebook, "/citations", status=400, format="docx")
    get(notebook, ".docx", status=400, more=1)


def test_what_became_of_a_citation_is_said(old: Source) -> None:
    notebook = filled("מחברת ספרים", (old, "sec_2", QUOTE))
    Source.objects.filter(pk=old.pk).update(valid_to=AMENDED)
    add_document(NEW, title=TITLE, kind="law", valid_from=AMENDED, work_id=old.work_id)
    look()
    text = text_of(get(notebook, ".docx").content)
    assert f"סעיף 2 ל{TITLE}: שונה (" in text
    assert text.count("המילים המצוטטות כבר אינן שם") == 2  # of the answer and of the quote: the provision has none


@pytest.mark.parametrize(
    ("name", "opening"), [("מחברת מעורבת", "כפי שהיה ביום"), ("Books and hoists", "As it stood on")]
)
def test_all_is_said_in_the_language_of_what_it_is_of(name: str, opening: str, old: Source, hoists: Source) -> None:
    notebook = filled(name, (hoists, "sec_2", "The fee for an inspection is 200 coins."), (old, "sec_2", QUOTE))
    Source.objects.filter(pk__in=[old.pk, hoists.pk]).update(valid_to=AMENDED)
    add_document(NEW, title=TITLE, kind="law", valid_from=AMENDED, work_id=old.work_id)
    look()
    word = get(notebook, ".docx").content
    notes, lines = footnotes(word), text_of(word).split("\n")
    assert lines[1].startswith(opening)
    for note in notes:
        assert (("נוסח מיום" in note), ("version of" in note)) == ((TITLE in note), (TITLE not in note)), note
    assert "section 2, Hoists Act 1990: Repealed (since 1 Jan 2023)." in lines
    assert f"סעיף 2 ל{TITLE}: שונה (מאז 1.1.2023)." in lines
    assert lines.count("No quote supports what is underlined. Check it before you rely on it.") == 1
    cited = json.loads(get(notebook, "/citations").content)
    assert {("אינו בתוקף" in one["note"], one["language"]) for one in cited} == {(True, "he"), (False, "en")}


def test_above_a_text_of_another_day_no_day_of_the_law_is_said(hoists: Source) -> None:
    said = get(
        filled("Hoists", (hoists, "sec_2", "(2) The fee for an inspection is 200 coins.")), ".md"
    ).content.decode()
    assert said.count(": the law of ") == 5
    Source.objects.filter(pk=hoists.pk).update(valid_to=AMENDED)
    notebook = filled("Hoists", (hoists, "sec_2", "(2) The fee for an inspection is 200 coins."))
    said = get(notebook, ".md").content.decode()
    assert said.count(": the law of ") == 3  # the search, and quote and provision with the last day of their text
    assert said.count(": the law of 31 Dec 2022") == 2
    notes = [line for line in said.split("\n") if line.startswith("> **Note:** Hoists Act 1990: ")]
    assert sum(one.endswith("repealed: not in force since 1 Jan 2023.") for one in notes) == 3
    new: dict[str, Any] = {"kind": NoteKind.ANSWER, "title": "Fee?", "text": "A fee. [1][2]"}
    both = [CitedWords(source_id=hoists.pk, eid=eid) for eid in ("sec_1", "sec_2")]
    keep(
        other := editing.make(owner_of(notebook.owner), "Both"),
        NewNote(**new, cited=both),
        owner=owner_of(notebook.owner),
    )
    assert get(other, ".md").content.decode().count("Note:** Hoists Act 1990: ") == 1


def test_law_that_a_reader_does_not_see_is_left_out(old: Source, hoists: Source) -> None:
    topic = make_topic(name="Hidden")
    Topic.objects.filter(pk=topic.pk).update(open_to=OpenTo.MEMBERS)
    notebook = filled("Shared", (old, "sec_2", QUOTE), (hoists, "sec_2", "The fee for an inspection is 200 coins."))
    reader, stranger = (User.objects.create_user(name) for name in ("reader", "stranger"))
    editing.share(notebook, topic=None, usernames=["reader"])
    Source.objects.filter(pk=old.pk).update(topic=topic)
    word = get(notebook, ".docx", by=reader).content
    said = text_of(word) + " ".join(footnotes(word))
    assert "חמישה" not in said
    assert TITLE not in said
    assert "You do not see a topic that this note cites" in said
    assert "Check again." in said
    assert "The fee for an inspection is 200 coins." in said
    get(notebook, ".docx", by=stranger, status=404)
    assert APIClient().get(f"/kb/notebooks/{notebook.pk}.docx").status_code in (401, 403)


def test_a_long_notebook_says_what_it_leaves_out(old: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("keeping.exports.notebooks.MAX_CHARACTERS", 100)
    text = get(filled("מחברת ספרים", (old, "sec_2", QUOTE)), ".md").content.decode()
    assert "פתקים נוספים אינם בקובץ הזה" in text


@pytest.mark.deep
@needs_libreoffice
def test_three_notebooks_are_printed_with_their_footnotes(old: Source, hoists: Source, tmp_path: Path) -> None:
    hebrew, english = (old, "sec_2", QUOTE), (hoists, "sec_2", "The fee for an inspection is 200 coins.")
    for number, notebook in enumerate(
        (filled("מחברת ספרים", hebrew), filled("Hoists", english), filled("Both מעורבת", english, hebrew))
    ):
        content = get(notebook, ".docx").content
        cited = json.loads(get(notebook, "/citations").content)
        assert len(footnotes(content)) == len(cited) > 0
        assert pictures(as_pdf(content, tmp_path, name=f"notebook-{number}")) >= 1


def test_what_stands_now_is_in_the_file_and_that_the_quoted_words_do(hoists: Source) -> None:
    notebook = filled("Hoists", (hoists, "sec_2", "(1) An owner shall have a hoist inspected each year."))
    text = HOISTS.replace("200 coins", "300 coins").replace(
        "2. Inspection", "2. Signs\nHoists bear one.\n3. Inspection"
    )
    Source.objects.filter(pk=hoists.pk).update(valid_to=AMENDED)
    add_document(text, title="Hoists Act 1990", kind="law", valid_from=AMENDED, work_id=hoists.work_id)
    look()
    said = get(notebook, ".md").content.decode()
    news, *notes = said.split("\n## ")[1:]
    assert "section 2 · Hoists Act 1990: Renumbered: now 3. (Provision)" in news
    assert "Renumbered: now 3 (since 1 Jan 2023)" in notes[0]
    assert "The quoted words stand." in said
    assert "The fee for an inspection is 300 coins." in said
    for note in notes[:3]:  # what was kept, then what stands today, with its name
        kept, today = note.split("section 2, Hoists Act 1990 says now:")
        assert ("each year" in kept, "300 coins" in kept, "300 coins" in today) == (True, False, True), note


def test_where_a_provision_will_stand_is_said_before_the_day(hoists: Source) -> None:
    comes = timezone.localdate() + timedelta(days=30)
    Source.objects.filter(pk=hoists.pk).update(valid_to=comes)
    text = HOISTS.replace("2. Inspection", "2. Signs\nHoists bear one.\n3. Inspection")
    add_document(text, title="Hoists Act 1990", kind="law", valid_from=comes, work_id=hoists.work_id)
    notebook = filled("Hoists", (hoists, "sec_2", "An owner shall have a hoist inspected each year."))
    said = get(notebook, ".md").content.decode()
    assert f"Will be moved on {date_format(comes)}: section 3, Hoists Act 1990." in said
