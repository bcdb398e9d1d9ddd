"""`/evaluation/`: the list with its run, the form, a question from a trace, and the way of a file."""

import re
from html import unescape

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from answers.evaluation.tasks import go_on_with_evaluation
from answers.models import AnswerTrace, EvaluationQuestion, EvaluationRun
from sources.models import Source
from tests.answers.asking.asking import ask
from tests.factories import LAW, make_staff
from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
QUESTION = "כמה ספרים זכאי תושב לשאול?"


@pytest.fixture
def law(db: None) -> Source:
    return add_document(LAW, title="חוק <הספריות>")


def test_a_question_is_made_asked_changed_and_deleted(staff_client: Client, law: Source) -> None:
    assert "no evaluation questions" in staff_client.get("/evaluation/").content.decode()
    address = f"http://testserver/documents/{law.pk}/?quote=x#sec_2"
    sent = {"topic": "1", "question": QUESTION, "provisions": address, "words": "חמישה ספרים"}
    assert staff_client.post("/evaluation/new/", sent).status_code == 302
    entry = EvaluationQuestion.objects.get()
    assert entry.provisions == [{"source_id": law.pk, "eid": "sec_2"}]
    for wrong in ({"provisions": "section two"}, {"nothing_answers": "1"}, {"question": ""}, {"topic": "99"}):
        refused = staff_client.post("/evaluation/new/", {**sent, **wrong})
        assert refused.status_code == 400
        assert 'role="alert"' in refused.content.decode()

    assert staff_client.post("/evaluation/run/", {"topic": "1"}).status_code == 302
    assert staff_client.post("/evaluation/run/", {"topic": "1"}).status_code == 302
    run = EvaluationRun.objects.get()  # the second found it under way
    assert "0 of 1 questions asked" in staff_client.get("/evaluation/").content.decode()
    go_on_with_evaluation(run.pk)
    page = staff_client.get("/evaluation/").content.decode()
    assert re.search(r"<td>right, rank 1\s*</td>", page)
    assert "חוק &lt;הספריות&gt;" in page

    path = f"/evaluation/{entry.pk}"
    assert f"{law.pk}#sec_2</textarea>" in staff_client.get(f"{path}/edit/").content.decode()
    changed = {**sent, "provisions": "", "words": "", "nothing_answers": "1"}
    assert staff_client.post(f"{path}/edit/", changed).status_code == 302
    run.pk, run.finished_at, run.outcomes = None, None, []
    run.questions = [{"question": QUESTION, "provisions": [], "words": ""}]
    run.save()
    go_on_with_evaluation(run.pk)
    page = staff_client.get("/evaluation/").content.decode()
    assert re.search(r"<td>wrong\s*</td>", page)
    assert "No question fits" in staff_client.get("/evaluation/", {"q": "%\0"}).content.decode()
    assert staff_client.get(f"{path}/delete/").status_code == 200
    assert staff_client.post(f"{path}/delete/").status_code == 302
    for verb in ("edit", "delete"):
        assert staff_client.get(f"{path}/{verb}/").status_code == 404


def test_a_trace_leads_to_a_question_filled_in_from_it(client: Client, law: Source) -> None:
    ask(QUESTION, topic_id=1)
    client.force_login(make_staff(is_superuser=True))
    trace = AnswerTrace.objects.get()
    page = client.get(reverse("admin:answers_answertrace_change", args=[trace.pk])).content.decode()
    [link] = re.findall(r'href="(/evaluation/new/[^"]+)"', page)
    form = client.get(unescape(link)).content.decode()
    assert f"{QUESTION}</textarea>" in form
    assert f"{law.pk}#sec_2</textarea>" in form
    client.force_login(make_staff("avi", role="reviewer"))
    assert client.get(unescape(link)).status_code == 403


def test_a_file_shows_what_it_changes_before_it_is_taken_over(staff_client: Client, law: Source) -> None:
    line = f'{{"question": "{QUESTION}", "provisions": [{{"title": "{law.title}", "eid": "sec_2"}}]}}\n'
    file = SimpleUploadedFile("evaluation.jsonl", line.encode())
    page = staff_client.post("/evaluation/import/", {"topic": "1", "file": file}).content.decode()
    assert "New: <bdi>1</bdi>" in page
    assert not EvaluationQuestion.objects.exists()
    [carried] = re.findall(r'name="carried" value="([^"]+)"', page)
    sure = {"topic": "1", "carried": carried, "sure": "1"}
    assert staff_client.post("/evaluation/import/", sure).status_code == 302
    assert EvaluationQuestion.objects.get().question == QUESTION
    assert '"eid": "sec_2"' in staff_client.get("/evaluation/export.jsonl", {"topic": "1"}).content.decode()
    for wrong in ({}, {"carried": "§"}, {"file": SimpleUploadedFile("x.jsonl", b"{")}):
        refused = staff_client.post("/evaluation/import/", {"topic": "1", **wrong})
        assert refused.status_code == 400
        assert 'role="alert"' in refused.content.decode()
