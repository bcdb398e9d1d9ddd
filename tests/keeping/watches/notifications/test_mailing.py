"""Digests over SMTP: who gets one, when, in which language, and what becomes of one that fails."""

import re
import smtplib
import threading
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models.functions import Now
from django.test import Client
from django.utils import timezone

from ingest.documents import edit
from kb_project.database.connections import release
from keeping import integrity, metrics, tasks
from keeping.models import Channel, Watch, Watcher, WatchEvent
from keeping.watches import background, watching
from keeping.watches.notifications.mailing import Mails
from tests.factories import first_topic, make_topic
from tests.keeping.watches.watchers import SERVICE, TODAY, join, person, rules, settled, watch, work
from tests.search.corpus import add_document
from tests.smtp_server import SmtpServer, html, plain_text, smtp_server
from tests.sources.changes.laws import NEW, TITLE, act
from topics.models import OpenTo

pytestmark = pytest.mark.django_db
LINK = re.compile(r"https://kb\.example(/watches/stop/\S+)")


@pytest.fixture
def server(settings: Any) -> Iterator[SmtpServer]:
    with smtp_server() as server:
        settings.EMAIL_URL, settings.DEFAULT_FROM_EMAIL = server.url, "Legal <kb@acme.example>"
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        yield server


def send() -> int:
    settled()
    return tasks.send_watch_mails()


def test_a_digest_comes_in_its_language_and_ends_by_one_click(server: SmtpServer) -> None:
    noa, dan = person(), person("dan")
    watch(noa, topic_id=first_topic().pk, how=Channel.MAIL_NOW)
    watch(dan, topic_id=first_topic().pk, how=Channel.MAIL_NOW, language="he")
    watch(dan, query="quiet readers", how=Channel.MAIL_NOW, language="he")
    source = rules()
    assert tasks.look_for_watch_mails() is False  # what was published together is told together
    settled()
    assert tasks.look_for_watch_mails() is True
    send()
    [english], [hebrew] = server.to(noa.email), server.to(dan.email)
    assert english["Subject"] == "1 piece of news on what you watch"
    assert english["From"] == "Legal <kb@acme.example>"
    text = plain_text(english)
    assert f"* Quiet Rules\n  New document\n  {SERVICE}documents/{source.pk}/" in text
    assert "Quiet Rules" in html(english)
    assert '<html lang="he" dir="rtl">' in html(hebrew)
    assert "מסמך חדש" in plain_text(hebrew)
    assert plain_text(hebrew).count("* Quiet Rules") == 1  # whichever watches tell of it
    assert hebrew["Subject"].startswith("עדכון 1")
    assert english["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    stop = english["List-Unsubscribe"].strip(" <>").removeprefix(SERVICE.rstrip("/"))
    client = Client(enforce_csrf_checks=True)  # nobody is signed in
    assert "End the mails" in client.get(stop).content.decode()
    assert Watch.objects.filter(watcher=noa.pk).get().how == Channel.MAIL_NOW  # looking at it ends nothing
    assert client.post(stop, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert Watch.objects.filter(watcher=noa.pk).get().how == Channel.PAGE
    assert Watch.objects.filter(watcher=dan.pk, how=Channel.MAIL_NOW).count() == 2
    rules("More Rules")
    send()
    assert (len(server.to(noa.email)), len(server.to(dan.email))) == (1, 2)


def test_an_amendment_is_one_alarm_that_says_which_words_changed(server: SmtpServer) -> None:
    noa, old = person(), act(valid_from=TODAY() - timedelta(days=700))
    work()
    for of in ({"work_id": old.work_id}, {"work_id": old.work_id, "eid": "sec_2"}, {"topic_id": first_topic().pk}):
        watch(noa, how=Channel.MAIL_NOW, **of)
    day = TODAY() - timedelta(days=1)
    edit.edit(old.pk, {"valid_to": day}, by="test")
    new = act(NEW, valid_from=day, work_id=old.work_id)
    background.work()
    send()  # it leaves before the change is worked out
    assert server.messages == []
    work()
    send()
    [message] = server.messages
    text = plain_text(message)
    assert (message["Subject"], text.count(f"* {TITLE}")) == ("1 piece of news on what you watch", 1)
    assert "Changed. “חמישה” is now “תשעה”" in text
    assert f"{SERVICE}documents/{new.pk}/#sec_2" in text


def test_one_watch_is_ended_by_its_own_link(server: SmtpServer) -> None:
    dan = person("dan")
    watch(dan, topic_id=first_topic().pk, how=Channel.MAIL_NOW, language="he")
    watch(dan, query="quiet readers", how=Channel.MAIL_NOW, language="he")
    rules()
    send()
    first, second, every = LINK.findall(plain_text(server.messages[0]))
    assert len({first, second, every}) == 3
    assert "לא יישלח עוד" in Client().post(first).content.decode()
    assert sorted(Watch.objects.values_list("kind", "how")) == [("search", "page"), ("topic", "mail_now")]
    for damaged in (first[:-3] + "x/", "/watches/stop/1.0:x/", "/watches/stop/x/"):
        assert Client().post(damaged).status_code == 404


def test_nothing_is_mailed_twice_or_of_before(server: SmtpServer) -> None:
    noa = person()
    watch(noa, topic_id=first_topic().pk)
    rules("Before Rules")
    watching.change(noa, Watch.objects.get().pk, Channel.MAIL_NOW)
    send()
    assert server.messages == []
    rules("After Rules")
    for _ in range(3):
        send()
    [message] = server.messages
    assert "After Rules" in plain_text(message)
    assert "Before Rules" not in plain_text(message)


def test_days_and_weeks_have_their_hour_and_one_mail(server: SmtpServer) -> None:
    noa = person()
    watch(noa, topic_id=first_topic().pk, how=Channel.MAIL_DAILY)
    watch(noa, query="quiet readers", how=Channel.MAIL_WEEKLY)
    rules()
    send()
    assert server.messages == []  # since it is watched the hour has not come
    day = timezone.now() - timedelta(days=1, minutes=1)
    Watcher.objects.update(daily_at=day)
    send()
    [daily] = server.messages
    assert plain_text(daily).count("* Quiet Rules") == 1
    send()
    assert len(server.messages) == 1
    Watcher.objects.update(weekly_at=timezone.now() - timedelta(days=8), daily_at=day)
    rules("More Rules")
    send()
    assert len(server.messages) == 2
    assert plain_text(server.messages[1]).count("* More Rules") == 1
    assert plain_text(server.messages[1]).count("* Quiet Rules") == 1


def test_nobody_is_mailed_of_what_they_may_not_see(server: SmtpServer) -> None:
    noa, dan, topic = person(), person("dan"), make_topic(name="Sealed")
    topic.open_to = OpenTo.MEMBERS
    topic.save()
    members = [join(who, topic.pk) for who in (noa, dan)]
    for who in (noa, dan):
        watch(who, topic_id=topic.pk, how=Channel.MAIL_NOW)
    rules("Sealed Rules", topic=topic)
    members[0].delete()
    send()
    assert [message["To"] for message in server.messages] == [dan.email]


def test_who_was_deactivated_or_has_no_address_is_not_mailed(server: SmtpServer) -> None:
    noa, dan = person(), person("dan")
    for who in (noa, dan):
        watch(who, topic_id=first_topic().pk, how=Channel.MAIL_NOW)
    User.objects.filter(pk=noa.pk).update(is_active=False)
    User.objects.filter(pk=dan.pk).update(email="")
    rules()
    assert send() == 0
    assert server.messages == []


def test_a_long_digest_says_how_much_it_leaves_out(server: SmtpServer) -> None:
    watch(person(), topic_id=first_topic().pk, how=Channel.MAIL_NOW)
    for number in range(23):
        add_document("1. Quiet\nReaders are quiet.", title=f"Rules {number}", kind="regulation")
    work()
    send()
    [message] = server.messages
    assert message["Subject"] == "23 pieces of news on what you watch"
    assert plain_text(message).count("* Rules") == 20
    assert "3 more on the page of your watches." in plain_text(message)


def test_a_title_breaks_no_mail(server: SmtpServer) -> None:
    watch(person(), topic_id=first_topic().pk, how=Channel.MAIL_NOW)
    rules("<script>alert(1)</script> & Rules\r\nBcc: all@acme.example")
    send()
    [message] = server.messages
    assert message["Bcc"] is None
    assert "&lt;script&gt;" in html(message)


def test_a_server_that_is_away_is_tried_again(server: SmtpServer, settings: Any) -> None:
    noa = person()
    watch(noa, topic_id=first_topic().pk, how=Channel.MAIL_NOW)
    rules()
    port, settings.EMAIL_PORT = settings.EMAIL_PORT, 9
    send()
    watcher = Watcher.objects.get()
    assert (watcher.failures, watcher.sending_id is None) == (1, False)
    settings.EMAIL_PORT = port
    assert send() == 0  # not at once
    Watcher.objects.update(held_until=Now() - timedelta(seconds=1))
    rules("Later Rules")
    send()
    send()
    first, second = server.messages
    assert ("Later Rules" in plain_text(first), "Later Rules" in plain_text(second)) == (False, True)
    assert Watcher.objects.get().failures == 0


def test_a_mailbox_that_is_refused_holds_up_nobody(server: SmtpServer) -> None:
    noa, dan = person(), person("dan")
    for who in (noa, dan):
        watch(who, topic_id=first_topic().pk, how=Channel.MAIL_NOW)
    server.refused.add(noa.email)
    rules()
    send()
    assert [message["To"] for message in server.messages] == [dan.email]
    assert Watcher.objects.get(person=noa).failures == 1


@pytest.mark.django_db(transaction=True)
def test_two_senders_send_one_mail_each(server: SmtpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    people = [person(f"p{number}") for number in range(6)]
    for who in people:
        watch(who, topic_id=first_topic().pk, how=Channel.MAIL_NOW)
    rules()
    settled()
    monkeypatch.setattr(Mails, "at_once", threading.BoundedSemaphore(2))

    def run() -> None:
        Mails.send()
        release()

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(message["To"] for message in server.messages) == sorted(who.email for who in people)
    assert server.sessions <= 2


def test_what_nobody_sends_is_found(server: SmtpServer) -> None:
    watch(person(), topic_id=first_topic().pk, how=Channel.MAIL_NOW)
    rules()
    assert list(integrity.find_unsent()) == []
    WatchEvent.objects.update(at=Now() - timedelta(hours=2))
    [finding] = integrity.find_unsent()
    assert finding.sentence == "Nobody has tried to send 1 mails for an hour."
    [watches, late, _webhooks] = metrics.read()
    assert [(one.labels, one.value) for one in watches.samples] == [({"how": "mail_now"}, 1)]
    assert late.samples[0].value == 1
    send()
    assert list(integrity.find_unsent()) == []


def test_without_a_mail_server_nothing_is_due(settings: Any) -> None:
    settings.EMAIL_URL = "memorymail://"
    watch(person(), topic_id=first_topic().pk, how=Channel.MAIL_NOW)
    rules()
    settings.EMAIL_URL = ""
    settled()
    assert (tasks.look_for_watch_mails(), tasks.send_watch_mails()) == (False, 0)


def test_a_server_that_hangs_up_loses_nothing(server: SmtpServer, monkeypatch: pytest.MonkeyPatch) -> None:
    watch(person(), topic_id=first_topic().pk, how=Channel.MAIL_NOW)
    rules()

    def hang_up(message: object) -> None:
        raise smtplib.SMTPServerDisconnected

    server.on_message = hang_up
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    send()
    server.on_message = lambda message: None
    Watcher.objects.update(held_until=Now() - timedelta(seconds=1))
    send()
    first, second = server.messages  # the server had it, and did not say so
    assert first["Message-ID"] == second["Message-ID"]
