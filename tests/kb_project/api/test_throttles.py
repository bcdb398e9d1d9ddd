"""A client that asks too often is told to wait, and for how long; others are not."""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from rest_framework.test import APIClient

from kb_project.api.rates import parse_rate
from tests.topics.keys import client_with_key

pytestmark = [pytest.mark.urls("tests.kb_project.api.probes"), pytest.mark.django_db]


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    cache.clear()


def set_rates(settings: Any, **rates: str) -> None:
    unlimited = {"anon": "", "search": "", "ask": ""}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {**unlimited, **rates}}


def statuses(client: APIClient, path: str, times: int, **extra: Any) -> list[int]:
    return [client.get(path, **extra).status_code for _ in range(times)]


def test_request_after_last_allowed_one_is_429_with_retry_after(settings: Any) -> None:
    set_rates(settings, anon="3/day")
    assert statuses(APIClient(), "/kb/throttled", 4) == [200, 200, 200, 429]
    response = APIClient().get("/kb/throttled")
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "throttled"
    assert 1 <= int(response["Retry-After"]) <= 2 * 86400


def test_another_address_is_another_client(settings: Any) -> None:
    set_rates(settings, anon="1/day")
    assert statuses(APIClient(), "/kb/throttled", 2, REMOTE_ADDR="192.0.2.1") == [200, 429]
    assert statuses(APIClient(), "/kb/throttled", 2, REMOTE_ADDR="192.0.2.2") == [200, 429]


def test_an_address_that_the_client_claims_makes_no_new_client(settings: Any) -> None:
    set_rates(settings, anon="1/day")
    client = APIClient()
    assert client.get("/kb/throttled", headers={"x-forwarded-for": "198.51.100.1"}).status_code == 200
    assert client.get("/kb/throttled", headers={"x-forwarded-for": "198.51.100.2"}).status_code == 429


def test_a_key_is_one_client_from_every_address(settings: Any) -> None:
    set_rates(settings, anon="1/day")
    first, second = client_with_key(), client_with_key()
    assert first.get("/kb/throttled", REMOTE_ADDR="192.0.2.1").status_code == 200
    assert first.get("/kb/throttled", REMOTE_ADDR="192.0.2.2").status_code == 429
    assert second.get("/kb/throttled", REMOTE_ADDR="192.0.2.1").status_code == 200


def test_an_account_is_one_client(settings: Any) -> None:
    set_rates(settings, anon="1/day")
    client = APIClient()
    client.force_login(User.objects.create_user("reader"))
    assert statuses(client, "/kb/throttled", 2) == [200, 429]
    assert APIClient().get("/kb/throttled").status_code == 200


def test_a_path_counts_for_all_its_scopes(settings: Any) -> None:
    set_rates(settings, anon="5/day", search="2/day", ask="1/day")
    assert statuses(APIClient(), "/kb/throttled", 3) == [200, 200, 429]
    assert statuses(APIClient(), "/kb/throttled-ask", 2) == [200, 429]
    assert statuses(APIClient(), "/kb/topics", 3) == [200, 200, 429]  # the three let through count for the whole of /kb


def test_a_request_that_one_scope_refuses_uses_up_no_other(settings: Any) -> None:
    set_rates(settings, anon="3/day", ask="1/day")
    assert statuses(APIClient(), "/kb/throttled-ask", 6) == [200, *[429] * 5]
    assert statuses(APIClient(), "/kb/topics", 3) == [200, 200, 429]
    set_rates(settings, anon="3/day", ask="5/day")
    assert statuses(APIClient(), "/kb/throttled-ask", 3) == [429] * 3  # refused by the first scope, not by the second
    set_rates(settings, anon="30/day", ask="5/day")
    assert statuses(APIClient(), "/kb/throttled-ask", 5) == [*[200] * 4, 429]


def test_the_health_probes_are_never_throttled(settings: Any) -> None:
    set_rates(settings, anon="0/day")
    assert APIClient().get("/kb/topics").status_code == 429
    assert statuses(APIClient(), "/healthz", 5) == [200] * 5


def test_no_rate_means_no_limit(settings: Any) -> None:
    set_rates(settings)
    assert statuses(APIClient(), "/kb/throttled", 20) == [200] * 20


def test_waiting_as_long_as_told_is_enough(settings: Any) -> None:
    set_rates(settings, anon="2/second")
    client = APIClient()
    refused = next(r for r in iter(lambda: client.get("/kb/throttled"), None) if r.status_code == 429)
    time.sleep(int(refused["Retry-After"]))
    assert client.get("/kb/throttled").status_code == 200


@pytest.mark.django_db(transaction=True)
def test_parallel_requests_do_not_slip_through(settings: Any) -> None:
    set_rates(settings, anon="10/day")

    def ask(_number: int) -> int:
        return int(APIClient().get("/kb/throttled").status_code)

    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(ask, range(40)))
    assert answers.count(200) <= 10
    assert set(answers) == {200, 429}


def test_nobody_is_refused_because_redis_is_away(settings: Any) -> None:
    set_rates(settings, anon="1/day")
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert statuses(APIClient(), "/kb/throttled", 2) == [200, 200]


@pytest.mark.parametrize(
    ("rate", "meaning"),
    [("300/min", (300, 60)), ("5/s", (5, 1)), ("1/hour", (1, 3600)), ("0/day", (0, 86400)), ("", (None, 1))],
)
def test_a_rate_is_read(rate: str, meaning: tuple[int | None, int]) -> None:
    assert parse_rate(rate) == meaning


@pytest.mark.parametrize("rate", ["300", "x/min", "5/fortnight", "/"])
def test_a_rate_that_is_none_is_refused(rate: str) -> None:
    with pytest.raises(ValueError, match=r".+"):
        parse_rate(rate)
