"""Messages to the webhooks of people: what they tell, to whom, and what becomes of one that fails."""

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models.functions import Now
from django.utils import timezone

from ingest.webhooks import sending
from keeping import integrity, metrics, tasks
from keeping.models import Watch, Watcher, WatchEvent, WatchWebhook
from keeping.watches import watching
from keeping.watches.notifications.posting import Posts
from keeping.watches.webhook import editing
from tests.factories import first_topic, make_topic
from tests.ingest.webhooks.conftest import ReceivingProcess
from tests.keeping.watches.watchers import SERVICE, join, person, rules, settled, watch, work
from tests.search.corpus import add_document
from topics.models import OpenTo

pytestmark = pytest.mark.django_db


def hook(who: User, url: str, *, language: str = "en") -> WatchWebhook:
    watcher = watching.note_watcher(who, language=language, service=SERVICE)
    return editing.give(watcher, url)[0]


def post() -> int:
    settled()
    return tasks.post_to_watchers()


def ready() -> None:
    """As if the wait after a failure were over."""
    WatchWebhook.objects.update(held_until=Now() - timedelta(seconds=1))


def titles(receiver: ReceivingProcess) -> list[list[str]]:
    return [[one["title"] for one in got.told["data"]["news"]] for got in receiver.received()]


def test_what_happened_together_is_one_signed_message(receiver: ReceivingProcess) -> None:
    noa, dan = person(), person("dan")
    webhook = hook(noa, f"{receiver.url}/ok/noa", language="he")
    by_topic = watch(noa, topic_id=first_topic().pk, language="he")
    by_words = watch(noa, query="quiet readers", language="he")
    watch(dan, topic_id=first_topic().pk)
    source = rules()
    rules("More Rules")
    assert tasks.look_for_watch_mails() is False  # what was published together is told together
    settled()
    assert tasks.look_for_watch_mails() is True
    post()
    post()
    [got] = receiver.received()
    body, timestamp = got.body.encode(), int(got.headers["webhook-timestamp"])
    signed = sending.headers(message=got.message, timestamp=timestamp, body=body, secrets=[webhook.secret])
    assert signed.items() <= got.headers.items()
    assert got.told["type"] == "watches.news"
    told = got.told["data"]
    assert {one["id"]: one["kind"] for one in told["watches"]} == {by_topic.pk: "topic", by_words.pk: "search"}
    assert {one["left_out"] for one in told["watches"]} == {0}
    ids = [one["id"] for one in told["news"]]
    assert ids == sorted(set(ids))
    first = next(one for one in told["news"] if one["what"] == "document")
    assert (first["title"], first["said"]) == ("Quiet Rules", "מסמך חדש")
    assert (first["source_id"], first["url"]) == (source.pk, f"{SERVICE}documents/{source.pk}/")
    assert first["watches"] == [{"id": by_topic.pk, "more": ""}]
    sent = WatchWebhook.objects.get()
    assert (sent.answer_status, sent.fault, sent.sent_at is not None) == (204, "", True)


def test_an_event_of_two_watches_is_told_once(receiver: ReceivingProcess) -> None:
    noa, day = person(), timezone.localdate() - timedelta(days=2)
    source = rules("Old Rules", valid_from=day - timedelta(days=700), valid_to=day)
    hook(noa, f"{receiver.url}/ok/noa")
    of_topic, of_work = watch(noa, topic_id=first_topic().pk), watch(noa, work_id=source.work_id)
    rules("New Rules", valid_from=day, work_id=source.work_id)
    post()
    [got] = receiver.received()
    [one] = got.told["data"]["news"]
    assert (one["what"], one["day"], one["ends"]) == ("change", day.isoformat(), False)
    assert {told["id"] for told in one["watches"]} == {of_topic.pk, of_work.pk}


def test_nothing_is_posted_twice_or_of_before(receiver: ReceivingProcess) -> None:
    noa = person()
    watch(noa, topic_id=first_topic().pk)
    rules("Before Rules")
    hook(noa, f"{receiver.url}/ok/noa")
    assert post() == 0
    rules("Between Rules")
    watch(noa, query="quiet readers")
    rules("After Rules")
    for _ in range(3):
        post()
    [got] = receiver.received()
    news = got.told["data"]["news"]
    assert [one["title"] for one in news if one["what"] == "document"] == ["Between Rules", "After Rules"]
    assert [one["title"] for one in news if one["what"] == "match"] == ["After Rules"]


def test_nobody_is_posted_what_they_may_not_see(receiver: ReceivingProcess) -> None:
    noa, topic = person(), make_topic(name="Sealed")
    topic.open_to = OpenTo.MEMBERS
    topic.save()
    member = join(noa, topic.pk)
    hook(noa, f"{receiver.url}/status/500")
    watch(noa, topic_id=topic.pk)
    rules("Sealed Rules", topic=topic)
    post()
    assert titles(receiver) == [["Sealed Rules"]]
    member.delete()  # while it waits to be sent again
    ready()
    assert post() == 1
    assert len(receiver.received()) == 1
    webhook = WatchWebhook.objects.get()
    assert (webhook.sending_id, webhook.failures, webhook.failing_since, webhook.fault) == (None, 0, None, "")


def test_a_webhook_rests_with_its_account_and_ends_with_it(receiver: ReceivingProcess) -> None:
    noa = person()
    hook(noa, f"{receiver.url}/ok/noa")
    watch(noa, topic_id=first_topic().pk)
    rules()
    User.objects.update(is_active=False)
    assert post() == 0
    noa.delete()
    assert not WatchWebhook.objects.exists()
    assert receiver.received() == []


def test_one_that_fails_is_tried_again_under_one_id(receiver: ReceivingProcess) -> None:
    noa, dan = person(), person("dan")
    for who, path in ((noa, "/status/500"), (dan, "/ok/dan")):
        hook(who, receiver.url + path)
        watch(who, topic_id=first_topic().pk)
    rules()
    assert post() == 2  # it holds up nobody
    failing = WatchWebhook.objects.get(watcher=noa.pk)
    assert (failing.failures, failing.answer_status, failing.fault) == (1, 500, "status")
    assert failing.held_until is not None
    assert timedelta(0) < failing.held_until - timezone.now() <= timedelta(seconds=10)
    assert post() == 0  # not at once
    rules("Later Rules")
    for _ in range(2):
        ready()
        post()
    mine = [one for one in receiver.received() if one.path == "/status/500"]
    assert len({one.message for one in mine}) == 1
    editing.give(Watcher.objects.get(person=noa), f"{receiver.url}/ok/noa")
    post()
    post()
    first, second = [one for one in receiver.received() if one.path == "/ok/noa"]
    assert first.message == mine[0].message != second.message
    assert [one["title"] for one in second.told["data"]["news"]] == ["Later Rules"]
    mended = WatchWebhook.objects.get(watcher=noa.pk)
    assert (mended.failures, mended.failing_since, mended.fault) == (0, None, "")


def test_a_lasting_failure_switches_it_off(receiver: ReceivingProcess, caplog: pytest.LogCaptureFixture) -> None:
    noa = person()
    hook(noa, f"{receiver.url}/status/502")
    watch(noa, topic_id=first_topic().pk)
    rules()
    post()
    WatchWebhook.objects.update(failing_since=Now() - timedelta(hours=23))
    ready()
    post()
    assert WatchWebhook.objects.get().enabled
    WatchWebhook.objects.update(failing_since=Now() - timedelta(hours=25))
    ready()
    post()
    assert not WatchWebhook.objects.get().enabled
    assert "switched off" in caplog.text
    ready()
    rules("Unheard Rules")
    assert post() == 0
    hook(noa, f"{receiver.url}/ok/noa")  # on again, and of what happens from now on
    assert post() == 0
    rules("Heard Rules")
    post()
    assert titles(receiver)[-1] == ["Heard Rules"]
    assert len(receiver.received()) == 4


def test_an_inner_address_is_not_called(receiver: ReceivingProcess, settings: Any) -> None:
    hook(person(), f"{receiver.url}/ok/noa")
    watch(User.objects.get(), topic_id=first_topic().pk)
    settings.KB_WATCH_WEBHOOK_NETWORKS = []  # the name leads elsewhere than when it was given
    rules()
    post()
    assert WatchWebhook.objects.get().fault == "refused"
    assert receiver.received() == []


def test_a_long_message_says_how_much_it_leaves_out(receiver: ReceivingProcess) -> None:
    noa = person()
    hook(noa, f"{receiver.url}/ok/noa")
    watch(noa, topic_id=first_topic().pk)
    for number in range(23):
        add_document("1. Quiet\nReaders are quiet.", title=f"Rules {number}", kind="regulation")
    work()
    post()
    [got] = receiver.received()
    assert len(got.told["data"]["news"]) == 20
    assert [one["left_out"] for one in got.told["data"]["watches"]] == [3]


@pytest.mark.django_db(transaction=True)
def test_two_senders_post_one_message_each(receiver: ReceivingProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(6):
        hook(person(f"p{number}"), f"{receiver.url}/slow/{number}")
        watch(User.objects.get(username=f"p{number}"), topic_id=first_topic().pk)
    rules()
    settled()
    monkeypatch.setattr(Posts, "at_once", threading.BoundedSemaphore(2))

    def run() -> None:
        Posts.send()
        sending.release()

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.path for one in receiver.received()) == [f"/slow/{number}" for number in range(6)]


def test_what_nobody_posts_is_found(receiver: ReceivingProcess) -> None:
    noa = person()
    hook(noa, f"{receiver.url}/status/500")
    watch(noa, topic_id=first_topic().pk)
    rules()
    assert list(integrity.find_unsent()) == []
    WatchEvent.objects.update(at=Now() - timedelta(hours=2))
    [finding] = integrity.find_unsent()
    assert finding.sentence == "Nobody has tried to reach 1 webhooks for an hour."
    late = next(one for one in metrics.read() if one.name == "kb_watch_webhooks_late")
    assert late.samples[0].value == 1
    post()
    assert list(integrity.find_unsent()) == []  # it is refused, and tried again
    Watch.objects.all().delete()
    WatchWebhook.objects.update(sending_id=None, held_until=None)
    assert list(integrity.find_unsent()) == []
