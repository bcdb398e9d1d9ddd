"""Sign-in with the organisation, against a provider that is a process of its own (`site.py`)."""

import datetime as dt
import re
from html import unescape
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from authlib.integrations.httpx_client import OAuth2Client
from django.contrib.auth.models import Group, User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.utils import timezone

from kb_project.accounts.oidc import openid, people, provider
from kb_project.models import AuditEntry, Identity
from tests.factories import make_staff
from tests.kb_project.accounts.oidc.acme import GROUPS, Acme
from topics import edit
from topics.models import OpenTo, TopicMember, TopicRole

pytestmark = pytest.mark.django_db


def roles(user: User) -> list[str]:
    return sorted(user.groups.values_list("name", flat=True))


def test_a_person_enters_with_the_roles_of_their_groups(acme: Acme, client: Client) -> None:
    begun = client.get("/sign-in/organisation/?next=/review/upload/")
    asked = parse_qs(urlsplit(begun["Location"]).query)
    assert asked["code_challenge_method"] == ["S256"]
    assert asked["scope"] == ["openid profile email"]
    assert min(len(asked[name][0]) for name in ("state", "nonce", "code_challenge")) >= 20
    entered = acme.enter(client, next="/review/upload/")
    assert entered["Location"] == "/review/upload/"
    assert client.get("/review/upload/").status_code == 200
    noa = User.objects.get(username="noa")
    assert (noa.is_staff, noa.is_superuser, noa.email, roles(noa)) == (True, False, "noa@acme.example", ["reviewer"])
    assert not noa.has_usable_password()
    assert Identity.objects.get(user=noa).subject == "sub-of-noa"
    made = AuditEntry.objects.get(action="user.create")
    assert (made.by, made.after["groups"]) == (acme.issuer, ["reviewer"])

    acme.set(people={"noa": {**GROUPS, "preferred_username": "noa2", "groups": ["legal", "CN=Leads,OU=Legal", "x"]}})
    acme.enter(Client())
    noa.refresh_from_db()
    assert (noa.username, roles(noa)) == ("noa", ["manager", "reviewer"])  # of both groups, and still the same account

    acme.set(people={"noa": {**GROUPS, "groups": ["operators"]}})
    acme.enter(Client())
    noa.refresh_from_db()
    assert (noa.is_superuser, roles(noa)) == (True, [])


def test_groups_of_the_organisation_open_topics(acme: Acme, client: Client, settings: Any) -> None:
    settings.KB_OIDC_TOPIC_GROUPS = "tax-dept=Tax;it-dept=Systems"
    tax = edit.create(name="Tax", slug="tax", by="test")
    edit.edit(tax.pk, {"open_to": OpenTo.MEMBERS}, by="test")
    group = Group.objects.create(name="Tax")
    TopicMember.objects.create(topic=tax, group=group, role=TopicRole.REVIEWER)

    def seen(browser: Client) -> tuple[bool, int]:
        listed = [topic["slug"] for topic in browser.get("/kb/topics").json()["results"]]
        return "tax" in listed, browser.get("/library/", {"topic": tax.pk}).status_code

    acme.set(people={"noa": {**GROUPS, "groups": ["tax-dept", "others"]}})
    assert acme.enter(client).status_code == 302  # no role of staff, but a topic
    noa = User.objects.get(username="noa")
    assert (noa.is_staff, roles(noa)) == (False, ["Tax"])
    assert seen(client) == (True, 200)
    assert AuditEntry.objects.get(action="user.create").after["groups"] == ["Tax"]

    acme.set(people={"noa": {**GROUPS, "groups": ["it-dept", "legal"]}})
    other = Client()
    acme.enter(other)
    assert roles(noa) == ["Systems", "reviewer"]  # made where there was none
    noa.groups.remove(Group.objects.get(name="reviewer"))
    assert seen(client) == (False, 403)  # the session that was open sees no more of it

    acme.set(people={"noa": {**GROUPS, "groups": ["others"]}})
    assert acme.enter(Client()).status_code == 403
    assert roles(noa) == []
    assert TopicMember.objects.get().group == group  # the group keeps the topic for others


@pytest.mark.django_db(transaction=True)
def test_no_connection_is_held_while_the_provider_answers(
    acme: Acme, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, send = list[bool](), OAuth2Client.send

    def watched(self: OAuth2Client, *args: Any, **options: Any) -> Any:
        held.append(connection.connection is not None)
        return send(self, *args, **options)

    monkeypatch.setattr(OAuth2Client, "send", watched)
    connection.ensure_connection()
    assert acme.enter(client).status_code == 302
    client.post("/sign-out/")
    assert len(held) > 2
    assert not any(held)


def test_who_loses_their_groups_loses_their_roles_and_does_not_enter(acme: Acme, client: Client) -> None:
    acme.enter(client)
    assert client.get("/review/").status_code == 200
    for groups in ([], ["others"], "legal-but-not-quite", None, {"legal": 1}, [["legal"]]):
        acme.set(people={"noa": {**GROUPS, "groups": groups}})
        refused = acme.enter(Client())
        assert refused.status_code == 403
        assert "You are in no group that may work here" in refused.content.decode()
    told = AuditEntry.objects.filter(object_type="user", after__way="organisation").order_by("pk")
    assert [(entry.action, entry.by) for entry in told] == [("user.sign_in", "noa"), *[("user.refuse", "-")] * 6]
    noa = User.objects.get(username="noa")
    assert (noa.is_staff, noa.is_superuser, roles(noa)) == (False, False, [])
    assert client.get("/review/").status_code == 403  # the session that was open holds no role either
    acme.set(people={"dan": {**GROUPS, "preferred_username": "dan", "groups": ["others"]}})
    assert acme.enter(Client(), "dan").status_code == 403
    assert not User.objects.filter(username="dan").exists()

    acme.reset("http://testserver")
    assert acme.enter(Client()).status_code == 302  # back in the group
    User.objects.update(is_active=False)
    assert "deactivated" in acme.enter(Client()).content.decode()
    assert not User.objects.get(username="noa").is_active


def test_a_session_has_an_end_that_nothing_moves_on(acme: Acme, client: Client, settings: Any) -> None:
    settings.KB_SESSION_IDLE_MINUTES = 0  # with it the row ends earlier, and moves on up to this end
    acme.enter(client)
    session = client.session
    ends = session.get_expiry_date()
    assert timedelta_near(ends - timezone.now(), hours=12)
    session["anything"] = 1
    session.save()
    assert abs(client.session.get_expiry_date() - ends) < dt.timedelta(seconds=60)
    assert abs(Session.objects.get(pk=session.session_key).expire_date - ends) < dt.timedelta(seconds=60)


def timedelta_near(length: dt.timedelta, *, hours: int) -> bool:
    return abs(length - dt.timedelta(hours=hours)) < dt.timedelta(minutes=1)


def test_who_the_provider_knows_from_before_shows_who_they_are_again(acme: Acme, client: Client) -> None:
    for tamper in ("known_for_long", "known_for_long_to_a_fraction", "time_in_words", "no_auth_time"):
        acme.set(tamper=tamper)
        acme.enter(client)
        asked = client.get(client.get("/account/keys/new/")["Location"]).content.decode()
        again = re.search(r'href="(/sign-in/organisation/[^"]+)"', asked)
        assert again
        begun = client.get(unescape(again[1]))
        said = parse_qs(urlsplit(begun["Location"]).query)
        assert (said["prompt"], said["max_age"]) == (["login"], ["900"])
        acme.enter(client, again="1")
        may = tamper == "no_auth_time"  # it was asked, and does not say
        assert client.get("/account/keys/new/").status_code == (200 if may else 302), tamper
    for tamper in ("", "just_now_to_a_fraction"):
        acme.set(tamper=tamper)
        acme.enter(client)
        assert client.get("/account/keys/new/").status_code == 200


def test_an_account_is_never_found_by_its_name_or_its_address(acme: Acme, client: Client) -> None:
    mine = make_staff("noa", email="noa@acme.example")
    acme.enter(client)
    other = Identity.objects.get().user
    assert (other.pk != mine.pk, other.username) == (True, "noa-2")
    acme.set(people={"noa": {**GROUPS, "email_verified": False, "email": "boss@acme.example"}})
    acme.enter(client)
    other.refresh_from_db()
    assert other.email == "noa@acme.example"  # what is not verified is not taken over


def test_only_verified_addresses_of_allowed_domains_are_admitted(
    acme: Acme, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.KB_OIDC_ALLOWED_DOMAINS = ["Acme.example"]
    acme.set(userinfo_only=["email", "email_verified"])
    assert acme.enter(Client()).status_code == 302
    for wrong, sentence, logged in (
        ({"email": "noa@elsewhere.example"}, "address is not admitted", "KB_OIDC_ALLOWED_DOMAINS"),
        ({"email": None}, "address is not admitted", "KB_OIDC_ALLOWED_DOMAINS"),
        ({"email_verified": False}, "does not say that your e-mail address is verified", "email_verified"),
        ({"email": "a@b@acme.example"}, "does not say that your e-mail address is verified", "email_verified"),
    ):
        acme.set(people={"noa": {**GROUPS, **wrong}})
        assert sentence in acme.enter(Client()).content.decode()
        assert logged in caplog.text
        caplog.clear()


def test_groups_of_the_userinfo_endpoint_count_for_one_person(acme: Acme) -> None:
    acme.set(userinfo_only=["groups"])
    assert acme.enter(Client()).status_code == 302
    acme.set(tamper="userinfo")
    assert acme.enter(Client()).status_code == 502


def test_an_answer_counts_once_and_in_the_browser_that_began(acme: Acme, client: Client) -> None:
    answer = acme.answer_for(client)
    assert Client().get(answer).status_code == 400
    state = parse_qs(urlsplit(answer).query)["state"][0]
    for query in ("", "?code=x", f"?code={'x' * 9000}&state=nothing", "?error=access_denied"):
        assert client.get(f"/sign-in/organisation/return/{query}").status_code == 400
    assert client.get(answer).status_code == 302
    assert client.get(answer).status_code == 400
    began = client.get("/sign-in/organisation/")
    state = parse_qs(urlsplit(began["Location"]).query)["state"][0]
    denied = client.get("/sign-in/organisation/return/", {"error": "access_denied", "state": state})
    assert (denied.status_code, "did not let you" in denied.content.decode()) == (403, True)
    for _ in range(9):
        client.get("/sign-in/organisation/")
    assert len(client.session["oidc_begun"]) == 5


def test_nobody_is_led_to_another_site(acme: Acme, client: Client) -> None:
    for url in ("https://evil.example/", "//evil.example", "javascript:alert(1)", "/sign-in/?next=/sign-in/"):
        assert acme.enter(client, next=url)["Location"] == "/"
        client.post("/sign-out/")


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 500},
        {"content": "<html>please wait</html>"},
        {"content": "[]"},
        {"content": '{"issuer": "https://elsewhere.example"}'},
        {"status": 302, "headers": {"Location": "/o/.well-known/openid-configuration"}},
        {"content": "x" * 1024, "times": 1024},
    ],
)
def test_a_nonsensical_provider_is_told_and_passwords_work(acme: Acme, client: Client, answer: dict[str, Any]) -> None:
    make_staff("dana")
    acme.set(answers={"/o/.well-known/openid-configuration": answer})
    page = client.get("/sign-in/organisation/?next=/review/")
    assert page.status_code == 502
    assert "does not work at the moment" in page.content.decode()
    assert 'value="/review/"' in page.content.decode()
    entered = client.post("/sign-in/", {"username": "dana", "password": "x", "next": "/review/"})
    assert entered["Location"] == "/review/"


def test_an_absent_or_slow_provider_is_not_waited_for(
    acme: Acme, client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.KB_OIDC_ISSUER = "http://127.0.0.1:1"
    assert client.get("/sign-in/organisation/").status_code == 502
    settings.KB_OIDC_ISSUER = acme.issuer
    acme.set(answers={"/o/.well-known/openid-configuration": {"sleep_s": 2}})
    with monkeypatch.context() as impatient:  # whose answers below may take as long as they do elsewhere
        impatient.setattr(openid, "WITHIN_S", 0.3)
        assert client.get("/sign-in/organisation/").status_code == 502
    acme.set(answers={})
    answer = acme.answer_for(client)
    acme.set(answers={"/o/token/": {"content": "nonsense"}})
    assert client.get(answer).status_code == 502


def test_signing_out_leads_on_to_the_provider(acme: Acme, client: Client) -> None:
    acme.enter(client)
    left = client.post("/sign-out/")
    assert left["Clear-Site-Data"] == '"storage"'
    page = left.content.decode()
    assert f'content="0; url={acme.issuer}/logout/?id_token_hint=' in page
    assert client.get("/review/").status_code == 302
    acme.enter(client)
    said = provider.provider().server_metadata
    said.pop("end_session_endpoint")
    assert client.post("/sign-out/")["Location"] == "/signed-out/"
    provider._made.cache_clear()
    acme.enter(client)
    provider._made.cache_clear()
    acme.set(answers={"/o/.well-known/openid-configuration": {"status": 500}})
    assert client.post("/sign-out/")["Location"] == "/signed-out/"


def test_without_local_accounts_no_password_opens_anything(acme: Acme, client: Client, settings: Any) -> None:
    make_staff("dana")
    settings.KB_OIDC_LOCAL_ACCOUNTS = False
    page = client.get("/sign-in/").content.decode()
    assert "Sign in with <bdi>Acme</bdi>" in page
    assert 'type="password"' not in page
    for path in ("/sign-in/", "/admin/login/"):
        assert client.post(path, {"username": "dana", "password": "x"}).status_code == 403
    client.force_login(User.objects.get(username="dana"))
    for path in ("/password/", "/password/forgotten/", "/password/new/MQ/abc/"):
        assert client.get(path).status_code == 403
    assert acme.enter(Client()).status_code == 302


def test_nothing_is_offered_that_is_not_set(client: Client) -> None:
    assert "organisation" not in client.get("/sign-in/").content.decode()
    assert client.get("/sign-in/organisation/").status_code == 404
    assert client.get("/sign-in/organisation/return/").status_code == 404


def test_names_that_no_account_can_have_are_made_fit(acme: Acme) -> None:
    for said, name in (("ACME\\noa levi", "ACME-noa-levi"), ("נעה", "נעה"), ("x" * 500, "x" * 120), ("\0", "s")):
        assert people._free_name({"preferred_username": said, "sub": "s"}) == name
    make_staff("Noa")
    assert people._free_name({"email": "noa", "sub": "s"}) == "noa-2"


def test_groups_that_are_too_many_to_send_are_not_none(
    acme: Acme, client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    acme.enter(client)
    elsewhere = {name: value for name, value in GROUPS.items() if name != "groups"}
    acme.set(people={"noa": {**elsewhere, "_claim_names": {"groups": "src1"}, "_claim_sources": {"src1": {}}}})
    refused = acme.enter(Client())
    assert refused.status_code == 403
    assert "more groups than" in refused.content.decode()
    assert "too many groups for a token" in caplog.text
    assert roles(User.objects.get(username="noa")) == ["reviewer"]
    assert client.get("/review/").status_code == 200


def test_an_address_that_is_verified_in_a_word_is_verified(acme: Acme, settings: Any) -> None:
    settings.KB_OIDC_ALLOWED_DOMAINS = ["acme.example"]
    for said, status in (("true", 302), ("false", 403), (None, 403)):
        acme.set(people={"noa": {**GROUPS, "email_verified": said}})
        assert acme.enter(Client()).status_code == status


def test_the_provider_s_own_reason_is_said(acme: Acme, client: Client, caplog: pytest.LogCaptureFixture) -> None:
    begun = client.get("/sign-in/organisation/")
    state = parse_qs(urlsplit(begun["Location"]).query)["state"][0]
    given = {"state": state, "error": "access_denied", "error_description": "No licence <b>here</b>"}
    page = client.get("/sign-in/organisation/return/", given)
    assert page.status_code == 403
    assert "access_denied: No licence &lt;b&gt;here&lt;/b&gt;" in page.content.decode()
    assert "No licence" in caplog.text
