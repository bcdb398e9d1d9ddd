"""MCP over HTTP: who may call, what is refused and how."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from rest_framework.test import APIClient

from tests.answers.agent.mcp.clients import key_for
from topics import edit
from topics.models import ApiKey, Topic

MESSAGE = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
HEADERS: dict[str, Any] = {"HTTP_ACCEPT": "application/json, text/event-stream"}


def post(
    slug: str, message: Any = MESSAGE, *, content_type: str = "application/json", path: str = "", **headers: Any
) -> Any:
    body: Any = message if isinstance(message, bytes) else json.dumps(message)
    path = path or f"/mcp/{slug}/"
    return APIClient().generic("POST", path, body, content_type=content_type, **{**HEADERS, **headers})


def refused(response: Any) -> tuple[int, str]:
    assert response["Content-Type"] == "application/problem+json"
    return response.status_code, response.json()["code"]


@pytest.mark.django_db
def test_it_is_open_as_the_public_paths_are(library: Topic, settings: Any) -> None:
    assert post("library").status_code == 200
    settings.KB_PUBLIC_REQUIRES_KEY = True
    response = post("library")
    assert refused(response) == (401, "not_authenticated")
    assert response["WWW-Authenticate"] == 'Bearer realm="kb"'


def initialize(version: str) -> dict[str, Any]:
    client = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}


@pytest.mark.django_db
@pytest.mark.parametrize("accept", ["application/json", "text/event-stream", "*/*", "text/html", ""])
def test_a_client_is_answered_whatever_it_says_that_it_accepts(library: Topic, accept: str) -> None:
    for message in (initialize("2025-06-18"), MESSAGE):
        response = post("library", message, HTTP_ACCEPT=accept)
        assert (response.status_code, response["Content-Type"]) == (200, "application/json")
        assert "result" in response.json()


@pytest.mark.django_db
def test_the_version_is_agreed_on_by_the_first_message(library: Topic) -> None:
    for asked, agreed in (("2025-03-26", "2025-03-26"), ("2030-01-01", "2025-11-25"), ("1900-01-01", "2025-11-25")):
        for headers in ({}, {"HTTP_MCP_PROTOCOL_VERSION": asked}):
            response = post("library", initialize(asked), **headers)
            assert (response.status_code, response.json()["result"]["protocolVersion"]) == (200, agreed)


@pytest.mark.django_db
def test_later_messages_of_an_unknown_version_are_told_those_that_there_are(library: Topic) -> None:
    response = post("library", MESSAGE, HTTP_MCP_PROTOCOL_VERSION="2030-01-01")
    error = response.json()["error"]
    assert (response.status_code, response.json()["id"], error["data"]["requested"]) == (400, 1, "2030-01-01")
    assert {"2025-06-18", "2025-11-25"} <= set(error["data"]["supported"])
    assert post("library", MESSAGE, HTTP_MCP_PROTOCOL_VERSION="2025-06-18").status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("scheme", ["Bearer", "Api-Key"])
def test_a_false_or_expired_key_is_refused_where_none_is_needed(library: Topic, scheme: str) -> None:
    expired = key_for()
    ApiKey.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    for key in (expired, "AbCdEfGh." + "x" * 32, "", "nonsense"):
        assert refused(post("library", HTTP_AUTHORIZATION=f"{scheme} {key}")) == (401, "not_authenticated")


@pytest.mark.django_db
def test_a_key_pinned_to_another_topic_learns_nothing(library: Topic, harbour: Topic) -> None:
    headers = {"HTTP_AUTHORIZATION": f"Bearer {key_for(library)}"}
    assert post("library", **headers).status_code == 200
    there = post("harbour", **headers)
    assert refused(there) == (403, "permission_denied")
    nowhere, pinned_elsewhere = post("nowhere", **headers).json(), there.json()
    for problem in (nowhere, pinned_elsewhere):
        problem.pop("instance")  # the id of the request
    assert nowhere == pinned_elsewhere


@pytest.mark.django_db
def test_the_topic_is_read_once(library: Topic) -> None:
    with CaptureQueriesContext(connection) as queries:
        assert post("library").status_code == 200
    assert len([query for query in queries if 'FROM "kb_topic"' in query["sql"]]) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["nowhere", "LIBRARY", "%00", "%F0%9F%93%9A", "..", "a" * 3_000])
def test_an_unknown_topic_is_not_found(library: Topic, slug: str) -> None:
    assert refused(post("", path=f"/mcp/{slug}/")) == (404, "not_found")


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/mcp", "/mcp/", "/mcp/library/x"])
def test_there_is_nothing_at_other_addresses(library: Topic, path: str) -> None:
    assert refused(post("", path=path)) == (404, "not_found")


@pytest.mark.django_db
def test_a_slug_that_the_topic_once_had_still_leads_to_it(library: Topic) -> None:
    edit.edit(library.pk, {"slug": "reading"}, by="test")
    assert post("library").status_code == post("reading").status_code == 200
    assert post("library", HTTP_AUTHORIZATION=f"Bearer {key_for(library)}").status_code == 200


CALL = {
    "jsonrpc": "2.0",
    "id": "c-7",
    "method": "tools/call",
    "params": {"name": "search_legal_kb", "arguments": {"query": "books", "limit": "5"}},
}


@pytest.mark.django_db
def test_the_slash_at_the_end_may_be_missing(library: Topic) -> None:
    result = post("", CALL, path="/mcp/library").json()["result"]
    assert not result["isError"]
    assert "five books" in result["content"][0]["text"]
    assert refused(post("", path="/mcp/nowhere")) == (404, "not_found")


@pytest.mark.django_db
def test_calls_are_throttled_as_searches_are(library: Topic, monkeypatch: pytest.MonkeyPatch) -> None:
    from rest_framework.settings import api_settings

    rates = {**api_settings.DEFAULT_THROTTLE_RATES, "search": "2/day"}
    monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", rates)
    headers = {"HTTP_AUTHORIZATION": f"Bearer {key_for()}"}
    assert all("result" in post("library", CALL, **headers).json() for _ in range(2))
    response = post("library", CALL, **headers)
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")  # clients end at a status 429
    assert int(response["Retry-After"]) >= 1
    said = response.json()
    assert (said["id"], said["error"]["code"], said["error"]["data"]["code"]) == ("c-7", -32029, "throttled")
    assert refused(post("library", {"jsonrpc": "2.0", "method": "tools/call"}, **headers)) == (429, "throttled")


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["initialize", "notifications/initialized", "tools/list", "ping"])
def test_shaking_hands_counts_for_nothing(library: Topic, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    from rest_framework.settings import api_settings

    rates = {**api_settings.DEFAULT_THROTTLE_RATES, "anon": "1/day"}
    monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", rates)
    headers = {"HTTP_AUTHORIZATION": f"Bearer {key_for()}"}
    for _ in range(3):
        response = post("library", {**MESSAGE, "method": method}, **headers)
        assert response.get("Content-Type") != "application/problem+json"
        assert b"throttled" not in response.content
    assert "result" in post("library", CALL, **headers).json()
    assert "error" in post("library", CALL, **headers).json()


@pytest.mark.django_db
def test_a_browsers_session_opens_nothing(library: Topic, staff_client: Any, settings: Any) -> None:
    settings.KB_PUBLIC_REQUIRES_KEY = True
    response = staff_client.post("/mcp/library/", json.dumps(MESSAGE), content_type="application/json", **HEADERS)
    assert refused(response) == (401, "not_authenticated")


@pytest.mark.django_db
def test_a_name_that_was_made_to_lead_here_is_refused(library: Topic) -> None:
    assert refused(post("library", HTTP_HOST="rebound.example")) == (400, "invalid")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://testserver", 200),
        ("https://kb.example", 200),
        ("https://a.agents.example", 200),
        ("https://KB.example", 200),
        ("http://kb.example", 403),
        ("https://kb.example:8443", 403),
        ("https://kb.example.evil", 403),
        ("https://evilagents.example", 403),
        ("http://testserver.evil", 403),
        ("null", 403),
        ("", 403),
    ],
)
def test_a_page_of_another_site_is_refused(library: Topic, settings: Any, origin: str, status: int) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://kb.example", "https://*.agents.example"]
    assert post("library", HTTP_ORIGIN=origin).status_code == status


@pytest.mark.django_db
@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_there_is_no_stream_and_no_session(library: Topic, method: str) -> None:
    response = APIClient().generic(method, "/mcp/library/", **HEADERS)
    assert refused(response) == (405, "method_not_allowed")
    assert "POST" in response["Allow"]


@pytest.mark.django_db
def test_a_large_message_is_refused(library: Topic) -> None:
    assert refused(post("library", b" " * 70_000)) == (413, "too_large")
    response = post("library", {**MESSAGE, "params": {"_meta": {"x": " " * 70_000}}})
    said = response.json()
    assert response.status_code == 200
    assert (said["id"], said["error"]["code"], said["error"]["data"]["code"]) == (1, -32600, "too_large")


@pytest.mark.django_db
def test_a_message_that_is_not_json_is_refused(library: Topic) -> None:
    assert refused(post("library", content_type="text/plain")) == (415, "unsupported_type")
    assert refused(post("", path="/mcp/library/?topic_id=2")) == (400, "unknown_parameter")


@pytest.mark.django_db
@pytest.mark.parametrize("version", ["", "2025-06-18", "2026-07-28", "1999-01-01", "\u00e9", "2026-07-28,2026-07-28"])
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"[" * 30_000,
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "nothing/here"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search_legal_kb", "arguments": [1]}}',
        b'{"jsonrpc": "2.0", "id": ' + b"9" * 5_000 + b', "method": "tools/list"}',
        b"\xff\xfe",
    ],
)
def test_a_message_that_makes_no_sense_is_no_fault_of_ours(library: Topic, body: bytes, version: str) -> None:
    headers = {"HTTP_MCP_PROTOCOL_VERSION": version} if version else {}
    assert post("library", body, **headers).status_code < 500


@pytest.mark.django_db
def test_what_says_who_is_asking_does_not_reach_the_protocol(library: Topic, caplog: pytest.LogCaptureFixture) -> None:
    key = key_for()
    with caplog.at_level("DEBUG"):
        assert post("library", HTTP_AUTHORIZATION=f"Bearer {key}").status_code == 200
    assert key not in caplog.text
