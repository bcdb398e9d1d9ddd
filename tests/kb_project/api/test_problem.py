"""Every error is a problem object with a stable code, whichever layer it comes from, and gives nothing away."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from rest_framework.test import APIClient

from tests.factories import make_staff

pytestmark = [pytest.mark.urls("tests.kb_project.api.probes"), pytest.mark.django_db]
MEMBERS = {"type", "title", "status", "detail", "code"}


def assert_problem(response: Any, status: int, code: str) -> dict[str, Any]:
    problem: dict[str, Any] = response.json()
    assert response.status_code == status, problem
    assert response["Content-Type"] == "application/problem+json"
    assert set(problem) >= MEMBERS
    assert (problem["status"], problem["code"]) == (status, code)
    assert problem["type"] == f"urn:kb:problem:{code}"
    assert "Traceback" not in problem["detail"]
    return problem


@pytest.fixture
def lenient() -> APIClient:
    """A client that shows error pages instead of raising what caused them."""
    return APIClient(raise_request_exception=False)


@pytest.fixture
def fresh_connection(transactional_db: None) -> Iterator[None]:
    yield
    connection.close()


def test_a_refusal_keeps_its_code_errors_and_further_members() -> None:
    problem = assert_problem(APIClient().get("/kb/things/1"), 409, "duplicate_document")
    assert problem["source_id"] == 7
    assert problem["errors"] == {"file": ["Twice."]}
    assert problem["detail"] == "It is there already."


@pytest.mark.parametrize(
    "path",
    [
        "/kb/nothing",
        "/kb/echo/",
        "/kb",
        "/admin/kb/",
        "/api/nothing",
        "/kb/things/x",
        "/kb/things/-1",
        "/kb/things/1.0",
        "/kb/things/٥",
        "/kb/things/" + "9" * 5000,
        "/kb/things/1%00",
        "/kb/%FF%FE",
        "/kb/jobs/5",
        "/kb/jobs/12345678-1234-1234-1234-12345678901",
        "/kb/jobs/12345678-1234-1234-1234-12345678901g",
        "/kb/../../etc/passwd",
    ],
)
def test_a_path_that_leads_nowhere_is_404(path: str) -> None:
    for method in ("GET", "POST", "HEAD"):
        response = APIClient().generic(method, path)
        if method == "HEAD":
            assert (response.status_code, response.content) == (404, b"")
        else:
            assert_problem(response, 404, "not_found")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "TRACE", "PROPFIND"])
def test_a_wrong_method_is_405_and_says_the_right_ones(method: str) -> None:
    response = APIClient().generic(method, "/kb/echo")
    assert_problem(response, 405, "method_not_allowed")
    assert response["Allow"] == "GET, POST, DELETE, HEAD, OPTIONS"


def test_head_and_options_are_answered() -> None:
    head = APIClient().head("/kb/echo")
    assert (head.status_code, head.content) == (200, b"")
    assert APIClient().options("/kb/echo").status_code == 200


def test_no_credentials_is_401_and_says_how_to_log_in() -> None:
    response = APIClient().get("/admin/kb/staff")
    assert_problem(response, 401, "not_authenticated")
    assert response["WWW-Authenticate"] == 'Api-Key realm="kb"'


def test_a_session_without_the_csrf_token_is_403() -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(make_staff())
    assert client.get("/admin/kb/staff").status_code == 200
    assert_problem(client.post("/admin/kb/staff"), 403, "permission_denied")


def test_a_plain_view_of_the_api_refuses_csrf_as_a_problem(settings: Any) -> None:
    client = Client(enforce_csrf_checks=True)
    assert_problem(client.post("/admin/kb/plain-post"), 403, "permission_denied")


def test_a_foreign_host_is_400(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["kb.example"]
    assert_problem(APIClient().get("/kb/echo", headers={"host": "evil.example"}), 400, "invalid")


def test_the_unforeseen_is_500_without_its_cause(lenient: APIClient) -> None:
    for path in ("/kb/unforeseen", "/kb/jobs/12345678-1234-1234-1234-123456789012"):
        response = lenient.get(path)
        assert_problem(response, 500, "internal_error")
        assert b"secret" not in response.content


def test_a_value_the_database_cannot_hold_is_400() -> None:
    assert_problem(APIClient().get("/kb/bad-value"), 400, "invalid")


@pytest.mark.usefixtures("fresh_connection")
@pytest.mark.parametrize("path", ["/kb/database-gone", "/kb/plain-database-gone"])
def test_a_lost_database_is_503(lenient: APIClient, path: str) -> None:
    response = lenient.get(path)
    assert_problem(response, 503, "unavailable")
    assert int(response["Retry-After"]) > 0


def test_halves_of_characters_never_break_the_answer() -> None:
    response = APIClient().generic("POST", "/kb/echo", '{"kind": "\\ud83d"}', content_type="application/json")
    assert_problem(response, 400, "invalid")


def test_what_is_said_is_readable_hebrew() -> None:
    body: Any = '{"שדה": 1}'.encode()
    response = APIClient().generic("POST", "/kb/echo", body, content_type="application/json")
    assert "שדה" in response.content.decode()


def test_nested_errors_are_named_by_their_path() -> None:
    text = '{"items": [{"name": "a"}, {"name": ""}], "numbers": [1, null]}'
    response = APIClient().generic("POST", "/kb/echo", text, content_type="application/json")
    assert set(assert_problem(response, 400, "invalid")["errors"]) == {"items.1.name", "numbers.1"}
