"""What newly matches a search that is watched: once, only where it is seen, and only what is new."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from ingest.documents import edit
from ingest.documents.reindex import reindex
from ingest.stages.run import run_job
from keeping.models import Watch, WatchEvent
from keeping.watches import saved_searches
from labels import assign
from sources.models import Source
from tests.factories import first_topic, make_label, make_topic, upload_text
from tests.keeping.watches.watchers import join, person, sealed, told, watch, work
from tests.search.corpus import add_document, replace_text

pytestmark = pytest.mark.django_db
MATCH = "New match"
LANTERNS = "1. Lanterns\nEvery owner lights a copper lantern at dusk."


def rules(title: str, text: str = LANTERNS, **fields: Any) -> Source:
    return add_document(text, title=title, kind="regulation", **fields)


def test_what_matches_already_is_no_news_and_what_comes_is() -> None:
    noa = person()
    rules("Old Rules")
    watch(noa, query="copper lantern")
    rules("Harbour Rules", "1. Boats\nBoats are moored at night.")
    rules("New Rules")
    work()
    assert told(noa) == [("New Rules", MATCH)]


@pytest.mark.django_db(transaction=True)  # a job that takes long is looked for over another connection
def test_what_is_indexed_again_is_told_once(tmp_path: object) -> None:
    noa = person()
    watch(noa, query="copper lantern")
    job = upload_text(tmp_path, LANTERNS, filename="lanterns.txt")  # type: ignore[arg-type]
    run_job(job.pk)
    work()
    assert len(told(noa)) == 1
    events, source = WatchEvent.objects.count(), Source.objects.get()
    run_job(reindex(source.pk, by="test").pk)
    edit.edit(source.pk, {"published_at": timezone.localdate()}, by="test")
    work()
    assert len(told(noa)) == 1
    assert WatchEvent.objects.exclude(what="look").count() <= events
    Watch.objects.update(read_id=WatchEvent.objects.latest("pk").pk)
    edit.edit(source.pk, {"published_at": timezone.localdate() - timedelta(days=1)}, by="test")
    work()
    assert told(noa) == []


def test_a_text_that_is_replaced_and_matches_now_is_told() -> None:
    noa = person()
    source = rules("Harbour Rules", "1. Boats\nBoats are moored at night.")
    watch(noa, query="copper lantern")
    replace_text(source, LANTERNS)
    Source.objects.filter(pk=source.pk).update(content_sha256="other")
    work()
    assert told(noa) == [("Harbour Rules", MATCH)]


def test_what_comes_into_force_is_told_on_its_day() -> None:
    noa = person()
    watch(noa, query="copper lantern")
    source = rules("Coming Rules", valid_from=timezone.localdate() + timedelta(days=5))
    work()
    assert told(noa) == []
    edit.edit(source.pk, {"valid_from": timezone.localdate()}, by="test")
    work()
    assert told(noa) == [("Coming Rules", MATCH)]


def test_filters_narrow_what_is_told() -> None:
    noa, label, topic = person(), make_label("Light"), make_topic()
    watch(noa, query="copper lantern", label_slugs=[label.slug])
    watch(noa, query="copper lantern", topic_id=topic.pk)
    watch(noa, query="copper lantern", kinds=["law"])
    watch(noa, query="copper lantern", published_from=timezone.localdate())
    source = rules("First Rules")
    work()
    assert told(noa) == []
    assign.add(source, [label], by="test")
    rules("Second Rules", topic=topic)
    edit.edit(source.pk, {"published_at": timezone.localdate()}, by="test")
    work()
    assert sorted(told(noa)) == [("First Rules", MATCH)] * 2 + [("Second Rules", MATCH)]


def test_a_search_sees_what_its_person_sees() -> None:
    noa, dan, topic = person(), person("dan"), sealed()
    join(noa, topic.pk)
    for one in (noa, dan):
        watch(one, query="copper lantern")
    rules("Sealed Rules", topic=topic)
    work()
    assert (told(noa), told(dan)) == ([("Sealed Rules", MATCH)], [])
    topic.members.all().delete()
    assert told(noa) == []


def test_whoever_was_deactivated_is_not_looked_for() -> None:
    noa = person()
    watch(noa, query="copper lantern")
    noa.is_active = False
    noa.save()
    rules("New Rules")
    work()
    assert not WatchEvent.objects.filter(what="match").exists()
    noa.is_active = True
    noa.save()
    work()
    assert told(noa) == [("New Rules", MATCH)]


def test_the_same_search_of_two_people_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    search = saved_searches.retrieve

    def note(*asked: Any, **options: Any) -> Any:
        made.append(asked)
        return search(*asked, **options)

    monkeypatch.setattr(saved_searches, "retrieve", note)
    for name in ("noa", "dan", "lea"):
        watch(person(name), query="copper lantern")
    made.clear()
    rules("New Rules")
    work()
    assert len(made) == 1
    assert WatchEvent.objects.filter(what="match").count() == 3


def test_a_wide_search_says_so_and_tells_the_newest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_searches, "MAX_RESULTS", 2)
    noa = person()
    for number in range(4):
        rules(f"Rules {number}", published_at=timezone.localdate() - timedelta(days=100 + number))
    watch(noa, query="copper lantern")
    assert Watch.objects.get().is_wide
    rules("Newest Rules", LANTERNS + " " + "It is quiet there. " * 30, published_at=timezone.localdate())
    work()
    assert told(noa) == [("Newest Rules", MATCH)]


def test_what_was_seen_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(saved_searches, "MAX_SEEN", 3)
    noa = person()
    watch(noa, query="copper lantern", topic_id=first_topic().pk)
    for number in range(5):
        rules(f"Rules {number}")
    work()
    assert len(told(noa)) == 5
    assert len(Watch.objects.get().seen) == 3
