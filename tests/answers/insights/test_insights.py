"""Searches and questions that found nothing: how they are counted, listed and forgotten, and what is made of them."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from answers.agent.search_tool import SearchTool
from answers.insights import queries
from answers.models import AnswerTrace
from answers.tasks import forget_old_traces
from kb_project.configuration.roles import REVIEWER
from search import search_counts
from search.models import SearchCount
from tests.factories import make_staff, make_topic
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def nothing_counted(db: None) -> None:
    """What other tests searched for."""
    search_counts.write()
    SearchCount.objects.all().delete()


def trace(question: str, *, status: str = "insufficient_evidence", days: int = 0, **fields: Any) -> AnswerTrace:
    made = AnswerTrace.objects.create(
        by="dana", question=question, status=status, provider="x", model="", retrieval_ms=1, took_ms=1, **fields
    )
    AnswerTrace.objects.filter(pk=made.pk).update(at=timezone.now() - timedelta(days=days))
    return made


def counts() -> dict[tuple[str, int | None], tuple[int, int]]:
    search_counts.write()
    return {(one.query, one.topic_id): (one.searches, one.unanswered) for one in SearchCount.objects.all()}


def test_a_search_is_counted_by_its_words_and_by_what_fits(client: Client) -> None:
    topic: Any = make_topic(slug="libraries")
    add_source("1. ספרייה\nבספרייה מושאלים ספרים לציבור ללא תשלום.", topic=topic, title="חוק הספריות")
    for query in ("ספרייה  ציבורית", "ספרייה ציבורית", "אגרת רישיון נהיגה", "סעיף 77 לחוק הספריות"):
        body = {"query": query, "topic_id": topic.pk}
        assert client.post("/kb/search", body, content_type="application/json").status_code == 200
    client.get("/", {"q": "DOG licence", "topic": topic.pk})
    client.get("/", {"q": "dog licence", "topic": topic.pk, "show": 20})  # it goes on with the same
    client.get("/", {"q": "dog licence", "topic": topic.pk, "kind": "circular"})  # the filter leaves it out
    SearchTool(topic_id=topic.pk, topic_name=topic.name).answer({"query": "חתול", "limit": 3})
    client.get("/", {"q": "x" * 300})
    assert counts() == {
        ("ספרייה ציבורית", topic.pk): (2, 0),
        ("אגרת רישיון נהיגה", topic.pk): (1, 1),
        ("סעיף 77 לחוק הספריות", topic.pk): (1, 1),
        ("dog licence", topic.pk): (2, 1),
        ("חתול", topic.pk): (1, 1),
        ("x" * 200, None): (1, 1),
    }
    client.get("/", {"q": "חתול", "topic": topic.pk})
    assert counts()["חתול", topic.pk] == (2, 2)


def test_counts_have_bounds(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_counts, "MAX_AT_A_TIME", 3)
    for number in (1, 2, 3, 4, 1):
        client.get("/", {"q": f"word{number}"})
    assert {query: times for (query, _), (times, _) in counts().items()} == {"word1": 2, "word2": 1, "word3": 1}
    monkeypatch.setattr(search_counts, "MAX_OF_A_DAY", 3)
    client.get("/", {"q": "word5"})
    assert len(counts()) == 3


def test_what_is_older_than_the_traces_is_forgotten(settings: Any) -> None:
    settings.KB_TRACE_DAYS = 7
    today = timezone.localdate()
    for days in (0, 7, 8):
        SearchCount.objects.create(day=today - timedelta(days=days), query="q", searches=1, unanswered=1)
        trace(f"q{days}", days=days + 1)
    assert forget_old_traces() == 1 + 2
    assert [one.day for one in SearchCount.objects.all()] == [today, today - timedelta(days=7)]


def test_lists_are_by_topic_and_week() -> None:
    mine, other = make_topic(slug="mine"), make_topic(slug="other")
    today = timezone.localdate()
    last_week = today - timedelta(days=7)
    for day, topic, query, searches, unanswered in (
        (today, mine, "שכירות", 5, 0),
        (today, mine, "גרירה", 3, 3),
        (last_week, mine, "גרירה", 4, 1),
        (today, other, "גרירה", 9, 9),
    ):
        SearchCount.objects.create(day=day, topic=topic, query=query, searches=searches, unanswered=unanswered)
    for question in ("מי  גורר?", "מי גורר?"):
        last = trace(question, topic=mine)
    trace("מי גורר?", topic=mine, status="answered")
    trace("מי צובע?", topic=mine, status=AnswerTrace.SHOWN)
    trace("אחר?", topic=other)
    trace("ישן?", topic=mine, days=7)
    everything, week = queries.kept(frozenset({mine.pk})), queries.week_of(today, frozenset({mine.pk}))
    missed = [(one.text, one.missed, one.times) for one in queries.searches_without_results(everything)]
    assert missed == [("גרירה", 4, 7)]
    assert [one.missed for one in queries.searches_without_results(week)] == [3]
    [refused] = queries.refused_questions(week)
    assert (refused.text, refused.missed, refused.times) == ("מי גורר?", 2, 3)
    assert (refused.trace_id or 0) > last.pk
    assert [(one.text, one.times) for one in queries.most_asked(everything)] == [
        ("גרירה", 7),
        ("שכירות", 5),
        ("מי גורר?", 3),
        ("ישן?", 1),
        ("מי צובע?", 1),
    ]
    newest, before = queries.weeks(frozenset({mine.pk}))
    assert (newest.searches, newest.without_results, newest.questions, newest.refused) == (8, 3, 4, 2)
    assert (before.searches, before.without_results, before.questions, before.refused) == (4, 1, 1, 1)
    assert newest.begins.weekday() == 0
    assert len(queries.weeks(None)) == 2


def test_signs_alone_are_not_listed_and_the_page_has_a_bound(staff_client: Client) -> None:
    today = timezone.localdate()
    for query in ("***", "%", "§ …", *(f"{number} אגרת החניה בעיר" for number in range(60))):
        SearchCount.objects.create(day=today, query=query, searches=9, unanswered=9)
        trace(query)
    for listed in (
        queries.searches_without_results(queries.kept(None)),
        queries.refused_questions(queries.kept(None)),
        queries.most_asked(queries.kept(None)),
    ):
        assert len(listed) == queries.MAX_LINES
        assert all("אגרת" in one.text for one in listed)
    assert len(staff_client.get("/insights/").content) < 100_000


def test_one_click_leads_to_a_form_that_is_filled_in(staff_client: Client) -> None:
    topic = make_topic(slug="mine", name="Rent & lease")
    SearchCount.objects.create(
        day=timezone.localdate(), topic=topic, query='דמי "גרירה" & co', searches=2, unanswered=2
    )
    answered = trace("מי גורר?", topic=topic)
    page = staff_client.get("/insights/").content.decode().split("<main")[1].split("</main>")[0]
    assert "dana" not in page
    links = [unescape(link) for link in re.findall(r'class="button" href="([^"]+)"', page)]
    assert len(links) == 12  # two lines, in two lists each
    synonym, label, question = links[:3]
    form = staff_client.get(synonym).content.decode()
    assert "דמי &quot;גרירה&quot; &amp; co</textarea>" in form
    assert f'<option value="{topic.pk}" selected>' in form
    assert 'value="דמי &quot;גרירה&quot; &amp; co"' in staff_client.get(label).content.decode()
    form = staff_client.get(question).content.decode()
    assert "דמי &quot;גרירה&quot; &amp; co</textarea>" in form
    assert f'<option value="{topic.pk}" selected>' in form
    assert f"trace={answered.answer_id}" in links[5]
    assert "מי גורר?</textarea>" in staff_client.get(links[5]).content.decode()
    for query in ({"topic": topic.pk}, {"week": f"{timezone.localdate()}"}):
        assert "מי גורר?" in staff_client.get("/insights/", query).content.decode()
    last_month = timezone.localdate() - timedelta(days=30)
    for query in ({"week": f"{last_month}"}, {"topic": make_topic().pk}):
        assert "מי גורר?" not in staff_client.get("/insights/", query).content.decode()
    for week in ("9999-12-31", "0001-01-01", "x" * 10):
        assert "מי גורר?" in staff_client.get("/insights/", {"week": week, "topic": "9" * 40}).content.decode()


def test_only_managers_see_them(client: Client) -> None:
    assert client.get("/insights/").status_code == 302
    client.force_login(make_staff(role=REVIEWER))
    assert client.get("/insights/").status_code == 403
    assert "/insights/" not in client.get("/").content.decode()


def test_a_question_leads_to_how_it_was_answered(staff_client: Client) -> None:
    quoted = {"n": 1, "title": "Library rules", "section": "3", "quote": "A reader pays nothing."}
    dropped = [{"passage": None, "why": "no_quote", "quote": "Readers are glad."}]
    made = trace("Who pays?", status="answered", answer="Nobody pays. [1]", citations=[quoted], dropped=dropped)
    address = f"/insights/answers/{made.answer_id}/"
    assert address in staff_client.get("/insights/").content.decode()
    page = staff_client.get(address).content.decode()
    for said in ("Who pays?", "Nobody pays. [1]", "A reader pays nothing.", "Readers are glad.", "Answered"):
        assert said in page
    assert "dana" not in page.replace("<bdi>dana</bdi>", "")  # but for the menu of whoever looks
    assert Client().get(address).status_code == 302


def test_answers_are_drawn_by_week(staff_client: Client) -> None:
    trace("Who pays?", status="answered", days=10)
    assert 'class="picture"' not in staff_client.get("/insights/").content.decode()
    trace("Who pays?")
    assert 'class="picture"' in staff_client.get("/insights/").content.decode()
