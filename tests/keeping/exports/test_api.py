"""Exports over the API: what each holds, under which name, and who is told there is no such thing."""

import json
import re
from datetime import date, timedelta
from typing import Any
from urllib.parse import unquote

import pytest
import rispy
from django.utils import timezone
from rest_framework.test import APIClient

from answers.asking import traces
from answers.models import AnswerTrace
from kb_project import word_files
from sources.models import Source
from tests.answers.asking.asking import ask
from tests.factories import make_topic
from tests.keeping.exports.made import footnotes, text_of
from tests.search.corpus import add_document
from tests.sources.changes.laws import NEW, OLD, TITLE
from tests.topics.keys import client_with_key
from topics.models import OpenTo

pytestmark = pytest.mark.django_db
QUESTION = "כמה ספרים זכאי תושב לשאול בכל חודש?"
HOISTS = """Hoists Act 1990
1. Definitions
In this Act, "hoist" includes a lift.
2. Inspection
(1) An owner shall have a hoist inspected each year.
(2) The fee for an inspection is 200 coins."""


@pytest.fixture
def law(db: None) -> Source:
    return add_document(NEW, title=TITLE, identifier="ס״ח 2900", kind="law", published_at=date(2021, 1, 5))


def get(path: str, client: APIClient | None = None, *, status: int = 200, **query: Any) -> Any:
    response = (client or APIClient()).get(path, query)
    assert response.status_code == status, response.content
    return response


def test_an_answer_has_a_footnote_for_each_citation(law: Source) -> None:
    answer = ask(QUESTION, topic_id=law.topic_id)
    assert answer["citations"]
    word = get(f"/kb/answers/{answer['id']}.docx")
    assert word["Content-Type"] == word_files.TYPE
    assert unquote(word["Content-Disposition"]).endswith("כמה ספרים זכאי תושב לשאול בכל חודש.docx")
    said = footnotes(word.content)
    assert len(said) == len(answer["citations"])
    assert said[0].startswith(f"סעיף 2 ל{TITLE}, ס״ח 2900")
    assert f"http://testserver{answer['citations'][0]['url']}" in said[0]
    assert "נשאל ביום" in text_of(word.content)
    assert "תשעה ספרים" in text_of(word.content)
    markdown = get(f"/kb/answers/{answer['id']}.md").content.decode()
    assert len(re.findall(r"^\[\^\d+\]: ", markdown, re.MULTILINE)) == len(answer["citations"])
    csl = get(f"/kb/answers/{answer['id']}/citations")
    assert [item["title"] for item in json.loads(csl.content)] == [TITLE] * len(answer["citations"])
    ris = get(f"/kb/answers/{answer['id']}/citations", format="ris")
    assert ris["Content-Type"] == "application/x-research-info-systems; charset=utf-8"
    assert rispy.loads(ris.content.decode())[0]["type_of_reference"] == "STAT"


def test_an_answer_is_not_exported_for_another_caller(law: Source) -> None:
    answer_id = ask(QUESTION, topic_id=law.topic_id)["id"]
    for path in (f"/kb/answers/{answer_id}.docx", f"/kb/answers/{answer_id}.md", f"/kb/answers/{answer_id}/citations"):
        get(path, client_with_key(), status=404)
        get(path)
    law.topic.open_to = OpenTo.MEMBERS
    law.topic.save()
    get(f"/kb/answers/{answer_id}.docx", status=404)


def test_what_is_uncertain_of_an_answer_is_said(law: Source) -> None:
    quote = "תושב זכאי לשאול תשעה ספרים בכל חודש מן הספרייה הציבורית."
    Source.objects.filter(pk=law.pk).update(valid_from=date(2015, 1, 1), valid_to=date(2020, 1, 1))
    citation = {"n": 1, "source_id": law.pk, "eid": "sec_2", "kind": "law", "title": TITLE, "section": "2"}
    gone = {"n": 2, "source_id": law.pk + 99, "title": "חוק שנמחק", "quote": "אין עוד.", "kind": "law"}
    trace = AnswerTrace.objects.create(
        by="anonymous",
        topic=law.topic,
        question=QUESTION,
        status=AnswerTrace.TRUNCATED,
        answer="תשעה ספרים בחודש. [1][2]\nהתקנות בטלות מזמן.",
        citations=[{**citation, "quote": quote, "status": "in_force"}, gone],
        dropped=[{"passage": None, "label": "", "quote": "x", "why": "a statement without a quote"}],
        provider="x",
        model="",
        retrieval_ms=1,
        took_ms=1,
    )
    word = get(f"/kb/answers/{trace.answer_id}.docx").content
    for sentence in (
        f"{TITLE}: בוטל: אינו בתוקף מיום 1.1.2020.",
        "המסמך חוק שנמחק כבר איננו כאן.",
        "המודל נקטע",
        "אין ציטוט שתומך",
        "משפט אחד הושמט",
    ):
        assert sentence in text_of(word), sentence
    assert footnotes(word)[0].count(quote) == 1
    assert len(footnotes(word)) == 2
    assert "<u>התקנות בטלות מזמן.</u>" in get(f"/kb/answers/{trace.answer_id}.md").content.decode()


def test_an_act_that_is_not_in_force_is_said_once_and_a_section_of_other_days_by_itself(db: None) -> None:
    days: dict[str, Any] = {"valid_from": date(1990, 1, 1), "valid_to": date(2020, 1, 1)}
    hoists = add_document(f"{HOISTS}\n3. Register\nA register is kept.", title="Hoists Act 1990", kind="law", **days)
    for rows in (hoists.provisions, hoists.chunks):
        rows.filter(eid="sec_3").update(valid_to=date(2010, 1, 1))
    cited = {"source_id": hoists.pk, "kind": "law", "title": "Hoists Act 1990", "status": "in_force", "quote": ""}
    trace = AnswerTrace.objects.create(
        by="anonymous",
        topic=hoists.topic,
        question="What does an inspection cost?",
        status="answered",
        answer="A fee. [1][2][3]",
        citations=[{**cited, "n": n, "section": str(n), "eid": f"sec_{n}"} for n in (1, 2, 3)],
        provider="x",
        model="",
        retrieval_ms=1,
        took_ms=1,
    )
    said = get(f"/kb/answers/{trace.answer_id}.md").content.decode()
    assert [line for line in said.split("\n") if line.startswith("> **Note:** ") and "not in force" in line] == [
        "> **Note:** Hoists Act 1990: repealed: not in force since 1 Jan 2020.",
        "> **Note:** section 3, Hoists Act 1990: repealed: not in force since 1 Jan 2010.",
    ]
    Source.objects.filter(pk=hoists.pk).update(valid_to=None)
    found = get("/kb/search.md", query="A register is kept", versions="all").content.decode()
    assert "> **Note:** section 3, Hoists Act 1990: repealed: not in force since 1 Jan 2010." in found
    assert "> **Note:** Hoists Act 1990" not in found


def test_an_answer_tells_that_its_law_was_superseded_since(law: Source) -> None:
    answer_id = ask(QUESTION, topic_id=law.topic_id)["id"]
    began = timezone.localdate() - timedelta(days=1)
    Source.objects.filter(pk=law.pk).update(valid_from=date(2021, 1, 1), valid_to=began)
    word = get(f"/kb/answers/{answer_id}.docx").content
    assert f"{TITLE}: בוטל: אינו בתוקף" in text_of(word)
    assert all("בוטל: אינו בתוקף" in note and "ביום" not in note for note in footnotes(word))


def test_an_answer_of_another_day_says_whose_law_it_is(law: Source) -> None:
    Source.objects.filter(pk=law.pk).update(valid_from=date(2021, 1, 1), valid_to=date(2023, 1, 1))
    answer_id = ask(QUESTION, topic_id=law.topic_id, as_of="2022-05-01")["id"]
    word = get(f"/kb/answers/{answer_id}.docx").content
    assert "הדין ביום 1.5.2022" in text_of(word)
    assert all("בתוקף ביום 1.5.2022; בוטל: אינו בתוקף מיום 1.1.2023." in note for note in footnotes(word))
    assert traces.day_of(AnswerTrace.objects.get(answer_id=answer_id)) == date(2022, 5, 1)


def test_a_question_without_an_answer_says_so(law: Source) -> None:
    answer = ask("Who won the chess championship of Iceland?", topic_id=law.topic_id)
    assert answer["status"] == "insufficient_evidence"
    text = text_of(get(f"/kb/answers/{answer['id']}.docx").content)
    assert "There is no answer" in text
    assert json.loads(get(f"/kb/answers/{answer['id']}/citations").content) == []


def test_a_provision_and_a_clause_of_it_are_exported(db: None) -> None:
    hoists = add_document(HOISTS, title="Hoists Act 1990", kind="law", valid_from=date(1990, 1, 1))
    word = get(f"/kb/sources/{hoists.pk}/provisions/sec_2.docx")
    assert 'filename="section 2, Hoists Act 1990.docx"' in word["Content-Disposition"]
    assert "An owner shall have a hoist inspected" in text_of(word.content)
    [note] = footnotes(word.content)
    assert note.startswith("section 2, Hoists Act 1990, version of 1 Jan 1990, in force on")
    clause = get(f"/kb/sources/{hoists.pk}/provisions/sec_2__subsec_2.md").content.decode()
    assert clause.startswith("# section 2(2), Hoists Act 1990")
    [item] = json.loads(get(f"/kb/sources/{hoists.pk}/provisions/sec_2/citations").content)
    assert (item["type"], item["section"]) == ("legislation", "2")
    get(f"/kb/sources/{hoists.pk}/provisions/sec_9.docx", status=404)
    get(f"/kb/sources/{hoists.pk}/provisions/sec_2.docx", status=400, as_of="soon")
    get(f"/kb/sources/{hoists.pk}/provisions/sec_2.pdf", status=404)
    get(f"/kb/sources/{hoists.pk}/provisions/sec_2/citations", status=400, format="word")


def test_a_provision_that_is_not_in_force_says_so(db: None) -> None:
    hoists = add_document(
        HOISTS, title="Hoists Act 1990", kind="law", valid_from=date(1990, 1, 1), valid_to=date(2000, 1, 1)
    )
    path = f"/kb/sources/{hoists.pk}/provisions/sec_2.md"
    today = get(path).content.decode()
    assert "> **Note:** Hoists Act 1990: repealed: not in force since 1 Jan 2000." in today
    then = get(path, as_of="1995-05-05").content.decode()
    assert "As it reads on 5 May 1995." in then
    assert "> **Note:** Hoists Act 1990: in force on 5 May 1995; repealed" in then


def test_a_provision_says_what_comes_and_when_it_was_published(db: None) -> None:
    day = timezone.localdate() + timedelta(days=30)
    published: dict[str, Any] = {"published_at": date(1990, 5, 1), "title": "Hoists Act 1990", "kind": "law"}
    old = add_document(HOISTS, valid_from=date(1990, 6, 1), valid_to=day, **published)
    add_document(HOISTS.replace("200", "300"), valid_from=day, work_id=old.work_id, **published)
    path = f"/kb/sources/{old.pk}/provisions/sec_2.docx"
    word = get(path).content
    assert "section 2, Hoists Act 1990: Will read otherwise from " in text_of(word)
    assert footnotes(word)[0].startswith("section 2, Hoists Act 1990, published on 1 May 1990, version of 1 Jun 1990")
    assert "Will read" not in text_of(get(f"/kb/sources/{old.pk}/provisions/sec_1.docx").content)
    Source.objects.filter(pk=old.pk).update(identifier="1990 c. 7")
    assert footnotes(get(path).content)[0].startswith("section 2, Hoists Act 1990, 1990 c. 7, version of")


def test_a_comparison_puts_wordings_beside_each_other(law: Source) -> None:
    old = add_document(OLD, title=TITLE, kind="law", valid_from=date(2021, 1, 1), valid_to=date(2023, 1, 1))
    word = get(f"/kb/sources/{old.pk}/compare/{law.pk}.docx")
    assert len(footnotes(word.content)) == 2
    assert "חמישה" in text_of(word.content)
    assert "אינו בתוקף" in text_of(word.content)
    text = get(f"/kb/sources/{old.pk}/compare/{law.pk}.md").content.decode()
    assert "~~חמישה~~" in text
    assert "**תשעה**" in text
    assert text.count("\n## ") == 3
    assert len(json.loads(get(f"/kb/sources/{old.pk}/compare/{law.pk}/citations").content)) == 2
    same = get(f"/kb/sources/{law.pk}/compare/{law.pk}.md").content.decode()
    assert "שניהם אומרים" in same or "אותו" in same


def test_a_comparison_is_bounded_and_says_what_is_left_out(law: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    old = add_document(OLD, title=TITLE, kind="law")
    monkeypatch.setattr("keeping.exports.provisions.MAX_CHANGES", 1)
    text = get(f"/kb/sources/{old.pk}/compare/{law.pk}.md").content.decode()
    assert text.count("\n## ") == 1
    assert "2 שינויים נוספים אינם בקובץ הזה" in text


def test_a_search_gives_its_first_passages(law: Source) -> None:
    hoists = add_document(HOISTS, title="Hoists Act 1990", kind="law")
    found: dict[str, Any] = {"query": "inspection fee of a hoist", "topic_id": law.topic_id}
    word = get("/kb/search.docx", **found, limit=1)
    assert len(footnotes(word.content)) == 1
    assert "The fee for an inspection is 200 coins." in text_of(word.content)
    assert f"/documents/{hoists.pk}/#sec_2" in footnotes(word.content)[0]
    assert "in the topic" in text_of(word.content)
    assert len(json.loads(get("/kb/search/citations", **found).content)) >= 1
    nothing = get("/kb/search.md", query="xylophone quartz").content.decode()
    assert "Nothing was found" in nothing
    every = text_of(get("/kb/search.docx", **found, versions="all").content)
    assert ("All versions, in force on" in every, "The law of" in every) == (True, False)
    refused: list[dict[str, Any]] = [
        {"limit": 101},
        {"limit": 0},
        {"query": " "},
        {"topic_id": 999_999},
        {"more": 1},
        {"kind": "act"},
    ]
    for wrong in refused:
        get("/kb/search.docx", status=400, **{**found, **wrong})


def test_a_key_of_another_topic_gets_no_export(law: Source) -> None:
    elsewhere = client_with_key(topic=make_topic())
    get(f"/kb/sources/{law.pk}/provisions/sec_2.docx", elsewhere, status=404)
    get(f"/kb/sources/{law.pk}/compare/{law.pk}.docx", elsewhere, status=404)
    assert footnotes(get("/kb/search.docx", elsewhere, query=QUESTION).content) == []
    get("/kb/search.docx", elsewhere, status=403, query=QUESTION, topic_id=law.topic_id)


def test_remarks_on_a_document_go_with_its_provisions(law: Source) -> None:
    Source.objects.filter(pk=law.pk).update(unread_pages=[4, 5], pages=9)
    assert "4–5" in text_of(get(f"/kb/sources/{law.pk}/provisions/sec_2.docx").content)


def test_a_port_that_nobody_configured_is_in_no_file(law: Source, settings: Any) -> None:
    path = f"/kb/sources/{law.pk}/provisions/sec_2.docx"
    refused = APIClient().get(path, headers={"host": "testserver:6666"})
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid")
    settings.KB_PUBLIC_URL = "https://kb.acme.example"
    found = APIClient().get(path, headers={"host": "testserver:6666"}).content
    assert f"https://kb.acme.example/documents/{law.pk}/" in "".join(footnotes(found))
