"""`/topics/`: what lies in each topic, and that one is made and edited through the verbs."""

import pytest
from django.test import Client

from ingest.job_states import JobStatus
from kb_project.models import AuditEntry
from tests.factories import make_job, make_source, make_topic
from topics.edit import edit
from topics.models import MAX_ADDENDUM_LENGTH, Topic

pytestmark = pytest.mark.django_db
NASTY = 'ביטוח \u200f<b>"A&B\'s"</b>'


def test_list_counts_documents_and_jobs_that_wait_for_a_person(staff_client: Client) -> None:
    tax = make_topic(slug="tax", name=NASTY)
    make_source(topic=tax)
    make_source(topic=tax)
    for status in (JobStatus.AWAITING_REVIEW, JobStatus.AWAITING_REVIEW, JobStatus.AWAITING_REVIEW, JobStatus.QUEUED):
        make_job(topic=tax, status=status)
    page = staff_client.get("/topics/")
    assert [(row.slug, row.source_count, waiting) for row, waiting in page.context["rows"]] == [
        ("general", 0, 0),
        ("tax", 2, 3),
    ]
    shown = page.content.decode()
    for address in (f"/library/?topic={tax.pk}", f"/synonyms/?topic={tax.pk}", f"/topics/{tax.pk}/"):
        assert f'href="{address}"' in shown
    assert "<b>" not in shown


def test_a_topic_is_made_and_edited_through_the_verbs(staff_client: Client) -> None:
    made = staff_client.post("/topics/new/", {"name": "Tax", "slug": "tax", "system_prompt_addendum": ""})
    topic = Topic.objects.get(slug="tax")
    assert made["Location"] == f"/topics/{topic.pk}/"
    values = {"name": NASTY, "slug": "moved", "system_prompt_addendum": "Be brief."}
    page = staff_client.post(made["Location"], values, follow=True).content.decode()
    topic.refresh_from_db()
    assert (topic.name, topic.slug, topic.system_prompt_addendum) == (NASTY, "moved", "Be brief.")
    assert topic.slugs() == ["moved", "tax"]
    assert [entry.action for entry in AuditEntry.objects.order_by("id")] == ["topic.create", "topic.edit"]
    assert '<bdi class="chip">tax</bdi>' in page
    assert "Files stored before stay where they are" in page
    assert "<b>" not in page


@pytest.mark.parametrize("slug", ["../x", "a/b", "a b", "מס", ".", "", "x" * 51, "general"])
def test_a_slug_that_cannot_be_is_refused_where_it_was_typed(staff_client: Client, slug: str) -> None:
    """The last one is another topic's former slug."""
    edit(1, {"slug": "later"}, by="tests")
    answer = staff_client.post("/topics/new/", {"name": "Bad", "slug": slug})
    assert answer.status_code == 400
    assert 'id="id_slug_error"' in answer.content.decode()
    assert ("once had this slug" in answer.content.decode()) is (slug == "general")
    assert not Topic.objects.filter(name="Bad").exists()


def test_what_is_refused_changes_nothing_of_what_the_page_says(staff_client: Client) -> None:
    long = {"name": "Other", "slug": "general", "system_prompt_addendum": "x" * (MAX_ADDENDUM_LENGTH + 1)}
    answer = staff_client.post("/topics/1/", long)
    assert (answer.status_code, answer.context["topic"].name) == (400, "General")
    assert 'id="id_system_prompt_addendum_error"' in answer.content.decode()
    assert staff_client.get("/topics/999999/").status_code == 404


def test_a_reviewer_does_not_come_in(reviewer_client: Client) -> None:
    for path in ("/topics/", "/topics/new/", "/topics/1/"):
        assert reviewer_client.get(path).status_code == 403
        assert reviewer_client.post(path, {"name": "x", "slug": "x"}).status_code in (403, 405)
    assert [topic.slug for topic in Topic.objects.all()] == ["general"]
