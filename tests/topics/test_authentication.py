"""API keys and sessions: who gets in, as whom, and who is turned away with which status."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from rest_framework.test import APIClient

from tests.factories import make_staff
from tests.topics.keys import authorization, client_with_key
from topics.keys import issue_key
from topics.models import ApiKey, Topic

pytestmark = [pytest.mark.urls("tests.kb_project.api.probes"), pytest.mark.django_db]
STAFF, PUBLIC = "/admin/kb/staff", "/kb/topics"


def status(client: APIClient, path: str) -> int:
    return int(client.get(path).status_code)


def client_with_header(value: str) -> APIClient:
    return APIClient(HTTP_AUTHORIZATION=value)


def make_user(*, is_staff: bool = False) -> User:
    return make_staff("someone") if is_staff else User.objects.create_user("someone")


def logged_in(*, is_staff: bool = False) -> APIClient:
    client = APIClient()
    client.force_login(make_user(is_staff=is_staff))
    return client


def revoked() -> APIClient:
    client = client_with_key(admin=True)
    ApiKey.objects.update(revoked_at=timezone.now())
    return client


def inactive() -> APIClient:
    client = logged_in(is_staff=True)
    User.objects.update(is_active=False)
    return client


def pinned(*, admin: bool = False) -> APIClient:
    return client_with_key(admin=admin, topic=Topic.objects.create(name="Pinned", slug="pinned"))


CALLERS = {
    "nobody": APIClient,
    "admin key": lambda: client_with_key(admin=True),
    "plain key": client_with_key,
    "pinned admin key": lambda: pinned(admin=True),
    "pinned plain key": pinned,
    "expired key": lambda: client_with_key(admin=True, expires_at=timezone.now() - timedelta(seconds=1)),
    "revoked key": revoked,
    "false key": lambda: client_with_header("Api-Key aaaaaaaa." + "a" * 32),
    "staff session": lambda: logged_in(is_staff=True),
    "reader's session": logged_in,
    "session of an inactive account": inactive,
    "another scheme": lambda: client_with_header("Bearer something"),
}


@pytest.mark.parametrize(
    ("caller", "staff", "public", "public_with_key"),
    [
        ("nobody", 401, 200, 401),
        ("admin key", 200, 200, 200),
        ("plain key", 403, 200, 200),
        ("pinned admin key", 200, 200, 200),
        ("pinned plain key", 403, 200, 200),
        ("expired key", 401, 401, 401),
        ("revoked key", 401, 401, 401),
        ("false key", 401, 401, 401),
        ("staff session", 200, 200, 200),
        ("reader's session", 403, 200, 200),
        ("session of an inactive account", 401, 200, 401),
        ("another scheme", 401, 200, 401),
    ],
)
def test_each_caller_gets_in_where_it_may(
    caller: str, staff: int, public: int, public_with_key: int, settings: Any
) -> None:
    client = CALLERS[caller]()
    assert (status(client, STAFF), status(client, PUBLIC)) == (staff, public)
    settings.KB_PUBLIC_REQUIRES_KEY = True
    assert status(client, PUBLIC) == public_with_key


def test_a_key_that_expires_later_opens_until_then() -> None:
    assert status(client_with_key(admin=True, expires_at=timezone.now() + timedelta(minutes=1)), STAFF) == 200


def test_a_false_secret_behind_a_real_prefix_is_refused() -> None:
    key, plaintext = issue_key(name="real", admin=True, by="tests")
    other = "b" * 32 if plaintext.endswith("a") else "a" * 32
    assert status(client_with_header(f"Api-Key {key.prefix}.{other}"), STAFF) == 401


@pytest.mark.parametrize(
    "value",
    [
        "Api-Key",
        "Api-Key ",
        "Api-Key x",
        "Api-Key " + "a" * 41,
        "Api-Key aaaaaaaa." + "a" * 33,
        "Api-Key aaaaaaaa." + "a" * 31 + "\n",
        "Api-Key aaaaaaa-." + "a" * 32,
        "Api-Key אבגדהוזח." + "a" * 32,
        "Api-Key \xff\xfe",
        "Api-Key aaaaaaaa\0." + "a" * 32,
        "Api-Key aaaaaaaa." + "a" * 32 + " more",
        "Api-Key " + "a" * 20_000,
    ],
)
def test_a_malformed_key_is_refused_everywhere(value: str) -> None:
    for path in (STAFF, PUBLIC):
        response = client_with_header(value).get(path)
        assert response.status_code == 401
        assert response.json()["code"] == "not_authenticated"
        assert response["WWW-Authenticate"] == 'Api-Key realm="kb"'


def test_the_scheme_may_be_written_in_any_case() -> None:
    _key, plaintext = issue_key(name="real", admin=True, by="tests")
    assert status(client_with_header(f"api-key  {plaintext}"), STAFF) == 200


def test_a_key_goes_before_a_session() -> None:
    client = logged_in(is_staff=True)
    client.credentials(**authorization("aaaaaaaa." + "a" * 32))
    assert status(client, STAFF) == 401


def test_a_key_needs_no_csrf_token_and_a_session_does() -> None:
    _key, plaintext = issue_key(name="real", admin=True, by="tests")
    with_key = APIClient(enforce_csrf_checks=True)
    with_key.credentials(**authorization(plaintext))
    assert with_key.post(STAFF).status_code == 200
    with_session = APIClient(enforce_csrf_checks=True)
    with_session.force_login(make_user(is_staff=True))
    assert with_session.post(STAFF).status_code == 403
    with_session.get("/admin/kb/staff")
    token = "a" * 32
    with_session.cookies["csrftoken"] = token
    assert with_session.post(STAFF, headers={"x-csrftoken": token}).status_code == 200


def test_the_caller_behind_a_key_is_named_after_it() -> None:
    assert client_with_key(name="nightly import", admin=True).get(STAFF).json() == {"user": "Api-Key nightly import"}


def test_use_of_a_key_is_noted_at_most_once_a_minute() -> None:
    client = client_with_key()
    status(client, PUBLIC)
    first = ApiKey.objects.get().last_used_at
    assert first is not None
    status(client, PUBLIC)
    assert ApiKey.objects.get().last_used_at == first
    ApiKey.objects.update(last_used_at=first - timedelta(seconds=61))
    status(client, PUBLIC)
    assert (ApiKey.objects.get().last_used_at or first) >= first


def test_a_refused_key_leaves_no_trace_of_use() -> None:
    client = client_with_key(expires_at=timezone.now() - timedelta(days=1))
    status(client, PUBLIC)
    assert ApiKey.objects.get().last_used_at is None


def test_a_key_dies_with_the_topic_it_is_pinned_to() -> None:
    topic = Topic.objects.create(name="Gone", slug="gone")
    client = client_with_key(topic=topic)
    topic.delete()
    assert status(client, PUBLIC) == 401
