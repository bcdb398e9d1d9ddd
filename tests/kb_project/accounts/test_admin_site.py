"""Django's admin as a whole: its pages in both languages, its way in and out, and what each role finds there."""

import re

import pytest
from django.contrib import admin
from django.contrib.admin.templatetags.admin_list import result_headers
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import reverse
from django.utils import translation

from kb_project.configuration.roles import MANAGER, REVIEWER
from tests.factories import make_staff

pytestmark = pytest.mark.django_db


def listed(client: Client) -> set[str]:
    apps = client.get(reverse("admin:index")).context["app_list"]
    return {model["object_name"] for app in apps for model in app["models"]}


@pytest.mark.parametrize("language", ["en", "he"])
def test_every_list_and_every_form_opens_in_both_languages(client: Client, language: str) -> None:
    client.force_login(make_staff("root", is_superuser=True))
    for model, model_admin in admin.site._registry.items():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        response = client.get(reverse(f"{name}_changelist"), headers={"Accept-Language": language})
        assert response.status_code == 200, name
        assert f'dir="{"rtl" if language == "he" else "ltr"}"' in response.content.decode()
        if model_admin.has_add_permission(response.wsgi_request):
            assert client.get(reverse(f"{name}_add"), headers={"Accept-Language": language}).status_code == 200


def test_names_of_models_and_columns_are_hebrew_in_hebrew(client: Client) -> None:
    client.force_login(make_staff("root", is_superuser=True))
    for model in admin.site._registry:
        url = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        with translation.override("he"):
            changelist = client.get(url, headers={"Accept-Language": "he"}).context["cl"]
            headings = [str(heading["text"]) for heading in result_headers(changelist)]
        shown = [heading for heading in headings if "checkbox" not in heading]
        assert [heading for heading in shown if heading.isascii() and heading != "ID"] == [], model
    index = client.get(reverse("admin:index"), headers={"Accept-Language": "he"}).context["app_list"]
    titles = [str(app["name"]) for app in index] + [str(model["name"]) for app in index for model in app["models"]]
    assert [title for title in titles if title.isascii()] == []


def test_each_role_finds_what_it_may_see(client: Client) -> None:
    client.force_login(make_staff("ruth", role=REVIEWER))
    seen = listed(client)
    assert {"Source", "Job", "Label", "Chunk"} <= seen
    assert not seen & {"AuditEntry", "Group", "Identity", "FileDeletion", "EmbeddingSpace"}
    client.force_login(make_staff("miri", role=MANAGER))
    assert "AuditEntry" in listed(client)
    assert not listed(client) & {"Group", "Identity", "FileDeletion", "EmbeddingSpace"}
    client.force_login(make_staff("root", is_superuser=True))
    assert {"Group", "Identity", "FileDeletion", "EmbeddingSpace"} <= listed(client)
    assert not listed(client) & {"User", "Topic", "ApiKey"}  # they have screens of the house
    client.force_login(make_staff("new", role=None))
    assert listed(client) == set()


def test_the_admin_s_way_in_and_out_is_that_of_all_screens(client: Client) -> None:
    make_staff("ruth")
    page = client.get("/admin/", follow=True)
    assert page.templates[0].name == "accounts/sign_in.html"
    entered = client.post("/admin/login/?next=/admin/", {"username": "ruth", "password": "x"})
    assert entered["Location"] == "/admin/"
    assert client.get("/admin/login/?next=/labels/")["Location"] == "/labels/"
    assert client.get("/admin/password_change/").templates[0].name == "accounts/password.html"
    assert client.post("/admin/logout/")["Location"] == "/signed-out/"


def test_admin_is_called_by_our_name_and_leads_to_the_review(staff_client: Client) -> None:
    page = staff_client.get(reverse("admin:index")).content.decode()
    assert "Legal knowledge base" in page
    assert 'href="/review/"' in page
    assert "Django administration" not in page
    assert ">Sign out</button>" in page
    assert "Log out" not in page


def test_whoever_signs_out_is_out(staff_client: Client) -> None:
    page = staff_client.get("/review/").content.decode()
    assert 'action="/sign-out/"' in page
    assert "<bdi>dana</bdi>" in page
    assert staff_client.get("/sign-out/").status_code == 405
    staff_client.post("/sign-out/")
    assert staff_client.get("/review/").status_code == 302


def test_the_header_leads_only_where_one_may_go(client: Client) -> None:
    def ways(user: User) -> set[str]:
        client.force_login(user)
        page = client.get("/password/").content.decode()
        assert 'action="/sign-out/"' in page
        return set(re.findall(r'href="(/[a-z/]*)"', page[page.index("<nav") : page.index("</nav>")]))

    for_everybody = {"/documents/", "/changes/", "/check/", "/notebooks/", "/radar/", "/tables/", "/surveys/"}
    for_staff = for_everybody | {"/admin/"}
    of_reviewers = {"/review/", "/library/", "/labels/", "/synonyms/", "/evaluation/"}
    of_managers = {"/topics/", "/people/", "/audit/", "/keys/", "/webhooks/", "/insights/", "/status/"}
    assert ways(make_staff("guest", role=None, is_staff=False)) == for_everybody
    assert ways(make_staff("new", role=None)) == for_staff
    assert ways(make_staff("ruth", role=REVIEWER)) == for_staff | of_reviewers
    assert ways(make_staff("miri", role=MANAGER)) == for_staff | of_reviewers | of_managers


def test_no_address_leads_to_the_page_of_any_row(client: Client) -> None:
    """Django's own fails where a row's id is a UUID and the address has a number."""
    client.force_login(make_staff("root", is_superuser=True))
    for content_type in ContentType.objects.all():
        assert client.get(f"/admin/r/{content_type.pk}/1/").status_code == 404, content_type


def test_a_list_is_headed_by_what_is_listed_or_chosen(client: Client) -> None:
    client.force_login(make_staff("root", is_superuser=True))
    url = reverse("admin:labels_label_changelist")
    assert "<h1>Labels</h1>" in client.get(url).content.decode()
    assert "<h1>Select label" in client.get(f"{url}?_popup=1").content.decode()
