"""What the screen of a job says of the versions before it, and of a document that it says it replaces."""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ingest.models import Job
from ingest.review.bulk import confirm_unchanged
from sources import work_versions
from sources.models import Source
from tests.factories import decision_of, make_topic
from tests.ingest.review.screens.test_job import form_of, url_of
from tests.search.corpus import add_document

MakeWaiting = Callable[..., Job]


@pytest.fixture
def here(db: None) -> Source:
    return add_document("אגרות.", title="חוזר <b>אגרות", kind="circular", identifier="חוזר 5/2029")


@pytest.fixture
def make_replacing(make_waiting: MakeWaiting) -> MakeWaiting:
    def make(*, replaced: bool = True, **proposed: Any) -> Job:
        job = make_waiting()
        words = "חוזר זה מחליף את חוזר 5/2029"
        clause = {"named": "חוזר 5/2029", "replaced": replaced, "day": None, "page": 4, "quote": words}
        job.ai_suggestions |= {"kind": "circular", "valid_from": "2031-05-01", "ends": [clause], **proposed}
        job.save()
        return job

    return make


def foreseen(client: Client, job: Job, **values: str) -> str:
    return client.get(reverse("review-job-days", args=[job.batch_id, job.pk]), values).content.decode()


def test_a_new_version_is_proposed_with_the_words_that_say_so(
    staff_client: Client, here: Source, make_replacing: MakeWaiting
) -> None:
    job = make_replacing()
    page = staff_client.get(url_of(job)).content.decode()
    assert f'value="version_of:{here.pk}" checked' in page
    assert f'data-proposed="version_of:{here.pk}"' in page
    assert "חוזר זה מחליף את חוזר 5/2029" in page
    assert "“\u2068חוזר &lt;b&gt;אגרות\u2069” is then in force until 30 Apr 2031." in page
    sent = form_of(job, similar=f"version_of:{here.pk}", valid_from="2031-05-01")
    assert staff_client.post(url_of(job), sent).status_code == 302
    assert decision_of(Job.objects.get(pk=job.pk))["version_of"] == here.pk
    here.refresh_from_db()
    assert here.valid_to is None  # not before the new version is indexed


def test_what_replaces_another_is_not_confirmed_with_many(here: Source, make_replacing: MakeWaiting) -> None:
    replacing, repealing = make_replacing(), make_replacing(replaced=False)
    result = confirm_unchanged([replacing, repealing], also_labels=(), by="dana")
    assert result.done == 1
    assert [one.why for one in result.skipped] == [
        "It says that it replaces a document that is here: decide it on its own page."
    ]


def test_a_repeal_is_a_hint_and_nothing_is_chosen(
    staff_client: Client, here: Source, make_replacing: MakeWaiting
) -> None:
    job = make_replacing(replaced=False)
    page = staff_client.get(url_of(job)).content.decode()
    assert reverse("library-source", args=[here.pk]) in page
    assert "it would then be in force until 30 Apr 2031" in page
    assert 'name="similar"' not in page
    assert staff_client.post(url_of(job), form_of(job)).status_code == 302
    assert "version_of" not in decision_of(Job.objects.get(pk=job.pk))


def test_what_a_choice_leads_to_is_told_and_nothing_is_stored(
    staff_client: Client, here: Source, make_waiting: MakeWaiting
) -> None:
    job, chosen = make_waiting(), f"version_of:{here.pk}"
    assert "until 30 Apr 2031" in foreseen(staff_client, job, similar=chosen, valid_from="2031-05-01")
    assert "It is not known when" in foreseen(staff_client, job, similar=chosen)
    Source.objects.filter(pk=here.pk).update(valid_from="2029-01-01", valid_to="2030-01-01")
    stays = foreseen(staff_client, job, similar=chosen, valid_from="2031-05-01")
    assert "stay as they are" in stays
    met = foreseen(staff_client, job, similar=chosen, valid_from="2029-05-01", valid_to="2029-06-01")
    assert 'class="error"' in met
    assert "is in force on some of these days" in met
    before = foreseen(staff_client, job, similar=chosen, valid_from="2028-05-01")
    assert "until 31 Dec 2028: the next one begins the day after" in before
    here.refresh_from_db()
    assert (here.valid_from, here.valid_to) == (dt.date(2029, 1, 1), dt.date(2030, 1, 1))


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"similar": "another"},
        {"similar": "replaces:1"},
        {"similar": "version_of:99999999999999999"},
        {"similar": "version_of:x"},
        {"similar": "HERE", "valid_from": "2031-02-31"},
        {"similar": "HERE", "valid_from": "tomorrow"},
        {"similar": "HERE", "valid_from": "2031-05-01", "valid_to": "2030-05-01"},
    ],
)
def test_of_other_values_nothing_is_foreseen(
    values: dict[str, str], staff_client: Client, here: Source, make_waiting: MakeWaiting
) -> None:
    sent = {name: text.replace("HERE", f"version_of:{here.pk}") for name, text in values.items()}
    assert foreseen(staff_client, make_waiting(), **sent).strip() == ""


def test_a_source_of_another_topic_is_not_told_of(staff_client: Client, make_waiting: MakeWaiting) -> None:
    elsewhere = add_document("x", topic=make_topic(), title="secret")
    assert foreseen(staff_client, make_waiting(), similar=f"version_of:{elsewhere.pk}").strip() == ""


def test_strangers_are_sent_to_the_login_page(client: Client, make_waiting: MakeWaiting) -> None:
    job = make_waiting()
    address = reverse("review-job-days", args=[job.batch_id, job.pk])
    assert client.get(address).headers["Location"].startswith("/sign-in/")


def test_foreseeing_gives_the_days_of_all(here: Source) -> None:
    later = work_versions.Period(dt.date(2031, 5, 1))
    fitted, changed = work_versions.preview(here.work_id, later)
    assert fitted == later
    assert [(one.pk, days.end) for one, days in changed] == [(here.pk, dt.date(2031, 5, 1))]
